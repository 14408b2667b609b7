/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many files, one after the other, for Ferry.Files: the system calls of each without a return to Haskell in between.
 */
#ifndef FERRY_CBITS_FILES_H
#define FERRY_CBITS_FILES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Files at a time. The Haskell thread that laid it out owns it until the last call on it has returned; calls on
 * different files of it may go on at the same time, since each writes its own results alone.
 */
struct ferry_files {
	/* the paths, each with its NUL, and where each begins */
	const char *names;
	const uint32_t *starts;
	/* an array of struct ferry_file_read or of struct statx, one for each path */
	void *results;
	/* ferry_files_read: FERRY_FILES_BUFFER bytes for each path; ferry_files_look: an error number for each, or 0 */
	void *buffers;
	/* of ferry_files_look: those of statx(2) */
	int32_t flags;
	/* Another thread sets it to 1: the call returns before the next file. Relaxed: nothing else is said by it. */
	int32_t is_stopped;
};

/* What became of reading a file. A descriptor that is not closed is the caller's. */
struct ferry_file_read {
	/* what opening it gave, or -errno */
	int32_t fd;
	int32_t is_closed;
	/* bytes of the first read and of the second, which shows whether the file has ended; or -errno */
	int64_t first;
	int64_t second;
	/* the size of a file that has not ended */
	uint64_t size;
};

/* Bytes of a file that the first read asks for, and the second. */
#define FERRY_FILES_FIRST 16384
#define FERRY_FILES_SECOND 64
#define FERRY_FILES_BUFFER (FERRY_FILES_FIRST + FERRY_FILES_SECOND)

/* A file that takes longer than this is on a slow disk, or the system runs something else instead. */
#define FERRY_FILES_SLOW_NS 10000000

/*
 * Read the files from number `from` to before number `end`, or look at them. Returns the number of the first file that
 * was not dealt with: it is `end`, or less after a file that was slow, or where it was stopped. Where a signal came
 * first it is ~number, so that an interruptible call can be.
 */
long ferry_files_read(struct ferry_files *files, long from, long end);
long ferry_files_look(struct ferry_files *files, long from, long end);

#endif /* FERRY_CBITS_FILES_H */
