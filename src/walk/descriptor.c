/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which directories stay open.
 *
 * A scanned directory is parked, open, until its last subdirectory has been opened relative to it. Each thread keeps
 * its parked directories in a list, oldest first. Above its quota it closes the oldest, which, depth first, is needed
 * last. A closed one that is needed again is opened relative to its nearest open ancestor, by as few openat as PATH_MAX
 * allows, and must still be the same device and inode; a few directories on the way are opened with it, because the
 * walk will come back through them. The root is never closed, so there always is an open ancestor.
 *
 * `pins` says who may touch fd:
 *
 *	WALK__CLOSED → 0	under reopen_lock (or by the scanning thread, before any other can see the directory);
 *				release, so that a pin sees fd
 *	n → n + 1		by pinning, only from n >= 0; acquire
 *	n + 1 → n		by unpinning; release, so that every use of fd comes before its close
 *	0 → WALK__CLOSED	by whoever closes fd, under the lock of the owner of its list; acquire
 *
 * A directory is in a parked list exactly while it is open, save the root, and save a scanning thread's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../batch/syscall.h"
#include "internal.h"

#define DIRECTORY_FLAGS (O_DIRECTORY | O_CLOEXEC)

static void close_fd(int fd)
{
	batch__syscall6(__NR_close, fd, 0, 0, 0, 0, 0);
}

static bool try_pin(struct walk_directory *directory)
{
	int pins = atomic_load_explicit(&directory->pins, memory_order_relaxed);

	while (pins != WALK__CLOSED)
		if (atomic_compare_exchange_weak_explicit(&directory->pins, &pins, pins + 1, memory_order_acquire,
							  memory_order_relaxed))
			return true;
	return false;
}

void walk__unpin(struct walk_directory *directory)
{
	if (directory)
		atomic_fetch_sub_explicit(&directory->pins, 1, memory_order_release);
}

/* ---- the parked list, under its thread's lock ------------------------------------------------------------------ */

static void set_owner(struct walk_directory *directory, struct walk__thread *thread)
{
	atomic_store_explicit(&directory->owner, thread, memory_order_relaxed);
}

static struct walk__thread *owner_of(struct walk_directory *directory)
{
	return atomic_load_explicit(&directory->owner, memory_order_relaxed);
}

static void parked_append(struct walk__thread *thread, struct walk_directory *directory)
{
	set_owner(directory, thread);
	directory->older = thread->newest;
	directory->newer = NULL;
	if (thread->newest)
		thread->newest->newer = directory;
	else
		thread->oldest = directory;
	thread->newest = directory;
	thread->parked++;
}

static void parked_remove(struct walk__thread *thread, struct walk_directory *directory)
{
	if (directory->older)
		directory->older->newer = directory->newer;
	else
		thread->oldest = directory->newer;
	if (directory->newer)
		directory->newer->older = directory->older;
	else
		thread->newest = directory->older;
	set_owner(directory, NULL);
	thread->parked--;
}

/* Take directory out of the list for closing. Returns its descriptor, or -1 when it is in use. */
static int parked_take(struct walk__thread *thread, struct walk_directory *directory)
{
	int unpinned = 0;

	if (!atomic_compare_exchange_strong_explicit(&directory->pins, &unpinned, WALK__CLOSED, memory_order_acquire,
						     memory_order_relaxed))
		return -1;
	parked_remove(thread, directory);
	return directory->fd;
}

/* Close the oldest parked directories nobody uses, until at most `quota` are left. Returns how many were closed. */
static unsigned int close_oldest(struct walk__thread *thread, unsigned int quota)
{
	unsigned int closed = 0;
	int fd;

	do {
		fd = -1;
		pthread_mutex_lock(&thread->lock);
		for (struct walk_directory *d = thread->oldest; fd < 0 && d && thread->parked > quota; d = d->newer)
			fd = parked_take(thread, d);
		pthread_mutex_unlock(&thread->lock);
		if (fd >= 0) {
			close_fd(fd);
			closed++;
		}
	} while (fd >= 0);
	return closed;
}

bool walk__close_parked(struct walk__thread *thread)
{
	return close_oldest(thread, 0) > 0;
}

void walk__park(struct walk__thread *thread, struct walk_directory *directory)
{
	bool above_quota;

	/* release: see the top of this file */
	atomic_store_explicit(&directory->pins, 0, memory_order_release);
	if (!directory->parent)
		return;
	pthread_mutex_lock(&thread->lock);
	parked_append(thread, directory);
	above_quota = thread->parked > thread->walk->quota;
	pthread_mutex_unlock(&thread->lock);
	if (above_quota)
		close_oldest(thread, thread->walk->quota);
}

void walk__close(struct walk_directory *directory)
{
	struct walk__thread *owner = owner_of(directory);
	int fd = -1;

	if (!directory->parent) {
		fd = directory->fd;
	} else if (owner) {
		pthread_mutex_lock(&owner->lock);
		/* closed in between, or in use by a thread on its way down through it: then its owner or its end close
		 * it */
		if (owner_of(directory) == owner)
			fd = parked_take(owner, directory);
		pthread_mutex_unlock(&owner->lock);
	}
	if (fd >= 0)
		close_fd(fd);
}

void walk__opened(struct walk_directory *directory)
{
	/* acq_rel: the last one comes after every other's use of fd, and sees who keeps the directory */
	if (directory && atomic_fetch_sub_explicit(&directory->unopened, 1, memory_order_acq_rel) == 1 &&
	    directory->parent)
		walk__close(directory);
}

