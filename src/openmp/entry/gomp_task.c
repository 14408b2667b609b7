/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC compiles task, taskwait, taskyield, taskgroup and taskloop to. */
#include "openmp/abi/gomp_tasking.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/scheduler/undeferred.h"
#include "openmp/state/deque.h"
#include "openmp/task/create.h"
#include "openmp/task/taskgroup.h"
#include "openmp/task/taskloop.h"

/* A task with no other flags than these takes none of the slow path. */
#define PLAIN (OMP__TASK_UNTIED | OMP__TASK_FINAL | OMP__TASK_MERGEABLE)

static __attribute__((noinline)) void create(struct omp__thread *thread, const struct omp__task_order *order)
{
	omp__task_create(thread, order);
}

OMP__EXPORT void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
			   bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	struct omp__thread *thread = omp__self();
	struct omp__task *task = thread->task;

	if (__builtin_expect(!copy && !(flags & ~PLAIN) && task->crew && !omp__globals.slow_tasks, 1) &&
	    (!if_clause || task->final || omp__deque_filled(&task->crew->deque) >= task->room)) {
		struct omp__task frame;

		omp__task_enter(&frame, thread, task->final || (flags & OMP__TASK_FINAL), flags & OMP__TASK_UNTIED);
		fn(data);
		omp__task_return(&frame, thread);
	} else {
		struct omp__task_order order = { .fn = fn,
						 .data = data,
						 .copy = copy,
						 .bytes = (size_t)bytes,
						 .align = (size_t)align,
						 .flags = flags,
						 .if_clause = if_clause,
						 .priority = priority,
						 .depend = depend,
						 .detach = detach,
						 .call = OMP__TOOL_CALL() };

		create(thread, &order);
	}
}

OMP__EXPORT void GOMP_taskwait(void)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		omp__taskwait_for_tool(thread, OMP__TOOL_CALL());
	else
		omp__taskwait(thread);
}

OMP__EXPORT void GOMP_taskwait_depend(void **depend)
{
	omp__depend_wait_here(omp__self(), depend, OMP__TOOL_CALL());
}

static void nothing(void *data)
{
	(void)data;
}

/* An empty task, for later tasks to depend on. */
OMP__EXPORT void GOMP_taskwait_depend_nowait(void **depend)
{
	struct omp__task_order order = { .fn = nothing,
					 .align = 1,
					 .flags = OMP__TASK_DEPEND,
					 .if_clause = true,
					 .depend = depend,
					 .call = OMP__TOOL_CALL() };

	create(omp__self(), &order);
}

OMP__EXPORT void GOMP_taskyield(void)
{
	omp__taskyield(omp__self());
}

OMP__EXPORT void GOMP_taskgroup_start(void)
{
	omp__taskgroup_start_here(omp__self(), OMP__TOOL_CALL());
}

OMP__EXPORT void GOMP_taskgroup_end(void)
{
	omp__taskgroup_end_here(omp__self(), OMP__TOOL_CALL());
}

OMP__EXPORT void GOMP_taskloop(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
			       unsigned flags, unsigned long tasks, int priority, long start, long end, long step)
{
	struct omp__task_order order = { .fn = fn,
					 .data = data,
					 .copy = copy,
					 .bytes = (size_t)bytes,
					 .align = (size_t)align,
					 .flags = flags,
					 .if_clause = flags & OMP__TASK_IF,
					 .priority = priority,
					 .call = OMP__TOOL_CALL() };
	struct omp__taskloop loop = { .first = (uint64_t)start, .end = (uint64_t)end, .step = (uint64_t)step };

	if (step > 0 && start < end)
		loop.count = ((uint64_t)end - (uint64_t)start - 1) / (uint64_t)step + 1;
	else if (step < 0 && start > end)
		loop.count = ((uint64_t)start - (uint64_t)end - 1) / -(uint64_t)step + 1;
	omp__taskloop(omp__self(), &order, &loop, tasks);
}

OMP__EXPORT void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
				   unsigned flags, unsigned long tasks, int priority, gomp_ull start, gomp_ull end,
				   gomp_ull step)
{
	struct omp__task_order order = { .fn = fn,
					 .data = data,
					 .copy = copy,
					 .bytes = (size_t)bytes,
					 .align = (size_t)align,
					 .flags = flags,
					 .if_clause = flags & OMP__TASK_IF,
					 .priority = priority,
					 .call = OMP__TOOL_CALL() };
	struct omp__taskloop loop = { .first = start, .end = end, .step = step };

	if ((flags & OMP__TASK_UP) && start < end)
		loop.count = (end - start - 1) / step + 1;
	else if (!(flags & OMP__TASK_UP) && start > end)
		loop.count = (start - end - 1) / -step + 1;
	omp__taskloop(omp__self(), &order, &loop, tasks);
}
