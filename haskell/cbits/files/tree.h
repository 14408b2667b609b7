/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listing directories for Ferry.Files. One call of C opens, lists and closes each of them and looks at each name, and
 * does not return to Haskell in between.
 */
#ifndef FERRY_CBITS_TREE_H
#define FERRY_CBITS_TREE_H

#include <stdint.h>

/* A directory that is to be listed. */
struct ferry_tree_directory {
	uint64_t ino;
	uint32_t dev_major, dev_minor;
	/* where its path begins in `paths` */
	uint32_t path;
};

/* Directories of one struct ferry_tree at most. */
#define FERRY_TREE_DIRECTORIES 16

/* Bytes of records that one step gives at most, and of names that one call of getdents64(2) does. */
#define FERRY_TREE_ENTRIES 131072
#define FERRY_TREE_LISTING 32768

/* A call that failed. */
enum { FERRY_TREE_STATX, FERRY_TREE_OPENAT, FERRY_TREE_GETDENTS };

/*
 * A record: a name in a directory. Behind it are a struct statx, if has_status says so, and the name. A record without
 * a name says that the directory itself could not be opened, or not be listed to its end.
 */
struct ferry_tree_entry {
	/* of the record and all that is behind it */
	uint32_t bytes;
	/* 0, or the error number of the call that failed */
	int32_t error;
	/* the number of the directory */
	uint16_t directory;
	uint16_t name_bytes;
	/* a DT_ constant */
	uint8_t type;
	uint8_t has_status;
	uint8_t failed_call;
};

/* One thread at a time uses it. */
struct ferry_tree {
	struct ferry_tree_directory directories[FERRY_TREE_DIRECTORIES];
	/* paths, each with its NUL */
	const char *paths;
	/* FERRY_TREE_ENTRIES and FERRY_TREE_LISTING + 1 bytes */
	char *entries, *listing;
	/* directories that there are, and the number of the first that has not been dealt with */
	int32_t count, next;
	/* the descriptor of the directory that is being listed, or -1 */
	int32_t fd;
	/* whether every name is looked at, or only directories and what may be one */
	int32_t wants_status;
	/* bytes of `entries` that the last step filled */
	uint32_t entries_bytes;
	/* bytes of `listing` that are filled, and that have been dealt with */
	uint32_t listing_bytes, listing_at;
};

/*
 * Go on until all directories are dealt with, or `entries` is full, or a signal came, or 10 ms are over. Returns 0 if
 * all directories are dealt with, and 1 if not. `entries` is filled from its start.
 */
long ferry_tree_step(struct ferry_tree *tree);

/* Close what is open. */
void ferry_tree_end(struct ferry_tree *tree);

#endif /* FERRY_CBITS_TREE_H */
