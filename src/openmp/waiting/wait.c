/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow half of waiting: thread/spin.h says how long to look; what a co-scheduler advises comes first. Then how to
 * sleep.
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
uint64_t omp__wait_crowded_ns = 40000;
uint64_t omp__wait_idle_crowded_ns = 440000;

static unsigned awake_now(void)
{
	return (unsigned)(atomic_load_explicit(&omp__crowd_excess, memory_order_relaxed) + (int)omp__host_processors());
}

enum thread__company omp__wait_company(uint64_t now_ns)
{
	return thread__ask_for_company(now_ns, awake_now(), omp__host_processors());
}

/* The thread that ends an announced sleep, its owner or a waker, counts the owner as awake from then on. */
static void count_awake(unsigned threads)
{
	atomic_fetch_add_explicit(&omp__crowd_excess, (int)threads, memory_order_relaxed);
}

static void announce(struct omp__wait *wait)
{
	atomic_fetch_sub_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	wait->announced = wait->seat->announced = true;
	if (wait->event) {
		wait->sleep = thread__eventcount_prepare(wait->event);
		return;
	}
	atomic_store_explicit(&wait->seat->key, wait->key, memory_order_relaxed);
	atomic_store_explicit(&wait->seat->helps, wait->helps, memory_order_relaxed);
	/* seq_cst: the full barrier of the waiter's side */
	atomic_exchange_explicit(&wait->seat->parked, 1, memory_order_seq_cst);
}

void omp__wait_leave(struct omp__wait *wait)
{
	wait->announced = wait->seat->announced = false;
	if (wait->event ? thread__eventcount_leave(wait->event, wait->sleep)
			: atomic_exchange_explicit(&wait->seat->parked, 0, memory_order_relaxed))
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
	thread__futex_wait(&wait->seat->parked, 1, deadline);
	return !atomic_load_explicit(&wait->seat->parked, memory_order_relaxed);
}

/* Announced in the last step, and the condition was looked at since: nothing more can be missed. */
static void sleep_now(struct omp__wait *wait)
{
	bool woken = sleep_once(wait);

	if (__builtin_expect(omp__coscheduler != NULL, 0))
		omp__coscheduler->woken(wait->seat);
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
	if (wait->announced) {
		sleep_now(wait);
		return;
	}
	wait->step++;
	if (__builtin_expect(omp__coscheduler != NULL, 0)) {
		switch (omp__coscheduler->advise(wait)) {
		case OMP__WAIT_PARK:
			announce(wait);
			return;
		case OMP__WAIT_YIELD:
			thread__yield(thread__now_ns(), awake_now(), omp__host_processors());
			return;
		case OMP__WAIT_AS_USUAL:
			break;
		}
	}
	/* relaxed: one that is read late makes a wait a bit longer */
	wait->spin.is_crowded = atomic_load_explicit(&wait->seat->crowded, memory_order_relaxed);
	if (!thread__spin(&wait->spin, awake_now(), omp__host_processors()))
		announce(wait);
}

/* Only the thread that takes the mark off wakes the owner, so that one sleep costs one call. */
void omp__seat_wake(struct omp__seat *seat)
{
	if (!atomic_exchange_explicit(&seat->parked, 0, memory_order_seq_cst))
		return;
	/* relaxed: who misses it takes the owner for one that has lost its processor, and sleeps */
	atomic_store_explicit(&seat->runner.woken_ns, thread__now_ns(), memory_order_relaxed);
	count_awake(1);
	thread__futex_wake(&seat->parked, 1);
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
