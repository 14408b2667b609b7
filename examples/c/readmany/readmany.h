/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readmany: the contents of many small files, in order, as cat(1) gives them.
 *
 *	main.c		options
 *	names.c		where the names come from: operands, or a list of names that end in NUL
 *	batch.c		opens, reads and closes many files in one batch
 *	plain.c		one file with plain calls: whatever a batch could not read to its end
 *	output.c	standard output
 *
 * Memory is bounded by the limits below, whatever the number of files and their sizes.
 */
#ifndef READMANY_H
#define READMANY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <ferry/batch.h>

#include "cli/cli.h"

#define READMANY_FILES_DEFAULT 64   /* files in one batch */
#define READMANY_FILES_MAX 1024	    /* the most --batch takes; also iovecs in one writev */
#define READMANY_FILE_BYTES 65536   /* a file up to this size is read in its batch */
#define READMANY_PLAIN_BYTES 131072 /* buffer of plain reads */
#define READMANY_LIST_BYTES 65536   /* buffer of the list of names */

/* ---- output.c ---- */

/* Find out what kind of file standard output is. Call this once, before the other functions. */
void output_start(void);

/* Write all `count` bytes, in order, or end the program as cat does. */
void output_write(const void *bytes, size_t count);

/* As output_write, for the first counts[i] bytes of each of `pieces`, READMANY_FILES_MAX at most. */
struct iovec;
void output_writev(struct iovec *pieces, size_t count);

/* Whether this descriptor is the very file to which standard output writes, and has something to read. */
bool output_is_input(int fd);

/* Size of the regular file that standard output is, or -1 when it is something else. */
off_t output_size(void);

/* "readmany: NAME: WHY" on standard error. */
void complain(const char *name, const char *why);

/* The same, with the error's own text. */
void report(const char *name, int code);

/* ---- names.c ---- */

/* Where names come from. */
struct names {
	char *const *operands; /* NULL: a list */
	size_t operand_count, next;
	const char *list_name; /* the list's file name, for messages */
	int list_fd;
	char *list_buffer;
	size_t list_have, list_used;
	unsigned long list_line; /* names so far */
	bool list_ended;
	bool failed; /* a name was refused */
};

int names_from_operands(struct names *names, char *const *operands, size_t count);
int names_from_list(struct names *names, const char *file);

/* The next name, or NULL. One from a list is copied to storage[PATH_MAX]; an operand stays where it is. */
const char *names_next(struct names *names, char *storage);

void names_end(struct names *names);

/* ---- plain.c ---- */

/* Copy the open file to standard output, to its end. Closes fd unless it is standard input. Returns 0 or -errno. */
int plain_copy(int fd, const char *name);

/*
 * Copy the file that is open as `kept`; when that is -1, open the file first. Reports an error. Returns whether there
 * was none.
 */
bool plain_file(const char *name, int kept);

/* Copy standard input. */
bool plain_stdin(void);

/* ---- batch.c ---- */

/* Which executor the user asked for. */
enum readmany_executor { READMANY_AUTO, READMANY_LOOP, READMANY_URING, READMANY_KERNEL };

struct reader;

/* Make a reader for batches of `files`. Returns NULL after a message. */
struct reader *reader_open(size_t files, enum readmany_executor executor);

/* Add a file; its name must stay until the batch has run. Runs the batch when it is full. */
void reader_add(struct reader *reader, const char *name);

/* Room for the name that reader_add will get next. */
char *reader_storage(struct reader *reader);

/* Run what has been added. */
void reader_flush(struct reader *reader);

/* Flush and free. Returns whether every file was read. */
bool reader_close(struct reader *reader);

#endif /* READMANY_H */
