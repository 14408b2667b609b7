/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small files of the kernel, in /proc and /sys, read by plain system calls: the functions of the C library are
 * cancellation points, and its streams allocate memory. Any thread may call these at any time, also a signal handler.
 * errno is changed.
 */
#ifndef FERRY_THREAD_FILE_H
#define FERRY_THREAD_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Open the file `path`, relative to the open folder `folder` or to AT_FDCWD: its descriptor, or -1. */
long thread__file_open(long folder, const char *path);
void thread__file_close(long descriptor);

/*
 * Append to the `length` bytes of `text` until its `size` bytes are full or the file ends; a zero byte follows them.
 * Returns the new length.
 */
size_t thread__file_append(long descriptor, char *text, size_t length, size_t size);

/*
 * What one read(2) of the file gives, at most `size` - 1 bytes, and a zero byte: the kernel gives the whole of a small
 * file at once. False when the file cannot be opened; `text` is as it was then.
 */
bool thread__file_read(long folder, const char *path, char *text, size_t size);

#endif /* FERRY_THREAD_FILE_H */
