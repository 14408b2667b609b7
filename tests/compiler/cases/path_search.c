/* SPDX-License-Identifier: BSD-3-Clause */
/* examples/c/pathsearch as plain C: the first of known paths that exists. */
#include <unistd.h>

int search(const char *const *paths);

int search(const char *const *paths)
{
	const char *first = paths[0], *second = paths[1], *third = paths[2];

	if (access(first, F_OK) == 0) /* batched 3 calls in 3 slots: access, access, access */
		return 0;
	if (access(second, F_OK) == 0)
		return 1;
	if (access(third, F_OK) == 0)
		return 2;
	return -1;
}
