/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The task construct: a task is run at once (undeferred), or deferred. better_undeferred() decides which; what makes a
 * task wait for its siblings, or asks for an order, defers it.
 */
#include "openmp/task/create.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/depend.h"
#include "openmp/scheduler/family.h"
#include "openmp/scheduler/helper.h"
#include "openmp/scheduler/ready.h"
#include "openmp/scheduler/task.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/scheduler/tool_task.h"
#include "openmp/scheduler/undeferred.h"
#include "openmp/state/deque.h"
#include "openmp/state/task_memory.h"
#include "openmp/system/no_memory.h"
#include "openmp/team/team_life.h"

#include <string.h>

/* A region of one thread defers a task, for which it needs a team after all. */
static struct omp__crew *need_team(struct omp__thread *thread)
{
	struct omp__task *task = thread->task;
	struct omp__task *implicit = &thread->region->implicit;

	if (!omp__team_of(thread))
		omp__no_memory("a team");
	omp__task_attach(thread, implicit);
	for (; task != implicit; task = task->parent) {
		task->crew = implicit->crew;
		task->mark = 0;
		if (task->room < OMP__ROOM_DEEP)
			task->room = 0;
	}
	return implicit->crew;
}

static char *align_up(char *at, size_t align)
{
	return at + (-(uintptr_t)at & (align - 1));
}

static void call_code(const struct omp__task_order *order)
{
	if (order->copy) {
		char space[order->bytes + order->align];
		char *data = align_up(space, order->align);

		order->copy(data, order->data);
		order->fn(data);
	} else {
		order->fn(order->data);
	}
}

static OMP__TOOL_ONLY void run_undeferred_for_tool(struct omp__thread *thread, const struct omp__task_order *order)
{
	bool is_final = thread->task->final;
	struct omp__tool_task tool;
	struct omp__task frame;

	omp__tool_task_new(thread, &tool, order, !order->if_clause || is_final);
	omp__task_enter(&frame, thread, is_final || (order->flags & OMP__TASK_FINAL), order->flags & OMP__TASK_UNTIED);
	omp__tool_task_begins(thread, &tool);
	omp__tool_task_exit(&frame, __builtin_frame_address(0));
	call_code(order);
	omp__tool_task_ends(thread, false);
	omp__task_return(&frame, thread);
}

static void run_undeferred(struct omp__thread *thread, const struct omp__task_order *order)
{
	struct omp__task frame;

	if (omp__tool_is_on() && omp__tool_knows(thread)) {
		run_undeferred_for_tool(thread, order);
		return;
	}
	omp__task_enter(&frame, thread, thread->task->final || (order->flags & OMP__TASK_FINAL),
			order->flags & OMP__TASK_UNTIED);
	frame.tool = NULL;
	call_code(order);
	omp__task_return(&frame, thread);
}

/* ---- deferred ---------------------------------------------------------------------------------------------------- */

static void count_created(struct omp__thread *thread, struct omp__crew *crew)
{
	struct omp__member *member = thread->region->member;

	if (atomic_load_explicit(&crew->team->tasks_live, memory_order_relaxed) != member->generation) {
		atomic_store_explicit(&crew->team->tasks_live, member->generation, memory_order_relaxed);
		omp__helper_wake_first(crew->team);
	}
	/* Only this thread writes it. release: a thread that sees the count sees the task */
	atomic_store_explicit(&crew->created, atomic_load_explicit(&crew->created, memory_order_relaxed) + 1,
			      memory_order_release);
}

static void fill_data(struct omp__deferred *deferred, const struct omp__task_order *order)
{
	deferred->data = align_up(deferred->data_space, order->align ? order->align : 1);
	if (order->copy)
		order->copy(deferred->data, order->data);
	else if (order->data)
		memcpy(deferred->data, order->data, order->bytes);
}

/*
 * A child joins the family. relaxed: the task cannot end before it is pushed. A thread that waits for the counts does
 * not see them at 0 meanwhile: either it is this thread, or the current task is counted too.
 *
 * While the count says one reference and no child, only the family's own task can change it, because a child or a
 * family below would be a reference too. So that task's thread needs no locked operation (6 ns of a task's 40).
 */
static inline void family_join(struct omp__family *family, bool is_own)
{
	const uint64_t child = OMP__FAMILY_CHILD | OMP__FAMILY_KEEP;

	if (is_own && atomic_load_explicit(&family->count, memory_order_relaxed) == OMP__FAMILY_KEEP)
		atomic_store_explicit(&family->count, OMP__FAMILY_KEEP + child, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&family->count, child, memory_order_relaxed);
}

/*
 * Make a task of the family. It is counted by the family, the taskgroup and the crew, and in no deque yet. What else it
 * inherits comes from the task `like`.
 */
