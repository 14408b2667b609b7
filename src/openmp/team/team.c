/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join: how a team begins a region and how it ends it. The primary thread publishes the region by one store,
 * `go`, which all workers wait for; each worker says by a flag of its own that it has arrived at the end, and the
 * primary waits for every flag.
 *
 *	primary						worker
 *	writes fn, data, variables
 *	store(go, release)				load(go, acquire) sees a new generation
 *	fence; wakes those that sleep			runs fn(data)
 *	runs fn(data)					store(arrived, release)
 *	load(arrived, acquire) of each			fence; wakes the primary if it sleeps
 *							waits for the next go
 *
 * A member that takes part reads the cache line of the fork (fn, data, variables) after it has seen the new generation,
 * and the primary rewrites the line only after that member has arrived; so no write races with a read. A member that
 * takes no part reads only `go`.
 *
 * Workers do not wait for each other at the join, so a region of two threads costs one round trip of two cache lines.
 *
 * What may go wrong is a lost wake-up, which the two fences prevent (wait.h). What may not change: the primary stores
 * `go` last, and a member stores `arrived` after its last use of the region's data.
 */
#include "openmp/team/team.h"
#include "openmp/system/coscheduler.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/team_state.h"
#include "openmp/team/affinity.h"
#include "openmp/team/barrier.h"
#include "openmp/team/members.h"
#include "openmp/team/rest.h"
#include "openmp/team/team_life.h"

#include "thread/clock.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the primary ------------------------------------------------------------------------------------------------- */

/* Wait until *word is `value`. */
static void wait_for_arrival(struct omp__team *team, const struct omp__parker *other, const _Atomic uint32_t *word,
			     uint32_t value)
{
	struct omp__thread *thread = team->primary;
	struct omp__wait wait = omp__wait_begin(&thread->parker, other, word);

	wait.helps = true;
	while (atomic_load_explicit(word, memory_order_acquire) != value) {
		if (omp__team_has_tasks(team, team->generation) && omp__tasks_help(thread))
			continue;
		omp__wait_step(&wait);
	}
	omp__wait_end(&wait);
}

/* All implicit tasks have ended: run the explicit ones that are left, then wait until no worker helps any more. */
static void finish_tasks(struct omp__team *team)
{
	unsigned looks = 0;

	omp__tasks_drain(team->primary);
	atomic_store_explicit(&team->tasks_live, 0, memory_order_seq_cst);
	/* Workers that still help find no task and leave. */
	while (atomic_load_explicit(&team->helpers, memory_order_seq_cst) != 0)
		thread__spin_briefly(&looks);
}

static void join(struct omp__team *team)
{
	if (__builtin_expect(team->oversubscribed, 0))
		wait_for_arrival(team, NULL, &team->missing, 0);
	else
		for (unsigned i = 1; i < team->size; i++)
			wait_for_arrival(team, &team->members[i]->thread->parker, &team->members[i]->arrived,
					 team->generation);
	if (__builtin_expect(omp__team_has_tasks(team, team->generation), 0))
		finish_tasks(team);
	if (__builtin_expect(atomic_load_explicit(&team->workshares.lapped, memory_order_relaxed), 0))
		omp__workshares_trim(&team->workshares);
	if (__builtin_expect(atomic_load_explicit(&team->cancelled, memory_order_relaxed), 0))
		omp__members_reset(team);
}

/*
 * The control variables that the region's threads start with: those of the parent, changed by the lists of the
 * environment and by the clause.
 */
static inline void next_level(struct omp__icv *icv, unsigned level, unsigned flags)
{
	if (__builtin_expect(flags & OMP__FLAG_BIND && icv->bind != OMP__BIND_FALSE, 0))
		icv->bind = (uint8_t)(flags & OMP__FLAG_BIND);
	if (__builtin_expect(level < omp__globals.threads_count, 0))
		icv->threads = omp__globals.threads_list[level];
	if (__builtin_expect(level < omp__globals.bind_count, 0))
		icv->bind = omp__globals.bind_list[level];
}

/* Fields in lines that every member reads are written only when they change, so that the lines stay shared. */
static inline void describe(struct omp__team *team, struct omp__thread *thread)
{
	struct omp__region *outer = thread->region;

	if (team->outer != outer || team->parent != thread->task || team->level != outer->level + 1 ||
	    team->league_num != thread->league_num || team->league_count != thread->league_count) {
		team->outer = outer;
		team->parent = thread->task;
		team->level = outer->level + 1;
		team->active_level = outer->active_level + 1;
		team->league_num = thread->league_num;
		team->league_count = thread->league_count;
	}
}

