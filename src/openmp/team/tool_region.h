/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions and barriers as the runtime tells a tool of them. A region that a tool watches ends with a barrier of all
 * members, in front of the join, so that each member tells the tool of the end of its implicit task when the region's
 * tasks have ended.
 */
#ifndef OMP_TOOL_REGION_H
#define OMP_TOOL_REGION_H

#include "openmp/team/barrier.h"
#include "openmp/team/team.h"
#include "openmp/tool/event.h"

/* As omp__team_run; `invoker` says which code calls the region's code: ompt_parallel_invoker_program or …_runtime. */
OMP__TOOL_ONLY void omp__team_run_for_tool(struct omp__thread *thread, void (*code)(void *), void (*fn)(void *),
					   void *data, unsigned threads, unsigned flags, int invoker,
					   struct omp__tool_call call);
/* As omp__barrier. */
OMP__TOOL_ONLY bool omp__barrier_for_tool(struct omp__thread *thread, bool cancellable, ompt_sync_region_t kind,
					  struct omp__tool_call call);

/* What each member calls instead of the region's code, by omp__tool_run_watched(). It lasts until the join. */
struct omp__tool_watched {
	void (*fn)(void *data);
	void *data;
	struct omp__tool_parallel parallel;
};

/*
 * The primary calls omp__tool_watch() before the region begins, with `fn`, `data` and what the parallel construct says
 * set, and omp__tool_unwatch() after the region has ended. Each member runs omp__tool_run_watched().
 */
OMP__TOOL_ONLY void omp__tool_watch(struct omp__thread *thread, struct omp__tool_watched *watched, unsigned threads);
OMP__TOOL_ONLY void omp__tool_run_watched(void *watched);
OMP__TOOL_ONLY void omp__tool_unwatch(struct omp__thread *thread, struct omp__tool_watched *watched);

/* A region that the program begins and ends by two calls: between them its primary runs the region's code itself. */
struct omp__tool_opened {
	struct omp__tool_watched watched;
	struct omp__tool_region region;
};

/* The primary calls omp__tool_opened() after the region has begun, and omp__tool_close() before it ends. */
OMP__TOOL_ONLY void omp__tool_opened(struct omp__thread *thread, struct omp__tool_opened *opened);
OMP__TOOL_ONLY void omp__tool_close(struct omp__thread *thread, struct omp__tool_opened *opened,
				    struct omp__tool_call call);

/* As omp__team_run, for a function that programs call: a tool is told the place that the program called from. */
static inline __attribute__((always_inline)) void omp__team_open(struct omp__thread *thread, void (*code)(void *),
								 void (*fn)(void *), void *data, unsigned threads,
								 unsigned flags)
{
	if (omp__tool_is_on())
		omp__team_run_for_tool(thread, code, fn, data, threads, flags, ompt_parallel_invoker_program,
				       OMP__TOOL_CALL());
	else
		omp__team_run(thread, code, fn, data, threads, flags);
}

/* The same for a barrier. */
static inline __attribute__((always_inline)) bool omp__barrier_here(struct omp__thread *thread, bool cancellable,
								    ompt_sync_region_t kind)
{
	if (omp__tool_is_on())
		return omp__barrier_for_tool(thread, cancellable, kind, OMP__TOOL_CALL());
	return omp__barrier(thread, cancellable);
}

#endif
