/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of src/walk share with each other and with nobody else.
 *
 * A walk is a tree of directories being walked, each owned by exactly one thing at a time: the queue it waits in, or
 * the thread that scans it, or, after that, its own count of unfinished children. Data goes walk.c (threads) → queue.c
 * (which directory next) → scan.c (its entries) → directory.c (post-order), with descriptor.c deciding what stays open.
 */
#ifndef FERRY_WALK_INTERNAL_H
#define FERRY_WALK_INTERNAL_H

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <ferry/walk.h>

/* Bytes of directory entries read by one getdents64: about 1,500 names; reading more at once was not faster. */
#define WALK__DENTS_BYTES 65536

/*
 * Files looked at by one batch. Their slots and struct stat should stay in the first-level cache with the names:
 * 24 × (64 + 8 + 144) bytes do; 12 and 40 were no faster.
 */
#define WALK__STAT_SLOTS 24

/* Slots of the batch that opens a directory, looks at it and begins to list it. */
#define WALK__ENTER_SLOTS 5

/* Entries (files and subdirectories) delivered together, so that both come in the order they were listed. */
#define WALK__DELIVERY_ENTRIES 64

/* Times a directory is opened that is not there for openat and there for statx; see look_at in scan.c. */
#define WALK__OPEN_ATTEMPTS 16

/* Ancestors opened along the way when a directory far from any open one is opened again. */
#define WALK__REOPEN_AHEAD 32

/* pins of a directory whose descriptor is closed */
#define WALK__CLOSED (-1)

struct walk__thread;

struct walk_directory {
	struct walk_directory *parent;
	struct walk_directory *above, *below; /* in the queue or list it waits in */
	struct walk_directory *older, *newer; /* in the parked list of `owner` */
	/* Whose parked list it is in, or NULL. Written under that thread's lock; relaxed, and checked again under it.
	 */
	_Atomic(struct walk__thread *) owner;
	struct walk_directory *checkpoint; /* the ancestor it is compared with; see loop.c */
	struct walk_directory *link;	   /* itself or the nearest above that a symbolic link may lead to; or NULL */
	atomic_size_t pending;		   /* itself while unscanned, and children that have not left */
	atomic_size_t unopened;		   /* itself while unscanned, and children that were not opened yet */
	atomic_int pins;		   /* threads using fd just now, or WALK__CLOSED */
	int fd;				   /* valid where pins >= 0 */
	bool entered;			   /* `leave` is due */
	uint32_t dev_major, dev_minor;
	uint64_t ino;
	size_t depth;
	char *name; /* follows the visitor's data */
	max_align_t data[];
};

/* A list of directories, top first. */
struct walk__list {
	struct walk_directory *top, *bottom;
};

struct walk__thread {
	struct walk *walk;
	unsigned int index;
	pthread_t handle;

	/* The lock guards what follows it up to the batches; nobody holds two threads' locks. */
	pthread_mutex_t lock;
	struct walk__list queue;		/* top: next for its own thread; bottom: first to be stolen */
	struct walk_directory *oldest, *newest; /* parked list: open, scanned, with subdirectories not opened */
	unsigned int parked;

	/* Everything below belongs to the thread alone. */
	struct batch_prepared enter, list, stat;
	struct batch_slot enter_slots[WALK__ENTER_SLOTS], list_slots[1];
	long enter_rets[WALK__ENTER_SLOTS], list_rets[1];
	struct batch_slot *stat_slots;
	long *stat_rets;
	struct statx *stats;	  /* what statx fills; with has_basic, the first one passes on one of basic_stats */
	struct stat *basic_stats; /* what newfstatat fills */
	bool has_basic;		  /* the stat batch is of newfstatat */
	struct statx directory_stat;
	char *dents;
	struct walk_directory *children[WALK__DELIVERY_ENTRIES]; /* of one delivery; NULL: the next file */
	unsigned int entries, files;				 /* in the delivery */
};

