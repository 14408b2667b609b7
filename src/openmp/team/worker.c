/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker: it waits for a region, takes part in it, and waits for the next one, or sleeps where none needs it. See
 * team.c for what it and the primary owe each other.
 */
#include "openmp/team/worker.h"
#include "openmp/system/coscheduler.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/team_state.h"
#include "openmp/state/thread.h"
#include "openmp/team/affinity.h"
#include "openmp/team/team_life.h"

#include "thread/clock.h"
#include "thread/neighbours.h"

#include <stddef.h>

enum { SPREAD_INTERVAL_NS = 2000000 };

static const uint64_t FIRST_SLEEP_NS = OMP__KEPT_NS - 1;
_Static_assert(OMP__KEPT_NS - 1 < OMP__WAIT_LIMIT_MAX_NS, "the first sleep doubles");

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
	omp__wait_wake_key(&team->primary->parker, &team->tasks);
}

/*
 * The first sleep has an end: regions that need fewer members do not wake this one, so it looks once whether there was
 * one, and is idle from then on. If there was none it sleeps until it is woken.
 */
static uint64_t wait_for_go(struct omp__member *member, uint64_t seen)
{
	struct omp__team *team = member->team;
	struct omp__wait wait = omp__wait_begin(&member->thread->parker, &team->primary->parker, &team->fork.go);
	uint64_t go;

	wait.helps = true;
	wait.between = &team->between;
	/* relaxed: the primary may be changing the team's size; a sleeper in either place is woken */
	if (atomic_load_explicit(&member->thread->parker.oversubscribed, memory_order_relaxed))
		wait.event = &team->event;
	/* what a waiter spins between regions comes off the quota of the thread that works there */
	wait.spin.oversubscribed_limit_ns =
		omp__system_has_quota() ? omp__wait_between_quota_ns : omp__wait_between_oversubscribed_ns;
	wait.limit_ns = FIRST_SLEEP_NS;
	while ((go = atomic_load_explicit(&team->fork.go, memory_order_acquire)) == seen) {
		/* Only in a region it took part in: others may end their barriers without it, and it has no number
		 * there. */
		if (__builtin_expect(atomic_load_explicit(&team->tasks_live, memory_order_relaxed) ==
						     member->generation &&
					     (unsigned)(seen >> 32) > member->num,
				     0))
			help_late(member);
		omp__wait_step(&wait);
		/* It doubles when it has passed. */
		if (__builtin_expect(wait.limit_ns > FIRST_SLEEP_NS, 0))
			wait.limit_ns = 0;
	}
	omp__wait_end(&wait);
	return go;
}

/* relaxed: it was acquired with `unpark` or `go`, which are stored after it */
static inline bool is_retired(const struct omp__member *member)
{
	return atomic_load_explicit(&member->retired, memory_order_relaxed);
}

/* No region has needed the worker since `idle_ns`: it leaves, unless the primary needs it just now. See members.c. */
static bool leaves(struct omp__member *member, const struct omp__wait *wait, uint64_t idle_ns, uint32_t unparked)
{
	if (wait->state != OMP__WAIT_PARKING || unparked & OMP__UNPARK_NEEDED ||
	    thread__now_ns() - idle_ns < OMP__KEPT_NS)
		return false;
	/* relaxed: it decides who has the place, and hands nothing on */
	return atomic_compare_exchange_strong_explicit(&member->unpark, &unparked, unparked | OMP__UNPARK_LEFT,
						       memory_order_relaxed, memory_order_relaxed);
}

/*
 * The region does not need this worker: it is idle, parked apart from those that watch `go`, until there is another
 * region and it is unparked. True when it ends instead. An unpark that came while `go` was what it is belongs to a
 * region that has been.
 */
static bool be_idle(struct omp__member *member, uint64_t seen, uint32_t *unparked)
{
	struct omp__wait wait = omp__wait_begin(&member->thread->parker, NULL, &member->unpark);
	uint64_t idle_ns = thread__now_ns();
	bool ends = false;

	wait.limit_ns = OMP__KEPT_NS;
	while (!ends) {
		uint32_t unpark = atomic_load_explicit(&member->unpark, memory_order_acquire);

		if (unpark == *unparked) {
			ends = leaves(member, &wait, idle_ns, unpark);
			if (!ends)
				omp__wait_step(&wait);
			continue;
		}
		*unparked = unpark;
		ends = is_retired(member);
		if (atomic_load_explicit(&member->team->fork.go, memory_order_relaxed) != seen)
			break;
	}
	omp__wait_end(&wait);
	return ends;
}

