/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of the OpenMP runtime share. */
#ifndef OPENMP_TESTS_H
#define OPENMP_TESTS_H

#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || defined(DELAYS)
#define SLOW 1
#else
#define SLOW 0
#endif

static const int team_sizes[] = { 1, 2, 3, 4, 7 };
#define FOR_SIZES(threads)                                                                                             \
	for (const int *at = team_sizes; at < team_sizes + sizeof(team_sizes) / sizeof(team_sizes[0]); at++)           \
		for (int threads = *at, once = 1; once; once = 0)

/* A short delay that differs from call to call, so that threads meet in many orders. */
static inline void delay(unsigned seed)
{
	for (volatile unsigned i = (seed * 2654435761u) >> 23; i > 0; i--)
		;
}

/*
 * Run again with variables set that the runtime reads when it is loaded. While a thread is in exec, Linux refuses
 * clone (EAGAIN) to those that share its file system state, and GHC's runtime system, which may be starting a thread
 * just then, ends the process for it; so this thread goes with a state of its own.
 */
static inline int again(int argc, char **argv, const char *const *variables)
{
	if (argc > 1)
		return 0;
	for (; variables[0]; variables += 2)
		setenv(variables[0], variables[1], 1);
	unshare(CLONE_FS);
	execl(argv[0], argv[0], "again", (char *)NULL);
	return 1;
}

#endif
