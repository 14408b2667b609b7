/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork(2). OpenMP says nothing of it. Here the child goes on with one thread, the one that forked.
 *
 * The workers of its teams are not in the child, and their memory is in a state that nobody knows. So the child forgets
 * idle teams, with their memory. Each region that the thread is in goes on as a region of one thread: the thread meets
 * no other at barriers, gets what no other thread has taken of a loop, and the tasks that the region had deferred are
 * forgotten. The thread keeps the number and the team the size that the program has been told, because compilers take
 * omp_get_thread_num for a constant: half of a static loop's bounds may have been computed before the fork.
 *
 * A primary thread leaves its regions as always, and is an ordinary initial thread after that. A worker's outermost
 * region becomes an initial region, because the regions around it lie on the primary's stack, and the primary is not in
 * the child. When the worker leaves that region, its thread ends; with the last thread the child ends, as after
 * pthread_exit(3).
 *
 * Locks and critical regions that other threads held stay held, as mutexes do. The runtime's own lock of Fortran's
 * allocatable variables is taken before the fork and given back after it on both sides, so what it protects is whole in
 * the child. The list of pools whose threads have ended is whole at any time.
 */
#include "openmp/process/fork.h"
#include "openmp/system/coscheduler.h"
#include "openmp/memory/allocated_set.h"
#include "openmp/process/initial_variables.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/task.h"
#include "openmp/team/barrier.h"

#include "thread/neighbours.h"

/* Forget the tasks that had not ended, so that nothing waits for them. */
static void forget_tasks(struct omp__task *task)
{
	task->family = NULL;
	task->crew = NULL;
	task->mark = 0;
	for (struct omp__taskgroup *group = task->taskgroup; group; group = group->outer)
		atomic_store_explicit(&group->count, 0, memory_order_relaxed);
}

static void keep_member(struct omp__team *team, struct omp__member *member)
{
	team->members[0] = member;
	member->num = 0;
	team->size = 1;
	team->member_count = 1;
	team->idle_from = 1;
	team->rounds = 0;
	team->oversubscribed = false;
	team->is_pair = false;
	team->inner = NULL;
	atomic_store_explicit(&team->users, 1, memory_order_relaxed);
	atomic_store_explicit(&team->helpers, 0, memory_order_relaxed);
	atomic_store_explicit(&team->tasks_live, 0, memory_order_relaxed);
	atomic_store_explicit(&team->tasks.queued, 0, memory_order_relaxed);
	atomic_store_explicit(&team->tasks.queue_lock, 0, memory_order_relaxed);
	atomic_store_explicit(&team->tasks.completed, 0, memory_order_relaxed);
	atomic_store_explicit(&team->tasks.outsiders, 0, memory_order_relaxed);
	atomic_store_explicit(&team->tasks.climbers, 0, memory_order_relaxed);
	team->tasks.queue = NULL;
	omp__barrier_reset(team);
	omp__task_member_start(member);
	atomic_store_explicit(&member->tasks.created, 0, memory_order_relaxed);
	atomic_store_explicit(&member->tasks.completed, 0, memory_order_relaxed);
}

bool omp__forked_inside;

unsigned omp__told_num(const struct omp__region *region)
{
	const struct omp__team *team = region->team;

	return team && team->told_count ? team->told_num : region->thread_num;
}

unsigned omp__told_count(const struct omp__region *region)
{
	const struct omp__team *team = region->team;

	return team && team->told_count ? team->told_count : region->thread_count;
}

/* Make the worker's region an initial one; the levels of the regions inside it become smaller by as much. */
static void cut_off(struct omp__thread *thread, struct omp__region *base)
{
	struct omp__team *team = base->team;
	unsigned level = base->level;

	for (struct omp__region *region = thread->region; region != base; region = region->outer)
		region->level -= level;
	base->level = 0;
	base->outer = NULL;
	base->implicit.parent = NULL;
	/*
	 * Size 0 of the next generation: the worker finds it when it waits for its next region, and ends
	 * (omp__member_main()).
	 */
	atomic_store_explicit(&team->fork.go, (uint64_t)(team->generation + 1), memory_order_relaxed);
}

/*
 * Make each region that the thread is in a region of one thread. Returns how many other threads those regions had,
 * which the thread's group counts.
 */
static unsigned go_on_alone(struct omp__thread *thread)
{
	const struct omp__task *task = thread->task;
	unsigned others = 0;

	for (struct omp__region *region = thread->region; region; region = region->outer) {
		struct omp__member *member = region->member;
		bool is_worker = member && member->num != 0;

		if (task == &region->implicit)
			forget_tasks(&region->implicit);
		task = region->implicit.parent;
		region->active_level = 0;
		/* A region of several threads has a team, in which the thread is a member. */
		if (member && region->thread_count > 1) {
			others += region->thread_count - 1;
			region->team->told_num = region->thread_num;
			region->team->told_count = region->thread_count;
			omp__forked_inside = true;
			keep_member(region->team, member);
			region->thread_num = 0;
			region->thread_count = 1;
			if (region->team->slot)
				*region->team->slot = NULL;
		}
		if (is_worker) {
			cut_off(thread, region);
			break;
		}
	}
	return others;
}

void omp__before_fork(void)
{
	omp__allocated_set_lock();
}

void omp__after_fork(void)
{
	omp__allocated_set_unlock();
}

void omp__forked(void)
{
	struct omp__thread *thread = omp__tls;

	omp__after_fork();
	thread__neighbours_forget();
	omp__system_forked();
	atomic_store_explicit(&omp__awake_excess, (thread && !omp__coscheduler ? 1 : 0) - (int)omp__system_full_time(),
			      memory_order_relaxed);
	omp__initial_forked();
	if (omp__coscheduler)
		omp__coscheduler->forked(thread);
	if (!thread)
		return;
	thread->hot_first = NULL;
	*thread->hot = NULL;
	atomic_store_explicit(&thread->group->busy, 1 + go_on_alone(thread), memory_order_relaxed);
	thread__runner_start(&thread->parker.runner);
}
