/* SPDX-License-Identifier: BSD-3-Clause */
/* Map whole files, each in one batch. */
#ifndef TOTAL_MAP_FILE_H
#define TOTAL_MAP_FILE_H

#include <sys/stat.h>

#include <ferry/batch.h>

/* openat, fstat, mmap and close, and the word copies that hand size and descriptor on */
#define MAP_FILE_SLOTS 8

/*
 * The batch, built and verified once and run for every file. It points into itself, so it must not be moved or copied
 * after map_file_init; one thread at a time may use it.
 */
struct map_file {
	struct batch_slot slots[MAP_FILE_SLOTS];
	long rets[MAP_FILE_SLOTS];
	struct stat status;
	struct batch_prepared prepared;
	long open, map; /* where these slots are */
};

/* The bytes of a file, readable. Unmap with munmap when bytes > 0; an empty file has no address. */
struct mapping {
	const signed char *start;
	size_t bytes;
};

/* Build and verify the batch. Returns 0, or -errno with *error filled. */
int map_file_init(struct map_file *file, struct batch_error *error);

/*
 * Map all of the regular file at `path`. Returns 0, or -errno: what failed in the batch, -EISDIR for a directory, or
 * -ENODEV for anything else that is not a regular file. No descriptor stays open, whatever is returned.
 */
int map_file_run(struct map_file *file, const char *path, struct mapping *mapping);

#endif /* TOTAL_MAP_FILE_H */