struct walk {
	const struct walk_visitor *visitor;
	void *context;
	struct walk_options options;
	struct batch_auto_executor automatic;  /* open unless the options name an executor */
	const struct batch_executor *executor; /* what runs all threads' batches */
	unsigned int quota;		       /* parked directories one thread may keep open */
	uint32_t root_major, root_minor;
	uint32_t ext4_major, ext4_minor; /* valid if has_ext4; written before the threads start */
	bool has_ext4;
	struct walk__thread *threads;
	unsigned int thread_count; /* threads[] initialised */

	/*
	 * Why the walk ends early: 0, or the first negative code. Relaxed: it is only a request to stop, and its final
	 * value is read after the threads were joined.
	 */
	atomic_int stop;

	pthread_mutex_t reopen_lock; /* taken before any thread's lock; guards pins going from WALK__CLOSED to >= 0 */

	/* Sleeping and waking; taken before any thread's lock. */
	pthread_mutex_t idle_lock;
	pthread_cond_t idle_wake;
	atomic_uint sleepers; /* written under idle_lock, read without it */
	bool finished;	      /* the root has left; guarded by idle_lock */
};

/* ---- directory.c ---- */

struct walk_directory *walk__directory_new(const struct walk *walk, struct walk_directory *parent, const char *name);
/* One of directory's pending things is done: leave and free it, and its ancestors, as far as they have no other. */
void walk__directory_finish(struct walk__thread *thread, struct walk_directory *directory);
/* Note a negative code as the reason why the walk ends; other codes are fine. */
void walk__stop_on(struct walk *walk, int code);

/* The flag of open(2) with which `directory`, NULL for any below the path, is opened: O_NOFOLLOW or 0. */
static inline int walk__open_flag(const struct walk *walk, const struct walk_directory *directory)
{
	enum walk_follow follow = walk->options.follow;
	bool is_path = directory && !directory->parent;

	return follow == WALK_FOLLOW_ALL || (follow == WALK_FOLLOW_PATH && is_path) ? 0 : O_NOFOLLOW;
}

static inline bool walk__stopped(const struct walk *walk)
{
	return atomic_load_explicit(&walk->stop, memory_order_relaxed) != 0;
}

/* ---- queue.c ---- */

void walk__list_append(struct walk__list *list, struct walk_directory *directory);
/* Make a list, not empty, the next to be scanned, first one first; other threads may take the others. */
void walk__queue_push(struct walk__thread *thread, struct walk__list *list);
/* The next directory to scan; waits for one. NULL: the walk is over. */
struct walk_directory *walk__queue_next(struct walk__thread *thread);
void walk__queue_finish(struct walk *walk);

/* ---- descriptor.c ---- */

/*
 * The descriptor of directory (AT_FDCWD for NULL), kept open until unpinned; or -errno when it cannot be opened, which
 * is -ENOENT when it is no longer where it was found.
 */
int walk__pin(struct walk__thread *thread, struct walk_directory *directory);
void walk__unpin(struct walk_directory *directory);
/* Keep a scanned directory's descriptor for its subdirectories, and close others above the quota. */
void walk__park(struct walk__thread *thread, struct walk_directory *directory);
/* One of directory's subdirectories needs it no more; closes it after the last. */
void walk__opened(struct walk_directory *directory);
/* Close it if it is open: nobody else uses it. */
void walk__close(struct walk_directory *directory);
/* Close everything this thread keeps open that nobody uses just now. Returns whether there was any. */
bool walk__close_parked(struct walk__thread *thread);

/* ---- scan.c, batches.c ---- */

int walk__batches_init(struct walk__thread *thread);
void walk__batches_free(struct walk__thread *thread);
void walk__scan(struct walk__thread *thread, struct walk_directory *directory);

/* ---- loop.c ---- */

/* Whether directory, whose identity is filled in, is one of its own ancestors. */
bool walk__is_loop(struct walk_directory *directory, const struct statx *stat);

#endif /* FERRY_WALK_INTERNAL_H */
