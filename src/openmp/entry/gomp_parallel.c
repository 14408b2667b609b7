/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC compiles `parallel` and its combinations to. */
#include "openmp/abi/gomp.h"
#include "openmp/entry/loop_spec.h"
#include "openmp/process/initial_thread.h"
#include "openmp/system/coscheduler.h"
#include "openmp/state/team_state.h"
#include "openmp/system/no_memory.h"
#include "openmp/task/reduction.h"
#include "openmp/team/barrier.h"
#include "openmp/team/members.h"
#include "openmp/team/team.h"
#include "openmp/team/tool_region.h"
#include "openmp/worksharing/loop.h"
#include "openmp/worksharing/sections.h"

#include <stdlib.h>

OMP__EXPORT void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	omp__team_open(omp__self(), fn, fn, data, threads, flags);
}

/* Returns the number of threads, because the compiled code then combines that many reductions. */
OMP__EXPORT unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	return omp__team_run_reductions(fn, data, threads, flags, OMP__TOOL_CALL());
}

/* ---- a construct that every thread is in from the start ---------------------------------------------------------- */

struct combined {
	void (*fn)(void *data);
	void *data;
	struct omp__loop_spec spec;
	unsigned sections;
};

static void run_loop(void *opaque)
{
	const struct combined *combined = opaque;

	omp__loop_enter(omp__self(), &combined->spec);
	if (omp__tool_is_on())
		omp__tool_work_begin(omp__self(), omp__tool_loop_kind(omp__self(), combined->spec.schedule),
				     combined->spec.count, NULL);
	combined->fn(combined->data);
}

static void run_sections(void *opaque)
{
	const struct combined *combined = opaque;

	omp__sections_enter(omp__self(), combined->sections, NULL, NULL);
	if (omp__tool_is_on())
		omp__tool_work_begin(omp__self(), ompt_work_sections, combined->sections, NULL);
	combined->fn(combined->data);
}

#define DEFINE_PARALLEL_LOOP(name, schedule)                                                                           \
	OMP__EXPORT void GOMP_parallel_loop_##name(void (*fn)(void *), void *data, unsigned threads, long begin,       \
						   long end, long step, long chunk, unsigned flags)                    \
	{                                                                                                              \
		struct combined combined = { fn, data, omp__spec_long(begin, end, step, schedule, chunk), 0 };         \
                                                                                                                       \
		omp__team_open(omp__self(), fn, run_loop, &combined, threads, flags);                                  \
	}

#define DEFINE_PARALLEL_RUNTIME(name, schedule)                                                                        \
	OMP__EXPORT void GOMP_parallel_loop_##name(void (*fn)(void *), void *data, unsigned threads, long begin,       \
						   long end, long step, unsigned flags)                                \
	{                                                                                                              \
		struct combined combined = { fn, data, omp__spec_long(begin, end, step, schedule, 0), 0 };             \
                                                                                                                       \
		omp__team_open(omp__self(), fn, run_loop, &combined, threads, flags);                                  \
	}

DEFINE_PARALLEL_LOOP(static, OMP__STATIC)
DEFINE_PARALLEL_LOOP(dynamic, OMP__DYNAMIC | OMP__MONOTONIC)
DEFINE_PARALLEL_LOOP(guided, OMP__GUIDED | OMP__MONOTONIC)
DEFINE_PARALLEL_LOOP(nonmonotonic_dynamic, OMP__DYNAMIC)
DEFINE_PARALLEL_LOOP(nonmonotonic_guided, OMP__GUIDED)
DEFINE_PARALLEL_RUNTIME(runtime, OMP__MONOTONIC)
DEFINE_PARALLEL_RUNTIME(nonmonotonic_runtime, 0)
DEFINE_PARALLEL_RUNTIME(maybe_nonmonotonic_runtime, 0)

OMP__EXPORT void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned count,
					unsigned flags)
{
	struct combined combined = { .fn = fn, .data = data, .sections = count };

	omp__team_open(omp__self(), fn, run_sections, &combined, threads, flags);
}

/* ---- before GCC 4.9: the program calls fn itself between a start and GOMP_parallel_end --------------------------- */

struct opened {
	struct combined combined;
	struct omp__team *team; /* NULL: a region of one thread, below */
	struct omp__region region;
	struct opened *outer;
	/* for a tool; its `data` is NULL where there is none */
	struct omp__tool_opened tool;
};

/* The tool is told of the region; its members other than the primary call this. */
static void (*watch(struct omp__thread *thread, struct opened *opened, void (*enter)(void *), unsigned threads,
		    struct omp__tool_call call))(void *)
{
	opened->tool.watched = (struct omp__tool_watched){
		.fn = enter,
		.data = &opened->combined,
		.parallel = { .call = call, .flags = ompt_parallel_invoker_program },
	};
	omp__tool_watch(thread, &opened->tool.watched, threads);
	return omp__tool_run_watched;
}

