/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial threads: a thread of the program becomes one by its first call, with an initial region of its own. Its struct
 * is freed when the thread ends.
 */
#include "openmp/process/initial_thread.h"
#include "openmp/system/coscheduler.h"
#include "openmp/system/system.h"
#include "openmp/process/environment.h"
#include "openmp/process/tool_life.h"
#include "openmp/state/thread.h"
#include "openmp/state/thread_state.h"
#include "openmp/system/no_memory.h"
#include "openmp/team/affinity.h"
#include "openmp/team/barrier.h"
#include "openmp/team/team_life.h"
#include "openmp/tool/event.h"

#include "thread/clock.h"

#include <string.h>

/* End an initial thread, and its teams with it. */
static void end_thread(struct omp__thread *thread)
{
	if (thread->hot_first)
		omp__team_dismiss(thread->hot_first);
	if (thread->initial.team)
		omp__team_dismiss(thread->initial.team);
	omp__thread_free(thread);
}

/* Whether the system tells the runtime when this OS thread ends. */
static __thread bool is_watched;

/* The OS thread ends. A lent initial thread outlives it, and keeps its hot team. */
static void give_up(struct omp__thread *thread)
{
	if (!thread->is_lent) {
		omp__tool_thread_end(thread);
		omp__tls = NULL;
		end_thread(thread);
		return;
	}
	if (thread->initial.team)
		omp__team_dismiss(thread->initial.team);
	thread->initial.team = NULL;
	omp__coscheduler->initial_give_back(thread);
}

static void thread_ended(void *value)
{
	struct omp__thread *thread = omp__tls;

	(void)value;
	is_watched = false;
	if (!thread)
		return;
	if (omp__coscheduler) {
		give_up(thread);
		return;
	}
	omp__tool_thread_end(thread);
	omp__tls = NULL;
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	end_thread(thread);
}

static void start_initial_region(struct omp__thread *thread, struct omp__region *region)
{
	region->thread_count = 1;
	if (__builtin_expect(omp__coscheduler != NULL, 0))
		omp__coscheduler->initial_variables(&region->icv);
	else
		region->icv = omp__globals.initial;
	omp__task_start_implicit(&region->implicit, NULL, &region->icv, NULL);
	thread->region = region;
	thread->task = &region->implicit;
}

void omp__inner_initial_begin(struct omp__thread *thread, struct omp__inner_initial *inner)
{
	memset(inner, 0, sizeof(*inner));
	inner->outer_region = thread->region;
	inner->outer_task = thread->task;
	inner->outer_hot = thread->hot;
	inner->league_num = thread->league_num;
	inner->league_count = thread->league_count;
	start_initial_region(thread, &inner->region);
	thread->hot = &inner->hot_first;
	thread->league_num = 0;
	thread->league_count = 0;
}

void omp__inner_initial_end(struct omp__thread *thread, struct omp__inner_initial *inner)
{
	if (inner->region.team) {
		omp__barrier(thread, false);
		omp__team_dismiss(inner->region.team);
	}
	if (inner->hot_first)
		omp__team_dismiss(inner->hot_first);
	thread->region = inner->outer_region;
	thread->task = inner->outer_task;
	thread->hot = inner->outer_hot;
	thread->league_num = inner->league_num;
	thread->league_count = inner->league_count;
}

/* Without memory the program ends: no caller could be told. */
static struct omp__thread *make_initial(void)
{
	struct omp__thread *thread = omp__thread_make();

	if (!thread)
		omp__no_memory("an initial thread");
	thread->is_initial = true;
	thread->group = &thread->own_group;
	atomic_store_explicit(&thread->own_group.busy, 1, memory_order_relaxed);
	start_initial_region(thread, &thread->initial);
	return thread;
}

/* Show the workers where the caller runs. They may look when the caller has ended already, so they are shown a copy. */
static void show_cpu(struct omp__thread *thread)
{
	const volatile uint32_t *word = thread__cpu_word();

	if (word)
		atomic_store_explicit(&thread->cpu, *word, memory_order_relaxed);
	atomic_store_explicit(&thread->parker.runner.cpu, word ? (const volatile uint32_t *)&thread->cpu : NULL,
			      memory_order_release);
}

static struct omp__thread *enter_lent(void)
{
	struct omp__thread *thread = omp__coscheduler->initial_take();

	if (thread) {
		omp__coscheduler->initial_variables(&thread->initial.icv);
	} else {
		thread = make_initial();
		omp__coscheduler->initial_add(thread);
	}
	show_cpu(thread);
	omp__tls = thread;
	return thread;
}

static struct omp__thread *enter(void)
{
	struct omp__thread *thread = make_initial();

	atomic_fetch_add_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	omp__thread_adopt(thread);
	return thread;
}

struct omp__thread *omp__thread_enter(void)
{
	struct omp__thread *thread;

	omp__environment_read();
	omp__tool_decide();
	/* the tool may have called the runtime when it started */
	if (omp__tls)
		thread = omp__tls;
	else if (__builtin_expect(omp__coscheduler == NULL, 1))
		thread = enter();
	else
		thread = enter_lent();
	omp__affinity_initial(thread);
	if (omp__tool_is_on() && !thread->tool.is_known)
		omp__tool_thread_begin(thread, ompt_thread_initial);
	if (!is_watched)
		omp__system_at_thread_exit(thread_ended, thread);
	is_watched = true;
	return thread;
}

static __attribute__((constructor)) void at_load(void)
{
	omp__environment_read();
	omp__tool_prepare(omp__thread_enter);
}
