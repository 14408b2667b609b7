/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join.
 *
 *	primary						worker
 *	writes fn, data, variables
 *	store(go, release)				load(go, acquire) sees a new generation
 *	fence; wakes those that sleep			runs fn(data)
 *	runs fn(data)					store(arrived, release)
 *	load(arrived, acquire) of each			fence; wakes the primary if it sleeps
 *							waits for the next go
 *
 * A member that takes part reads the fork's line after it saw the generation, and the primary rewrites the line only
 * after that member has arrived, so no write meets a read. A member that does not take part reads `go` alone.
 *
 * Workers do not wait for each other at the join: with two threads a region is one round trip of two cache lines.
 */
#include "openmp/team/team.h"
#include "openmp/team/affinity.h"
#include "openmp/waiting/crowd.h"
#include "openmp/environment/environment.h"
#include "openmp/guest.h"
#include "openmp/team/members.h"

#include "thread/clock.h"
#include "thread/neighbours.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SPREAD_INTERVAL_NS = 2000000 };

static inline void start_region(struct omp__region *region, const struct omp__team *team, const struct omp__icv *icv,
				unsigned num)
{
	region->outer = team->outer;
	region->thread_num = num;
	region->thread_count = team->size;
	region->level = team->level;
	region->active_level = team->active_level;
	region->loop.share = NULL;
	region->loop.hand_out = OMP__HAND_OUT_NONE;
	region->icv = *icv;
	omp__task_start_implicit(&region->implicit, team->parent, &region->icv, team->taskgroup);
}

/* ---- workers ------------------------------------------------------------------------------------------------------
 */

/*
 * Past the region's end, while its other members still run: look for tasks. The primary takes tasks_live away and then
 * waits until no helper is left; a helper counts itself in and then looks at tasks_live. seq_cst on all four: one of
 * the two sees the other.
 */
static void help_late(struct omp__member *member)
{
	struct omp__team *team = member->team;

	atomic_fetch_add_explicit(&team->helpers, 1, memory_order_seq_cst);
	if (atomic_load_explicit(&team->tasks_live, memory_order_seq_cst) == member->generation)
		while (omp__tasks_help(member->thread))
			;
	/* release: the primary sees what the tasks did */
	atomic_fetch_sub_explicit(&team->helpers, 1, memory_order_seq_cst);
	/* The primary may sleep until the last task has ended, and this may have been it. */
	omp__wait_wake_key(&team->primary->seat, &team->tasks);
}

static uint64_t wait_for_go(struct omp__member *member, uint64_t seen)
{
	struct omp__team *team = member->team;
	struct omp__wait wait = omp__wait_begin(&member->thread->seat, &team->primary->seat, &team->fork.go);
	uint64_t go;

	wait.helps = true;
	wait.idle = &team->idle;
	/* relaxed: the primary may be changing the team's size; who sleeps in either place is woken */
	if (atomic_load_explicit(&member->thread->seat.crowded, memory_order_relaxed))
		wait.event = &team->event;
	wait.spin.crowded_limit_ns = omp__wait_idle_crowded_ns;
	while ((go = atomic_load_explicit(&team->fork.go, memory_order_acquire)) == seen) {
		/* Only in a region it took part in: others may end their barriers without it, and it has no number
		 * there. */
		if (__builtin_expect(atomic_load_explicit(&team->tasks_live, memory_order_relaxed) ==
						     member->generation &&
					     (unsigned)(seen >> 32) > member->num,
				     0))
			help_late(member);
		omp__wait_step(&wait);
	}
	omp__wait_end(&wait);
	return go;
}

/* Not needed: sleep until recalled, apart from those who watch `go`. */
static uint32_t dock(struct omp__member *member, uint32_t recalled)
{
	struct omp__wait wait = omp__wait_begin(&member->thread->seat, NULL, &member->recall);
	uint32_t recall;

	while ((recall = atomic_load_explicit(&member->recall, memory_order_acquire)) == recalled)
		omp__wait_step(&wait);
	omp__wait_end(&wait);
	return recall;
}

static void arrive(struct omp__member *member)
{
	struct omp__team *team = member->team;
	struct omp__thread *primary = team->primary;
	/* the primary may change it from the store on */
	bool crowded = team->crowded;

	/* release: the primary, and whoever runs next, sees what this thread did in the region */
	atomic_store_explicit(&member->arrived, member->generation, memory_order_release);
	if (__builtin_expect(crowded, 0)) {
		/* acq_rel: the last one hands on what all did; it alone wakes the primary */
		if (atomic_fetch_sub_explicit(&team->missing, 1, memory_order_acq_rel) == 1) {
			omp__wait_fence();
			omp__wait_wake_key(&primary->seat, &team->missing);
		}
		return;
	}
	omp__wait_fence();
	omp__wait_wake_key(&primary->seat, &member->arrived);
}

