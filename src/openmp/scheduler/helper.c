/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom a new task wakes, and who looks for tasks that woke nobody (helper.h). */
#include "openmp/scheduler/helper.h"
#include "openmp/synchronization/team_wake.h"

#include "thread/clock.h"

_Atomic uint64_t omp__helper_sleep_ns = 5000000;

/* The longest sleep of a helper whose team has tasks. */
#define SLEEP_MAX_NS UINT64_C(32000000)
/* How long what one helper has counted holds. To count takes 10 us for each member that is awake. */
#define COUNT_NS UINT64_C(5000000)

/*
 * Whether the team's running threads have all processors. `elsewhere`: how many of the threads that are awake do not
 * run for the team. relaxed: a hint; if it is wrong, a helper looks again.
 */
static bool is_full(int elsewhere)
{
	int running = (int)omp__wait_awake() - elsewhere;

	/* The pusher alone, on the only processor, may be about to wait for the task by means of its own. */
	return running > 1 && running >= (int)omp__system_full_time();
}

void omp__helper_wake_first(struct omp__team *team)
{
	if (!team->oversubscribed)
		return;
	omp__wait_fence();
	omp__team_wake(team, NULL);
}

void omp__helper_limit(const struct omp__team *team, struct omp__wait *wait)
{
	/* if it slept, found no task and sleeps again, its limit has doubled */
	if (!team->oversubscribed || wait->timed_out)
		return;
	wait->limit_ns = atomic_load_explicit(&omp__helper_sleep_ns, memory_order_relaxed);
	wait->limit_max_ns = SLEEP_MAX_NS;
}

void omp__helper_wake(struct omp__team *team)
{
	omp__wait_fence();
	if (team->oversubscribed && is_full(atomic_load_explicit(&team->tasks.elsewhere, memory_order_relaxed)))
		return;
	omp__team_wake_helper(team);
}

/*
 * How many members have a processor or wait for one; the caller counts unless it is still parked. Those whose state
 * nobody can read do not count, so that new tasks wake helpers.
 */
static int count_running(const struct omp__thread *self, const struct omp__team *team)
{
	int count = 0;

	for (unsigned i = 0; i < team->size; i++) {
		const struct omp__thread *thread = team->members[i]->thread;

		if (thread == self)
			count += !self->parker.parking;
		else if (!atomic_load_explicit(&thread->parker.runner.sleeps, memory_order_relaxed))
			count += thread__runner_state(&thread->parker.runner) == 'R';
	}
	return count;
}

static void count_elsewhere(const struct omp__thread *self, struct omp__team *team)
{
	uint64_t now = thread__now_ns(), counted = atomic_load_explicit(&team->tasks.counted_ns, memory_order_relaxed);
	int elsewhere;

	if (now - counted < COUNT_NS ||
	    !atomic_compare_exchange_strong_explicit(&team->tasks.counted_ns, &counted, now, memory_order_relaxed,
						     memory_order_relaxed))
		return;
	elsewhere = (int)omp__wait_awake() - count_running(self, team);
	atomic_store_explicit(&team->tasks.elsewhere, elsewhere > 0 ? elsewhere : 0, memory_order_relaxed);
}

void omp__helper_found_task(const struct omp__thread *self, struct omp__team *team)
{
	const struct omp__wait *wait = self->parker.parking;

	if (__builtin_expect(!team->oversubscribed, 1))
		return;
	/* Nobody has woken it for the task; or it may have been woken because of threads that are back now. */
	if ((wait && wait->timed_out) || atomic_load_explicit(&team->tasks.elsewhere, memory_order_relaxed) > 0)
		count_elsewhere(self, team);
}
