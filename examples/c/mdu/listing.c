/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines of one operand in du's order, whatever the number of threads.
 *
 * Threads find directories in no particular order. Each thread makes a record of each directory that it scans. The
 * record has the directory's subdirectories, and those of its files that are to be printed or have other links, in the
 * order in which they were listed; the other files are only added up. A cursor goes through the records depth first,
 * and so decides as du does which of several links counts. It prints and frees the records that it has passed. A thread
 * that has completed a record and finds the cursor free moves it on, as far as records are complete. So lines come out
 * while the walk goes on, and there are only as many records as the threads are ahead of the cursor.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "mdu.h"

struct record;

/* One entry of a directory that the cursor has to look at. */
struct item {
	struct record *directory; /* or NULL: a file */
	char *name;		  /* of a file that is to be printed; owned */
	struct mdu_usage usage;
	struct mdu_identity identity;
	bool is_linked; /* counts only if it was not met before */
};

/* A directory. The thread that scans it owns it until it is complete; then the cursor does. */
struct record {
	struct record *parent;
	size_t depth;
	struct item *items;
	size_t item_count, item_capacity;
	size_t next; /* the item to which the cursor comes next */
	struct mdu_usage usage;
	struct mdu_identity identity;
	bool is_there;	      /* it was entered */
	bool is_seen;	      /* counted before, as part of another operand or at another place */
	bool is_begun;	      /* the cursor has been here */
	size_t path_end;      /* length of its path, once the cursor is in it */
	atomic_bool complete; /* release: after everything above was written; acquire: before the cursor reads it */
	char name[];
};

struct listing {
	struct mdu_context context;
	pthread_mutex_t lock; /* guards what follows */
	struct record *cursor;
	char *path; /* of the record where the cursor is */
	size_t path_bytes;
	int code; /* -ENOMEM when the cursor could not go on */
};

static struct record *record_new(struct record *parent, const char *name)
{
	size_t name_bytes = strlen(name) + 1;
	struct record *record = calloc(1, sizeof(*record) + name_bytes);

	if (!record)
		return NULL;
	record->parent = parent;
	record->depth = parent ? parent->depth + 1 : 0;
	memcpy(record->name, name, name_bytes);
	return record;
}

static void record_free(struct record *record)
{
	for (size_t i = 0; i < record->item_count; i++)
		free(record->items[i].name);
	free(record->items);
	free(record);
}

static struct item *add_item(struct record *record)
{
	if (record->item_count == record->item_capacity) {
		size_t capacity = record->item_capacity ? 2 * record->item_capacity : 8;
		struct item *grown = realloc(record->items, capacity * sizeof(*grown));

		if (!grown)
			return NULL;
		record->items = grown;
		record->item_capacity = capacity;
	}
	record->items[record->item_count] = (struct item){ 0 };
	return &record->items[record->item_count++];
}

/* ---- the cursor, under its lock -------------------------------------------------------------------------------- */

/* Append a name to the path, whose first `end` bytes stay. Returns the new length, or 0 without memory. */
static size_t path_set(struct listing *listing, size_t end, const char *name)
{
	size_t name_bytes = strlen(name), bytes = end + name_bytes + 2;

	if (bytes > listing->path_bytes) {
		char *grown = realloc(listing->path, 2 * bytes);

		if (!grown)
			return 0;
		listing->path = grown;
		listing->path_bytes = 2 * bytes;
	}
	if (end && listing->path[end - 1] != '/')
		listing->path[end++] = '/';
	memcpy(listing->path + end, name, name_bytes + 1);
	return end + name_bytes;
}

static void print_line(struct listing *listing, const struct mdu_usage *usage)
{
	struct mdu *mdu = listing->context.mdu;

	mdu_progress_erase(mdu);
	mdu_print(mdu->options, usage, listing->path);
}

/* Whether something met by the cursor counts: 1, 0, or -ENOMEM. */
static int counts(struct listing *listing, bool is_linked, struct mdu_identity identity)
{
	return is_linked ? mdu_links_add(listing->context.mdu->links, identity) : 1;
}

static int pass_file(struct listing *listing, struct record *record, const struct item *item)
{
	int counted = record->is_seen ? 0 : counts(listing, item->is_linked, item->identity);

	if (counted <= 0)
		return counted;
	mdu_add(&record->usage, &item->usage);
	if (!item->name)
		return 0;
	if (!path_set(listing, record->path_end, item->name))
		return -ENOMEM;
	print_line(listing, &item->usage);
	return 0;
}

/* The cursor comes to a complete record. */
static int begin(struct listing *listing, struct record *record)
{
	int counted;

	record->is_begun = true;
	record->path_end = path_set(listing, record->parent ? record->parent->path_end : 0, record->name);
	if (record->path_end == 0)
		return -ENOMEM;
	record->is_seen |= !record->is_there || (record->parent && record->parent->is_seen);
	if (record->is_seen)
		return 0;
	counted = counts(listing, listing->context.mdu->add_all, record->identity);
	record->is_seen = counted == 0;
	return counted < 0 ? counted : 0;
}

/* The cursor has passed all of a record: print it, add it to its parent, and go on in the parent. */
static void end(struct listing *listing, struct record *record)
{
	struct mdu *mdu = listing->context.mdu;

	listing->cursor = record->parent;
	listing->path[record->path_end] = '\0';
	if (!record->is_seen) {
		if (record->depth <= mdu->options->max_depth)
			print_line(listing, &record->usage);
		if (record->parent && !mdu->options->separate)
			mdu_add(&record->parent->usage, &record->usage);
		else
			mdu_add(&mdu->total, &record->usage);
	}
	record_free(record);
}

