/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taskgroups: a count of the tasks in them, and whether they are cancelled (OpenMP 5.2, 15.4 and 11.2). A task is in
 * the group that its parent was in when it was created.
 */
#include "openmp/task/taskgroup.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/task_memory.h"

void omp__taskgroup_start(struct omp__thread *thread)
{
	struct omp__task *task = thread->task;
	struct omp__taskgroup *group = omp__memory_get(thread, sizeof(*group));

	*group = (struct omp__taskgroup){
		.outer = task->taskgroup,
		.reductions = task->taskgroup ? task->taskgroup->reductions : NULL,
	};
	task->taskgroup = group;
}

void omp__taskgroup_end(struct omp__thread *thread)
{
	struct omp__task *task = thread->task;
	struct omp__taskgroup *group = task->taskgroup;

	/* acquire: what the tasks did */
	if (atomic_load_explicit(&group->count, memory_order_acquire) >= OMP__GROUP_TASK)
		omp__task_wait(thread, &group->count, ~OMP__GROUP_WAITED, OMP__GROUP_WAITED);
	task->taskgroup = group->outer;
	omp__memory_put(thread, group);
}

void omp__taskgroup_start_here(struct omp__thread *thread, struct omp__tool_call call)
{
	omp__taskgroup_start(thread);
	if (omp__tool_is_on())
		omp__tool_taskgroup_begin(thread, call.code);
}

static OMP__TOOL_ONLY void end_for_tool(struct omp__thread *thread, struct omp__tool_call call)
{
	struct omp__tool_wait sync = { .call = call, .kind = ompt_sync_region_taskgroup };

	omp__tool_task_enter(thread->task, &call);
	omp__tool_wait_begin(thread, &sync);
	omp__taskgroup_end(thread);
	omp__tool_sync_end(thread, &sync);
}

void omp__taskgroup_end_here(struct omp__thread *thread, struct omp__tool_call call)
{
	if (omp__tool_is_on())
		end_for_tool(thread, call);
	else
		omp__taskgroup_end(thread);
}

/* A worksharing construct with task reductions has a group of its own, which no directive can name. */
static struct omp__taskgroup *named(struct omp__taskgroup *group)
{
	return group && group->workshare && group->outer ? group->outer : group;
}

bool omp__taskgroup_cancelled(struct omp__thread *thread)
{
	struct omp__taskgroup *group = named(thread->task->taskgroup);

	return group && atomic_load_explicit(&group->cancelled, memory_order_relaxed);
}

bool omp__taskgroup_cancel(struct omp__thread *thread)
{
	struct omp__taskgroup *group = named(thread->task->taskgroup);

	/* relaxed: a task that sees it late is run, which OpenMP allows */
	if (group)
		atomic_store_explicit(&group->cancelled, true, memory_order_relaxed);
	return true;
}
