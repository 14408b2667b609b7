/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single. Each member counts the single constructs that it has met. The team has a word with the count of the first
 * construct that no member has claimed; the member that moves the word on runs the block. A member that comes late
 * finds the word moved on. The word alone tells, however far ahead the other members are: no member passes a construct
 * that no member has claimed.
 */
#include "openmp/worksharing/single.h"
#include "openmp/abi/gomp.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/team_state.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/task/reduction.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/workshare.h"

static bool claim(struct omp__thread *thread)
{
	struct omp__region *region = thread->region;
	uint32_t count = region->single_count++;
	_Atomic uint32_t *word;

	if (region->thread_count == 1)
		return true;
	word = &region->team->single;
	/* relaxed: the block's effects are published by the barrier at its end, if there is one */
	return atomic_load_explicit(word, memory_order_relaxed) == count &&
	       atomic_compare_exchange_strong_explicit(word, &count, count + 1, memory_order_relaxed,
						       memory_order_relaxed);
}

/* The tool is told of a block that this thread runs; it ends at the next construct or barrier, if not before. */
static OMP__TOOL_ONLY bool claim_for_tool(struct omp__thread *thread, const void *code)
{
	bool runs = claim(thread);

	if (runs) {
		omp__tool_work_begin(thread, ompt_work_single_executor, 1, code);
	} else {
		omp__tool_work_end(thread, code);
		omp__tool_work(thread, ompt_work_single_other, ompt_scope_begin, 1, code);
		omp__tool_work(thread, ompt_work_single_other, ompt_scope_end, 1, code);
	}
	return runs;
}

bool omp__single_start(struct omp__thread *thread, const void *code)
{
	return omp__tool_is_on() ? claim_for_tool(thread, code) : claim(thread);
}

OMP__EXPORT bool GOMP_single_start(void)
{
	return omp__single_start(omp__self(), __builtin_return_address(0));
}

/*
 * copyprivate: the member that runs the block publishes where its data is, with the count of the construct. The others
 * wait for that count, and not at a barrier: a member that has cancelled the region would never come to a barrier.
 * After all have copied there is a barrier of the compiler's, and only behind it the data may go; so at any time at
 * most one construct's data is published.
 */
void *omp__single_data(struct omp__thread *thread)
{
	struct omp__member *member = omp__member_of(thread);
	struct omp__team *team = member->team;
	struct omp__wait wait = omp__wait_begin(&thread->parker, NULL, &team->copy_ready);

	wait.helps = true;
	/* acquire: the address, and what the block did */
	while (atomic_load_explicit(&team->copy_ready, memory_order_acquire) != thread->region->single_count) {
		if (omp__team_has_tasks(team, member->generation) && omp__tasks_help(thread))
			continue;
		omp__wait_step(&wait);
	}
	omp__wait_end(&wait);
	return team->copyprivate;
}

/* NULL for the member that has to run the block. */
OMP__EXPORT void *GOMP_single_copy_start(void)
{
	struct omp__thread *thread = omp__self();

	return omp__single_start(thread, __builtin_return_address(0)) ? NULL : omp__single_data(thread);
}

OMP__EXPORT void GOMP_single_copy_end(void *data)
{
	struct omp__thread *thread = omp__self();
	struct omp__team *team = thread->region->team;

	if (thread->region->thread_count == 1)
		return;
	team->copyprivate = data;
	/*
	 * A cancelled barrier holds up no member; so this thread remembers the barrier before which its data must stay.
	 */
	if (__builtin_expect(omp__globals.cancellation, 0))
		omp__member_of(thread)->published_at = omp__member_of(thread)->barrier_count + 1;
	atomic_store_explicit(&team->copy_ready, thread->region->single_count, memory_order_release);
	omp__wait_fence();
	omp__team_wake(team, &team->copy_ready);
}

/* Task reductions over a scope: the first member that arrives makes them, the others take them from it. */
OMP__EXPORT void GOMP_scope_start(uintptr_t *reductions)
{
	struct omp__thread *thread = omp__self();
	bool first;
	struct omp__workshare *share = omp__workshare_enter(thread, &first);

	if (first) {
		share->reductions = reductions;
		omp__reductions_workshare(thread, reductions, NULL);
		omp__workshare_ready(share);
	} else {
		omp__reductions_workshare(thread, reductions, share->reductions);
	}
	omp__workshare_leave(thread);
}
