/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a task is, and what a member and a team keep for their tasks.
 *
 * A team says that tasks are about by team->tasks_live: the region's generation from the first task that is deferred
 * until thread 0 has seen the last of them end; 0 otherwise. It is set before the task can be stolen, so a member that
 * arrives at a barrier without having seen it has deferred no task itself.
 */
#ifndef OMP_TASK_STATE_H
#define OMP_TASK_STATE_H

#include "openmp/state/deque.h"
#include "openmp/environment/icv.h"
#include "openmp/waiting/line.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct omp__member;
struct omp__region;
struct omp__team;
struct omp__thread;
struct omp__taskgroup;
struct omp__depend_table;
struct omp__tour_node;

/* An explicit task is run by the thread that meets it, or deferred. */
enum omp__task_kind { OMP__TASK_IMPLICIT, OMP__TASK_UNDEFERRED, OMP__TASK_DEFERRED };

/*
 * What a task's deferred children know of it; it outlives the task. A task that defers no child has none.
 *
 * count: children that have not ended, << 32; OMP__FAMILY_WAITED while the task waits for them; and in the low bits who
 * keeps this memory: the task, each child, and each family below.
 */
struct omp__family {
	_Atomic uint64_t count;
	/* Of the nearest task around it that has not ended; NULL in that of an implicit task. See family.c. */
	_Atomic(struct omp__family *) parent;
	/* Of the implicit task above. */
	struct omp__family *root;
	union {
		/* Touched by the task's own thread only. */
		struct omp__depend_table *depends;
		/* When it was taken out: another that is to be freed. */
		struct omp__family *next;
	};
	/* Where it begins in the tour of the team's queue, or NULL (tour.h). Changed under the queue's lock. */
	struct omp__tour_node *bracket;
	/* Implicit tasks have 0. */
	unsigned depth;
	/* Whether the task has ended: then it waits for nobody, and families that come later need not know this one. */
	_Atomic bool ended;
};

#define OMP__FAMILY_CHILD (UINT64_C(1) << 32)
#define OMP__FAMILY_WAITED (UINT64_C(1) << 31)
#define OMP__FAMILY_KEEP UINT64_C(1)
#define OMP__FAMILY_KEPT (OMP__FAMILY_WAITED - 1)

/* A member's own: its deque, and what it has counted. */
struct omp__crew {
	struct omp__deque deque;
	/* Tasks this member has deferred, and has ended. One writer each; the team is quiet when the sums are equal. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint64_t created;
	_Atomic uint64_t completed;
	struct omp__team *team; /* NULL for the crew of regions of one thread */
	unsigned num;
	unsigned victim;
	/* For which task it has searched the team's queue in vain, and after how many puts. */
	const struct omp__task *searched_for;
	uint64_t searched_at;
	/* Looks that it does not steal in, after it got what it may not run; and how many the next time. */
	unsigned pause;
	unsigned pause_next;
	/* When it last stole, how many, until it is known how long that lasted; and after what did not last long, looks
	 * that it rests in, and how many the next time. */
	uint64_t stole_ns;
	unsigned stole;
	uint16_t rest;
	uint16_t rest_next;
	/* The least room of its tasks, see ready.c: how many were stolen when it last changed, tasks that it has
	 * taken back itself since. */
	int64_t room_least;
	int64_t stolen_then;
	int64_t taken_back;
	/* A child of an implicit task is deferred when the deque holds fewer than this. */
	int64_t room;
	struct omp__family root;
	/* Families that its thread has taken out of the tree and not freed yet. */
	struct omp__family *taken_out;
};

/* A task; every region of every thread starts with an implicit one, on no heap. */
struct omp__task {
	/* The task below it on its thread, which it interrupts; of an implicit task, the one that opened the region. */
	struct omp__task *parent;
	/* Its own, or its parent's until it changes one (omp__icv_write); icv_owned says which. */
	struct omp__icv *icv;
	struct omp__taskgroup *taskgroup;
	/* NULL until it defers a child. */
	struct omp__family *family;
	/* Where it runs; NULL in an implicit task that has met no task construct. */
	struct omp__crew *crew;
	/* Its thread's deque when it started: what lies above descends from it. */
	int64_t mark;
	/* Its children are deferred when the deque holds fewer than this. */
	int64_t room;
	/* Below this address its thread's stack is deep (stack.h); 0: not known yet, in an implicit task. */
	uintptr_t deep;
	uint8_t kind;
	bool icv_owned;
	bool icv_allocated; /* by omp__icv_write; whoever ends the task frees it */
	bool final;
	/*
	 * Whether this task and all below it on its thread, down to a barrier, are untied: the task scheduling
	 * constraint then lets its thread run any task while it waits. In a deferred task that has not started,
	 * whether it is untied; in an implicit task, whether it is at a barrier.
	 */
	bool loose;
};

/* What a team shares for its tasks. */
struct omp__task_queue;
struct omp__task_team {
	/* Tasks that are in no deque: with a priority, or made ready outside the team. Made when first needed. */
	_Alignas(OMP__LINE_BYTES) _Atomic int64_t queued;
	/* Tasks ever put into the queue: a thread that has searched it in vain looks again when this has changed. */
	_Atomic uint64_t queue_puts;
	_Atomic uint32_t queue_lock;
	struct omp__task_queue *queue;
	/* Tasks ended by threads outside the team (omp_fulfill_event), and how many threads are doing so now. */
	_Atomic uint64_t completed;
	_Atomic uint32_t outsiders;
	/* Threads that look through families which they do not keep, see climb.h. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t climbers;
};

/* Start an implicit task whose variables are *icv. */
static inline void omp__task_start_implicit(struct omp__task *task, struct omp__task *parent, struct omp__icv *icv,
					    struct omp__taskgroup *taskgroup)
{
	task->parent = parent;
	task->icv = icv;
	task->taskgroup = taskgroup;
	task->family = NULL;
	task->crew = NULL;
	task->mark = 0;
	task->deep = 0;
	task->kind = OMP__TASK_IMPLICIT;
	task->icv_owned = true;
	task->icv_allocated = false;
	task->final = false;
	task->loose = false;
}

#endif
