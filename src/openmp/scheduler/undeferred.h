/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A task that is run at once: a frame on the stack, and a call.
 *
 * This is what most tasks of a recursive program are. It costs no allocation, no copy of the arguments and no shared
 * write, so a task that nobody can steal costs little more than a call.
 */
#ifndef OMP_UNDEFERRED_H
#define OMP_UNDEFERRED_H

#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/task.h"
#include "openmp/state/stack.h"

static inline __attribute__((always_inline)) void omp__task_enter(struct omp__task *frame, struct omp__thread *thread,
								  bool final, bool untied)
{
	struct omp__task *parent = thread->task;

	frame->parent = parent;
	frame->icv = parent->icv;
	frame->taskgroup = parent->taskgroup;
	frame->family = NULL;
	frame->crew = parent->crew;
	frame->mark = omp__deque_mark(&parent->crew->deque);
	frame->deep = parent->deep;
	frame->room =
		__builtin_expect((uintptr_t)frame > parent->deep, 1)
			? (parent->room / 2 > frame->crew->room_least ? parent->room / 2 : frame->crew->room_least)
			: omp__stack_room(parent->deep);
	frame->kind = OMP__TASK_UNDEFERRED;
	frame->icv_owned = false;
	frame->icv_allocated = false;
	frame->final = final;
	frame->loose = parent->loose && untied;
	thread->task = frame;
}

static inline __attribute__((always_inline)) void omp__task_return(struct omp__task *frame, struct omp__thread *thread)
{
	if (__builtin_expect(frame->family || frame->icv_allocated, 0))
		omp__task_leave(thread, frame);
	thread->task = frame->parent;
}

#endif
