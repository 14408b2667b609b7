/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for tasks: a thread at a taskwait, at the end of a taskgroup or at a barrier runs ready tasks, and sleeps
 * when it finds none. What it waits for is a word in which some bits count tasks, until these bits are 0. Another bit,
 * WAITED, says that a thread waits; only then the end of a task looks for a sleeper. What may go wrong is a lost
 * wake-up:
 *
 *	waits until a word's bits are 0		clears the last of them
 *	fetch_or(word, WAITED)			fetch_sub(word), sees WAITED or not
 *	exchange(parker parked, 1)		with WAITED: load(parker parked), wakes
 *	load(word), parks
 *
 * Both threads change the word by locked operations, so one comes first. If the waiter's comes first, the other thread
 * sees WAITED and then the parker, or the waiter's next load of the word comes after the other's operation (Dekker, as
 * in wait.h). If the other's comes first, the waiter loads a word whose bits are 0 already. After its fetch_sub the
 * other thread does not touch the word's memory again.
 */
#include "openmp/scheduler/task_wait.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/depend.h"
#include "openmp/scheduler/depend_node.h"
#include "openmp/scheduler/depend_table.h"
#include "openmp/scheduler/ready.h"
#include "openmp/scheduler/task.h"
#include "openmp/scheduler/tool_task.h"
#include "openmp/state/deque.h"
#include "openmp/synchronization/team_wake.h"

#include "thread/clock.h"

/* Run one task that the thread may run (omp__ready_take); false when there was none. */
static bool run_ready(struct omp__thread *thread, struct omp__crew *crew, int64_t mark, bool any)
{
	struct omp__deferred *deferred = omp__ready_take(thread, crew, mark, any);

	if (!deferred)
		return false;
	/*
	 * The task may have been found by the last look before a sleep. Leave PARKING, because the task's own waits
	 * need the parker.
	 */
	if (__builtin_expect(thread->parker.parking != NULL, 0))
		omp__wait_leave(thread->parker.parking);
	omp__task_execute(thread, deferred);
	return true;
}

static bool run_one(struct omp__thread *thread)
{
	const struct omp__task *task = thread->task;

	return run_ready(thread, task->crew, task->mark, task->loose && omp__stack_is_shallow());
}

/* acquire: sees what the threads did that cleared the bits */
static inline bool are_clear(_Atomic uint64_t *word, uint64_t mask)
{
	return (atomic_load_explicit(word, memory_order_acquire) & mask) == 0;
}

static __attribute__((noinline)) void wait_idle(struct omp__thread *thread, _Atomic uint64_t *word, uint64_t mask,
						uint64_t waited)
{
	struct omp__wait wait = omp__wait_begin(&thread->parker, NULL, word);

	wait.helps = true;
	atomic_fetch_or_explicit(word, waited, memory_order_seq_cst);
	while (!are_clear(word, mask)) {
		if (!run_one(thread)) {
			omp__wait_step(&wait);
			continue;
		}
		omp__wait_end(&wait);
		wait = omp__wait_begin(&thread->parker, NULL, word);
		wait.helps = true;
	}
	omp__wait_end(&wait);
	/* No thread sleeps for the word from here on, so none has to be woken; the next wait sets the bit again. */
	atomic_fetch_and_explicit(word, ~waited, memory_order_relaxed);
}

void omp__task_wait(struct omp__thread *thread, _Atomic uint64_t *word, uint64_t mask, uint64_t waited)
{
	while (!are_clear(word, mask)) {
		if (!run_one(thread)) {
			wait_idle(thread, word, mask, waited);
			return;
		}
	}
}

void omp__depend_wait(struct omp__thread *thread, struct omp__family *family, void **depend,
		      struct omp__tool_task *tool)
{
	_Atomic uint64_t pending = OMP__PENDING;
	struct omp__depend_node node;

	if (omp__depend_await(thread, family, depend, &node, &pending, tool))
		omp__task_wait(thread, &pending, ~OMP__PENDING_WAITED, OMP__PENDING_WAITED);
}