/*
 * A team with more members than processors starts where its members waited, and the kernel takes milliseconds to even
 * that out: with three of four on one processor a loop takes one and a half times as long. So a worker that finds more
 * than its share of the team where it is goes elsewhere, at most one in SPREAD_INTERVAL_NS.
 */
static void spread(struct omp__member *member)
{
	struct omp__team *team = member->team;
	unsigned processors = omp__host_processors();
	unsigned here = 0;
	uint64_t now;

	/* relaxed: where they are is a hint */
	for (unsigned i = 0; i < team->size; i++)
		here += thread__runner_is_beside(&member->thread->seat.runner, &team->members[i]->thread->seat.runner);
	if (here <= (team->size + processors - 1) / processors)
		return;
	now = thread__now_ns();
	/* among neighbours the kernel knows better what is free */
	if (now - atomic_load_explicit(&team->spread_ns, memory_order_relaxed) < SPREAD_INTERVAL_NS ||
	    omp__wait_company(now) != THREAD__ALONE)
		return;
	atomic_store_explicit(&team->spread_ns, now, memory_order_relaxed);
	thread__runner_move_away(&member->thread->seat.runner);
}

/* Among neighbours members that meet often share a processor (thread/gather.h); a guest's are shown where they were. */
static void settle(struct omp__member *member)
{
	if (!omp__guest)
		thread__gather(&member->met, &member->thread->seat.runner, &member->team->primary->seat.runner,
			       member->team->size);
	spread(member);
}

static void take_part(struct omp__member *member)
{
	struct omp__team *team = member->team;
	struct omp__thread *thread = member->thread;

	start_region(&member->region, team, &team->fork.icv, member->num);
	thread->region = &member->region;
	thread->task = &member->region.implicit;
	thread->league_num = team->league_num;
	thread->league_count = team->league_count;
	if (__builtin_expect(omp__affinity_binds || omp__globals.display_affinity, 0))
		omp__affinity_enter(thread, member);
	else if (__builtin_expect(team->crowded, 0))
		settle(member);
	team->fork.fn(team->fork.data);
	arrive(member);
}

void omp__member_main(void *argument)
{
	struct omp__member *member = argument;
	uint64_t seen = 0;
	uint32_t recalled = 0;

	omp__thread_adopt(member->thread);
	for (;;) {
		unsigned size;

		seen = wait_for_go(member, seen);
		size = (unsigned)(seen >> 32);
		if (size == 0)
			break;
		member->generation = (uint32_t)seen;
		if (member->num < size)
			take_part(member);
		else
			recalled = dock(member, recalled);
		/* relaxed: dock() acquires it */
		if (__builtin_expect(atomic_load_explicit(&member->retired, memory_order_relaxed), 0))
			break;
		if (__builtin_expect(omp__guest != NULL, 0))
			omp__guest_give_way(&member->thread->seat);
	}
	omp__member_ended(member);
}

/* ---- the primary --------------------------------------------------------------------------------------------------
 */

/* Until *word is `value`. */
static void wait_for_arrival(struct omp__team *team, const struct omp__seat *other, const _Atomic uint32_t *word,
			     uint32_t value)
{
	struct omp__thread *thread = team->primary;
	struct omp__wait wait = omp__wait_begin(&thread->seat, other, word);

	wait.helps = true;
	while (atomic_load_explicit(word, memory_order_acquire) != value) {
		if (atomic_load_explicit(&team->tasks_live, memory_order_relaxed) == team->generation &&
		    omp__tasks_help(thread))
			continue;
		omp__wait_step(&wait);
	}
	omp__wait_end(&wait);
}

/* All implicit tasks have ended: end the explicit ones, and see every helper off. */
static void finish_tasks(struct omp__team *team)
{
	unsigned looks = 0;

	omp__tasks_drain(team->primary);
	atomic_store_explicit(&team->tasks_live, 0, memory_order_seq_cst);
	/* They find nothing to do and leave. */
	while (atomic_load_explicit(&team->helpers, memory_order_seq_cst) != 0)
		thread__spin_briefly(&looks);
}

