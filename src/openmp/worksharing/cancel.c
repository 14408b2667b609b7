/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation. A cancelled region has a flag that barriers look at. A cancelled loop or sections construct ends with a
 * barrier, so its flag is the number of that barrier: nobody needs to take it back.
 */
#include "openmp/abi/gomp.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/team_state.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/task/taskgroup.h"
#include "openmp/team/team_life.h"

/* As the compiler numbers the constructs. */
enum {
	CANCEL_PARALLEL = 1,
	CANCEL_LOOP = 2,
	CANCEL_SECTIONS = 4,
	CANCEL_TASKGROUP = 8,
};

static bool loop_cancelled(const struct omp__thread *thread)
{
	const struct omp__member *member = omp__member_of(thread);

	return thread->region->thread_count > 1 &&
	       atomic_load_explicit(&member->team->loop_cancelled, memory_order_relaxed) == member->barrier_count + 1;
}

static bool parallel_cancelled(const struct omp__thread *thread)
{
	const struct omp__team *team = thread->region->team;

	return team && atomic_load_explicit(&team->cancelled, memory_order_acquire);
}

OMP__EXPORT bool GOMP_cancellation_point(int which)
{
	struct omp__thread *thread;

	if (!omp__globals.cancellation)
		return false;
	thread = omp__self();
	if (which & (CANCEL_LOOP | CANCEL_SECTIONS))
		return loop_cancelled(thread);
	/* Cancelling a region cancels its tasks too. */
	if (which & CANCEL_TASKGROUP && omp__taskgroup_cancelled(thread))
		return true;
	return parallel_cancelled(thread);
}

static void cancel_parallel(struct omp__thread *thread)
{
	struct omp__team *team = omp__team_of(thread);

	if (!team)
		return;
	/* release: what came before is seen by those who find the region cancelled */
	atomic_store_explicit(&team->cancelled, 1, memory_order_release);
	omp__wait_fence();
	omp__team_wake(team, NULL);
}

OMP__EXPORT bool GOMP_cancel(int which, bool do_cancel)
{
	struct omp__thread *thread;

	if (!omp__globals.cancellation)
		return false;
	if (!do_cancel)
		return GOMP_cancellation_point(which);
	thread = omp__self();
	if (which & (CANCEL_LOOP | CANCEL_SECTIONS)) {
		struct omp__member *member = omp__member_of(thread);

		if (thread->region->thread_count > 1)
			atomic_store_explicit(&member->team->loop_cancelled, member->barrier_count + 1,
					      memory_order_relaxed);
		return true;
	}
	if (which & CANCEL_TASKGROUP)
		return omp__taskgroup_cancel(thread);
	cancel_parallel(thread);
	return true;
}
