/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks, as the rest of the runtime sees them.
 *
 * A team says that tasks are about by team->tasks_live: the region's generation from the first task that is put off
 * until thread 0 has seen the last of them end; 0 otherwise. It is set before the task can be stolen, so a member that
 * arrives at a barrier without having seen it has put off no task itself.
 */
#ifndef OMP_TASK_H
#define OMP_TASK_H

#include "icv.h"
#include "wait.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct omp__member;
struct omp__region;
struct omp__team;
struct omp__thread;
struct omp__taskgroup;

enum omp__task_kind { OMP__TASK_IMPLICIT, OMP__TASK_EXPLICIT };

/* A task; every region of every thread starts with an implicit one, on no heap. */
struct omp__task {
	struct omp__task *parent;
	/* Its own, or its parent's until it changes one (omp__icv_write); icv_owned says which. */
	struct omp__icv *icv;
	struct omp__taskgroup *taskgroup;
	uint8_t kind;
	bool icv_owned;
	bool icv_allocated; /* by omp__icv_write; whoever ends the task frees it */
	bool final;
};

/* What each member of a team has for its tasks: a deque and the like. */
struct omp__task_member {
	int unused;
};

/* Start an implicit task whose variables are *icv. */
static inline void omp__task_start_implicit(struct omp__task *task, struct omp__task *parent, struct omp__icv *icv,
					    struct omp__taskgroup *taskgroup)
{
	task->parent = parent;
	task->icv = icv;
	task->taskgroup = taskgroup;
	task->kind = OMP__TASK_IMPLICIT;
	task->icv_owned = true;
	task->icv_allocated = false;
	task->final = false;
}

/* Called when a member is made and before it is freed. */
void omp__task_member_start(struct omp__member *member);
void omp__task_member_end(struct omp__member *member);

/*
 * Run one task of the caller's team if there is one to run; false when none was found. For waiters: call it while
 * team->tasks_live is the region's generation, between two looks at the condition.
 */
bool omp__tasks_help(struct omp__thread *thread);
/* Run tasks until the team has none outstanding. Every member is at a barrier or past its implicit task's end. */
void omp__tasks_drain(struct omp__thread *thread);

/* GOMP_cancel and GOMP_cancellation_point for taskgroups. */
bool omp__taskgroup_cancelled(struct omp__thread *thread);
bool omp__taskgroup_cancel(struct omp__thread *thread);

/*
 * Task reductions of constructs that are not tasks. `data` is what the compiler passes.
 * parallel: make the taskgroup that each implicit task of the coming region starts with; end it after the join.
 * workshare: the caller enters a taskgroup of its own; `first` is the data of the thread that came first, NULL for that
 * one.
 */
struct omp__taskgroup *omp__reductions_parallel(uintptr_t *data, unsigned threads);
void omp__reductions_parallel_end(struct omp__taskgroup *taskgroup);
void omp__reductions_workshare(struct omp__thread *thread, uintptr_t *data, uintptr_t *first);

#endif