static struct omp__deferred *make(struct omp__thread *thread, const struct omp__task_order *order,
				  const struct omp__task *like, struct omp__family *family, int64_t room)
{
	struct omp__crew *crew = like->crew;
	struct omp__deferred *deferred =
		omp__memory_get(thread, sizeof(*deferred) + order->bytes + (order->align > 1 ? order->align : 0));

	deferred->icv = *like->icv;
	deferred->task = (struct omp__task){
		.parent = thread->task,
		.icv = &deferred->icv,
		.taskgroup = like->taskgroup,
		.room = room,
		.kind = OMP__TASK_DEFERRED,
		.icv_owned = true,
		.final = like->final || (order->flags & OMP__TASK_FINAL),
		.loose = order->flags & OMP__TASK_UNTIED,
	};
	deferred->fn = order->fn;
	deferred->of = family;
	deferred->node = NULL;
	deferred->team = crew->team;
	deferred->priority = 0;
	deferred->detached = false;
	deferred->copied = order->copy || (order->flags & OMP__TASK_COPIED);
	deferred->ended = NULL;
	atomic_init(&deferred->event, 0);
	if (order->flags & OMP__TASK_PRIORITY) {
		int most = (int)omp__globals.max_task_priority;

		deferred->priority = order->priority < most ? order->priority : most;
	}
	family_join(family, family == thread->task->family);
	if (like->taskgroup)
		atomic_fetch_add_explicit(&like->taskgroup->count, OMP__GROUP_TASK, memory_order_relaxed);
	count_created(thread, crew);
	if (order->flags & OMP__TASK_DETACH) {
		deferred->detached = true;
		*(void **)order->detach = deferred;
		if (order->data)
			*(void **)order->data = deferred;
	}
	fill_data(deferred, order);
	if (omp__tool_is_on() && order->call.code && omp__tool_knows(thread))
		omp__tool_task_defer(thread, deferred, order);
	return deferred;
}

static struct omp__deferred *defer(struct omp__thread *thread, const struct omp__task_order *order)
{
	struct omp__task *parent = thread->task;
	struct omp__crew *crew = parent->crew->team ? parent->crew : need_team(thread);

	return make(thread, order, parent, omp__family_of(thread, parent), omp__room_below(parent->room, crew));
}

void omp__task_defer_beside(struct omp__thread *thread, const struct omp__task_order *order, struct omp__family *of)
{
	const struct omp__task *task = thread->task;
	int64_t room = task->room >= OMP__ROOM_DEEP ? omp__room_below(task->room, task->crew) : task->room;

	omp__ready_push(thread, task->crew, make(thread, order, task, of, room));
}

/* ---- the construct ----------------------------------------------------------------------------------------------- */

static void create_undeferred_detached(struct omp__thread *thread, const struct omp__task_order *order)
{
	struct omp__deferred *deferred = defer(thread, order);
	_Atomic uint64_t ended = OMP__PENDING;

	deferred->ended = &ended;
	omp__task_execute(thread, deferred);
	omp__task_wait(thread, &ended, ~OMP__PENDING_WAITED, OMP__PENDING_WAITED);
}

static void create_undeferred(struct omp__thread *thread, const struct omp__task_order *order)
{
	struct omp__family *family = thread->task->family;

	/* No later sibling can be created before this task has ended, so none has to know of it. */
	if ((order->flags & OMP__TASK_DEPEND) && (family || omp__tool_is_on()))
		omp__depend_wait_here(thread, order->depend, order->call);
	if (order->flags & OMP__TASK_DETACH)
		create_undeferred_detached(thread, order);
	else
		run_undeferred(thread, order);
}

static bool has_many_children(const struct omp__crew *crew, const struct omp__family *family)
{
	return crew->team && atomic_load_explicit(&family->count, memory_order_relaxed) >> 32 >=
				     (uint64_t)OMP__CHILDREN_PER_MEMBER * crew->team->size;
}

/*
 * Whether to run a task at once although it could be deferred: thieves find enough other tasks, and it need not wait
 * for a sibling.
 */
static bool better_undeferred(struct omp__crew *crew, const struct omp__task *task, const struct omp__task_order *order)
{
	struct omp__family *family = task->family;

	if (order->flags & OMP__TASK_DETACH)
		return false;
	if ((order->flags & OMP__TASK_DEPEND) && family && omp__depend_blocked(family, order->depend))
		return has_many_children(crew, family);
	if ((order->flags & OMP__TASK_PRIORITY) && order->priority > 0 && omp__globals.max_task_priority > 0 &&
	    crew->team && crew->team->size > 1)
		return family && has_many_children(crew, family);
	return omp__deque_filled(&crew->deque) >= task->room;
}

static void create(struct omp__thread *thread, const struct omp__task_order *order)
{
	struct omp__task *task = thread->task;
	struct omp__crew *crew = task->crew ? task->crew : omp__task_attach(thread, task);
	struct omp__deferred *deferred;

	if (omp__globals.cancellation && !(order->flags & OMP__TASK_COPIED) &&
	    omp__task_discarded(thread, task->taskgroup))
		return;
	if (!order->if_clause || task->final || better_undeferred(crew, task, order)) {
		create_undeferred(thread, order);
		return;
	}
	deferred = defer(thread, order);
	crew = task->crew;
	if ((order->flags & OMP__TASK_DEPEND) && !omp__depend_enter(thread, deferred->of, deferred, order->depend))
		return;
	if (omp__deque_filled(&crew->deque) >= task->room && deferred->priority <= 0)
		omp__task_execute(thread, deferred);
	else
		omp__ready_push(thread, crew, deferred);
}

void omp__task_create(struct omp__thread *thread, const struct omp__task_order *order)
{
	create(thread, order);
	if (omp__tool_is_on())
		omp__tool_task_leave(thread->task);
}
