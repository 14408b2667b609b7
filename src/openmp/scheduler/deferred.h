/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deferred tasks: what they are, and how many a thread keeps.
 *
 * A task that its thread runs at once is a frame on the stack (undeferred.h). A task that is deferred is a struct
 * omp__deferred. It is ready when all that it depends on has ended; then it is in a deque or in the team's queue. A
 * thread at a barrier runs any ready task; a thread that waits inside a task runs only what descends from that task
 * (the task scheduling constraint of tied tasks, OpenMP 5.2, 12.9; untied tasks are treated as tied ones).
 */
#ifndef OMP_DEFERRED_H
#define OMP_DEFERRED_H

#include "openmp/state/stack.h"
#include "openmp/state/team_state.h"
#include "openmp/tool/tool.h"

/* The flags of GOMP_task and GOMP_taskloop. */
enum {
	OMP__TASK_UNTIED = 1 << 0,
	OMP__TASK_FINAL = 1 << 1,
	OMP__TASK_MERGEABLE = 1 << 2,
	OMP__TASK_DEPEND = 1 << 3,
	OMP__TASK_PRIORITY = 1 << 4,
	OMP__TASK_UP = 1 << 8,
	OMP__TASK_GRAINSIZE = 1 << 9,
	OMP__TASK_IF = 1 << 10,
	OMP__TASK_NOGROUP = 1 << 11,
	OMP__TASK_REDUCTION = 1 << 12,
	OMP__TASK_DETACH = 1 << 13,
	OMP__TASK_STRICT = 1 << 14,
	/*
	 * A flag of this runtime's, not of the ABI: the task is run even when its group is cancelled, to call the
	 * destructors of its data.
	 */
	OMP__TASK_COPIED = 1 << 30,
};

enum {
	/*
	 * A deque that holds this many tasks feeds any thief for a while; tasks beyond them are run at once. Each
	 * member of a team adds this much to the number of tasks that are kept, and each level of tasks halves it. In a
	 * recursion of depth n, if each level may keep k tasks, a task is deferred for each way to choose k of n levels
	 * (fib(31) with 8: all tasks). So few tasks must be kept deep in a recursion; and a task near the root stands
	 * for more work anyway.
	 */
	OMP__ROOM_PER_MEMBER = 32,
	OMP__ROOM_MIN = 2,
	/* The least room while thieves empty the deque again and again. */
	OMP__ROOM_HUNGRY = 32,
	OMP__ROOM_MAX = 256,
	/* How many children of a task, for each member of the team, may be blocked by other tasks or queued. */
	OMP__CHILDREN_PER_MEMBER = 256,
};

struct kmp__reductions;
struct omp__depend_node;

/* What a detached task's completion waits for, as bits of omp__deferred.event; the others are for a tool. */
enum { OMP__EVENT_RAN = 1, OMP__EVENT_FULFILLED = 2, OMP__EVENT_TOLD = 4, OMP__EVENT_TELLS = 8 };

struct omp__deferred {
	struct omp__task task;
	void (*fn)(void *data);
	void *data;
	/* Its parent's family. */
	struct omp__family *of;
	struct omp__depend_node *node; /* NULL: no later sibling waits for it */
	struct omp__team *team;
	int priority;
	bool detached;
	/* Its data was made by constructors, and its body calls the destructors (OMP__TASK_COPIED). */
	bool copied;
	_Atomic uint32_t event;
	/* A word that is set to 0 when the task has ended, because its parent waits for this one task; or NULL. */
	_Atomic uint64_t *ended;
	struct omp__icv icv;
	char data_space[];
};

struct omp__taskgroup {
	struct omp__taskgroup *outer;
	/* How many tasks have not ended, times 2; plus 1 while a thread waits for them. */
	_Atomic uint64_t count;
	_Atomic bool cancelled;
	bool workshare;
	uintptr_t *reductions;
	/*
	 * The reductions of this group, not those of the groups around it, for code of the KMP ABI:
	 * kmp/task_reduction.c.
	 */
	struct kmp__reductions *kmp_reductions;
};

#define OMP__GROUP_TASK UINT64_C(2)
#define OMP__GROUP_WAITED UINT64_C(1)

/* What a word holds while a thread waits for it to become 0. */
#define OMP__PENDING UINT64_C(2)
#define OMP__PENDING_WAITED UINT64_C(1)

/* What the compiler passes with a task. */
struct omp__task_order {
	void (*fn)(void *data);
	void *data;
	void (*copy)(void *to, void *from);
	size_t bytes;
	size_t align;
	unsigned flags;
	bool if_clause;
	int priority;
	void **depend;
	void *detach; /* where the event's handle goes */
	/*
	 * For a tool: where the construct is (no code: the tool is not told of the task), and the memory of the task's
	 * code if it is not `data`.
	 */
	struct omp__tool_call call;
	void *memory;
	size_t memory_bytes;
};

/* The room of a task at the bottom of a stack, whose parent has this much. */
static inline int64_t omp__room_below(int64_t room, const struct omp__crew *crew)
{
	if (__builtin_expect(room >= OMP__ROOM_DEEP, 0))
		return crew->team && crew->team->size > 1 ? OMP__ROOM_MIN : 0;
	return room / 2 > crew->room_least ? room / 2 : crew->room_least;
}

/* Whether a task of the group need not run, because the group or the region is cancelled. */
static inline bool omp__task_discarded(const struct omp__thread *thread, const struct omp__taskgroup *group)
{
	const struct omp__team *team = thread->region->team;

	if (team && atomic_load_explicit(&team->cancelled, memory_order_relaxed))
		return true;
	if (!group)
		return false;
	if (atomic_load_explicit(&group->cancelled, memory_order_relaxed))
		return true;
	return group->workshare && group->outer && atomic_load_explicit(&group->outer->cancelled, memory_order_relaxed);
}

static inline uint64_t omp__family_children(const struct omp__family *family)
{
	/* acquire: what the children did */
	return atomic_load_explicit(&family->count, memory_order_acquire) >> 32;
}

#endif
