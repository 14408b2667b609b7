/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes of tests in C. Include this after cmocka.h; define HANG_S before, the seconds a child may take. */
#ifndef TESTS_HELPERS_FORK_H
#define TESTS_HELPERS_FORK_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * gcc 12's AddressSanitizer does not lock its allocator for a fork: a child of a moment when another thread was inside
 * waits for ever at its first allocation. So the fork waits until every other thread sleeps in a system call.
 */
#ifdef __SANITIZE_ADDRESS__
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

static inline void wait_for_other_threads(void)
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
#else
static inline void wait_for_other_threads(void)
{
}
#endif

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
