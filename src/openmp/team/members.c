/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of a team: a thread pool that keeps its workers for as long as regions need them. Each thread that opens
 * regions keeps one team, its *hot* team, for the next one. If that region has another size, the team grows here, or
 * leaves members *idle*: they park until a larger region needs them, and end when none has for OMP__KEPT_NS. Nothing
 * here runs while regions keep their size.
 *
 * What may go wrong: the primary needs a worker that is about to end (drawn below, with the two ways to end). What may
 * change: OMP__KEPT_NS. What may not: NEEDED and LEFT are bits of one word, so that one of the two threads comes first.
 */
#include "openmp/team/members.h"
#include "openmp/system/coscheduler.h"
#include "openmp/state/team_state.h"
#include "openmp/state/thread.h"
#include "openmp/team/affinity.h"
#include "openmp/team/barrier.h"
#include "openmp/team/team_life.h"
#include "openmp/team/worker.h"

#include "thread/clock.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- how many ---------------------------------------------------------------------------------------------------- */

unsigned omp__team_size(struct omp__thread *thread, unsigned threads, void (*code)(void *))
{
	const struct omp__icv *icv = thread->task->icv;
	unsigned size = threads ? threads : icv->threads;

	if (size <= 1) {
		if (size == 1)
			return 1;
		size = omp__default_threads();
	}
	if (thread->region->active_level >= icv->levels_max)
		return 1;
	if (icv->dynamic &&
	    (icv->dynamic != OMP__DYNAMIC_PROGRAM || (omp__coscheduler && omp__coscheduler->knows(code))))
		size = omp__coscheduler ? omp__coscheduler->free_processors(size) : omp__system_free(size);
	if (size > OMP__THREADS_MAX)
		size = OMP__THREADS_MAX;
	return size < icv->thread_limit ? size : icv->thread_limit;
}

/*
 * Count the region's new threads against thread-limit-var. Returns how many threads the region may have. relaxed: no
 * other data depends on the count.
 */
static unsigned group_take(struct omp__thread *thread, unsigned size, unsigned limit)
{
	_Atomic unsigned *busy = &thread->group->busy;
	unsigned now = atomic_load_explicit(busy, memory_order_relaxed);
	unsigned given;

	do {
		unsigned left = now < limit ? limit - now : 0;

		given = size - 1 < left ? size : left + 1;
	} while (!atomic_compare_exchange_weak_explicit(busy, &now, now + given - 1, memory_order_relaxed,
							memory_order_relaxed));
	return given;
}

