/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading small files of the kernel, in /proc and /sys, by plain system calls: the functions of the C library are
 * cancellation points, and its streams allocate memory. Any thread may call these functions at any time, also in a
 * signal handler. They change errno.
 */
#ifndef FERRY_THREAD_FILE_H
#define FERRY_THREAD_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Open the file `path`, relative to the open folder `folder` or to AT_FDCWD. Returns its descriptor, or -1. */
long thread__file_open(long folder, const char *path);
void thread__file_close(long descriptor);

/*
 * Append to the `length` bytes of `text` until its `size` bytes are full or the file ends; a zero byte follows them.
 * Returns the new length.
 */
size_t thread__file_append(long descriptor, char *text, size_t length, size_t size);

/*
 * Read the file with one read(2), which gives the whole of a small file: at most `size` - 1 bytes, and a zero byte
 * after them. False if the file cannot be opened; `text` is unchanged then.
 */
bool thread__file_read(long folder, const char *path, char *text, size_t size);

#endif /* FERRY_THREAD_FILE_H */
