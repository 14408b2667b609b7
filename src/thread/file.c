/* SPDX-License-Identifier: BSD-3-Clause */
/* See file.h. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

long thread__file_open(long folder, const char *path)
{
	return syscall(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC, 0);
}

void thread__file_close(long descriptor)
{
	syscall(SYS_close, descriptor);
}

/*
 * Make one read(2), again if a signal interrupted it. Returns how many bytes came, 0 at the file's end or when it
 * cannot be read.
 */
static size_t read_once(long descriptor, char *to, size_t size)
{
	long got;

	do
		got = syscall(SYS_read, descriptor, to, size);
	while (got < 0 && errno == EINTR);
	return got > 0 ? (size_t)got : 0;
}

size_t thread__file_append(long descriptor, char *text, size_t length, size_t size)
{
	size_t got;

	while (length < size - 1 && (got = read_once(descriptor, text + length, size - 1 - length)) > 0)
		length += got;
	text[length] = '\0';
	return length;
}

bool thread__file_read(long folder, const char *path, char *text, size_t size)
{
	long descriptor = thread__file_open(folder, path);

	if (descriptor < 0)
		return false;
	text[read_once(descriptor, text, size - 1)] = '\0';
	thread__file_close(descriptor);
	return true;
}
