/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ready tasks: work stealing (Blumofe, Leiserson 1999). A member pushes a ready task onto its own deque (Chase, Lev
 * 2005) and takes the newest first; a member that has none steals the oldest of another. Tasks with a priority, and
 * those that no deque takes, go into the team's queue (queue.c).
 *
 * A thread may run what its own deque holds above the mark of its current task: these tasks were pushed since the
 * current task started, by it or by tasks that ran inside it, so they descend from it. A task that the thread steals
 * may not descend from it; then the thread puts that task into the team's queue, and leaves the deques of others alone
 * for a while.
 *
 * What may go wrong is a lost wake-up: a thread sleeps beside a task that it may run. Each side stores before it looks
 * (Dekker, as in wait.h):
 *
 *	pushes				goes to sleep
 *	store(bottom)			exchange(parked, 1)
 *	full barrier			looks at every deque once more
 *	load(parked), wakes		parks
 *
 * Whom a push wakes, and why it sometimes wakes nobody, is in helper.h.
 *
 * What may change: the numbers below; `ferry measure openmp` shows the effect. What may not: a thread that is about to
 * park looks at every deque, whatever `pause` and `rest` say.
 */
#include "openmp/scheduler/ready.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/family.h"
#include "openmp/scheduler/helper.h"
#include "openmp/scheduler/queue.h"
#include "openmp/state/deque.h"
#include "openmp/synchronization/team_wake.h"

#include "thread/clock.h"

enum {
	/* For how many looks a thread does not steal, at most, after it stole a task that it may not run. */
	PAUSE_MAX = 1024,
	/*
	 * A stolen task moves some cache lines each way, which costs both threads some 100 ns, and its creator had to
	 * defer it. Tasks that are not several times as long are done sooner by the thread that creates them, which
	 * runs them at once while its deque is full. So a thief that stole such short tasks rests before it steals
	 * again. In a tree of 5 million tasks of 15 ns, two threads took 130 ms with 200 ns and 16 looks here, and 71
	 * ms with these values.
	 */
	SHORT_NS = 1000,
	/* For how many looks such a thief rests, at most. */
	REST_MAX = 512,
	/* How many tasks a thief takes beside the first, at most. */
	STEAL_MAX = 16,
	/*
	 * A thread keeps more tasks for thieves after this many were stolen for each that it keeps, and fewer after it
	 * took this many back itself.
	 */
	HUNGRY_AFTER = 2,
	SATED_AFTER = 4,
};

void omp__ready_queue(struct omp__team *team, struct omp__deferred *deferred)
{
	omp__task_queue_put(team, deferred);
	omp__wait_fence();
	/* Wakes all sleepers, because perhaps only some of them may run the task. */
	omp__team_wake(team, NULL);
}

/*
 * Adapt how many tasks a thread keeps for thieves. Thieves that empty the deque of a thread deep in its recursion get
 * mostly small tasks, and come back at once; so the thread then keeps more, and thieves take several at a time. When
 * the thread takes tasks back itself it keeps fewer again, because deferring a task costs more than running it.
 */
static void keep_more(struct omp__crew *crew)
{
	int64_t stolen = atomic_load_explicit(&crew->deque.top, memory_order_relaxed);

	if (stolen - crew->stolen_then < crew->room_least * HUNGRY_AFTER)
		return;
	crew->stolen_then = stolen;
	crew->taken_back = 0;
	if (crew->room_least < OMP__ROOM_HUNGRY)
		crew->room_least *= 2;
}

static void keep_fewer(struct omp__crew *crew)
{
	if (crew->room_least <= OMP__ROOM_MIN || ++crew->taken_back < crew->room_least * SATED_AFTER)
		return;
	crew->taken_back = 0;
	crew->stolen_then = atomic_load_explicit(&crew->deque.top, memory_order_relaxed);
	crew->room_least /= 2;
}

void omp__ready_push(struct omp__thread *thread, struct omp__crew *crew, struct omp__deferred *deferred)
{
	(void)thread;
	if (!crew || deferred->priority > 0 || !omp__deque_push(&crew->deque, deferred)) {
		omp__ready_queue(deferred->team, deferred);
		return;
	}
	if (crew->team->size > 1) {
		keep_more(crew);
		omp__helper_wake(crew->team);
	}
}

/* Steal half of what the victim still holds too, because the cache lines that a steal fetches are here already. */
static unsigned steal_more(struct omp__thread *thread, struct omp__crew *crew, struct omp__crew *other, bool any)
{
	int64_t half = omp__deque_filled(&other->deque) / 2;
	unsigned count = 0;

	for (; count < half && count < STEAL_MAX; count++) {
		struct omp__deferred *deferred = omp__deque_steal(&other->deque);

		if (!deferred)
			break;
		if ((!any && !omp__family_descends(deferred->of, thread->task)) ||
		    !omp__deque_push(&crew->deque, deferred)) {
			omp__ready_queue(crew->team, deferred);
			break;
		}
	}
	return count;
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
		/*
		 * The thread's own deque may hold tasks below the mark, which need not descend from its current task.
		 */
		if (victim == crew->num && !any)
			continue;
		other = &team->members[victim]->tasks;
		if (!omp__deque_has(&other->deque))
			continue;
		omp__helper_found_task(thread, team);
		deferred = omp__deque_steal(&other->deque);
		if (!deferred)
			continue;
		crew->victim = victim;
		if (any || omp__family_descends(deferred->of, thread->task)) {
			crew->pause = 0;
			crew->stole = 1 + (other == crew ? 0 : steal_more(thread, crew, other, any));
			crew->stole_ns = thread__now_ns();
			return deferred;
		}
		crew->pause = crew->pause_next = crew->pause_next < PAUSE_MAX ? crew->pause_next * 2 + 1 : PAUSE_MAX;
		omp__ready_queue(team, deferred);
		return NULL;
	}
	return NULL;
}

/*
 * Decide whether the thread rests before it steals again, by how long the tasks that it stole last have kept it busy.
 */
static void judge_steal(struct omp__crew *crew)
{
	uint64_t lasted = thread__now_ns() - crew->stole_ns;

	if (lasted >= (uint64_t)SHORT_NS * crew->stole) {
		crew->rest_next = 1;
	} else {
		crew->rest = crew->rest_next;
		crew->rest_next = crew->rest_next < REST_MAX / 2 ? crew->rest_next * 2 : REST_MAX;
	}
	crew->stole = 0;
}

static bool rests(struct omp__crew *crew)
{
	if (crew->rest == 0)
		return false;
	crew->rest--;
	thread__relax();
	return true;
}

struct omp__deferred *omp__ready_take(struct omp__thread *thread, struct omp__crew *crew, int64_t mark, bool any)
{
	struct omp__team *team = crew->team;
	struct omp__deferred *deferred;

	if (__builtin_expect(omp__task_queue_has(team), 0)) {
		deferred = omp__task_queue_take(crew, any ? NULL : thread->task);
		if (deferred)
			return deferred;
	}
	deferred = omp__deque_take(&crew->deque, mark);
	if (deferred) {
		keep_fewer(crew);
		return deferred;
	}
	/* A thread that has prepared to park must look at every deque once more. */
	if (thread->parker.parking) {
		omp__helper_limit(team, thread->parker.parking);
	} else {
		if (!any && crew->pause > 0) {
			crew->pause--;
			return NULL;
		}
		if (crew->stole)
			judge_steal(crew);
		if (rests(crew))
			return NULL;
	}
	return steal(thread, crew, any);
}
