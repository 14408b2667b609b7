/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ready tasks: where they are put, and where a thread that has nothing else to do finds one.
 *
 * A thread may run what its own deque holds above the mark of its current task, because that was pushed since the task
 * started: by the task, or by what ran inside it, so it descends from it. What it steals may not; then it goes into the
 * team's queue, and the thread leaves the deques of others alone for a while.
 *
 *	pushes				goes to sleep
 *	store(bottom)			exchange(parked, 1)
 *	full barrier			looks at every deque once more
 *	load(parked), wakes		parks
 */
#include "crowd.h"
#include "task_queue.h"
#include "thread.h"

#include "thread/clock.h"

enum {
	PAUSE_MAX = 1024,
	/*
	 * A stolen task moves some cache lines each way, which costs both threads 100 ns and more. Tasks shorter than
	 * that are done sooner by the thread that creates them, at once, if its deque stays full: so who steals such a
	 * one rests before the next.
	 */
	SHORT_NS = 200,
	REST_MAX = 16,
};

static void wake_one(struct omp__team *team)
{
	omp__wait_fence();
	/* A woken thread would only take the processor from one that already has work. */
	if (team->crowded && atomic_load_explicit(&omp__crowd_excess, memory_order_relaxed) >= 0)
		return;
	omp__team_wake_helper(team);
}

void omp__ready_queue(struct omp__team *team, struct omp__deferred *deferred)
{
	omp__task_queue_put(team, deferred);
	omp__wait_fence();
	/* Only some of the sleepers may be allowed to run it. */
	omp__team_wake(team, NULL);
}

void omp__ready_push(struct omp__thread *thread, struct omp__crew *crew, struct omp__deferred *deferred)
{
	(void)thread;
	if (!crew || deferred->priority > 0 || !omp__deque_push(&crew->deque, deferred)) {
		omp__ready_queue(deferred->team, deferred);
		return;
	}
	if (crew->team->size > 1)
		wake_one(crew->team);
}

static struct omp__deferred *steal(struct omp__thread *thread, struct omp__crew *crew, bool any)
{
	struct omp__team *team = crew->team;
	unsigned victim = crew->victim;

	for (unsigned i = 0; i < team->size; i++, victim++) {
		struct omp__crew *other;
		struct omp__deferred *deferred;

		if (victim >= team->size)
			victim = 0;
		if (victim == crew->num)
			continue;
		other = &team->members[victim]->tasks;
		if (!omp__deque_has(&other->deque))
			continue;
		deferred = omp__deque_steal(&other->deque);
		if (!deferred)
			continue;
		crew->victim = victim;
		if (any || omp__task_descends(deferred, thread->task)) {
			crew->pause = 0;
			return deferred;
		}
		crew->pause = crew->pause_next = crew->pause_next < PAUSE_MAX ? crew->pause_next * 2 + 1 : PAUSE_MAX;
		omp__ready_queue(team, deferred);
		return NULL;
	}
	return NULL;
}

static bool rests(const struct omp__thread *thread, struct omp__crew *crew)
{
	/* Who is about to sleep has announced it, and must look at the deques once more. */
	if (crew->rest == 0 || atomic_load_explicit(&thread->seat.parked, memory_order_relaxed))
		return false;
	crew->rest--;
	thread__relax();
	return true;
}

struct omp__deferred *omp__ready_take(struct omp__thread *thread, struct omp__crew *crew, bool any)
{
	struct omp__team *team = crew->team;
	struct omp__deferred *deferred;

	crew->stole = false;
	if (__builtin_expect(omp__task_queue_has(team), 0)) {
		deferred = omp__task_queue_take(team, any ? NULL : thread->task);
		if (deferred)
			return deferred;
	}
	deferred = omp__deque_take(&crew->deque, any ? 0 : thread->task->mark);
	if (deferred)
		return deferred;
	if (!any && crew->pause > 0) {
		crew->pause--;
		return NULL;
	}
	if (rests(thread, crew))
		return NULL;
	deferred = steal(thread, crew, any);
	crew->stole = deferred != NULL;
	return deferred;
}

static void run_stolen(struct omp__thread *thread, struct omp__crew *crew, struct omp__deferred *deferred)
{
	uint64_t then = thread__now_ns();

	omp__task_execute(thread, deferred);
	if (thread__now_ns() - then >= SHORT_NS) {
		crew->rest_next = 1;
		return;
	}
	crew->rest = crew->rest_next;
	crew->rest_next = crew->rest_next < REST_MAX / 2 ? crew->rest_next * 2 : REST_MAX;
}

bool omp__ready_run(struct omp__thread *thread, struct omp__crew *crew, bool any)
{
	struct omp__deferred *deferred;

	deferred = omp__ready_take(thread, crew, any);
	if (!deferred)
		return false;
	if (crew->stole)
		run_stolen(thread, crew, deferred);
	else
		omp__task_execute(thread, deferred);
	return true;
}
