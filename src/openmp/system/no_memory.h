/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a construct cannot do without. The interfaces of compilers have no way to report that it could not be had, so
 * the program ends, as with libgomp, and standard error says what was missing.
 */
#ifndef OMP_NO_MEMORY_H
#define OMP_NO_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

/* Say that there is no memory for `what`, and end the program. */
static inline _Noreturn __attribute__((cold)) void omp__no_memory(const char *what)
{
	fprintf(stderr, "libferryomp: no memory for %s\n", what);
	abort();
}

/* The same for a key of pthread_key_create. */
static inline _Noreturn __attribute__((cold)) void omp__no_key(void)
{
	fputs("libferryomp: the process has no key for data of threads left (pthread_key_create)\n", stderr);
	abort();
}

#endif
