/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scan one directory: open it, look at it, list it, look at its files, queue its subdirectories.
 *
 * The entries of a directory are streamed: names stay in the buffer the kernel filled, are looked at in batches and
 * delivered before the buffer is filled again. Only subdirectories get memory of their own.
 *
 * A listing ends with a getdents64 that returns nothing. On ext4 that call is saved where the last entry says that the
 * end comes next: the position it names, INT64_MAX, is one that ext4 keeps for the end alone. A listing that was cut
 * short (a signal does that) names another position and is read on, as on every other file system.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../batch/syscall.h"
#include "batches.h"
#include "dents.h"

/* The subdirectories of the directory being scanned. */
struct found {
	struct walk__list list;
	size_t count;
};

static void report(struct walk__thread *thread, enum walk_failure failure, int code, struct walk_directory *parent,
		   const char *name)
{
	struct walk *walk = thread->walk;
	const struct walk_error error = { failure, code, parent, name };

	if (walk->visitor->error && !walk__stopped(walk))
		walk__stop_on(walk, walk->visitor->error(walk->context, thread->index, &error));
}

static void deliver_file(struct walk__thread *thread, struct walk_directory *parent, const char *name,
			 const struct statx *stat)
{
	struct walk *walk = thread->walk;
	const struct walk_file file = { parent, name, stat };

	if (walk->visitor->file)
		walk__stop_on(walk, walk->visitor->file(walk->context, thread->index, &file));
}

static void close_own(struct walk_directory *directory)
{
	if (directory->fd >= 0)
		batch__syscall6(__NR_close, directory->fd, 0, 0, 0, 0, 0);
	directory->fd = -1;
}

/* ---- entering -------------------------------------------------------------------------------------------------- */

/* Whether a code says that the directory looked for is not at that name, and nothing about it. */
static bool is_elsewhere(int code)
{
	return code == -ENOENT || code == -ENOTDIR || code == -ELOOP || code == -ESTALE;
}

static int stat_by_name(struct walk__thread *thread, int parent_fd, const struct walk_directory *directory)
{
	const struct walk_options *options = &thread->walk->options;
	int follow = walk__open_flag(thread->walk, directory) ? AT_SYMLINK_NOFOLLOW : 0;

	return (int)batch__syscall6(__NR_statx, parent_fd, (long)directory->name,
				    follow | AT_NO_AUTOMOUNT | (int)options->stat_flags,
				    options->mask | STATX_TYPE | STATX_INO, (long)&thread->directory_stat, 0);
}

/* Run the enter batch, making room when descriptors run out. Returns 0 or why the directory cannot be opened. */
static int open_directory(struct walk__thread *thread, struct walk_directory *directory, int parent_fd)
{
	const long *rets = thread->enter_rets;
	long last;

	do
		last = walk__enter_run(thread, parent_fd, directory);
	while (last == WALK__ENTER_OPEN && rets[last] == -EMFILE && walk__close_parked(thread));
	if (rets[WALK__ENTER_OPEN] >= 0)
		directory->fd = (int)rets[WALK__ENTER_OPEN];
	return last == WALK__ENTER_DENTS ? 0 : (int)rets[last];
}

/*
 * Fill thread->directory_stat, and open and begin to list the directory. Returns -errno when nothing is known about it;
 * else 0, with *opened 0 or why it cannot be opened.
 *
 * What cannot be opened is looked at by name, and there may be another thing at that name by then:
 *
 *	this thread			another process
 *					rename or remove the directory
 *	openat: ENOENT
 *					rename it back, or make another
 *	statx by name: a directory
 *
 * (ENOTDIR or ELOOP where a file or symbolic link was there in between.) Neither answer is wrong, but together they say
 * that the directory cannot be opened, which is not so: it is opened again. An automount that fails gives the same
 * answers each time, so there is a limit.
 */
static int look_at(struct walk__thread *thread, struct walk_directory *directory, int *opened)
{
	int code = 0, parent_fd = walk__pin(thread, directory->parent);

	*opened = 0;
	if (parent_fd < 0 && directory->parent) {
		walk__opened(directory->parent);
		return parent_fd;
	}
	for (int attempt = 0; attempt < WALK__OPEN_ATTEMPTS; attempt++) {
		close_own(directory);
		*opened = open_directory(thread, directory, parent_fd);
		code = *opened ? stat_by_name(thread, parent_fd, directory) : 0;
		if (code || !S_ISDIR(thread->directory_stat.stx_mode) || !is_elsewhere(*opened))
			break;
	}
	walk__unpin(directory->parent);
	walk__opened(directory->parent);
	return code;
}

