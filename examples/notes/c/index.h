/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The full-text index: SQLite's FTS5. One thread at a time.
 *
 * Table `note` has the files, `note_text` their words under the same row numbers, and `tag` the tags of each note. A
 * note is written in one transaction, so an index that was interrupted may lack notes, but is never wrong about one.
 */
#ifndef NOTES_INDEX_H
#define NOTES_INDEX_H

#include "folder.h"
#include "generated/notes_types.h"

#include <sqlite3.h>

#define MATCHES_MAX NOTES_MAX_RESULTS

struct index {
	char *folder;
	sqlite3 *db;
};

/* Open the index of the notes below `folder`, kept in the file `database`, or in memory when that is NULL. */
char *index_open(struct index *index, const char *folder, const char *database);
void index_close(struct index *index);

/* Visit the files that the index has; a path is valid during its visit. */
char *index_visit(struct index *index, char *(*visit)(void *context, const struct note_file *file), void *context);
/* Whether the index has the note as it is now. */
bool index_knows(struct index *index, const struct note_file *file);
/* Index a note as it is now. *is_new: whether the index did not have it. */
char *index_put(struct index *index, const struct note_file *file, bool *is_new);
/* Remove a note. *had: whether the index had it. */
char *index_remove(struct index *index, const char *path, bool *had);

/* At most `limit` notes that match a query, best or newest first, after the first `offset`: for index_free_found(). */
char *index_find(struct index *index, struct ferry_string text, enum notes_order order, uint32_t limit, uint64_t offset,
		 struct notes_seq_found *found);
void index_free_found(struct notes_seq_found found);
/* Every tag, and how many notes have it: for index_free_tags(). */
char *index_tags(struct index *index, struct notes_map_string_u32 *tags);
void index_free_tags(struct notes_map_string_u32 tags);
/* How many notes there are, and their bytes. */
char *index_totals(struct index *index, struct notes_totals *totals);

#endif