void omp__group_give(struct omp__thread *thread, unsigned size)
{
	if (thread->task->icv->thread_limit == UINT_MAX)
		return;
	atomic_fetch_sub_explicit(&thread->group->busy, size - 1, memory_order_relaxed);
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

static int add_worker(struct omp__team *team, unsigned num)
{
	struct omp__thread *thread = omp__thread_make();
	struct omp__member *member;

	if (!thread)
		return -1;
	member = omp__member_make(team, thread, num);
	if (!member) {
		omp__thread_free(thread);
		return -1;
	}
	thread->group = team->primary->group;
	thread->region = &member->region;
	thread->task = &member->region.implicit;
	atomic_init(&member->unpark, OMP__UNPARK_NEEDED);
	member->start = (struct omp__worker_start){ .run = omp__member_main,
						    .argument = member,
						    .stack_bytes = omp__globals.stack_bytes };
	team->members[num] = member;
	atomic_fetch_add_explicit(&team->users, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	if (omp__system_worker(&member->start) == 0)
		return 0;
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(&team->users, 1, memory_order_relaxed);
	omp__member_free(member);
	omp__thread_free(thread);
	return -1;
}

/*
 * A new worker begins with 0 as the generation that it has seen. If it still sees the `go` of the last region, it takes
 * no part in that one, because its number is too large, and idles until it is unparked for its first region.
 */
static void grow(struct omp__team *team, unsigned size)
{
	struct omp__member **members = realloc(team->members, size * sizeof(struct omp__member *));

	if (!members)
		return;
	team->members = members;
	team->window_ns = thread__now_ns();
	while (team->member_count < size && add_worker(team, team->member_count) == 0)
		team->member_count++;
}

void omp__members_reset(struct omp__team *team)
{
	for (unsigned i = 0; i < team->member_count; i++) {
		struct omp__member *member = team->members[i];

		member->region.workshare_count = 0;
		member->region.single_count = 0;
		atomic_store_explicit(&member->passed, 0, memory_order_relaxed);
	}
	omp__barrier_reset(team);
	omp__workshares_reset(&team->workshares);
	atomic_store_explicit(&team->single, 0, memory_order_relaxed);
	atomic_store_explicit(&team->copy_ready, 0, memory_order_relaxed);
	atomic_store_explicit(&team->cancelled, 0, memory_order_relaxed);
}

void omp__members_unpark(struct omp__team *team)
{
	for (unsigned i = team->idle_from; i < team->size; i++) {
		struct omp__member *member = team->members[i];

		/* release: the member that sees this also sees `go`, which it reads next */
		atomic_fetch_add_explicit(&member->unpark, OMP__UNPARK_ONE, memory_order_release);
		omp__wait_fence();
		omp__wait_wake_key(&member->thread->parker, &member->unpark);
	}
	team->idle_from = team->size;
}

/*
 * ---- members that nobody needs -------------------------------------------------------------------------------------
 *
 * A team that was larger keeps its workers idle, because the next region may need them again. A worker that no region
 * has needed for OMP__KEPT_NS ends, in one of two ways. If the program opens no further region of several threads, the
 * worker leaves by itself:
 *
 *	primary						idle worker
 *	or(unpark, NEEDED)				NEEDED is not set, and it has slept for OMP__KEPT_NS:
 *	LEFT is set: another worker takes its place	compare-and-swap LEFT into unpark, or stays; ends
 *
 * Otherwise the primary retires the worker when it takes the team for a region, so that no unpark can come at the same
 * time. In this way also those workers end that still sleep where they wait for their next region, because nobody woke
 * them for the smaller regions:
 *
 *	retired = true
 *	unpark += ONE	(release)			unpark has changed (acquire)
 *	wakes it					retired: ends
 *
 * The primary waits for a worker in neither case, because the worker may be suspended: the primary frees a worker when
 * it finds that the worker has gone.
 *
 *							gone = true	(release), its last touch of the member
 *	gone (acquire): frees the member		users -= 1, its last touch of the team
 *
 * OpenMP lets threadprivate variables persist only between consecutive regions with the same number of threads (5.2,
 * section 5.2), so a worker that took no part in the last region has no threadprivate variables to keep.
 */

/*
 * Between regions as many tasks have completed as were created, but only when all members are summed up. When some
 * members leave, the sums of the others may differ, so all counts start again at 0.
 */
static void forget_counts(struct omp__team *team)
{
	for (unsigned i = 0; i < team->member_count; i++) {
		/* relaxed: `go`, which is stored later, publishes it */
		atomic_store_explicit(&team->members[i]->tasks.created, 0, memory_order_relaxed);
		atomic_store_explicit(&team->members[i]->tasks.completed, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&team->tasks.completed, 0, memory_order_relaxed);
}

static void put_leaving(struct omp__team *team, struct omp__member *member)
{
	member->next_leaving = team->leaving;
	team->leaving = member;
}

static void retire(struct omp__team *team, unsigned kept)
{
	forget_counts(team);
	while (team->member_count > kept) {
		struct omp__member *member = team->members[--team->member_count];

		put_leaving(team, member);
		atomic_store_explicit(&member->retired, true, memory_order_relaxed);
		/* release: the worker that sees this also sees `retired` */
		atomic_fetch_add_explicit(&member->unpark, OMP__UNPARK_ONE, memory_order_release);
		omp__wait_fence();
		omp__wait_wake(&member->thread->parker);
	}
	/* A retired worker that is not idle yet may sleep where the team waits for its next region. */
	omp__event_wake_all(&team->event);
}

/*
 * Called for each region that needs fewer members than the team has. Once in OMP__KEPT_NS it retires the members that
 * no region has needed since (team->needed is the most that one has). Costs one look at the clock, 25 ns.
 */
static __attribute__((noinline)) void retire_unneeded(struct omp__team *team, unsigned size)
{
	uint64_t now = thread__now_ns();

	omp__members_free_gone(team);
	if (team->needed < size)
		team->needed = size;
	if (now - team->window_ns < OMP__KEPT_NS)
		return;
	if (team->needed < team->member_count)
		retire(team, team->needed);
	team->window_ns = now;
	team->needed = size;
}

/*
 * Tell the idle members that the region needs them, so that they stay; start another worker in the place of each that
 * has left.
 */
static void need(struct omp__team *team, unsigned size)
{
	unsigned end = size < team->member_count ? size : team->member_count;

	for (unsigned i = team->idle_from ? team->idle_from : 1; i < end; i++) {
		struct omp__member *member = team->members[i];

		/* relaxed: of a worker that has left, the primary reads only `gone` */
		if (!(atomic_fetch_or_explicit(&member->unpark, OMP__UNPARK_NEEDED, memory_order_relaxed) &
		      OMP__UNPARK_LEFT))
			continue;
		forget_counts(team);
		if (add_worker(team, i) != 0) {
			/* the one that has left is retired with those behind it, and freed when it has gone */
			team->members[i] = member;
			retire(team, i);
			return;
		}
		put_leaving(team, member);
	}
}

/* Tell the members that this region leaves idle, and that were not told before, that they may end by themselves. */
static void need_no_more(struct omp__team *team, unsigned size)
{
	unsigned end = team->idle_from < team->member_count ? team->idle_from : team->member_count;

	/* relaxed: a worker that sees the change late only stays longer */
	for (unsigned i = size; i < end; i++)
		atomic_fetch_and_explicit(&team->members[i]->unpark, ~(uint32_t)OMP__UNPARK_NEEDED,
					  memory_order_relaxed);
}

static void resize(struct omp__team *team, unsigned size)
{
	need(team, size);
	need_no_more(team, size);
	if (size > team->member_count)
		grow(team, size);
	if (size > team->member_count)
		size = team->member_count;
	if (size < team->idle_from)
		team->idle_from = size;
	if (size > team->needed)
		team->needed = size;
	team->size = size;
	team->oversubscribed = size > omp__system_full_time();
	for (unsigned i = 0; i < size; i++)
		atomic_store_explicit(&team->members[i]->thread->parker.oversubscribed, team->oversubscribed,
				      memory_order_relaxed);
	omp__barrier_connect(team);
	omp__members_reset(team);
}

/* ---- teams ------------------------------------------------------------------------------------------------------- */

struct omp__team *omp__team_take(struct omp__thread *thread, unsigned *size, unsigned flags)
{
	const struct omp__icv *icv = thread->task->icv;
	struct omp__team *team = *thread->hot;
	unsigned given = *size;

	if (__builtin_expect(icv->thread_limit != UINT_MAX, 0)) {
		given = group_take(thread, *size, icv->thread_limit);
		if (given == 1)
			return NULL;
	}
	if (!team) {
		team = omp__team_make(thread);
		if (!team) {
			omp__group_give(thread, given);
			return NULL;
		}
		team->slot = thread->hot;
		*team->slot = team;
	}
	if (__builtin_expect(team->member_count > given || team->leaving, 0))
		retire_unneeded(team, given);
	if (team->size != given)
		resize(team, given);
	if (__builtin_expect(omp__affinity_binds, 0))
		omp__affinity_team(thread, team, flags);
	if (__builtin_expect(team->size != given, 0))
		omp__group_give(thread, given - team->size + 1);
	*size = team->size;
	if (team->size > 1)
		return team;
	omp__group_give(thread, *size);
	return NULL;
}
