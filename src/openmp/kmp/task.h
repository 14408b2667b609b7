/* SPDX-License-Identifier: BSD-3-Clause */
/* A task of the KMP ABI: what the runtime keeps in front of what the compiler sees. */
#ifndef OMP_KMP_TASK_H
#define OMP_KMP_TASK_H

#include "openmp/kmp/abi.h"
#include "openmp/state/task_state.h"

#include <stdbool.h>

struct omp__thread;

/*
 * The compiler asks for a task's memory, fills it, and hands it in. The memory lives until the task has ended and, if
 * it has an event, that is fulfilled.
 */
struct kmp__task {
	_Alignas(16) struct omp__task frame; /* of a task that the compiler calls itself */
	size_t bytes;			     /* of what follows this header */
	int32_t flags;
	/* It is being run; and it has handed itself in again, to go on behind a scheduling point (untied tasks). */
	bool runs;
	bool again;
	bool has_event;
	_Atomic uint32_t event; /* enum of scheduler/deferred.h */
	void *handle;		/* the deferred task that the event ends */
	_Alignas(16) struct kmp_task task;
};

static inline struct kmp__task *kmp__task_of(struct kmp_task *task)
{
	return (struct kmp__task *)((char *)task - offsetof(struct kmp__task, task));
}

/* Run it, or defer it, with dependences as GCC passes them, or NULL. */
void kmp__task_start(struct omp__thread *thread, struct kmp__task *task, void **depend, bool if_clause);
/* Memory for a task of so many bytes. */
struct kmp__task *kmp__task_get(struct omp__thread *thread, size_t bytes);

#endif