/* Move the cursor on, as far as records are complete. */
static void advance(struct listing *listing)
{
	struct record *record;

	while (listing->code == 0 && (record = listing->cursor) &&
	       atomic_load_explicit(&record->complete, memory_order_acquire)) {
		if (!record->is_begun)
			listing->code = begin(listing, record);
		if (listing->code)
			return;
		if (record->next == record->item_count) {
			end(listing, record);
			continue;
		}
		struct item *item = &record->items[record->next++];

		if (item->directory)
			listing->cursor = item->directory;
		else
			listing->code = pass_file(listing, record, item);
	}
}

/* ---- what the threads find ------------------------------------------------------------------------------------- */

static struct record *record_of(struct walk_directory *directory)
{
	return *(struct record **)walk_directory_data(directory);
}

static int list_directory(void *context, unsigned int thread, struct walk_directory *directory)
{
	struct record *parent = record_of(walk_directory_parent(directory));
	struct record *record = record_new(parent, walk_directory_name(directory));
	struct item *item = record ? add_item(parent) : NULL;

	(void)context;
	(void)thread;
	if (!item) {
		free(record);
		return -ENOMEM;
	}
	item->directory = record;
	*(struct record **)walk_directory_data(directory) = record;
	return 0;
}

static int enter_directory(void *context, unsigned int thread, struct walk_directory *directory,
			   const struct statx *stat)
{
	struct listing *listing = context;
	struct mdu *mdu = listing->context.mdu;
	struct record *record = record_of(directory);

	if (!record) {
		/* the operand's own record: the cursor waits there from the beginning */
		record = listing->cursor;
		*(struct record **)walk_directory_data(directory) = record;
	}
	mdu_count(mdu, thread);
	mdu_progress(mdu);
	record->is_there = true;
	record->usage = mdu_usage(mdu, stat);
	record->identity = mdu_identity(stat);
	/* the cursor adds a directory only after it was entered; so one that is in the set now was met elsewhere */
	record->is_seen = mdu->add_all && mdu_links_has(mdu->links, record->identity);
	return record->is_seen ? WALK_SKIP : WALK_CONTINUE;
}

/* An operand that is not a directory: there is nothing else to list. */
static int list_operand(struct listing *listing, const struct walk_file *file, bool is_linked)
{
	struct mdu *mdu = listing->context.mdu;
	const struct mdu_usage usage = mdu_usage(mdu, file->stat);
	int counted = counts(listing, is_linked, mdu_identity(file->stat));

	if (counted <= 0)
		return counted;
	mdu_add(&mdu->total, &usage);
	mdu_print(mdu->options, &usage, file->name);
	return 0;
}

static int list_file(void *context, unsigned int thread, const struct walk_file *file)
{
	struct listing *listing = context;
	struct mdu *mdu = listing->context.mdu;
	bool is_linked = mdu->add_all || (file->stat->stx_nlink > 1 && !mdu->options->count_links);
	struct record *record;
	struct item *item;
	bool is_printed;

	mdu_count(mdu, thread);
	if (!file->parent)
		return list_operand(listing, file, is_linked);
	record = record_of(file->parent);
	is_printed = mdu->options->all && record->depth < mdu->options->max_depth;
	if (!is_linked && !is_printed) {
		mdu_add_file(mdu, &record->usage, file->stat);
		return 0;
	}
	item = add_item(record);
	if (item && is_printed)
		item->name = strdup(file->name);
	if (!item || (is_printed && !item->name))
		return -ENOMEM;
	item->usage = mdu_usage(mdu, file->stat);
	item->identity = mdu_identity(file->stat);
	item->is_linked = is_linked;
	return 0;
}

static int complete_directory(void *context, unsigned int thread, struct walk_directory *directory, int code)
{
	struct listing *listing = context;
	struct record *record = record_of(directory);

	(void)thread;
	(void)code;
	/* an operand that was not entered has no record; mdu_listing deals with it */
	if (!record)
		return 0;
	atomic_store_explicit(&record->complete, true, memory_order_release);
	if (pthread_mutex_trylock(&listing->lock) != 0)
		return 0;
	advance(listing);
	code = listing->code;
	pthread_mutex_unlock(&listing->lock);
	return code;
}

int mdu_listing(struct mdu *mdu, const char *operand)
{
	struct walk_visitor visitor = { .listed = list_directory,
					.enter = enter_directory,
					.file = list_file,
					.scanned = complete_directory,
					.error = mdu_error };
	struct listing listing = { .context = { mdu }, .cursor = record_new(NULL, operand) };
	int code;

	if (!listing.cursor)
		return -ENOMEM;
	if (mdu->options->excludes.count)
		visitor.filter = mdu_filter;
	pthread_mutex_init(&listing.lock, NULL);
	code = mdu_walk(mdu, operand, &visitor, &listing, sizeof(struct record *));
	mdu_progress_erase(mdu);
	if (code == 0) {
		/*
		 * threads that found the cursor taken left the rest to this call; an operand that was not entered has
		 * no line
		 */
		if (listing.cursor)
			atomic_store_explicit(&listing.cursor->complete, true, memory_order_release);
		advance(&listing);
		code = listing.code;
	}
	pthread_mutex_destroy(&listing.lock);
	free(listing.path);
	return code;
}
