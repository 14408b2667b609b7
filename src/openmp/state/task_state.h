/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a task is, and what a member and a team keep for their tasks.
 *
 * team->tasks_live says whether the team has unfinished tasks. It is the region's generation from the moment the first
 * task is deferred until thread 0 has seen the last task end, and 0 otherwise. It is set before that task can be
 * stolen, so a member that arrives at a barrier and has not seen it set has deferred no task itself.
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
struct omp__tool_task;
struct omp__tour_node;

/* An explicit task is undeferred (the thread that meets it runs it at once) or deferred. */
enum omp__task_kind { OMP__TASK_IMPLICIT, OMP__TASK_UNDEFERRED, OMP__TASK_DEFERRED };

/*
 * What the deferred children of a task know of it; it outlives the task. A task that defers no child has none.
 *
 * count: the children that have not ended, << 32; OMP__FAMILY_WAITED while the task waits for them; and in the low bits
 * how many references keep this memory: one of the task, one of each child, and one of each family below.
 */
struct omp__family {
	_Atomic uint64_t count;
	/*
	 * The family of the nearest task around this one; NULL in the family of an implicit task. Families between the
	 * two may have been taken out (family.c).
	 */
	_Atomic(struct omp__family *) parent;
	/* The family of the implicit task at the top of this tree of families. */
	struct omp__family *root;
	union {
		/* Only the task's own thread touches it. */
		struct omp__depend_table *depends;
		/* In a family that was taken out: the next one that is to be freed. */
		struct omp__family *next;
	};
	/* Where the family begins in the tour of the team's queue, or NULL (tour.h). Changed under the queue's lock. */
	struct omp__tour_node *bracket;
	/* 0 for an implicit task. */
	unsigned depth;
	/*
	 * Whether the task has ended. Then it waits for no child, so families that are made later need not refer to
	 * this one.
	 */
	_Atomic bool ended;
};

#define OMP__FAMILY_CHILD (UINT64_C(1) << 32)
#define OMP__FAMILY_WAITED (UINT64_C(1) << 31)
#define OMP__FAMILY_KEEP UINT64_C(1)
#define OMP__FAMILY_KEPT (OMP__FAMILY_WAITED - 1)

/* What a member keeps for its tasks: its deque and its counts. */
struct omp__crew {
	struct omp__deque deque;
	/*
	 * How many tasks this member has deferred, and how many it has ended. Only the member writes them. The team has
	 * no unfinished task when the two sums over all members are equal.
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic uint64_t created;
	_Atomic uint64_t completed;
	struct omp__team *team; /* NULL for the crew of regions of one thread */
	unsigned num;
	unsigned victim;
	/*
	 * The task for which the member has searched the team's queue in vain, and how many puts there had been by
	 * then.
	 */
	const struct omp__task *searched_for;
	uint64_t searched_at;
	/*
	 * After the member stole a task that it may not run, it does not steal during `pause` looks; and how many that
	 * will be the next time.
	 */
	unsigned pause;
	unsigned pause_next;
	/*
	 * When the member last stole, and how many tasks it has stolen since it last measured how long such work lasts.
	 * After work that did not last long, it does not steal during `rest` looks; and how many that will be the next
	 * time.
	 */
	uint64_t stole_ns;
	unsigned stole;
	uint16_t rest;
	uint16_t rest_next;
	/*
	 * The least `room` of its tasks (ready.c); how many tasks had been stolen from it when that last changed; how
	 * many it has taken back itself since.
	 */
	int64_t room_least;
	int64_t stolen_then;
	int64_t taken_back;
	/* A child of an implicit task is deferred when the deque holds fewer tasks than this. */
	int64_t room;
	struct omp__family root;
	/* Families that its thread has taken out of the tree and not freed yet. */
	struct omp__family *taken_out;
};

/* A task. Every thread has an implicit one in each region, which lies in its place in the region and not on a heap. */
struct omp__task {
	/* The task that this one interrupts on its thread; of an implicit task, the task that opened the region. */
	struct omp__task *parent;
	/*
	 * The task's own variables; or its parent's, until the task changes one (omp__icv_write). icv_owned says which.
	 */
	struct omp__icv *icv;
	struct omp__taskgroup *taskgroup;
	/* NULL until the task defers a child. */
	struct omp__family *family;
	/* The crew of the member that runs it; NULL in an implicit task that has met no task construct. */
	struct omp__crew *crew;
	/* The mark of its thread's deque when the task started: what lies above it descends from this task. */
	int64_t mark;
	/* Its children are deferred when the deque holds fewer tasks than this. */
	int64_t room;
	/* Below this address the stack of its thread is deep (stack.h); 0 in an implicit task: not known yet. */
	uintptr_t deep;
	/* What a tool knows of it; not set where there is none. NULL: the tool does not know the task. */
	struct omp__tool_task *tool;
	uint8_t kind;
	bool icv_owned;
	bool icv_allocated; /* omp__icv_write allocated it; the thread that ends the task frees it */
	bool final;
	/*
	 * Whether this task and all below it on its thread, down to a barrier, are untied. Then the task scheduling
	 * constraint lets the thread run any task while it waits. In a deferred task that has not started: whether it
	 * is untied. In an implicit task: whether it is at a barrier.
	 */
	bool loose;
};

/* What the members of a team share for their tasks. */
struct omp__task_queue;
struct omp__task_team {
	/*
	 * How many tasks are in the queue and in no deque: tasks with a priority, and tasks made ready by a thread
	 * outside the team. The queue is made when it is first needed.
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic int64_t queued;
	/*
	 * How many tasks were ever put into the queue. A thread that has searched it in vain searches again when this
	 * has changed.
	 */
	_Atomic uint64_t queue_puts;
	_Atomic uint32_t queue_lock;
	struct omp__task_queue *queue;
	/*
	 * How many tasks threads outside the team have ended (omp_fulfill_event), and how many threads are doing so
	 * now.
	 */
	_Atomic uint64_t completed;
	_Atomic uint32_t outsiders;
	/*
	 * In an oversubscribed team: how many of the threads that were awake for the runtime did not run for the team
	 * when a helper last counted, and when that was (helper.h).
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic int elsewhere;
	_Atomic uint64_t counted_ns;
	/* Threads that look through families which they do not keep, see climb.h. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t climbers;
};

/* Start an implicit task with the variables *icv. */
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
	task->tool = NULL;
	task->kind = OMP__TASK_IMPLICIT;
	task->icv_owned = true;
	task->icv_allocated = false;
	task->final = false;
	task->loose = false;
}

#endif