static OMP__TOOL_ONLY void depend_wait_for_tool(struct omp__thread *thread, void **depend,
						const struct omp__tool_call *call)
{
	struct omp__family *family = thread->task->family;
	struct omp__tool_task tool;

	omp__tool_taskwait_new(thread, &tool, depend, call);
	if (family)
		omp__depend_wait(thread, family, depend, &tool);
	omp__tool_schedule(&tool, ompt_taskwait_complete, NULL);
	omp__tool_task_leave(thread->task);
}

void omp__depend_wait_here(struct omp__thread *thread, void **depend, struct omp__tool_call call)
{
	if (omp__tool_is_on() && omp__tool_knows(thread))
		depend_wait_for_tool(thread, depend, &call);
	else if (thread->task->family)
		omp__depend_wait(thread, thread->task->family, depend, NULL);
}

void omp__taskwait(struct omp__thread *thread)
{
	struct omp__family *family = thread->task->family;

	if (!family)
		return;
	if (omp__family_children(family))
		omp__task_wait(thread, &family->count, ~(OMP__FAMILY_CHILD - 1), OMP__FAMILY_WAITED);
	if (family->depends)
		omp__depend_reset(thread, family);
}

void omp__taskwait_for_tool(struct omp__thread *thread, struct omp__tool_call call)
{
	struct omp__tool_wait sync = { .call = call, .kind = ompt_sync_region_taskwait };

	omp__tool_sync_begin(thread, &sync);
	omp__taskwait(thread);
	omp__tool_sync_end(thread, &sync);
}

void omp__taskyield(struct omp__thread *thread)
{
	struct omp__crew *crew = thread->task->crew;
	struct omp__deferred *deferred;

	if (!crew || !crew->team || omp__deque_filled(&crew->deque) == 0)
		return;
	deferred = omp__ready_take(thread, crew, thread->task->mark, false);
	if (!deferred)
		return;
	if (omp__tool_is_on())
		thread->tool.yields = true;
	omp__task_execute(thread, deferred);
}

bool omp__tasks_help(struct omp__thread *thread)
{
	struct omp__task *task = thread->task;
	bool ran;

	task->loose = true;
	ran = run_ready(thread, &thread->region->member->tasks, 0, true);
	task->loose = false;
	return ran;
}

/*
 * Whether every task of the team has ended: first add up how many have ended, then how many were created (Mattern
 * 1987). The two sums are equal only if no task is left. For suppose one is left: it was created by a task, and so on
 * up to an implicit task. In this chain look at the first task that the first sum does not count. Its creator has ended
 * as seen by the first sum, or is an implicit task at the barrier; so it had been created before, and the second sum
 * counts it.
 */
static bool is_quiet(const struct omp__team *team)
{
	uint64_t completed = atomic_load_explicit(&team->tasks.completed, memory_order_acquire);
	uint64_t created = 0;

	for (unsigned i = 0; i < team->member_count; i++)
		completed += atomic_load_explicit(&team->members[i]->tasks.completed, memory_order_acquire);
	for (unsigned i = 0; i < team->member_count; i++)
		created += atomic_load_explicit(&team->members[i]->tasks.created, memory_order_acquire);
	return created == completed;
}

bool omp__tasks_ended(const struct omp__team *team)
{
	unsigned looks = 0;

	if (!is_quiet(team))
		return false;
	/* A thread outside the team that has ended a task may still look at the team, for some instructions. */
	while (atomic_load_explicit(&team->tasks.outsiders, memory_order_acquire) != 0)
		thread__spin_briefly(&looks);
	return true;
}

void omp__tasks_drain(struct omp__thread *thread)
{
	struct omp__team *team = thread->region->team;
	struct omp__wait wait = omp__wait_begin(&thread->parker, NULL, &team->tasks);

	wait.helps = true;
	while (!omp__tasks_ended(team)) {
		if (!omp__tasks_help(thread)) {
			omp__wait_step(&wait);
			continue;
		}
		omp__wait_end(&wait);
		wait = omp__wait_begin(&thread->parker, NULL, &team->tasks);
		wait.helps = true;
	}
	omp__wait_end(&wait);
	/* The thread that ran the last task comes here too, and wakes the members that sleep until it has ended. */
	omp__wait_fence();
	omp__team_wake(team, &team->tasks);
}
