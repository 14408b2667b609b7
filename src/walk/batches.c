/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three batches of a thread, built and verified once and run with other arguments each time:
 *
 *	enter	openat → statx of what it opened → first getdents64 of it, the descriptor fed by word copies
 *	list	the next getdents64
 *	stat	newfstatat or statx of up to WALK__STAT_SLOTS names; any prefix of it is a verified batch too
 *
 * newfstatat copies 144 bytes for each file where statx copies 256: that took 1% to 2% of the CPU time of mdu -s -j1 on
 * an AMD EPYC VM (`walk` of bench/targets.toml). It is taken where it says all that is asked for and the executor
 * carries it, for files only: of directories walk__is_loop needs what statx alone says.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "batches.h"

/* and whether a link is followed */
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)

static int prepare(struct walk__thread *thread, struct batch_prepared *prepared, struct batch_builder *builder)
{
	return batch_builder_prepare(builder, prepared, thread->walk->executor, NULL);
}

static int prepare_enter(struct walk__thread *thread)
{
	const struct walk_options *options = &thread->walk->options;
	struct batch_builder builder;
	struct batch_value open, stat;

	batch_builder_init(&builder, thread->enter_slots, thread->enter_rets, WALK__ENTER_SLOTS);
	open = batch_builder_openat(&builder, AT_FDCWD, "", OPEN_FLAGS | O_NOFOLLOW, 0);
	batch_builder_stop(&builder, open, BATCH_ON_FAIL);
	stat = batch_builder_statx(&builder, open, "", AT_EMPTY_PATH | (int)options->stat_flags,
				   options->mask | STATX_TYPE | STATX_INO, &thread->directory_stat);
	batch_builder_stop(&builder, stat, BATCH_ON_FAIL);
	batch_builder_getdents64(&builder, open, thread->dents, WALK__DENTS_BYTES);
	return prepare(thread, &thread->enter, &builder);
}

static int prepare_list(struct walk__thread *thread)
{
	struct batch_builder builder;

	batch_builder_init(&builder, thread->list_slots, thread->list_rets, 1);
	batch_builder_getdents64(&builder, -1, thread->dents, WALK__DENTS_BYTES);
	return prepare(thread, &thread->list, &builder);
}

/* How files below the path are looked at. */
static int stat_flags_of(const struct walk_options *options)
{
	return AT_NO_AUTOMOUNT | (options->follow == WALK_FOLLOW_ALL ? 0 : AT_SYMLINK_NOFOLLOW);
}

static int prepare_statx(struct walk__thread *thread)
{
	const struct walk_options *options = &thread->walk->options;
	struct batch_builder builder;

	batch_builder_init(&builder, thread->stat_slots, thread->stat_rets, WALK__STAT_SLOTS);
	for (unsigned int i = 0; i < WALK__STAT_SLOTS; i++)
		batch_builder_statx(&builder, -1, "", stat_flags_of(options) | (int)options->stat_flags,
				    options->mask | STATX_TYPE, &thread->stats[i]);
	return prepare(thread, &thread->stat, &builder);
}

static int prepare_newfstatat(struct walk__thread *thread)
{
	struct batch_builder builder;

	batch_builder_init(&builder, thread->stat_slots, thread->stat_rets, WALK__STAT_SLOTS);
	for (unsigned int i = 0; i < WALK__STAT_SLOTS; i++)
		batch_builder_newfstatat(&builder, -1, "", &thread->basic_stats[i],
					 stat_flags_of(&thread->walk->options));
	return prepare(thread, &thread->stat, &builder);
}

static int prepare_stat(struct walk__thread *thread)
{
	const struct walk_options *options = &thread->walk->options;

	thread->has_basic =
		!(options->mask & ~STATX_BASIC_STATS) && !options->stat_flags && prepare_newfstatat(thread) == 0;
	return thread->has_basic ? 0 : prepare_statx(thread);
}

