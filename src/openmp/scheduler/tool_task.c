/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See tool_task.h. The end of a detached task has two parts, and the tool is told of both in an order that fits
 * together: the thread that changes the event's word first says whether the task is fulfilled early or late.
 *
 *	runs the body					fulfils the event
 *	compare-and-swap(event, 0, TOLD):		fetch_or(event, TELLS) had TOLD: late, otherwise early
 *	tells "detach"; else "complete"			tells that
 *	fetch_or(event, RAN)				fetch_or(event, FULFILLED)
 *
 * Each tells before its last step, after which the other may free the task.
 */
#include "openmp/scheduler/tool_task.h"
#include "openmp/scheduler/depend.h"
#include "openmp/state/task_memory.h"

/* ---- created -------------------------------------------------------------------------------------------------------
 */

/* A list longer than this takes memory from the heap. */
enum { DEPENDENCES_FEW = 16 };

static void tell_dependences(struct omp__thread *thread, struct omp__tool_task *task, void **depend)
{
	size_t count = omp__depend_count(depend);
	ompt_dependence_t few[DEPENDENCES_FEW];
	ompt_dependence_t *list = few;

	if (count > DEPENDENCES_FEW)
		list = omp__memory_get(thread, count * sizeof(*list));
	omp__depend_list(depend, list);
	omp__tool_dependences(task, list, (int)count);
	if (list != few)
		omp__memory_put(thread, list);
}

static int flags_of(const struct omp__thread *thread, const struct omp__task_order *order, bool undeferred)
{
	int flags = ompt_task_explicit;

	if (undeferred || thread->region->thread_count == 1)
		flags |= ompt_task_undeferred;
	if (order->flags & OMP__TASK_UNTIED)
		flags |= ompt_task_untied;
	if (order->flags & OMP__TASK_FINAL || thread->task->final)
		flags |= ompt_task_final;
	if (order->flags & OMP__TASK_MERGEABLE)
		flags |= ompt_task_mergeable;
	return flags;
}

void omp__tool_task_new(struct omp__thread *thread, struct omp__tool_task *task, const struct omp__task_order *order,
			bool undeferred)
{
	void **depend = order->flags & OMP__TASK_DEPEND ? order->depend : NULL;

	omp__tool_task_enter(thread->task, &order->call);
	omp__tool_task_create(thread, task, flags_of(thread, order, undeferred), depend != NULL, order->call.code);
	task->memory = order->memory;
	task->memory_bytes = order->memory_bytes;
	if (depend)
		tell_dependences(thread, task, depend);
}

void omp__tool_task_defer(struct omp__thread *thread, struct omp__deferred *deferred,
			  const struct omp__task_order *order)
{
	struct omp__tool_task *task = omp__memory_get(thread, sizeof(*task));

	omp__tool_task_new(thread, task, order, !order->if_clause || thread->task->final);
	if (!task->memory && order->bytes) {
		task->memory = deferred->data;
		task->memory_bytes = order->bytes;
	}
	deferred->task.tool = task;
}

void omp__tool_taskwait_new(struct omp__thread *thread, struct omp__tool_task *task, void **depend,
			    const struct omp__tool_call *call)
{
	omp__tool_task_enter(thread->task, call);
	omp__tool_task_create(thread, task, ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable, true,
			      call->code);
	tell_dependences(thread, task, depend);
}

/* ---- run -----------------------------------------------------------------------------------------------------------
 */

void omp__tool_task_begins(struct omp__thread *thread, struct omp__tool_task *task)
{
	ompt_task_status_t status = thread->tool.yields ? ompt_task_yield : ompt_task_switch;

	thread->tool.yields = false;
	thread->task->tool = task;
	if (thread->task->parent->tool)
		omp__tool_schedule(thread->task->parent->tool, status, task);
}

static void end_as(struct omp__thread *thread, ompt_task_status_t status)
{
	struct omp__task *task = thread->task;

	omp__tool_task_exit(task, NULL);
	if (task->parent->tool)
		omp__tool_schedule(task->tool, status, task->parent->tool);
}

static ompt_task_status_t status_of(const struct omp__thread *thread)
{
	return omp__globals.cancellation && omp__task_discarded(thread, thread->task->taskgroup) ? ompt_task_cancel
												 : ompt_task_complete;
}

void omp__tool_task_ends(struct omp__thread *thread, bool stays_detached)
{
	end_as(thread, stays_detached ? ompt_task_detach : status_of(thread));
}

bool omp__tool_task_stays(_Atomic uint32_t *event)
{
	uint32_t nothing = 0;

	/* relaxed: it only decides which of the two is told first */
	return atomic_compare_exchange_strong_explicit(event, &nothing, OMP__EVENT_TOLD, memory_order_relaxed,
						       memory_order_relaxed);
}

void omp__tool_task_run(struct omp__thread *thread, struct omp__deferred *deferred, bool runs)
{
	struct omp__tool_task *task = deferred->task.tool;

	if (!runs) {
		omp__tool_cancel(thread, ompt_cancel_taskgroup | ompt_cancel_discarded_task, NULL);
		end_as(thread, ompt_task_cancel);
		return;
	}
	omp__tool_task_begins(thread, task);
	omp__tool_task_exit(&deferred->task, __builtin_frame_address(0));
	deferred->fn(deferred->data);
	omp__tool_task_ends(thread, deferred->detached && omp__tool_task_stays(&deferred->event));
}

void omp__tool_task_fulfilled(struct omp__tool_task *task, _Atomic uint32_t *event)
{
	/* relaxed: as above */
	uint32_t before = atomic_fetch_or_explicit(event, OMP__EVENT_TELLS, memory_order_relaxed);

	omp__tool_schedule(task, before & OMP__EVENT_TOLD ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
}
