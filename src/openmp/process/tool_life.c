/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool starts at the first call of the runtime, and not when the library is loaded: then the constructors of a tool
 * in the program have run. It ends with the process, or when it asks for that; before that the workers of the thread
 * that ends it tell their ends.
 */
#include "openmp/process/tool_life.h"
#include "openmp/system/coscheduler.h"
#include "openmp/team/team_life.h"
#include "openmp/tool/event.h"
#include "openmp/tool/lookup.h"
#include "openmp/tool/start.h"

#include <pthread.h>

/* The thread starts the tool, which may call the runtime. */
static __thread bool starts;
/* Whether a tool was looked for: by a call that came before this library's constructors, there may be one already. */
static bool decided;
/*
 * Whether the library's constructor found that there is no tool to look for. Then no thread waits for another one here.
 * relaxed: a thread that came before the constructor, and misses it, looks for a tool and finds none.
 */
static _Atomic bool is_unwanted;

static bool is_at_work(void)
{
	return atomic_load_explicit(&omp__globals.tool, memory_order_relaxed) == OMP__TOOL_ON;
}

static __attribute__((destructor)) void end_tool(void)
{
	struct omp__thread *thread = omp__tls;

	if (!is_at_work())
		return;
	if (thread && !omp__coscheduler && thread->region == &thread->initial && thread->hot_first) {
		omp__team_dismiss(thread->hot_first);
		thread->hot_first = NULL;
	}
	if (thread)
		omp__tool_thread_end(thread);
	omp__tool_finalize();
}

static void start_tool(void)
{
	decided = true;
	starts = true;
	omp__tool_end = end_tool;
	omp__tool_start();
	starts = false;
}

void omp__tool_prepare(struct omp__thread *(*enter)(void))
{
	if (decided)
		return;
	if (!omp__tool_is_wanted()) {
		/* a search that finds nothing is shown where that is asked for */
		atomic_store_explicit(&is_unwanted, !omp__tool_is_shown(), memory_order_relaxed);
		return;
	}
	omp__tool_enter = enter;
	atomic_store_explicit(&omp__globals.tool, OMP__TOOL_WANTED, memory_order_relaxed);
}

void omp__tool_decide(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!starts && !atomic_load_explicit(&is_unwanted, memory_order_relaxed))
		pthread_once(&once, start_tool);
}
