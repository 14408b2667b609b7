/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a deferred task is run and ended; create.c makes it.
 *
 * The end of a deferred task has these steps, in this order, because each may free something that a later step must not
 * touch: release the tasks that depend on it, leave its taskgroup, free its memory, leave its parent's family, end its
 * own family, and last add to the count that lets the team's barrier end.
 */
#include "openmp/scheduler/task.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/depend.h"
#include "openmp/scheduler/depend_table.h"
#include "openmp/scheduler/family.h"
#include "openmp/scheduler/tool_task.h"
#include "openmp/state/deque.h"
#include "openmp/state/task_memory.h"
#include "openmp/synchronization/team_wake.h"

#include <stdlib.h>
#include <string.h>

/* The crew of regions of one thread: its deque always looks full, so every task is run at once. */
static struct omp__crew alone = { .deque = { .bottom = OMP__ROOM_MAX } };

void omp__task_member_start(struct omp__member *member)
{
	struct omp__crew *crew = &member->tasks;

	omp__deque_start(&crew->deque);
	crew->team = member->team;
	crew->num = member->num;
	crew->victim = member->num + 1;
	crew->rest_next = 1;
	crew->root.root = &crew->root;
	crew->root.bracket = NULL;
	crew->taken_out = NULL;
	atomic_init(&crew->root.count, OMP__FAMILY_KEEP);
}

void omp__task_member_end(struct omp__member *member)
{
	if (member->tasks.root.depends)
		omp__depend_forget(NULL, &member->tasks.root);
	omp__family_crew_end(&member->tasks);
	omp__deque_end(&member->tasks.deque);
}

/* ---- where a task is ----------------------------------------------------------------------------------------------
 */

static int64_t room_of(const struct omp__team *team)
{
	int64_t room = (int64_t)OMP__ROOM_PER_MEMBER * team->size;

	if (team->size == 1)
		return 0;
	return room < OMP__ROOM_MAX ? room : OMP__ROOM_MAX;
}

/* Prepare an implicit task for its first task, which it creates, or runs at a barrier. */
static void settle(struct omp__task *implicit, struct omp__crew *crew)
{
	implicit->deep = omp__stack_deep();
	if (!crew->team || crew->team->size == 1)
		crew->room_least = 0;
	else if (crew->room_least < OMP__ROOM_MIN)
		crew->room_least = OMP__ROOM_MIN;
}

/* The first task construct that an implicit task meets. */
struct omp__crew *omp__task_attach(struct omp__thread *thread, struct omp__task *task)
{
	struct omp__member *member = thread->region->member;

	if (!member) {
		task->deep = omp__stack_deep();
		task->crew = &alone;
		task->room = 0;
		return &alone;
	}
	settle(task, &member->tasks);
	task->crew = &member->tasks;
	task->room = room_of(member->team);
	task->family = &member->tasks.root;
	if (task->family->depends)
		omp__depend_reset(thread, task->family);
	return task->crew;
}

/* Free what a task that has ended leaves: its control variables, and the dependences of its children. */
static void forget(struct omp__thread *thread, struct omp__task *task)
{
	if (task->icv_allocated)
		free(task->icv);
	if (!task->family)
		return;
	if (task->family->depends)
		omp__depend_forget(thread, task->family);
	/* relaxed: see keep_above() in family.c */
	atomic_store_explicit(&task->family->ended, true, memory_order_relaxed);
}

void omp__task_leave(struct omp__thread *thread, struct omp__task *task)
{
	forget(thread, task);
	if (task->family)
		omp__family_drop(thread, task->family);
}

/* ---- run --------------------------------------------------------------------------------------------------------
 */

static inline void add_to_own(_Atomic uint64_t *counter)
{
	/*
	 * release: the count publishes what the task did. Only the owner writes it, so no locked operation is needed.
	 */
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_release);
}

/* A task of the group has ended. */
static void taskgroup_leave(struct omp__team *team, struct omp__taskgroup *group)
{
	/* seq_cst: as for the parent's family, see task_wait.c */
	uint64_t before = atomic_fetch_sub_explicit(&group->count, OMP__GROUP_TASK, memory_order_seq_cst);

	if (before == (OMP__GROUP_TASK | OMP__GROUP_WAITED))
		omp__team_wake(team, &group->count);
}

/*
 * The thread that ends a child takes it off the family's count. If that is the thread of the family's own task, and the
 * child was the only child and the only other reference, then no other thread can change the count (see family_join)
 * and none sleeps for it.
 */
