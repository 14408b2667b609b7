/* SPDX-License-Identifier: BSD-3-Clause */
/* See tool_region.h. */
#include "openmp/team/tool_region.h"
#include "openmp/waiting/oversubscribed.h"

/* The code of the thread's implicit task has returned. */
static void end_implicit(struct omp__thread *thread, struct omp__tool_call call)
{
	struct omp__tool_wait sync = { .call = call, .kind = ompt_sync_region_barrier_implicit_parallel };

	omp__tool_task_exit(&thread->region->implicit, NULL);
	if (thread->region->thread_count > 1) {
		/* only the primary's code is where the region began */
		if (thread->region->thread_num)
			sync.call.code = NULL;
		omp__tool_sync_begin(thread, &sync);
		omp__barrier(thread, omp__globals.cancellation);
		omp__tool_sync_end(thread, &sync);
	} else {
		omp__tool_work_end(thread, call.code);
		omp__barrier(thread, false);
	}
	omp__tool_implicit_end(thread, ompt_task_implicit);
}

void omp__tool_run_watched(void *opaque)
{
	struct omp__tool_watched *watched = opaque;
	struct omp__thread *thread = omp__tls;
	struct omp__tool_region region;

	omp__tool_implicit_begin(thread, &region, &watched->parallel.data, ompt_task_implicit);
	omp__tool_task_exit(&thread->region->implicit, __builtin_frame_address(0));
	watched->fn(watched->data);
	end_implicit(thread, watched->parallel.call);
}

/* How many threads the region asks for, before anything limits it. */
static unsigned asked(const struct omp__thread *thread, unsigned threads)
{
	const struct omp__icv *icv = thread->task->icv;

	if (threads)
		return threads;
	return icv->threads ? icv->threads : omp__default_threads();
}

void omp__tool_watch(struct omp__thread *thread, struct omp__tool_watched *watched, unsigned threads)
{
	watched->parallel.flags |= ompt_parallel_team;
	omp__tool_parallel_begin(thread, &watched->parallel, asked(thread, threads));
}

/* With a co-scheduler the thread may have another initial thread by now, or none. */
void omp__tool_unwatch(struct omp__thread *thread, struct omp__tool_watched *watched)
{
	if (omp__tls == thread)
		omp__tool_parallel_end(thread, &watched->parallel);
}

void omp__team_run_for_tool(struct omp__thread *thread, void (*code)(void *), void (*fn)(void *), void *data,
			    unsigned threads, unsigned flags, int invoker, struct omp__tool_call call)
{
	struct omp__tool_watched watched = { fn, data, { .call = call, .flags = invoker } };

	omp__tool_watch(thread, &watched, threads);
	omp__team_run(thread, code, omp__tool_run_watched, &watched, threads, flags);
	omp__tool_unwatch(thread, &watched);
}

bool omp__barrier_for_tool(struct omp__thread *thread, bool cancellable, ompt_sync_region_t kind,
			   struct omp__tool_call call)
{
	struct omp__tool_wait sync = { .call = call, .kind = kind };
	bool cancelled;

	omp__tool_sync_begin(thread, &sync);
	cancelled = omp__barrier(thread, cancellable);
	omp__tool_sync_end(thread, &sync);
	return cancelled;
}

/* ---- a region between two calls ------------------------------------------------------------------------------------
 */

void omp__tool_opened(struct omp__thread *thread, struct omp__tool_opened *opened)
{
	struct omp__tool_parallel *parallel = &opened->watched.parallel;

	omp__tool_implicit_begin(thread, &opened->region, &parallel->data, ompt_task_implicit);
	omp__tool_task_exit(&thread->region->implicit, parallel->call.frame);
}

void omp__tool_close(struct omp__thread *thread, struct omp__tool_opened *opened, struct omp__tool_call call)
{
	opened->watched.parallel.call = call;
	end_implicit(thread, call);
}
