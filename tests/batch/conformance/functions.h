/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of C functions that vectors with `table: functions` call, on the `call` executor. */
#ifndef FERRY_TESTS_CONFORMANCE_FUNCTIONS_H
#define FERRY_TESTS_CONFORMANCE_FUNCTIONS_H

#include <ferry/batch.h>

extern const struct batch_function functions[];
extern const size_t functions_count;

#define FUNCTIONS_SYSTEM_CALLS 512

/*
 * Fill table[FUNCTIONS_SYSTEM_CALLS] so that entry nr makes system call nr; a denied call has no address. Every entry
 * takes argc[nr] arguments.
 */
void functions_of_system_calls(struct batch_function *table, const unsigned char *argc);

#endif /* FERRY_TESTS_CONFORMANCE_FUNCTIONS_H */