static inline void family_leave(struct omp__thread *thread, struct omp__team *team, struct omp__family *family)
{
	const uint64_t child = OMP__FAMILY_CHILD | OMP__FAMILY_KEEP;
	uint64_t before;

	if (thread && thread->task->family == family &&
	    atomic_load_explicit(&family->count, memory_order_acquire) == OMP__FAMILY_KEEP + child) {
		atomic_store_explicit(&family->count, OMP__FAMILY_KEEP, memory_order_relaxed);
		return;
	}
	/*
	 * seq_cst: the parent's taskwait sees what the task did; and the look at its parker comes after (see
	 * task_wait.c)
	 */
	before = atomic_fetch_sub_explicit(&family->count, child, memory_order_seq_cst);
	if (__builtin_expect((before & OMP__FAMILY_WAITED) && before >> 32 == 1, 0))
		omp__team_wake(team, &family->count);
	omp__family_left(thread, family, before - child);
}

void omp__task_complete(struct omp__thread *thread, struct omp__crew *crew, struct omp__deferred *deferred)
{
	struct omp__family *of = deferred->of;
	struct omp__team *team = deferred->team;
	_Atomic uint64_t *ended = deferred->ended;
	struct omp__family *own = deferred->task.family;

	/* with a node the tool's block lasts as long as that */
	if (__builtin_expect(deferred->task.tool && !deferred->node, 0))
		omp__memory_put(thread, deferred->task.tool);
	forget(thread, &deferred->task);
	if (deferred->node)
		omp__depend_leave(thread, crew, deferred->node);
	if (deferred->task.taskgroup)
		taskgroup_leave(team, deferred->task.taskgroup);
	omp__memory_put(thread, deferred);
	family_leave(thread, team, of);
	if (own)
		omp__family_end(thread, crew, own);
	if (ended && (atomic_fetch_sub_explicit(ended, OMP__PENDING, memory_order_seq_cst) & OMP__PENDING_WAITED))
		omp__team_wake(team, ended);
	if (crew)
		add_to_own(&crew->completed);
	else
		atomic_fetch_add_explicit(&team->tasks.completed, 1, memory_order_release);
}

/*
 * The body of a detached task has ended. Returns whether its event is fulfilled already; if not, the thread that
 * fulfils it ends the task, at any time.
 */
static bool end_detached(struct omp__thread *thread, struct omp__deferred *deferred)
{
	omp__task_leave(thread, &deferred->task);
	deferred->task.family = NULL;
	deferred->task.icv_allocated = false;
	/* acq_rel: the second thread sees what the first did, and ends the task */
	return atomic_fetch_or_explicit(&deferred->event, OMP__EVENT_RAN, memory_order_acq_rel) & OMP__EVENT_FULFILLED;
}

/* A task that may be cancelled, or that a tool watches. Returns whether its code was run. */
static __attribute__((noinline)) bool run_slowly(struct omp__thread *thread, struct omp__deferred *deferred)
{
	bool runs = !omp__globals.cancellation || deferred->copied ||
		    !omp__task_discarded(thread, deferred->task.taskgroup);

	if (deferred->task.tool)
		omp__tool_task_run(thread, deferred, runs);
	else if (runs)
		deferred->fn(deferred->data);
	return runs;
}

void omp__task_execute(struct omp__thread *thread, struct omp__deferred *deferred)
{
	struct omp__crew *crew = &thread->region->member->tasks;
	struct omp__task *below = thread->task;
	bool ran = true;

	deferred->task.parent = below;
	deferred->task.loose &= below->loose;
	deferred->task.crew = crew;
	deferred->task.mark = omp__deque_mark(&crew->deque);
	if (__builtin_expect(below->deep == 0, 0))
		settle(below, crew);
	deferred->task.deep = below->deep;
	if (__builtin_expect((uintptr_t)__builtin_frame_address(0) <= below->deep, 0))
		deferred->task.room = omp__stack_room(below->deep);
	thread->task = &deferred->task;
	if (__builtin_expect(!omp__globals.slow_tasks, 1))
		deferred->fn(deferred->data);
	else
		ran = run_slowly(thread, deferred);
	thread->task = below;
	if (ran && deferred->detached && !end_detached(thread, deferred))
		return;
	omp__task_complete(thread, crew, deferred);
}
