/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a test in C or C++ may fork, or interrupt another thread. gcc 12's AddressSanitizer does not lock its allocator
 * for a fork: a child of a moment when another thread was inside waits for ever at its first allocation. So a fork
 * first calls wait_for_other_threads(), which waits until every other thread sleeps in a system call. Where threads
 * that never sleep belong to the test, CHILD_MAY_ALLOCATE says whether its child may do more than end.
 *
 * A signal handler that allocates waits for ever if it interrupts its own thread inside an allocator, with or without a
 * sanitizer. So a test with such a handler calls until_other_threads_sleep() before it sends the signal.
 */
#ifndef TESTS_HELPERS_FORK_MOMENT_H
#define TESTS_HELPERS_FORK_MOMENT_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool task_sleeps(const char *task)
{
	char path[64], line[512] = "";
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/stat", task);
	file = fopen(path, "r");
	if (!file)
		return true; /* it has ended */
	state = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	return !state || state[2] == 'S';
}

/* A second at most, if one of them stays awake. */
static inline void until_other_threads_sleep(void)
{
	enum { MOST = 1000, NAP_US = 1000 };

	for (int i = 0, awake = 2; i < MOST && awake > 1; i++) {
		DIR *tasks = opendir("/proc/self/task");
		const struct dirent *task;

		if (!tasks)
			abort();
		awake = 0;
		while ((task = readdir(tasks)))
			awake += task->d_name[0] != '.' && !task_sleeps(task->d_name);
		closedir(tasks);
		if (awake > 1) /* more than this one */
			usleep(NAP_US);
	}
}

#ifdef __SANITIZE_ADDRESS__
#define CHILD_MAY_ALLOCATE false

static inline void wait_for_other_threads(void)
{
	until_other_threads_sleep();
}
#else
#define CHILD_MAY_ALLOCATE true

static inline void wait_for_other_threads(void)
{
}
#endif

#endif