static bool is_other_device(const struct walk *walk, const struct statx *stat)
{
	return walk->options.one_device &&
	       (stat->stx_dev_minor != walk->root_minor || stat->stx_dev_major != walk->root_major);
}

static void identify(struct walk__thread *thread, struct walk_directory *directory)
{
	const struct statx *stat = &thread->directory_stat;

	directory->ino = stat->stx_ino;
	directory->dev_major = stat->stx_dev_major;
	directory->dev_minor = stat->stx_dev_minor;
	if (!directory->parent) {
		/* before any other thread has a directory to work on */
		thread->walk->root_major = stat->stx_dev_major;
		thread->walk->root_minor = stat->stx_dev_minor;
	}
}

/* Tell the visitor about a directory. Returns 0 to go on with its entries, or what `scanned` is to be told. */
static int enter(struct walk__thread *thread, struct walk_directory *directory)
{
	struct walk *walk = thread->walk;
	const struct statx *stat = &thread->directory_stat;
	int answer = WALK_CONTINUE, opened, code = look_at(thread, directory, &opened);

	/* what has its place was not listed, and cannot be passed on: its parent has been `scanned` */
	if (directory->parent && code == 0 && !S_ISDIR(stat->stx_mode))
		code = -ENOENT;
	if (directory->parent && code == -ENOENT)
		return code;
	if (code) {
		report(thread, WALK_CANNOT_STAT, code, directory->parent, directory->name);
		return code;
	}
	identify(thread, directory);
	if (is_other_device(walk, stat))
		return -EXDEV;
	if (!S_ISDIR(stat->stx_mode)) {
		deliver_file(thread, NULL, directory->name, stat);
		return -ENOTDIR;
	}
	if (walk__is_loop(directory, stat)) {
		report(thread, WALK_LOOP, -ELOOP, directory->parent, directory->name);
		return -ELOOP;
	}
	directory->entered = true;
	if (walk->visitor->enter)
		answer = walk->visitor->enter(walk->context, thread->index, directory, stat);
	walk__stop_on(walk, answer);
	if (answer == WALK_CONTINUE && opened)
		report(thread, WALK_CANNOT_READ, opened, directory->parent, directory->name);
	return answer == WALK_CONTINUE ? opened : answer;
}

/* ---- listing --------------------------------------------------------------------------------------------------- */

static void add_subdirectory(struct walk__thread *thread, struct walk_directory *child, struct found *found)
{
	struct walk *walk = thread->walk;

	if (walk->visitor->listed && !walk__stopped(walk))
		walk__stop_on(walk, walk->visitor->listed(walk->context, thread->index, child));
	walk__list_append(&found->list, child);
	found->count++;
}

static struct walk_directory *new_child(struct walk__thread *thread, struct walk_directory *parent, const char *name)
{
	struct walk_directory *child = walk__directory_new(thread->walk, parent, name);

	if (!child)
		walk__stop_on(thread->walk, -ENOMEM);
	return child;
}

/* Whether a name that leads nowhere is there all the same: a symbolic link, and not something that vanished. */
static bool __attribute__((noinline, cold))
is_dangling(const struct walk__thread *thread, const struct walk_directory *directory, const char *name)
{
	struct statx stat;

	return thread->walk->options.follow == WALK_FOLLOW_ALL &&
	       batch__syscall6(__NR_statx, directory->fd, (long)name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE,
			       (long)&stat, 0) == 0;
}

/* Pass on what the stat batch found out about one name. */
static void deliver_stat(struct walk__thread *thread, struct walk_directory *directory, unsigned int slot,
			 struct found *found)
{
	const char *name = (const char *)thread->stat_slots[slot].arg[1];
	const struct statx *stat;
	long code = thread->stat_rets[slot];
	struct walk_directory *child;

	if (walk__stopped(thread->walk) || (code == -ENOENT && !is_dangling(thread, directory, name)))
		return;
	if (code < 0) {
		report(thread, WALK_CANNOT_STAT, (int)code, directory, name);
		return;
	}
	stat = walk__stat_result(thread, slot);
	if (S_ISDIR(stat->stx_mode)) {
		/* listed as of an unknown type or as a symbolic link, or replaced since */
		child = new_child(thread, directory, name);
		if (!child)
			return;
		if (thread->walk->options.follow == WALK_FOLLOW_ALL)
			child->link = child;
		add_subdirectory(thread, child, found);
	} else if (!is_other_device(thread->walk, stat)) {
		deliver_file(thread, directory, name, stat);
	}
}

