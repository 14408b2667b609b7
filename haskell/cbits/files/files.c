/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One loop over files (files.h). It is called with the Capability held, and loses it as any held call does; or for one
 * file, with the Capability given up, beside others that wait for a slow disk.
 *
 * The clock is the coarse one, which costs a tenth of a system call at most and is right to the tick.
 */
#include "files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t coarse_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static const char *path_of(const struct ferry_files *files, long number)
{
	return files->names + files->starts[number];
}

static bool is_stopped(struct ferry_files *files)
{
	return atomic_load_explicit((_Atomic int32_t *)&files->is_stopped, memory_order_relaxed);
}

/* `one` deals with a file, and returns false if a signal came before it had begun to. */
static long each(struct ferry_files *files, long from, long end, bool (*one)(struct ferry_files *, long))
{
	int64_t before = coarse_now_ns();

	for (long number = from; number < end; number++) {
		int64_t now;

		if (is_stopped(files))
			return number;
		if (!one(files, number))
			return ~number;
		now = coarse_now_ns();
		if (now - before > FERRY_FILES_SLOW_NS)
			return number + 1;
		before = now;
	}
	return end;
}

static bool look(struct ferry_files *files, long number)
{
	struct statx *to = (struct statx *)files->results + number;
	int32_t *error = (int32_t *)files->buffers + number;
	int failed = statx(AT_FDCWD, path_of(files, number), files->flags, STATX_BASIC_STATS | STATX_BTIME, to);

	*error = failed ? errno : 0;
	return *error != EINTR;
}

static int64_t read_once(int fd, char *to, size_t bytes)
{
	ssize_t count = read(fd, to, bytes);

	return count < 0 ? -errno : count;
}

static bool read_one(struct ferry_files *files, long number)
{
	struct ferry_file_read *done = (struct ferry_file_read *)files->results + number;
	char *buffer = (char *)files->buffers + number * FERRY_FILES_BUFFER;
	struct statx status;
	int fd = open(path_of(files, number), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	*done = (struct ferry_file_read){ .fd = fd < 0 ? -errno : fd };
	if (fd < 0)
		return done->fd != -EINTR;
	done->first = read_once(fd, buffer, FERRY_FILES_FIRST);
	if (done->first > 0)
		done->second = read_once(fd, buffer + FERRY_FILES_FIRST, FERRY_FILES_SECOND);
	if (done->first == 0 || (done->first > 0 && done->second == 0)) {
		close(fd);
		done->is_closed = 1;
	} else if (done->second > 0 && statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &status) == 0) {
		done->size = status.stx_size;
	}
	return true;
}

long ferry_files_read(struct ferry_files *files, long from, long end)
{
	return each(files, from, end, read_one);
}

long ferry_files_look(struct ferry_files *files, long from, long end)
{
	return each(files, from, end, look);
}
