/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_THREAD_COUNT_H
#define TESTS_THREAD_COUNT_H

#include <dirent.h>

/* How many threads this process has, as the kernel counts them; -1: it does not say. */
static inline int thread_count(void)
{
	DIR *folder = opendir("/proc/self/task");
	int count = 0;

	if (!folder)
		return -1;
	for (struct dirent *entry; (entry = readdir(folder));)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

#endif