static void deliver(struct walk__thread *thread, struct walk_directory *directory, struct found *found)
{
	unsigned int slot = 0;

	if (thread->files)
		walk__stat_run(thread, thread->files);
	for (unsigned int i = 0; i < thread->entries; i++) {
		if (thread->children[i])
			add_subdirectory(thread, thread->children[i], found);
		else
			deliver_stat(thread, directory, slot++, found);
	}
	thread->entries = 0;
	thread->files = 0;
}

static void add_entry(struct walk__thread *thread, struct walk_directory *directory, const struct walk__dent *dent,
		      struct found *found)
{
	struct walk *walk = thread->walk;
	struct walk_directory *child = NULL;
	int answer = WALK_CONTINUE;

	if (walk->visitor->filter)
		answer = walk->visitor->filter(walk->context, thread->index, directory, dent->name, dent->type);
	walk__stop_on(walk, answer);
	if (answer != WALK_CONTINUE)
		return;
	if (dent->type == DT_DIR) {
		child = new_child(thread, directory, dent->name);
		if (!child)
			return;
	} else {
		walk__stat_add(thread, thread->files++, directory->fd, dent->name);
	}
	thread->children[thread->entries++] = child;
	if (thread->files == WALK__STAT_SLOTS || thread->entries == WALK__DELIVERY_ENTRIES)
		deliver(thread, directory, found);
}

static bool is_end(const struct walk *walk, const struct walk_directory *directory, int64_t next)
{
	return next == INT64_MAX && walk->has_ext4 && directory->dev_minor == walk->ext4_minor &&
	       directory->dev_major == walk->ext4_major;
}

/* Pass on the entries in thread->dents[bytes]. Returns the position after the last, or -errno. */
static int64_t add_entries(struct walk__thread *thread, struct walk_directory *directory, size_t bytes,
			   struct found *found)
{
	const struct walk__dent *dent;
	size_t offset = 0;
	int64_t next = 0;

	thread->dents[bytes] = '\0';
	while (!walk__stopped(thread->walk) && (dent = walk__dents_next(thread->dents, bytes, &offset))) {
		next = dent->next;
		if (!walk__dent_is_dot(dent))
			add_entry(thread, directory, dent, found);
	}
	deliver(thread, directory, found);
	return offset < bytes && !walk__stopped(thread->walk) ? -EIO : next;
}

static int list(struct walk__thread *thread, struct walk_directory *directory, struct found *found)
{
	long bytes = thread->enter_rets[WALK__ENTER_DENTS];

	while (bytes > 0 && !walk__stopped(thread->walk)) {
		int64_t next = add_entries(thread, directory, (size_t)bytes, found);

		if (is_end(thread->walk, directory, next))
			return 0;
		bytes = next == -EIO ? -EIO : walk__list_run(thread, directory->fd);
	}
	/* -ENOENT: removed while it was open, which makes an empty directory of it */
	if (bytes < 0 && bytes != -ENOENT)
		report(thread, WALK_CANNOT_READ, (int)bytes, directory->parent, directory->name);
	return bytes < 0 && bytes != -ENOENT ? (int)bytes : 0;
}

/* ---- one directory --------------------------------------------------------------------------------------------- */

/* Hand the subdirectories to the queue: from then on other threads can see the directory. */
static void queue_subdirectories(struct walk__thread *thread, struct walk_directory *directory, struct found *found)
{
	/* relaxed: published by the queue's lock */
	atomic_fetch_add_explicit(&directory->pending, found->count, memory_order_relaxed);
	atomic_fetch_add_explicit(&directory->unopened, found->count, memory_order_relaxed);
	walk__park(thread, directory);
	walk__queue_push(thread, &found->list);
	walk__opened(directory);
}

void walk__scan(struct walk__thread *thread, struct walk_directory *directory)
{
	struct walk *walk = thread->walk;
	struct found found = { 0 };
	int code = -ECANCELED;

	if (walk__stopped(walk)) {
		walk__opened(directory->parent);
	} else {
		code = enter(thread, directory);
		if (code == 0)
			code = list(thread, directory, &found);
		if (walk->visitor->scanned && !walk__stopped(walk))
			walk__stop_on(walk, walk->visitor->scanned(walk->context, thread->index, directory, code));
	}
	if (found.count)
		queue_subdirectories(thread, directory, &found);
	else
		close_own(directory);
	walk__directory_finish(thread, directory);
}
