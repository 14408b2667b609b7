/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a query for SQLite's full-text index of what a person types to search.
 *
 * All words must occur, in any order and in capitals or not. `"a phrase"` must occur as it stands; `begin*` is the
 * begin of a word; `-word` must not occur; `#tag` is a tag of the note. No other character has a meaning, so that no
 * query is a syntax error in FTS5's own language.
 */
#ifndef NOTES_QUERY_H
#define NOTES_QUERY_H

#include <stddef.h>

#define QUERY_BYTES_MAX 4096
/* a tag takes two bytes of a query at least, and a space */
#define QUERY_TAGS_MAX (QUERY_BYTES_MAX / 3 + 1)

struct query {
	char *match; /* for FTS5; empty when only tags are asked for */
	size_t tag_count;
	char *tags[QUERY_TAGS_MAX]; /* without #, in lower case */
};

/* Make a query of what a person typed, or a failure that says why it cannot be asked. */
char *query_parse(struct query *query, const char *text, size_t bytes);
void query_free(struct query *query);

#endif
