/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of files that grows; it owns their paths. */
#ifndef NOTES_PATHS_H
#define NOTES_PATHS_H

#include "folder.h"

struct paths {
	struct note_file *items;
	size_t count, capacity;
};

/* Append a copy of a file. A failure: no memory. */
char *paths_add(struct paths *paths, const struct note_file *file);
/* Sort by path, and leave each path once. */
void paths_sort(struct paths *paths);
/* Empty the list, and free what it has. */
void paths_clear(struct paths *paths);

#endif
