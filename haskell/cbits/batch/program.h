/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A prepared program of the Haskell package, in memory that Haskell allocated: the batch, its executor, and who may use
 * it. Slots, results, parameters, functions and cells lie behind it in the same allocation, which never moves.
 */
#ifndef FERRY_HASKELL_PROGRAM_H
#define FERRY_HASKELL_PROGRAM_H

#include <ferry/batch.h>

/* A further argument word of a parameter that has one already. */
struct ferry_use {
	long parameter;
	long offset; /* bytes from the start of the program */
};

struct ferry_program {
	struct batch_prepared prepared; /* first: the address of a program is the address of its batch */
	unsigned long owner;		/* second: FERRY_PROGRAM_OWNER of layout.h; owner.c */
	struct batch_call_executor call;
	struct batch_error error;
	/*
	 * Where the first argument word of each parameter is, in bytes from the start of the program; -1: it has none.
	 * FERRY_MORE_USES is added where there are further ones, which are among uses[use_count].
	 */
	long *parameters;
	struct ferry_use *uses;
	size_t use_count;
	unsigned long parameters_used; /* how many parameters have an argument word */
	unsigned long one_word_each;   /* whether every parameter has one, and only one */
};

/* Argument words are aligned to 8 bytes, so an offset has this bit to spare. */
#define FERRY_MORE_USES 1L

#endif /* FERRY_HASKELL_PROGRAM_H */
