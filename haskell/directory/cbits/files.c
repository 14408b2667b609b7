/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the held calls of ferry-directory need that libc has no plain function for: open(2) takes a variable number of
 * arguments, and copy_file_range(2) more than fit in registers. Each makes one system call, and leaves its errno.
 */
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

int ferry_directory_open(const char *path, int flags, mode_t mode);
int ferry_directory_open(const char *path, int flags, mode_t mode)
{
	return open(path, flags, mode);
}

/* Copy up to so many bytes from where one file stands to where the other stands. Returns how many, or -1. */
ssize_t ferry_directory_copy(int from, int to, size_t bytes);
ssize_t ferry_directory_copy(int from, int to, size_t bytes)
{
	return copy_file_range(from, NULL, to, NULL, bytes, 0);
}
