/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What examples/c/mdu does with each directory, as plain C: the batch `enter` of src/walk/batches.c. glibc's statx and
 * getdents64 do more than the call on some ways, so they are no wrappers, and these are made by syscall().
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

long enter(int parent, const char *name, struct statx *status, void *entries, size_t bytes);

long enter(int parent, const char *name, struct statx *status, void *entries, size_t bytes)
{
	/* batched 3 calls in 5 slots: openat, statx, getdents64 */
	long fd = syscall(SYS_openat, parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW, 0);

	if (fd < 0)
		return -1;
	if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, status) < 0)
		return -1;
	return syscall(SYS_getdents64, fd, entries, bytes);
}
