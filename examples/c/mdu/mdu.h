/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mdu: disk usage, with the totals of GNU du.
 *
 * options.c reads the options (units.c the sizes in them, times.c the formats of times), main.c takes the operands one
 * after the other, from the command line or a file. Where only the operands' own totals are printed, summary.c adds up
 * sizes as they come, on every thread; where directories or files are printed, listing.c brings what the threads found
 * into du's order first. links.c knows what was counted already, print.c writes the lines.
 */
#ifndef MDU_H
#define MDU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <ferry/walk.h>

/* the greatest width in a format of times; a greater one counts as this */
#define MDU_TIME_WIDTH_MAX 1024

/* depth that -d takes for "all": beyond any tree */
#define MDU_DEPTH_ALL SIZE_MAX

/* How sizes are printed. */
struct mdu_unit {
	uint64_t block_bytes; /* how many bytes are printed as 1, unless it scales */
	unsigned int base;    /* of powers: 1000 or 1024 */
	bool scales;	      /* use the largest power that leaves at least 1 */
	bool shows_letter;    /* K, M, … behind the number */
	bool shows_b;	      /* B or iB behind the letter */
	bool groups;	      /* group digits as the locale does */
};

enum mdu_time { MDU_NO_TIME, MDU_MTIME, MDU_ATIME, MDU_CTIME };

/* Shell patterns of --exclude and of files: mdu leaves out what they match. */
struct mdu_patterns {
	const char **at;
	size_t count, capacity;
};

struct mdu_options {
	bool all;	  /* -a: files too */
	bool apparent;	  /* sizes, not allocated blocks */
	bool count_links; /* -l: hard links as often as they are met */
	bool one_device;  /* -x */
	bool summarize;	  /* -s */
	bool total;	  /* -c */
	bool progress;	  /* show a line on standard error */
	bool inodes;	  /* --inodes: count files, not their sizes */
	bool separate;	  /* -S: directories without their subdirectories */
	char terminator;  /* '\n', or '\0' with -0 */
	enum walk_follow follow;
	struct mdu_unit unit;
	int64_t threshold; /* -t: print no amount below it; a negative -t N: print no amount above N */
	enum mdu_time time;
	const char *time_format;
	size_t max_depth; /* directories and files deeper than that are not printed */
	unsigned int threads;
	struct mdu_patterns excludes;
	const char *files0_from;	       /* a file with the operands, or NULL */
	const struct batch_executor *executor; /* NULL: the walk's own choice */
};

/* ---- options.c ---- */

/* Read the options; ends the program when they are wrong. The operands are argv[optind], … */
void mdu_parse_options(struct mdu_options *options, int argc, char **argv);
void __attribute__((noreturn)) mdu_fail_usage(const char *message, const char *value);
/* Write what is left in the buffer. Returns whether everything was written. */
bool mdu_close_output(void);

enum { MDU_EXIT_FILES = 1, MDU_EXIT_USAGE = 2 };

/* What tells one file from any other. */
struct mdu_identity {
	uint64_t dev, ino;
};

/* ---- links.c: the set of what was counted; any number of threads ---- */

struct mdu_links;
struct mdu_links *mdu_links_new(void);
void mdu_links_free(struct mdu_links *links);
/* Add an identity. Returns 1 when it is new, 0 when it was there already, or -ENOMEM. */
int mdu_links_add(struct mdu_links *links, struct mdu_identity identity);
bool mdu_links_has(struct mdu_links *links, struct mdu_identity identity);

/* ---- units.c ---- */

enum mdu_size_error { MDU_SIZE_OK, MDU_SIZE_INVALID, MDU_SIZE_SUFFIX, MDU_SIZE_LARGE };

/*
 * A number, 0 to max, and a unit: K, M, … or KiB, MiB, … for powers of 1024; KB, MB, … for powers of 1000. A unit
 * without a number stands for 1 of it. small_letters: the units that may be written as small letters.
 */
enum mdu_size_error mdu_read_size(const char *text, const char *small_letters, uint64_t max, uint64_t *size);
/* A size as a unit of output, "human-readable" or "si"; with ' before it: digits are grouped. */
enum mdu_size_error mdu_read_unit(const char *text, struct mdu_unit *unit);
/* The unit that the environment names. */
struct mdu_unit mdu_default_unit(void);

/* The bytes that a number needs in any unit, with its digits grouped, terminated. */
#define MDU_NUMBER_BYTES 128
void mdu_format(const struct mdu_unit *unit, uint64_t amount, char text[MDU_NUMBER_BYTES]);

/* ---- times.c ---- */

struct mdu_stamp {
	int64_t seconds;
	uint32_t nanoseconds;
};

/* The format of a --time-style, or NULL when there is no style of that name. */
const char *mdu_time_format(const char *style);
/* The style that the environment names, or du's default. */
const char *mdu_default_time_style(void);
/* The time that a WORD of --time means; false: it means none. */
bool mdu_time_kind(const char *word, enum mdu_time *kind);
void mdu_print_time(FILE *to, const char *format, const struct mdu_stamp *stamp);