static void arrive(struct omp__member *member)
{
	struct omp__team *team = member->team;
	struct omp__thread *primary = team->primary;
	/* the primary may change it from the store on */
	bool oversubscribed = team->oversubscribed;

	/* release: the primary, and whoever runs next, sees what this thread did in the region */
	atomic_store_explicit(&member->arrived, member->generation, memory_order_release);
	if (__builtin_expect(oversubscribed, 0)) {
		/* acq_rel: the last one hands on what all did; it alone wakes the primary */
		if (atomic_fetch_sub_explicit(&team->missing, 1, memory_order_acq_rel) == 1) {
			omp__wait_fence();
			omp__wait_wake_key(&primary->parker, &team->missing);
		}
		return;
	}
	omp__wait_fence();
	omp__wait_wake_key(&primary->parker, &member->arrived);
}

/*
 * A team with more members than processors starts where its members waited, and the kernel takes milliseconds to even
 * that out: with three of four on one processor a loop takes one and a half times as long. So a worker that finds more
 * than its share of the team where it is goes elsewhere, at most one in SPREAD_INTERVAL_NS.
 */
static void spread(struct omp__member *member)
{
	struct omp__team *team = member->team;
	unsigned processors = omp__system_processors();
	unsigned here = 0;
	uint64_t now;

	thread__runner_refresh(&member->thread->parker.runner);
	/* relaxed: where they are is a hint */
	for (unsigned i = 0; i < team->size; i++)
		here += thread__runner_is_beside(&member->thread->parker.runner,
						 &team->members[i]->thread->parker.runner);
	if (here <= (team->size + processors - 1) / processors)
		return;
	now = thread__now_ns();
	/* among neighbours the kernel knows better what is free */
	if (now - atomic_load_explicit(&team->spread_ns, memory_order_relaxed) < SPREAD_INTERVAL_NS ||
	    omp__wait_company(now) != THREAD__ALONE)
		return;
	atomic_store_explicit(&team->spread_ns, now, memory_order_relaxed);
	thread__runner_move_away(&member->thread->parker.runner);
}

/*
 * Among neighbours members that meet often share a processor (thread/gather.h). Not with a co-scheduler, where others
 * see the primary where it was when it entered.
 */
static void settle(struct omp__member *member)
{
	if (!omp__coscheduler)
		thread__gather(&member->met, &member->thread->parker.runner, &member->team->primary->parker.runner,
			       member->team->size, member->num);
	spread(member);
}

static void take_part(struct omp__member *member)
{
	struct omp__team *team = member->team;
	struct omp__thread *thread = member->thread;

	omp__region_start(&member->region, team, &team->fork.icv, member->num);
	thread->region = &member->region;
	thread->task = &member->region.implicit;
	thread->league_num = team->league_num;
	thread->league_count = team->league_count;
	if (__builtin_expect(omp__affinity_binds || omp__globals.display_affinity, 0))
		omp__affinity_enter(thread, member);
	else if (__builtin_expect(team->oversubscribed, 0))
		settle(member);
	team->fork.fn(team->fork.data);
	arrive(member);
}

/* A worker's last words. */
static void ended(struct omp__member *member)
{
	struct omp__thread *thread = member->thread;
	struct omp__team *team = member->team;

	omp__tls = NULL;
	if (thread->hot_first) {
		omp__team_dismiss(thread->hot_first);
		thread->hot_first = NULL;
	}
	if (omp__coscheduler)
		omp__coscheduler->worker_ends();
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	/* The last touch of each: release, so that the primary frees after all that this thread did. */
	atomic_store_explicit(&member->gone, true, memory_order_release);
	atomic_fetch_sub_explicit(&team->users, 1, memory_order_release);
}

void omp__member_main(void *argument)
{
	struct omp__member *member = argument;
	uint64_t seen = 0;
	uint32_t unparked = OMP__UNPARK_NEEDED;

	omp__thread_adopt(member->thread);
	for (;;) {
		unsigned size;

		seen = wait_for_go(member, seen);
		size = (unsigned)(seen >> 32);
		/* A retired one takes no part, even in its place: that is another worker's by now. */
		if (size == 0 || __builtin_expect(is_retired(member), 0))
			break;
		member->generation = (uint32_t)seen;
		if (member->num < size)
			take_part(member);
		else if (be_idle(member, seen, &unparked))
			break;
		if (__builtin_expect(omp__coscheduler != NULL, 0))
			omp__coscheduler->yield(&member->thread->parker);
	}
	ended(member);
}
