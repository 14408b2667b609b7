/* SPDX-License-Identifier: BSD-3-Clause */
/* What tool.c counts, and how it says that something is wrong. */
#ifndef TOOL_COUNTS_H
#define TOOL_COUNTS_H

#include "omp-tools.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum count {
	THREAD_INITIAL,
	THREAD_WORKER,
	THREAD_END,
	PARALLEL_BEGIN,
	PARALLEL_END,
	LEAGUE_BEGIN,
	IMPLICIT_BEGIN,
	IMPLICIT_END,
	INITIAL_BEGIN,
	INITIAL_END,
	TASK_CREATE,
	TASK_UNDEFERRED,
	TASKWAIT_CREATE,
	TASK_BEGIN,
	TASK_END,
	TASK_CANCELLED,
	TASK_DETACH,
	TASK_EARLY,
	TASK_LATE,
	TASKWAIT_COMPLETE,
	DEPENDENCES,
	DEPENDENCE_ITEMS,
	BARRIER_JOIN,
	BARRIER_EXPLICIT,
	BARRIER_WORKSHARE,
	BARRIER_OTHER,
	TASKWAIT,
	TASKGROUP,
	WAITS,
	REDUCTION,
	WORK_LOOP,
	WORK_SECTIONS,
	WORK_SINGLE,
	WORK_SINGLE_OTHER,
	WORK_TASKLOOP,
	WORK_OTHER,
	WORK_COUNTED,
	CHUNKS,
	CHUNK_ITERATIONS,
	SECTIONS,
	TASKLOOP_PARTS,
	TASKLOOP_ITERATIONS,
	MASKED,
	MUTEX_CRITICAL,
	MUTEX_LOCK,
	MUTEX_NEST_LOCK,
	MUTEX_ORDERED,
	MUTEX_OTHER,
	MUTEX_ACQUIRE,
	MUTEX_RELEASED,
	NEST_AGAIN,
	LOCK_INIT,
	LOCK_DESTROY,
	FLUSH,
	CANCEL_ACTIVATED,
	CANCEL_DETECTED,
	CANCEL_DISCARDED,
	CONTROL,
	ERROR,
	COUNTS
};

static const char *const names[COUNTS] = {
	"thread initial",
	"thread worker",
	"thread end",
	"parallel begin",
	"parallel end",
	"league begin",
	"implicit begin",
	"implicit end",
	"initial begin",
	"initial end",
	"task create",
	"task undeferred",
	"taskwait create",
	"task begin",
	"task end",
	"task cancelled",
	"task detach",
	"task early",
	"task late",
	"taskwait complete",
	"dependences",
	"dependence items",
	"barrier join",
	"barrier explicit",
	"barrier workshare",
	"barrier other",
	"taskwait",
	"taskgroup",
	"waits",
	"reduction",
	"work loop",
	"work sections",
	"work single",
	"work single other",
	"work taskloop",
	"work other",
	"work counted",
	"chunks",
	"chunk iterations",
	"sections",
	"taskloop parts",
	"taskloop iterations",
	"masked",
	"mutex critical",
	"mutex lock",
	"mutex nest lock",
	"mutex ordered",
	"mutex other",
	"mutex acquire",
	"mutex released",
	"nest lock again",
	"lock init",
	"lock destroy",
	"flush",
	"cancel activated",
	"cancel detected",
	"cancel discarded",
	"control",
	"error",
};

static _Atomic unsigned long counts[COUNTS];
static _Atomic unsigned wrongs;

static void count(enum count kind)
{
	atomic_fetch_add_explicit(&counts[kind], 1, memory_order_relaxed);
}

static __attribute__((format(printf, 1, 2))) void wrong(const char *format, ...)
{
	va_list arguments;

	/* LLVM's runtime names another task as the current one at some ends */
	if (getenv("TOOL_ONLY_COUNTS"))
		return;
	if (atomic_fetch_add_explicit(&wrongs, 1, memory_order_relaxed) >= 10)
		return;
	va_start(arguments, format);
	fputs("wrong: ", stdout);
	vfprintf(stdout, format, arguments);
	fputc('\n', stdout);
	va_end(arguments);
}

static enum count kind_of(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_implicit:
	case ompt_sync_region_barrier_implicit_parallel:
		return BARRIER_JOIN;
	case ompt_sync_region_barrier_explicit:
		return BARRIER_EXPLICIT;
	case ompt_sync_region_barrier_implicit_workshare:
		return BARRIER_WORKSHARE;
	case ompt_sync_region_taskwait:
		return TASKWAIT;
	case ompt_sync_region_taskgroup:
		return TASKGROUP;
	default:
		return BARRIER_OTHER;
	}
}

static enum count mutex_of(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return MUTEX_CRITICAL;
	case ompt_mutex_lock:
	case ompt_mutex_test_lock:
		return MUTEX_LOCK;
	case ompt_mutex_nest_lock:
	case ompt_mutex_test_nest_lock:
		return MUTEX_NEST_LOCK;
	case ompt_mutex_ordered:
		return MUTEX_ORDERED;
	default:
		return MUTEX_OTHER;
	}
}

#endif