static void join(struct omp__team *team)
{
	if (__builtin_expect(team->crowded, 0))
		wait_for_arrival(team, NULL, &team->missing, 0);
	else
		for (unsigned i = 1; i < team->size; i++)
			wait_for_arrival(team, &team->members[i]->thread->seat, &team->members[i]->arrived,
					 team->generation);
	if (__builtin_expect(atomic_load_explicit(&team->tasks_live, memory_order_relaxed) == team->generation, 0))
		finish_tasks(team);
	if (__builtin_expect(atomic_load_explicit(&team->workshares.lapped, memory_order_relaxed), 0))
		omp__workshares_trim(&team->workshares);
	if (__builtin_expect(atomic_load_explicit(&team->cancelled, memory_order_relaxed), 0))
		omp__members_reset(team);
}

/* What the region's threads start with: the clause, then the lists of the environment, change their parent's values. */
static inline void next_level(struct omp__icv *icv, unsigned level, unsigned flags)
{
	if (__builtin_expect(flags & OMP__FLAG_BIND && icv->bind != OMP__BIND_FALSE, 0))
		icv->bind = (uint8_t)(flags & OMP__FLAG_BIND);
	if (__builtin_expect(level < omp__globals.threads_count, 0))
		icv->threads = omp__globals.threads_list[level];
	if (__builtin_expect(level < omp__globals.bind_count, 0))
		icv->bind = omp__globals.bind_list[level];
}

/* Lines that every member reads are left alone when they already say the same. */
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
	/* relaxed: before `go` */
	if (__builtin_expect(team->crowded, 0))
		atomic_store_explicit(&team->missing, team->size - 1, memory_order_relaxed);
	/* release: the line, and all that the primary did before the region */
	atomic_store_explicit(&team->fork.go, (uint64_t)team->size << 32 | generation, memory_order_release);
	if (__builtin_expect(team->docked_from < team->size, 0))
		omp__members_recall(team);
	omp__wait_fence();
	omp__event_wake_all(&team->event);
	for (unsigned i = 1; i < team->size; i++)
		omp__wait_wake_key(&team->members[i]->thread->seat, &team->fork.go);
}

void omp__team_begin(struct omp__thread *thread, struct omp__team *team, void (*fn)(void *), void *data, unsigned flags)
{
	struct omp__region *region = &team->members[0]->region;

	describe(team, thread);
	team->fork.icv = *thread->task->icv;
	next_level(&team->fork.icv, team->level, flags);
	start(team, fn, data);
	start_region(region, team, &team->fork.icv, 0);
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
	/* release: what it read of others' data; see leave_cancelled in barrier.c */
	if (__builtin_expect(omp__globals.cancellation, 0))
		atomic_store_explicit(&team->joining, team->generation, memory_order_release);
	join(team);
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

void omp__team_run(void (*code)(void *), void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	struct omp__thread *thread = omp__self();
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

/* Rare enough to take the general way: the taskgroup is set for this region, and taken off after it. */
unsigned omp__team_run_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	struct omp__thread *thread = omp__self();
	unsigned size = omp__team_size(thread, threads, fn);
	struct omp__team *team = size > 1 ? omp__team_take(thread, &size, flags) : NULL;
	struct omp__taskgroup *taskgroup;
	struct omp__region region;

	if (!team)
		size = 1;
	omp__region_enter(thread, size);
	taskgroup = omp__reductions_parallel(*(uintptr_t **)data, size);
	if (team) {
		team->taskgroup = taskgroup;
		omp__team_begin(thread, team, fn, data, flags);
		fn(data);
		omp__team_end(thread, team);
		team->taskgroup = NULL;
		omp__group_give(thread, size);
	} else {
		omp__alone_begin(thread, &region, flags);
		region.implicit.taskgroup = taskgroup;
		fn(data);
		omp__alone_end(thread, &region);
	}
	omp__reductions_parallel_end(taskgroup);
	omp__region_leave(thread);
	return size;
}

void omp__team_wake(struct omp__team *team, const void *key)
{
	if (!key || key == &team->barrier_passed)
		omp__event_wake_all(&team->event);
	for (unsigned i = 0; i < team->size; i++) {
		if (key)
			omp__wait_wake_key(&team->members[i]->thread->seat, key);
		else
			omp__wait_wake(&team->members[i]->thread->seat);
	}
}

bool omp__team_wake_helper(struct omp__team *team)
{
	for (unsigned i = 0; i < team->size; i++) {
		struct omp__seat *seat = &team->members[i]->thread->seat;

		if (atomic_load_explicit(&seat->parked, memory_order_seq_cst) &&
		    atomic_load_explicit(&seat->helps, memory_order_relaxed)) {
			omp__seat_wake(seat);
			return true;
		}
	}
	return omp__event_wake_one(&team->event);
}
