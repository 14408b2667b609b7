/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a worker does: wait for a region, take part in it, wait for the next one; or park as idle while regions do not
 * need it. See team.c for the protocol between worker and primary.
 */
#include "openmp/team/worker.h"
#include "openmp/system/coscheduler.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/team_state.h"
#include "openmp/state/thread.h"
#include "openmp/team/affinity.h"
#include "openmp/team/gather.h"
#include "openmp/team/team_life.h"
#include "openmp/tool/event.h"

#include "thread/clock.h"
#include "thread/neighbours.h"

#include <stddef.h>

enum { SPREAD_INTERVAL_NS = 2000000 };

static const uint64_t FIRST_SLEEP_NS = OMP__KEPT_NS - 1;
_Static_assert(OMP__KEPT_NS - 1 < OMP__WAIT_LIMIT_MAX_NS, "the first sleep doubles");

/*
 * A worker that has arrived at the region's end helps with tasks while other members still run. The primary clears
 * tasks_live and then waits until no helper is left; a helper counts itself in `helpers` and then looks at tasks_live.
 * All four accesses are seq_cst, so that either the helper sees tasks_live cleared or the primary sees the helper.
 */
static void help_late(struct omp__member *member)
{
	struct omp__team *team = member->team;

	atomic_fetch_add_explicit(&team->helpers, 1, memory_order_seq_cst);
	if (omp__team_has_tasks(team, member->generation))
		while (omp__tasks_help(member->thread))
			;
	/* also release: the primary sees what the tasks did */
	atomic_fetch_sub_explicit(&team->helpers, 1, memory_order_seq_cst);
	/* The primary may sleep until the last task has ended, and this worker may have run that task. */
	omp__wait_wake_key(&team->primary->parker, &team->tasks);
}

/*
 * The first sleep has a limit, because regions that need fewer members do not wake this worker. When the limit has
 * passed, the worker looks once whether there was such a region: if so it becomes idle, otherwise it sleeps until it is
 * woken. While its last region still has tasks the worker has a helper's limit (scheduler/helper.h).
 */
static uint64_t wait_for_go(struct omp__member *member, uint64_t seen)
{
	struct omp__team *team = member->team;
	struct omp__wait wait = omp__wait_begin(&member->thread->parker, &team->primary->parker, &team->fork.go);
	uint64_t go;

	wait.helps = true;
	wait.between = &team->between;
	/*
	 * relaxed: the primary may just be changing the team's size; it wakes sleepers at the parker and at the event
	 */
	if (atomic_load_explicit(&member->thread->parker.oversubscribed, memory_order_relaxed))
		wait.event = &team->event;
	else
		wait.limit_ns = FIRST_SLEEP_NS;
	/* time that a worker spins between regions is taken from the same CPU quota as the time of threads that work */
	wait.spin.oversubscribed_limit_ns =
		omp__system_has_quota() ? omp__wait_between_quota_ns : omp__wait_between_oversubscribed_ns;
	while ((go = atomic_load_explicit(&team->fork.go, memory_order_acquire)) == seen) {
		/*
		 * A worker helps only with a region that it took part in: in any other it has no number, and the
		 * members pass their barriers without it.
		 */
		if (__builtin_expect(omp__team_has_tasks(team, member->generation) &&
					     (unsigned)(seen >> 32) > member->num,
				     0))
			help_late(member);
		omp__wait_step(&wait);
		if (__builtin_expect(wait.timed_out, 0) && !omp__team_has_tasks(team, member->generation))
			wait.limit_ns = 0;
	}
	omp__wait_end(&wait);
	return go;
}

/* relaxed: `unpark` and `go`, stored after `retired`, were read with acquire */
static inline bool is_retired(const struct omp__member *member)
{
	return atomic_load_explicit(&member->retired, memory_order_relaxed);
}

/*
 * Whether the worker leaves: no region has needed it for OMP__KEPT_NS, and the primary does not need it just now. See
 * members.c.
 */