/* ---- opening again --------------------------------------------------------------------------------------------- */

/* The way down from an open ancestor to the directory that is needed. */
struct descent {
	struct walk__thread *thread;
	int fd;	  /* how far it has come */
	bool own; /* fd is not kept by any directory */
	size_t bytes;
	char names[PATH_MAX]; /* the path from fd on, not opened yet */
};

/* openat that makes room by closing what is parked when descriptors run out. */
static int open_at(struct walk__thread *thread, int fd, const char *names, int flags)
{
	long opened;

	do
		opened = batch__syscall6(__NR_openat, fd, (long)names,
					 DIRECTORY_FLAGS | walk__open_flag(thread->walk, NULL) | flags, 0, 0, 0);
	while (opened == -EMFILE && walk__close_parked(thread));
	return (int)opened;
}

static int descent_step(struct descent *descent, int flags)
{
	int fd = open_at(descent->thread, descent->fd, descent->names, flags);

	if (descent->own)
		close_fd(descent->fd);
	descent->own = fd >= 0;
	descent->fd = fd;
	descent->bytes = 0;
	return fd < 0 ? fd : 0;
}

static int descent_add(struct descent *descent, const char *name)
{
	size_t name_bytes = strlen(name);
	int code = 0;

	if (descent->bytes + name_bytes + 2 > sizeof(descent->names))
		code = descent_step(descent, O_PATH);
	if (code)
		return code;
	if (descent->bytes)
		descent->names[descent->bytes++] = '/';
	memcpy(descent->names + descent->bytes, name, name_bytes + 1);
	descent->bytes += name_bytes;
	return 0;
}

/* Open the directory the descent has come to, and keep it open. */
static int descent_keep(struct descent *descent, struct walk_directory *directory, int pins)
{
	struct statx stat;
	int code = descent_step(descent, O_RDONLY);

	if (code == 0)
		code = (int)batch__syscall6(__NR_statx, descent->fd, (long)"", AT_EMPTY_PATH, STATX_INO, (long)&stat,
					    0);
	if (code == 0 && (stat.stx_ino != directory->ino || stat.stx_dev_major != directory->dev_major ||
			  stat.stx_dev_minor != directory->dev_minor))
		code = -ENOENT; /* another one has its place */
	if (code)
		return code;
	directory->fd = descent->fd;
	descent->own = false;
	pthread_mutex_lock(&descent->thread->lock);
	parked_append(descent->thread, directory);
	pthread_mutex_unlock(&descent->thread->lock);
	/* release: see the top of this file */
	atomic_store_explicit(&directory->pins, pins, memory_order_release);
	return 0;
}

/* Whether a closed directory on the way is worth keeping open: relaxed, as a wrong guess costs only time. */
static bool is_needed_again(const struct walk_directory *directory)
{
	return atomic_load_explicit(&directory->pins, memory_order_relaxed) == WALK__CLOSED &&
	       atomic_load_explicit(&directory->unopened, memory_order_relaxed) > 0;
}

/*
 * Go down way[count - 1], …, way[0], the last being what is needed: pin it. The ancestors nearest to it are kept open
 * too, as long as that leaves others of the quota alone.
 */
static int descend(struct descent *descent, struct walk_directory *const *way, size_t count)
{
	size_t ahead = descent->thread->walk->quota / 2;
	int code = 0;

	ahead = ahead < WALK__REOPEN_AHEAD ? ahead : WALK__REOPEN_AHEAD;
	close_oldest(descent->thread, descent->thread->walk->quota - ahead - 1);
	for (size_t i = count; i-- > 0 && code == 0;) {
		code = descent_add(descent, way[i]->name);
		if (code == 0 && (i == 0 || (i <= ahead && is_needed_again(way[i]))))
			code = descent_keep(descent, way[i], i == 0);
	}
	if (descent->own)
		close_fd(descent->fd);
	return code;
}

/* Open and pin a directory that is closed, under reopen_lock. */
static int reopen(struct walk__thread *thread, struct walk_directory *directory)
{
	struct descent descent;
	struct walk_directory *anchor = directory, **way;
	size_t count = 0;
	int code;

	while (!try_pin(anchor)) {
		anchor = anchor->parent;
		count++;
	}
	if (count == 0)
		return 0;
	way = malloc(count * sizeof(*way));
	code = way ? 0 : -ENOMEM;
	if (way) {
		anchor = directory;
		for (size_t i = 0; i < count; i++, anchor = anchor->parent)
			way[i] = anchor;
		descent.thread = thread;
		descent.fd = anchor->fd;
		descent.own = false;
		descent.bytes = 0;
		code = descend(&descent, way, count);
	}
	walk__unpin(anchor);
	free(way);
	return code;
}

int walk__pin(struct walk__thread *thread, struct walk_directory *directory)
{
	int code = 0;

	if (!directory)
		return AT_FDCWD;
	if (try_pin(directory))
		return directory->fd;
	pthread_mutex_lock(&thread->walk->reopen_lock);
	code = reopen(thread, directory);
	pthread_mutex_unlock(&thread->walk->reopen_lock);
	if (code == 0)
		close_oldest(thread, thread->walk->quota);
	/*
	 * A file or symbolic link has its place, or an ancestor's. ESTALE, which is the file system's own, stays an
	 * error: it may be the end of a whole mount.
	 */
	if (code == -ENOTDIR || code == -ELOOP)
		code = -ENOENT;
	return code ? code : directory->fd;
}