static inline void start(struct omp__team *team, void (*fn)(void *), void *data)
{
	uint32_t generation = team->generation + 1;

	/* Generation 0 stands for "no region" in tasks_live. */
	if (__builtin_expect(generation == 0, 0))
		generation = 1;
	team->generation = generation;
	team->members[0]->generation = generation;
	team->fork.fn = fn;
	team->fork.data = data;
	/* relaxed: `go`, which is stored next, publishes it */
	if (__builtin_expect(team->oversubscribed, 0))
		atomic_store_explicit(&team->missing, team->size - 1, memory_order_relaxed);
	/* release: publishes the fork's line, and all that the primary did before the region */
	atomic_store_explicit(&team->fork.go, (uint64_t)team->size << 32 | generation, memory_order_release);
	if (__builtin_expect(team->idle_from < team->size, 0))
		omp__members_unpark(team);
	omp__wait_fence();
	omp__event_wake_all(&team->event);
	for (unsigned i = 1; i < team->size; i++)
		if (__builtin_expect(omp__wait_sleeps_for(&team->members[i]->thread->parker, &team->fork.go), 0))
			omp__rest_wake(team, team->members[i]);
}

void omp__team_begin(struct omp__thread *thread, struct omp__team *team, void (*fn)(void *), void *data, unsigned flags)
{
	struct omp__region *region = &team->members[0]->region;

	describe(team, thread);
	team->fork.icv = *thread->task->icv;
	next_level(&team->fork.icv, team->level, flags);
	start(team, fn, data);
	omp__region_start(region, team, &team->fork.icv, 0);
	thread->region = region;
	thread->task = &region->implicit;
	thread->hot = &team->inner;
	if (__builtin_expect(omp__affinity_binds || omp__globals.display_affinity, 0)) {
		team->outer_partition_first = thread->partition_first;
		team->outer_partition_count = thread->partition_count;
		omp__affinity_enter(thread, team->members[0]);
	}
}

void omp__team_end(struct omp__thread *thread, struct omp__team *team)
{
	/* release: the primary's reads of other members' data come before; see leave_cancelled in barrier.c */
	if (__builtin_expect(omp__globals.cancellation, 0))
		atomic_store_explicit(&team->joining, team->generation, memory_order_release);
	join(team);
	if (__builtin_expect(team->rest.has_woken, 0))
		omp__rest_joined(team);
	if (__builtin_expect(omp__affinity_binds, 0)) {
		thread->partition_first = team->outer_partition_first;
		thread->partition_count = team->outer_partition_count;
	}
	thread->region = team->outer;
	thread->task = team->parent;
	thread->hot = team->slot;
}

void omp__alone_begin(struct omp__thread *thread, struct omp__region *region, unsigned flags)
{
	struct omp__region *outer = thread->region;

	region->outer = outer;
	region->team = NULL;
	region->member = NULL;
	region->thread_num = 0;
	region->thread_count = 1;
	region->level = outer->level + 1;
	region->active_level = outer->active_level;
	region->workshare_count = 0;
	region->single_count = 0;
	region->loop.share = NULL;
	region->loop.hand_out = OMP__HAND_OUT_NONE;
	region->icv = *thread->task->icv;
	next_level(&region->icv, region->level, flags);
	omp__task_start_implicit(&region->implicit, thread->task, &region->icv, NULL);
	thread->region = region;
	thread->task = &region->implicit;
	if (__builtin_expect(omp__globals.display_affinity, 0))
		omp__affinity_entered(thread);
}

void omp__alone_end(struct omp__thread *thread, struct omp__region *region)
{
	if (__builtin_expect(region->team != NULL, 0)) {
		omp__barrier(thread, false);
		omp__team_dismiss(region->team);
	}
	thread->region = region->outer;
	thread->task = region->implicit.parent;
}

void omp__team_run(struct omp__thread *thread, void (*code)(void *), void (*fn)(void *), void *data, unsigned threads,
		   unsigned flags)
{
	unsigned size = omp__team_size(thread, threads, code);
	struct omp__team *team;

	if (size > 1 && (team = omp__team_take(thread, &size, flags))) {
		omp__region_enter(thread, size);
		omp__team_begin(thread, team, fn, data, flags);
		fn(data);
		omp__team_end(thread, team);
		omp__group_give(thread, size);
	} else {
		struct omp__region region;

		omp__region_enter(thread, 1);
		omp__alone_begin(thread, &region, flags);
		fn(data);
		omp__alone_end(thread, &region);
	}
	omp__region_leave(thread);
}
