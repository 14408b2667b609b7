/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three batches of a thread, built and verified once and run with other arguments each time:
 *
 *	enter	openat → statx of what it opened → first getdents64 of it, the descriptor fed by word copies
 *	list	the next getdents64
 *	stat	statx of up to WALK__STAT_SLOTS names; any prefix of it is a verified batch too
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "batches.h"

static const struct batch_executor *executor_of(const struct walk__thread *thread)
{
	return thread->walk->options.executor ? thread->walk->options.executor : &batch_executor_loop;
}

static int prepare(struct walk__thread *thread, struct batch_prepared *prepared, struct batch_builder *builder)
{
	long count = batch_builder_finish(builder, NULL);

	if (count < 0)
		return (int)count;
	return batch_prepare(prepared, executor_of(thread), builder->rets, builder->slots, (size_t)count, 0, NULL);
}

static int prepare_enter(struct walk__thread *thread)
{
	const struct walk_options *options = &thread->walk->options;
	struct batch_builder builder;
	long open, stat;

	batch_builder_init(&builder, thread->enter_slots, thread->enter_rets, WALK__ENTER_SLOTS);
	open = batch_builder_openat(&builder, AT_FDCWD, "",
				    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	batch_builder_stop(&builder, open, BATCH_ON_FAIL);
	batch_builder_feed(&builder, 0, open);
	stat = batch_builder_statx(&builder, -1, "", AT_EMPTY_PATH | (int)options->stat_flags,
				   options->mask | STATX_TYPE | STATX_INO, &thread->directory_stat);
	batch_builder_stop(&builder, stat, BATCH_ON_FAIL);
	batch_builder_feed(&builder, 0, open);
	batch_builder_getdents64(&builder, -1, thread->dents, WALK__DENTS_BYTES);
	return prepare(thread, &thread->enter, &builder);
}

static int prepare_list(struct walk__thread *thread)
{
	struct batch_builder builder;

	batch_builder_init(&builder, thread->list_slots, thread->list_rets, 1);
	batch_builder_getdents64(&builder, -1, thread->dents, WALK__DENTS_BYTES);
	return prepare(thread, &thread->list, &builder);
}

static int prepare_stat(struct walk__thread *thread)
{
	const struct walk_options *options = &thread->walk->options;
	struct batch_builder builder;

	batch_builder_init(&builder, thread->stat_slots, thread->stat_rets, WALK__STAT_SLOTS);
	for (unsigned int i = 0; i < WALK__STAT_SLOTS; i++)
		batch_builder_statx(&builder, -1, "", AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (int)options->stat_flags,
				    options->mask | STATX_TYPE, &thread->stats[i]);
	return prepare(thread, &thread->stat, &builder);
}

int walk__batches_init(struct walk__thread *thread)
{
	int code;

	/* cache lines: a slot is one */
	thread->stat_slots = aligned_alloc(64, WALK__STAT_SLOTS * sizeof(*thread->stat_slots));
	thread->stat_rets = calloc(WALK__STAT_SLOTS, sizeof(*thread->stat_rets));
	thread->stats = aligned_alloc(64, WALK__STAT_SLOTS * sizeof(*thread->stats));
	/* and a byte for the terminator that walk__dents_next asks for */
	thread->dents = malloc(WALK__DENTS_BYTES + 1);
	if (!thread->stat_slots || !thread->stat_rets || !thread->stats || !thread->dents)
		return -ENOMEM;
	code = prepare_enter(thread);
	code = code ? code : prepare_list(thread);
	return code ? code : prepare_stat(thread);
}

void walk__batches_free(struct walk__thread *thread)
{
	free(thread->stat_slots);
	free(thread->stat_rets);
	free(thread->stats);
	free(thread->dents);
}

long walk__enter_run(struct walk__thread *thread, int parent_fd, const char *name)
{
	thread->enter_slots[WALK__ENTER_OPEN].arg[0] = parent_fd;
	thread->enter_slots[WALK__ENTER_OPEN].arg[1] = (long)name;
	return batch_prepared_run(&thread->enter);
}

long walk__list_run(struct walk__thread *thread, int fd)
{
	thread->list_slots[0].arg[0] = fd;
	batch_prepared_run(&thread->list);
	return thread->list_rets[0];
}

void walk__stat_run(struct walk__thread *thread, unsigned int count)
{
	thread->stat.count = count;
	batch_prepared_run(&thread->stat);
}
