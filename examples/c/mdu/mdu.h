/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mdu: disk usage, with the totals of GNU du.
 *
 * main.c reads the options and takes the operands one after the other. Where only the operands' own totals are printed,
 * summary.c adds up sizes as they come, on every thread; where directories or files are printed, listing.c brings what
 * the threads found into du's order first. links.c knows what was counted already.
 */
#ifndef MDU_H
#define MDU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ferry/walk.h>

/* --exclude options */
#define MDU_EXCLUDES_MAX 1024

/* depth that -d takes for "all": beyond any tree */
#define MDU_DEPTH_ALL SIZE_MAX

enum mdu_unit { MDU_BLOCKS, MDU_HUMAN };

struct mdu_options {
	bool all;	    /* -a: files too */
	bool apparent;	    /* sizes, not allocated blocks */
	bool count_links;   /* -l: hard links as often as they are met */
	bool one_device;    /* -x */
	bool summarize;	    /* -s */
	bool total;	    /* -c */
	bool progress;	    /* a line on standard error */
	char terminator;    /* '\n', or '\0' with -0 */
	enum mdu_unit unit; /* how sizes are printed */
	uint64_t block_bytes;
	size_t max_depth; /* directories and files deeper than that are not printed */
	unsigned int threads;
	const char *excludes[MDU_EXCLUDES_MAX];
	size_t exclude_count;
};

/* What one file is, as far as mdu asks. */
struct mdu_identity {
	uint64_t dev, ino;
};

/* ---- links.c: the set of what was counted; any number of threads ---- */

struct mdu_links;
struct mdu_links *mdu_links_new(void);
void mdu_links_free(struct mdu_links *links);
/* Returns 1 when it was not there, 0 when it was, -ENOMEM. */
int mdu_links_add(struct mdu_links *links, struct mdu_identity identity);
bool mdu_links_has(struct mdu_links *links, struct mdu_identity identity);

/* ---- print.c ---- */

/* The bytes a number of either unit needs, terminated. */
#define MDU_NUMBER_BYTES 32
void mdu_format(const struct mdu_options *options, uint64_t bytes, char text[MDU_NUMBER_BYTES]);
void mdu_print(const struct mdu_options *options, uint64_t bytes, const char *path);

/* ---- quote.c ---- */

/* Bytes one byte of a name can become: '$'\ooo'' */
#define MDU_QUOTED_BYTES_MAX 10

/* `name` as a word a shell reads back, in quotes: what GNU's tools print in messages. NULL without memory; free it. */
char *mdu_quote(const char *name);

/* ---- exclude.c ---- */

/* Whether any pattern matches path, or what follows a slash in it. */
bool mdu_excluded(const char *const *patterns, size_t count, const char *path);

/* ---- run.c: what both ways of counting share ---- */

struct mdu_thread {
	_Alignas(64) uint64_t bytes; /* summary only */
	atomic_size_t entries;	     /* relaxed: for the progress line alone */
	char *path;		     /* scratch space of the thread */
	size_t path_bytes;
};

struct mdu {
	const struct mdu_options *options;
	struct mdu_links *links;
	bool add_all; /* every file goes into links, not only those with several links */
	struct mdu_thread *threads;
	unsigned int thread_count;
	uint64_t total;
	atomic_bool failed; /* relaxed: read after the threads were joined */
	atomic_llong progress_next_ns;
	atomic_bool progress_shown;
};

int mdu_init(struct mdu *mdu, const struct mdu_options *options, size_t operand_count);
void mdu_free(struct mdu *mdu);
/* The path of name in parent, in the thread's scratch space, or NULL without memory. */
char *mdu_path(struct mdu *mdu, unsigned int thread, const struct walk_directory *parent, const char *name);
/* Print "mdu: WHAT 'PATH': why", and remember to fail. what may be NULL. */
void mdu_complain(struct mdu *mdu, const char *what, const char *path, int code);

/* Walk visitor callbacks whose context begins with a struct mdu *. */
struct mdu_context {
	struct mdu *mdu;
};
int mdu_filter(void *context, unsigned int thread, struct walk_directory *parent, const char *name, unsigned char type);
int mdu_error(void *context, unsigned int thread, const struct walk_error *error);

/* One more entry was visited. */
static inline void mdu_count(struct mdu *mdu, unsigned int thread)
{
	struct mdu_thread *own = &mdu->threads[thread];

	/* no read-modify-write: only this thread writes it */
	atomic_store_explicit(&own->entries, atomic_load_explicit(&own->entries, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

static inline uint64_t mdu_size(const struct mdu *mdu, const struct statx *stat)
{
	return mdu->options->apparent ? stat->stx_size : stat->stx_blocks * 512;
}

static inline struct mdu_identity mdu_identity(const struct statx *stat)
{
	return (struct mdu_identity){ (uint64_t)stat->stx_dev_major << 32 | stat->stx_dev_minor, stat->stx_ino };
}

/* Run the walk of one operand with the options' flags. */
int mdu_walk(struct mdu *mdu, const char *operand, const struct walk_visitor *visitor, void *context,
	     size_t data_bytes);

/* ---- summary.c, listing.c: count one operand and print it; return 0 or -errno ---- */

int mdu_summary(struct mdu *mdu, const char *operand);
int mdu_listing(struct mdu *mdu, const char *operand);

/* ---- progress.c ---- */

/* Show how far it has come, now and then. Called for every directory, by any thread. */
void mdu_progress(struct mdu *mdu);
/* Take the line away again before something else is printed. */
void mdu_progress_erase(struct mdu *mdu);

#endif /* MDU_H */