static bool leaves(struct omp__member *member, const struct omp__wait *wait, uint64_t idle_ns, uint32_t unparked)
{
	if (wait->state != OMP__WAIT_PARKING || unparked & OMP__UNPARK_NEEDED ||
	    thread__now_ns() - idle_ns < OMP__KEPT_NS)
		return false;
	/* relaxed: the exchange decides only whether this worker or another has the place, and publishes no data */
	return atomic_compare_exchange_strong_explicit(&member->unpark, &unparked, unparked | OMP__UNPARK_LEFT,
						       memory_order_relaxed, memory_order_relaxed);
}

/*
 * The region does not need this worker: it parks as idle, apart from the waiters that watch `go`, until it is unparked
 * for another region. Returns true when the worker is to end instead. An unpark that arrives while `go` is still `seen`
 * belongs to an earlier region and is ignored.
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
	/* read before the store below: after it the primary may change the field */
	bool oversubscribed = team->oversubscribed;

	/* release: the primary, and the threads of the next region, see what this thread did in this one */
	atomic_store_explicit(&member->arrived, member->generation, memory_order_release);
	if (__builtin_expect(oversubscribed, 0)) {
		/* acq_rel: the last worker passes on what all workers did; only the last one wakes the primary */
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
 * Members of an oversubscribed team start on the processors where they waited, and the kernel takes milliseconds to
 * balance them: with three of four members on one of two processors, a loop takes one and a half times as long. So a
 * worker that finds more than its processor's share of the team there moves to another processor; in each
 * SPREAD_INTERVAL_NS at most one worker moves.
 */
static void spread(struct omp__member *member)
{
	struct omp__team *team = member->team;
	unsigned processors = omp__system_processors();
	unsigned here = 0;
	uint64_t now;

	thread__runner_refresh(&member->thread->parker.runner);
	/* relaxed: where members run is only a hint */
	for (unsigned i = 0; i < team->size; i++)
		here += thread__runner_is_beside(&member->thread->parker.runner,
						 &team->members[i]->thread->parker.runner);
	if (here <= (team->size + processors - 1) / processors)
		return;
	now = thread__now_ns();
	/* where neighbours run, the kernel knows better which processor is free */
	if (now - atomic_load_explicit(&team->spread_ns, memory_order_relaxed) < SPREAD_INTERVAL_NS ||
	    omp__wait_company(now) != THREAD__ALONE)
		return;
	atomic_store_explicit(&team->spread_ns, now, memory_order_relaxed);
	thread__runner_move_away(&member->thread->parker.runner);
}

static void settle(struct omp__member *member)
{
	omp__member_gather(member);
	if (member->team->oversubscribed)
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
	else if (__builtin_expect(omp__team_gathers(team), 0))
		settle(member);
	team->fork.fn(team->fork.data);
	arrive(member);
}

/* The last things that a worker does. */
static void ended(struct omp__member *member)
{
	struct omp__thread *thread = member->thread;
	struct omp__team *team = member->team;

	omp__tool_thread_end(thread);
	omp__tls = NULL;
	if (thread->hot_first) {
		omp__team_dismiss(thread->hot_first);
		thread->hot_first = NULL;
	}
	if (omp__coscheduler)
		omp__coscheduler->worker_ends();
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	/*
	 * These are the thread's last accesses to its member and to the team. release: the primary frees them after all
	 * that this thread did.
	 */
	atomic_store_explicit(&member->gone, true, memory_order_release);
	atomic_fetch_sub_explicit(&team->users, 1, memory_order_release);
}

void omp__member_main(void *argument)
{
	struct omp__member *member = argument;
	uint64_t seen = 0;
	uint32_t unparked = OMP__UNPARK_NEEDED;

	omp__thread_adopt(member->thread);
	if (omp__tool_is_on())
		omp__tool_thread_begin(member->thread, ompt_thread_worker);
	for (;;) {
		unsigned size;

		seen = wait_for_go(member, seen);
		size = (unsigned)(seen >> 32);
		/*
		 * A retired worker takes part in nothing, even where its number would: another worker has that number
		 * by now.
		 */
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
