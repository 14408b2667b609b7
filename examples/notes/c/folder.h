/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes as files: plain text and Markdown below one folder. Symbolic links are not followed, so nothing outside of the
 * folder is read, and there is no cycle.
 */
#ifndef NOTES_FOLDER_H
#define NOTES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTE_BYTES_MAX (16L << 20) /* a longer file is left out, and counted */
#define FOLDER_DEPTH_MAX 64

struct note_file {
	char *path; /* below the folder, with `/` */
	int64_t modified_ns;
	int64_t bytes;
};

/* A note's text, which ends with a zero byte. */
struct note_text {
	char *body;
	size_t bytes;
};

/* Whether a file with this path is a note. */
bool folder_is_note(const char *path);
/*
 * The file of a note that was named by a host, or a failure: a path may not lead out of the folder. *path is the path
 * as a C string, *file that of the file; the caller frees both.
 */
char *folder_checked_path(const char *folder, const char *given, size_t bytes, char **path, char **file);
/* Ask the file system about a note; false when there is none. `file` gets no path. */
bool folder_ask(const char *folder, const char *path, struct note_file *file);
/*
 * Visit every note below the folder, in no particular order, until a visit returns a failure. Files and folders that
 * cannot be read are left out. A file's path is valid during its visit.
 */
char *folder_visit(const char *folder, char *(*visit)(void *context, const struct note_file *file), void *context);
/* Read a note; the caller frees text->body. A failure when it cannot be read, is too long, or is not UTF-8. */
char *folder_read(const char *folder, const struct note_file *file, struct note_text *text);

/* The first line that is not empty, without spaces and `#` around it, or else the file's name; *bytes long. */
const char *note_title(const char *path, const struct note_text *text, size_t *bytes);
/*
 * The next tag at or behind *at: a word that starts with #, at the start of a word, and goes on with a letter. Moves
 * *at behind it. Returns where the tag begins, behind its #, or NULL.
 */
const char *note_next_tag(const struct note_text *text, size_t *at, size_t *bytes);

#endif
