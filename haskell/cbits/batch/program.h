/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A prepared program of the Haskell package, in memory that Haskell allocated: the batch, its executor, and what builds
 * it. Slots, results, functions and cells lie behind it in the same allocation, which never moves.
 */
#ifndef FERRY_HASKELL_PROGRAM_H
#define FERRY_HASKELL_PROGRAM_H

#include <ferry/batch.h>

struct ferry_program {
	struct batch_prepared prepared; /* first: the address of a program is the address of its batch */
	struct batch_call_executor call;
	struct batch_builder builder;
	struct batch_error error;
	struct batch_argument fed[BATCH_ARGS_MAX]; /* of the next call */
	unsigned int fed_mask;			   /* bit k set: argument k is fed[k], whatever its word */
};

#endif /* FERRY_HASKELL_PROGRAM_H */
