/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit tasks as a tool is told of them. What the tool knows of a deferred task is a block of memory of its own: a
 * later sibling may depend on the task, and then the block lasts as long as the node (depend_node.h).
 */
#ifndef OMP_TOOL_TASK_H
#define OMP_TOOL_TASK_H

#include "openmp/scheduler/deferred.h"
#include "openmp/tool/event.h"

/* The current task creates a task; its dependences, if it has any, are told too. */
OMP__TOOL_ONLY void omp__tool_task_new(struct omp__thread *thread, struct omp__tool_task *task,
				       const struct omp__task_order *order, bool undeferred);
/* The same for a deferred task, whose memory is allocated here. */
OMP__TOOL_ONLY void omp__tool_task_defer(struct omp__thread *thread, struct omp__deferred *deferred,
					 const struct omp__task_order *order);
/* A task that has nothing to do but to wait for others: taskwait with dependences. */
OMP__TOOL_ONLY void omp__tool_taskwait_new(struct omp__thread *thread, struct omp__tool_task *task, void **depend,
					   const struct omp__tool_call *call);
/* The thread goes to its new current task, from the one below it; and back. */
OMP__TOOL_ONLY void omp__tool_task_begins(struct omp__thread *thread, struct omp__tool_task *task);
OMP__TOOL_ONLY void omp__tool_task_ends(struct omp__thread *thread, bool stays_detached);
/* Run the code of a deferred task, the current one; it is only told what happened when it is discarded. */
OMP__TOOL_ONLY void omp__tool_task_run(struct omp__thread *thread, struct omp__deferred *deferred, bool runs);
/*
 * A detached task, whose event has this word: its code has returned (true: the task is not fulfilled, and the tool is
 * to be told so); its event is fulfilled, in a moment.
 */
OMP__TOOL_ONLY bool omp__tool_task_stays(_Atomic uint32_t *event);
OMP__TOOL_ONLY void omp__tool_task_fulfilled(struct omp__tool_task *task, _Atomic uint32_t *event);

#endif