static void open_region(void (*enter)(void *), const struct combined *combined, unsigned threads,
			struct omp__tool_call call)
{
	struct omp__thread *thread = omp__self();
	struct opened *opened = malloc(sizeof(*opened));
	unsigned size = omp__team_size(thread, threads, combined->fn);
	void *data;

	if (!opened)
		omp__no_memory("a parallel region");
	data = &opened->combined;
	opened->combined = *combined;
	opened->tool.watched.data = NULL;
	if (omp__tool_is_on()) {
		enter = watch(thread, opened, enter, threads, call);
		data = &opened->tool.watched;
	}
	opened->outer = thread->opened;
	opened->team = size > 1 ? omp__team_take(thread, &size, 0) : NULL;
	thread->opened = opened;
	omp__region_enter(thread, opened->team ? size : 1);
	if (opened->team)
		omp__team_begin(thread, opened->team, enter, data, 0);
	else
		omp__alone_begin(thread, &opened->region, 0);
	if (__builtin_expect(opened->tool.watched.data != NULL, 0))
		omp__tool_opened(thread, &opened->tool);
}

static void run_plain(void *opaque)
{
	const struct combined *combined = opaque;

	combined->fn(combined->data);
}

OMP__EXPORT void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned threads)
{
	struct combined combined = { .fn = fn, .data = data };

	open_region(run_plain, &combined, threads, OMP__TOOL_CALL());
}

static void open_loop(void (*fn)(void *), void *data, unsigned threads, struct omp__loop_spec spec,
		      struct omp__tool_call call)
{
	struct combined combined = { .fn = fn, .data = data, .spec = spec };

	open_region(run_loop, &combined, threads, call);
	omp__loop_enter(omp__self(), &spec);
	if (omp__tool_is_on())
		omp__tool_work_begin(omp__self(), omp__tool_loop_kind(omp__self(), spec.schedule), spec.count,
				     call.code);
}

#define DEFINE_LOOP_START(name, schedule)                                                                              \
	OMP__EXPORT void GOMP_parallel_loop_##name##_start(void (*fn)(void *), void *data, unsigned threads,           \
							   long begin, long end, long step, long chunk)                \
	{                                                                                                              \
		open_loop(fn, data, threads, omp__spec_long(begin, end, step, schedule, chunk), OMP__TOOL_CALL());     \
	}

DEFINE_LOOP_START(static, OMP__STATIC)
DEFINE_LOOP_START(dynamic, OMP__DYNAMIC | OMP__MONOTONIC)
DEFINE_LOOP_START(guided, OMP__GUIDED | OMP__MONOTONIC)

OMP__EXPORT void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned threads, long begin,
						  long end, long step)
{
	open_loop(fn, data, threads, omp__spec_long(begin, end, step, OMP__MONOTONIC, 0), OMP__TOOL_CALL());
}

OMP__EXPORT void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned threads, unsigned count)
{
	struct combined combined = { .fn = fn, .data = data, .sections = count };

	open_region(run_sections, &combined, threads, OMP__TOOL_CALL());
	omp__sections_enter(omp__self(), count, NULL, NULL);
	if (omp__tool_is_on())
		omp__tool_work_begin(omp__self(), ompt_work_sections, count, __builtin_return_address(0));
}

OMP__EXPORT void GOMP_parallel_end(void)
{
	struct omp__thread *thread = omp__self();
	struct opened *opened = thread->opened;

	if (!opened)
		return;
	thread->opened = opened->outer;
	if (__builtin_expect(opened->tool.watched.data != NULL, 0))
		omp__tool_close(thread, &opened->tool, OMP__TOOL_CALL());
	if (opened->team) {
		omp__team_end(thread, opened->team);
		omp__group_give(thread, opened->team->size);
	} else {
		omp__alone_end(thread, &opened->region);
	}
	omp__region_leave(thread);
	if (__builtin_expect(opened->tool.watched.data != NULL, 0))
		omp__tool_unwatch(thread, &opened->tool.watched);
	free(opened);
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* GCC calls this at the end of a construct too: after a single construct it is no explicit barrier. */
static OMP__TOOL_ONLY bool barrier_for_tool(struct omp__thread *thread, bool cancellable, struct omp__tool_call call)
{
	ompt_sync_region_t kind = omp__tool_is_in_work(thread) ? ompt_sync_region_barrier_implicit_workshare
							       : ompt_sync_region_barrier_explicit;

	return omp__barrier_for_tool(thread, cancellable, kind, call);
}

OMP__EXPORT void GOMP_barrier(void)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		barrier_for_tool(thread, false, OMP__TOOL_CALL());
	else
		omp__barrier(thread, false);
}

OMP__EXPORT bool GOMP_barrier_cancel(void)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		return barrier_for_tool(thread, true, OMP__TOOL_CALL());
	return omp__barrier(thread, true);
}
