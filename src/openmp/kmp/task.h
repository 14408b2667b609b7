/* SPDX-License-Identifier: BSD-3-Clause */
/* A task of the KMP ABI: the runtime's own fields lie in front of those that the compiler knows. */
#ifndef OMP_KMP_TASK_H
#define OMP_KMP_TASK_H

#include "openmp/kmp/abi.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/state/deque.h"
#include "openmp/state/task_state.h"
#include "openmp/tool/tool.h"

#include <stdbool.h>

/*
 * The compiled code asks for a task's memory, fills it, and hands the task in. The memory lives until the task has
 * ended and its event, if it has one, is fulfilled.
 */
struct kmp__task {
	_Alignas(16) struct omp__task frame; /* used if the compiled code calls the task's code itself */
	size_t bytes;			     /* how many bytes follow this header */
	int32_t flags;
	/*
	 * runs: the task is running. again: an untied task has handed itself in again, to go on after a scheduling
	 * point.
	 */
	bool runs;
	bool again;
	bool has_event;
	bool is_part;		/* of a taskloop of which a tool is told */
	_Atomic uint32_t event; /* enum of scheduler/deferred.h */
	void *handle;		/* the deferred task that the event ends */
	ompt_dispatch_chunk_t part;
	_Alignas(16) struct kmp_task task;
};

static inline struct kmp__task *kmp__task_of(struct kmp_task *task)
{
	return (struct kmp__task *)((char *)task - offsetof(struct kmp__task, task));
}

/*
 * Whether a task that has to wait for no sibling is run at once, by the short way: nothing asks for more, and thieves
 * find enough other tasks (task/create.c).
 */
static inline bool kmp__task_is_undeferred(const struct omp__task *parent, const struct kmp__task *task, bool if_clause)
{
	return !task->has_event && !(task->flags & KMP_TASK_PRIORITY) && parent->crew && !omp__globals.slow_tasks &&
	       (!if_clause || parent->final || omp__deque_filled(&parent->crew->deque) >= parent->room);
}

/*
 * Run the task or defer it. `depend` is a list of dependences in GCC's form, or NULL; `call` is where the program
 * creates it.
 */
void kmp__task_start(struct omp__thread *thread, struct kmp__task *task, void **depend, bool if_clause,
		     struct omp__tool_call call);
/* Memory for a task of so many bytes. */
struct kmp__task *kmp__task_get(struct omp__thread *thread, size_t bytes);

#endif
