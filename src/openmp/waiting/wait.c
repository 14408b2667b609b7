/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow half of waiting: one step of a state machine for each look at the condition. The state is in struct
 * omp__wait.
 *
 *	          the condition is true: omp__wait_end(), from every state
 *	                                  ^
 *	  +--------> SPINNING ------------+--- looks long enough (thread/spin.h), or the co-scheduler says park
 *	  |           ^    |                                           |
 *	  |           |    | the co-scheduler says yield               v
 *	  |           |    v                                        PARKING   parker marked, counted as asleep
 *	  |          YIELDING                                          |      looks at the condition once more
 *	  |                                                            v
 *	  +------------------- a waker takes the mark off ---------- PARKED --+
 *	                                                               ^      | limit_ns has passed: it doubles, and
 *	                                                               +------+ the waiter looks and parks again
 *
 * SPINNING and YIELDING are steps with wait->parking false, YIELDING with behind_ns set. prepare_to_park() enters
 * PARKING. The look between two steps is what makes PARKING safe (wait.h draws the race).
 */
#include "openmp/waiting/wait.h"
#include "openmp/host/coscheduler.h"
#include "openmp/host/host.h"

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/neighbours.h"

/*
 * As libgomp looks for 3 to 12 ms, by the length of a pause; but only at a thread that runs. Regions are often about a
 * millisecond apart.
 */
uint64_t omp__wait_spin_ns = 3000000;
uint64_t omp__wait_any_ns = 440000;
/* What a sleep and a wake-up on another core cost was measured as 24 to 44 us. */
uint64_t omp__wait_oversubscribed_ns = 40000;
uint64_t omp__wait_between_oversubscribed_ns = 440000;

static unsigned awake_now(void)
{
	return (unsigned)(atomic_load_explicit(&omp__awake_excess, memory_order_relaxed) + (int)omp__host_full_time());
}

enum thread__company omp__wait_company(uint64_t now_ns)
{
	return thread__ask_for_company(now_ns, awake_now(), omp__host_full_time());
}

/* The thread that ends a park, the owner or a waker, counts the owner as awake from then on. */
static void count_awake(unsigned threads)
{
	atomic_fetch_add_explicit(&omp__awake_excess, (int)threads, memory_order_relaxed);
}

static void prepare_to_park(struct omp__wait *wait)
{
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	wait->parking = wait->parker->parking = true;
	if (wait->event) {
		wait->sleep = thread__eventcount_prepare(wait->event);
		return;
	}
	atomic_store_explicit(&wait->parker->key, wait->key, memory_order_relaxed);
	atomic_store_explicit(&wait->parker->helps, wait->helps, memory_order_relaxed);
	/* seq_cst: the full barrier of the waiter's side */
	atomic_exchange_explicit(&wait->parker->parked, 1, memory_order_seq_cst);
}

void omp__wait_leave(struct omp__wait *wait)
{
	wait->parking = wait->parker->parking = false;
	if (wait->event ? thread__eventcount_leave(wait->event, wait->sleep)
			: atomic_exchange_explicit(&wait->parker->parked, 0, memory_order_relaxed))
		count_awake(1);
}

/* False: it was not woken, and its limit has passed. */
static bool sleep_once(struct omp__wait *wait)
{
	uint64_t deadline = wait->limit_ns ? thread__now_ns() + wait->limit_ns : THREAD__NEVER;

	if (wait->event) {
		thread__eventcount_wait(wait->event, wait->sleep);
		return true;
	}
	thread__futex_wait(&wait->parker->parked, 1, deadline);
	return !atomic_load_explicit(&wait->parker->parked, memory_order_relaxed);
}

/* The last step prepared to park, and the condition was read since: no wake-up can be missed. */
static void sleep_now(struct omp__wait *wait)
{
	bool woken = sleep_once(wait);

	if (__builtin_expect(omp__coscheduler != NULL, 0))
		omp__coscheduler->woken(wait->parker);
	if (woken) {
		/* the condition is probably true; if it is not, spin again */
		omp__wait_leave(wait);
		wait->step = OMP__WAIT_EAGER;
		wait->behind_ns = 0;
		thread__spin_again(&wait->spin);
	} else if (wait->limit_ns && wait->limit_ns < OMP__WAIT_LIMIT_MAX_NS) {
		wait->limit_ns *= 2;
	}
}

void omp__wait_slowly(struct omp__wait *wait)
{
	if (wait->parking) {
		sleep_now(wait);
		return;
	}
	wait->step++;
	if (__builtin_expect(omp__coscheduler != NULL, 0)) {
		switch (omp__coscheduler->advise(wait)) {
		case OMP__WAIT_PARK:
			prepare_to_park(wait);
			return;
		case OMP__WAIT_YIELD:
			thread__yield(thread__now_ns(), awake_now(), omp__host_full_time());
			return;
		case OMP__WAIT_AS_USUAL:
			break;
		}
	}
	/* relaxed: one that is read late makes a wait a bit longer */
	wait->spin.is_crowded = atomic_load_explicit(&wait->parker->oversubscribed, memory_order_relaxed);
	if (!thread__spin(&wait->spin, awake_now(), omp__host_full_time()))
		prepare_to_park(wait);
}

/* Only the thread that takes the mark off wakes the owner, so that one sleep costs one call. */
void omp__parker_wake(struct omp__parker *parker)
{
	if (!atomic_exchange_explicit(&parker->parked, 0, memory_order_seq_cst))
		return;
	/* relaxed: a waiter that misses it believes that the owner has lost its processor, and sleeps */
	atomic_store_explicit(&parker->runner.woken_ns, thread__now_ns(), memory_order_relaxed);
	count_awake(1);
	thread__futex_wake(&parker->parked, 1);
}

void omp__event_wake_all(struct thread__eventcount *event)
{
	unsigned woken = thread__eventcount_wake_all(event);

	if (__builtin_expect(woken, 0))
		count_awake(woken);
}

bool omp__event_wake_one(struct thread__eventcount *event)
{
	if (__builtin_expect(!thread__eventcount_wake_one(event), 1))
		return false;
	count_awake(1);
	return true;
}