/* ---- print.c: what is added up, and the lines ---- */

/* What a file or a tree takes. */
struct mdu_usage {
	uint64_t amount;	 /* bytes, or files; UINT64_MAX: too many to count */
	struct mdu_stamp newest; /* with --time */
};

/* The usage of no file at all: its time is older than any other. */
#define MDU_NOTHING ((struct mdu_usage){ 0, { INT64_MIN, 0 } })

void mdu_add(struct mdu_usage *to, const struct mdu_usage *more);
/* Print a line, unless the threshold excludes it. */
void mdu_print(const struct mdu_options *options, const struct mdu_usage *usage, const char *path);
void mdu_print_total(const struct mdu_options *options, const struct mdu_usage *usage);

/* ---- quote.c ---- */

/* Bytes one byte of a name can become: '$'\ooo'' */
#define MDU_QUOTED_BYTES_MAX 10

/* `name` as a word a shell reads back, in quotes: what GNU's tools print in messages. NULL without memory; free it. */
char *mdu_quote(const char *name);

/* ---- exclude.c ---- */

/* Whether any pattern matches path, or what follows a slash in it. */
bool mdu_excluded(const struct mdu_patterns *patterns, const char *path);
/* Exclude names that match the pattern, whose text must stay; or the patterns in a file's lines. Return 0 or -errno. */
int mdu_exclude(struct mdu_patterns *patterns, const char *pattern);
int mdu_exclude_from(struct mdu_patterns *patterns, const char *file);

/* ---- run.c: what both ways of counting share ---- */

struct mdu_thread {
	_Alignas(64) struct mdu_usage usage; /* only summary.c uses this and the next member */
	struct mdu_usage below;		     /* the part of `usage` that -S does not print */
	atomic_size_t entries;		     /* relaxed: only the progress line shows it */
	char *path;			     /* scratch space of the thread */
	size_t path_bytes;
};

struct mdu {
	const struct mdu_options *options;
	struct mdu_links *links;
	bool add_all; /* every file goes into links, not only those with several links */
	struct mdu_thread *threads;
	unsigned int thread_count;
	struct mdu_usage total;
	atomic_bool failed; /* relaxed: read after the threads were joined */
	atomic_llong progress_next_ns;
	atomic_bool progress_shown;
};

/* is_alone: there is only one operand. */
int mdu_init(struct mdu *mdu, const struct mdu_options *options, bool is_alone);
void mdu_free(struct mdu *mdu);
/* The path of name in parent, in the thread's scratch space, or NULL without memory. */
char *mdu_path(struct mdu *mdu, unsigned int thread, const struct walk_directory *parent, const char *name);
/* Print "mdu: …" and a newline, and remember to fail. */
void __attribute__((format(printf, 2, 3))) mdu_fail(struct mdu *mdu, const char *format, ...);
/* Fail with "WHAT 'PATH': why". */
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

	/* a load and a store are enough: only this thread writes the counter */
	atomic_store_explicit(&own->entries, atomic_load_explicit(&own->entries, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

static inline struct mdu_stamp mdu_stamp(const struct mdu_options *options, const struct statx *stat)
{
	const struct statx_timestamp *time = options->time == MDU_ATIME	  ? &stat->stx_atime
					     : options->time == MDU_CTIME ? &stat->stx_ctime
									  : &stat->stx_mtime;

	return (struct mdu_stamp){ time->tv_sec, time->tv_nsec };
}

static inline uint64_t mdu_amount(const struct mdu_options *options, const struct statx *stat)
{
	if (options->inodes)
		return 1;
	if (!options->apparent)
		return stat->stx_blocks * 512;
	return stat->stx_size <= INT64_MAX ? stat->stx_size : 0;
}

/* What one file takes. */
static inline struct mdu_usage mdu_usage(const struct mdu *mdu, const struct statx *stat)
{
	struct mdu_usage usage = MDU_NOTHING;

	usage.amount = mdu_amount(mdu->options, stat);
	if (mdu->options->time)
		usage.newest = mdu_stamp(mdu->options, stat);
	return usage;
}

/* Add what one file takes. This is the common case, for every file of a tree when times are not asked for. */
static inline void mdu_add_file(const struct mdu *mdu, struct mdu_usage *to, const struct statx *stat)
{
	struct mdu_usage usage;
	uint64_t sum;

	if (!mdu->options->time && !__builtin_add_overflow(to->amount, mdu_amount(mdu->options, stat), &sum)) {
		to->amount = sum;
		return;
	}
	usage = mdu_usage(mdu, stat);
	mdu_add(to, &usage);
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

/* Show from time to time how far the walk has come. Called for every directory, by any thread. */
void mdu_progress(struct mdu *mdu);
/* Erase the progress line before something else is printed. */
void mdu_progress_erase(struct mdu *mdu);

#endif /* MDU_H */