int walk__batches_init(struct walk__thread *thread)
{
	int code;

	/* cache lines: a slot is one */
	thread->stat_slots = aligned_alloc(64, WALK__STAT_SLOTS * sizeof(*thread->stat_slots));
	thread->stat_rets = calloc(WALK__STAT_SLOTS, sizeof(*thread->stat_rets));
	thread->stats = aligned_alloc(64, WALK__STAT_SLOTS * sizeof(*thread->stats));
	thread->basic_stats = calloc(WALK__STAT_SLOTS, sizeof(*thread->basic_stats));
	/* and a byte for the terminator that walk__dents_next asks for */
	thread->dents = malloc(WALK__DENTS_BYTES + 1);
	if (!thread->stat_slots || !thread->stat_rets || !thread->stats || !thread->basic_stats || !thread->dents)
		return -ENOMEM;
	memset(thread->stats, 0, sizeof(*thread->stats));
	code = prepare_enter(thread);
	code = code ? code : prepare_list(thread);
	return code ? code : prepare_stat(thread);
}

void walk__batches_free(struct walk__thread *thread)
{
	free(thread->stat_slots);
	free(thread->stat_rets);
	free(thread->stats);
	free(thread->basic_stats);
	free(thread->dents);
}

/*
 * What the executor refuses only now, having made no call of it, is made one call at a time. After -EFAULT some calls
 * may have been made.
 */
static long run(const struct batch_prepared *prepared)
{
	long last = batch_prepared_run(prepared);

	if (last >= 0 || last == -EFAULT)
		return last;
	return batch_executor_loop.run(&batch_executor_loop, prepared->rets, prepared->slots, prepared->count);
}

long walk__enter_run(struct walk__thread *thread, int parent_fd, const struct walk_directory *directory)
{
	struct batch_slot *open = &thread->enter_slots[WALK__ENTER_OPEN];

	open->arg[0] = parent_fd;
	open->arg[1] = (long)directory->name;
	open->arg[2] = OPEN_FLAGS | walk__open_flag(thread->walk, directory);
	return run(&thread->enter);
}

long walk__list_run(struct walk__thread *thread, int fd)
{
	thread->list_slots[0].arg[0] = fd;
	run(&thread->list);
	return thread->list_rets[0];
}

void walk__stat_run(struct walk__thread *thread, unsigned int count)
{
	thread->stat.count = count;
	run(&thread->stat);
}

static void set_time(struct statx_timestamp *to, const struct timespec *from)
{
	to->tv_sec = from->tv_sec;
	to->tv_nsec = (uint32_t)from->tv_nsec;
}

/* Say in `to`, which was 0 at first, what `from` says. To clear it each time would cost half of what newfstatat saves.
 */
static void set_stat(struct statx *to, const struct stat *from)
{
	to->stx_mask = STATX_BASIC_STATS;
	to->stx_blksize = (uint32_t)from->st_blksize;
	to->stx_nlink = (uint32_t)from->st_nlink;
	to->stx_uid = from->st_uid;
	to->stx_gid = from->st_gid;
	to->stx_mode = (uint16_t)from->st_mode;
	to->stx_ino = from->st_ino;
	to->stx_size = (uint64_t)from->st_size;
	to->stx_blocks = (uint64_t)from->st_blocks;
	set_time(&to->stx_atime, &from->st_atim);
	set_time(&to->stx_ctime, &from->st_ctim);
	set_time(&to->stx_mtime, &from->st_mtim);
	to->stx_rdev_major = major(from->st_rdev);
	to->stx_rdev_minor = minor(from->st_rdev);
	to->stx_dev_major = major(from->st_dev);
	to->stx_dev_minor = minor(from->st_dev);
}

const struct statx *walk__stat_result(struct walk__thread *thread, unsigned int slot)
{
	if (!thread->has_basic)
		return &thread->stats[slot];
	set_stat(&thread->stats[0], &thread->basic_stats[slot]);
	return &thread->stats[0];
}
