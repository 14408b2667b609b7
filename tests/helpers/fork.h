/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes of tests in C. Include this after cmocka.h; define HANG_S before, the seconds a child may take. */
#ifndef TESTS_HELPERS_FORK_H
#define TESTS_HELPERS_FORK_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fork_moment.h"

static inline pid_t fork_child(void)
{
	pid_t child;

	wait_for_other_threads();
	child = fork();
	if (child < 0)
		abort();
	if (child == 0)
		alarm(HANG_S); /* a child that hangs dies, and the test fails */
	return child;
}

/* Wait for the child, and check that it ended by itself, with status 0. */
static inline void wait_for_child(pid_t child)
{
	int status = -1;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

#endif
