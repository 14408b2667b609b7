/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation. A cancelled region sets a flag at which barriers look. A cancelled loop or sections construct ends with
 * a barrier, and its flag is the count of that barrier, so no thread has to clear it.
 */
#include "openmp/worksharing/cancel.h"
#include "openmp/abi/gomp.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/team_state.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/task/taskgroup.h"
#include "openmp/team/team_life.h"
#include "openmp/tool/event.h"

/* The constructs, as the compiler numbers them. */
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

static bool is_cancelled(struct omp__thread *thread, int which)
{
	if (which & (CANCEL_LOOP | CANCEL_SECTIONS))
		return loop_cancelled(thread);
	/* Cancelling a region cancels its tasks too. */
	if (which & CANCEL_TASKGROUP && omp__taskgroup_cancelled(thread))
		return true;
	return parallel_cancelled(thread);
}

/* A tool's flag for the construct. */
static int flag_of(int which)
{
	return which & CANCEL_TASKGROUP	 ? ompt_cancel_taskgroup
	       : which & CANCEL_SECTIONS ? ompt_cancel_sections
	       : which & CANCEL_LOOP	 ? ompt_cancel_loop
					 : ompt_cancel_parallel;
}

bool omp__is_cancelled(int which)
{
	return omp__globals.cancellation && is_cancelled(omp__self(), which);
}

bool omp__cancellation_point(int which, const void *code)
{
	struct omp__thread *thread;
	bool cancelled;

	if (!omp__globals.cancellation)
		return false;
	thread = omp__self();
	cancelled = is_cancelled(thread, which);
	if (cancelled && omp__tool_is_on())
		omp__tool_cancel(thread, flag_of(which) | ompt_cancel_detected, code);
	return cancelled;
}

OMP__EXPORT bool GOMP_cancellation_point(int which)
{
	return omp__cancellation_point(which, __builtin_return_address(0));
}

static void cancel_parallel(struct omp__thread *thread)
{
	struct omp__team *team = omp__team_of(thread);

	if (!team)
		return;
	/* release: a thread that finds the region cancelled sees what came before */
	atomic_store_explicit(&team->cancelled, 1, memory_order_release);
	omp__wait_fence();
	omp__team_wake(team, NULL);
}

bool omp__cancel(int which, bool do_cancel, const void *code)
{
	struct omp__thread *thread;

	if (!omp__globals.cancellation)
		return false;
	if (!do_cancel)
		return omp__cancellation_point(which, code);
	thread = omp__self();
	if (omp__tool_is_on())
		omp__tool_cancel(thread, flag_of(which) | ompt_cancel_activated, code);
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

OMP__EXPORT bool GOMP_cancel(int which, bool do_cancel)
{
	return omp__cancel(which, do_cancel, __builtin_return_address(0));
}
