/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that were left out, and why; sorted by path. */
#ifndef NOTES_SKIPPED_H
#define NOTES_SKIPPED_H

#include "generated/notes_types.h"

struct skipped {
	struct notes_map_string_string_pair *items;
	size_t count;
};

/* Remember why a file was left out; copies both. Without memory nothing is remembered. */
void skipped_set(struct skipped *skipped, const char *path, const char *why);
void skipped_remove(struct skipped *skipped, const char *path);
void skipped_clear(struct skipped *skipped);

#endif
