/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow half of waiting: thread/spin.h says how long to look; what a guest wants comes first. Then how to sleep.
 */
#include "openmp/waiting/wait.h"
#include "openmp/guest.h"

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/neighbours.h"

_Atomic int omp__crowd_excess;
/*
 * As libgomp looks for 3 to 12 ms, by the length of a pause; but only at a thread that runs. Regions are often about a
 * millisecond apart.
 */
uint64_t omp__wait_spin_ns = 3000000;
uint64_t omp__wait_any_ns = 440000;
/* What a sleep and a wake-up on another core cost was measured as 24 to 44 us. */
uint64_t omp__wait_crowded_ns = 40000;
uint64_t omp__wait_idle_crowded_ns = 440000;

enum {
	/* The guest is asked once in so many looks. */
	LOOKS_PER_QUESTION = 64,
	/*
	 * How long a member of a region waits for another before it leaves its processor to the guest's threads: for as
	 * long as a wake-up takes, or two that have slept once wait for each other's wake-up at each barrier from then
	 * on. A region of ten that a collection came into took 140 to 400 us so, and the collection waited for it.
	 */
	GUEST_SPIN_NS = 40000,
	/*
	 * How long a worker between two regions goes on looking while it leaves its processor to the guest's threads:
	 * longer than a collection that nothing keeps waiting (40 to 120 us). A processor that all have left sleeps,
	 * and the next region waits 25 us for it (in a virtual machine, where that is an interrupt from outside).
	 */
	GUEST_YIELD_NS = 120000,
	/* How long a waiter looks between the regions of a batch, which may have other functions between them. */
	BATCH_SPIN_NS = 10000000,
};

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

	if (__builtin_expect(omp__guest != NULL, 0))
		omp__guest_woken(wait->seat);
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

/* relaxed: one that is read late is acted upon at the next look */
static bool idles(const struct omp__wait *wait, enum omp__idle how)
{
	return wait->idle && atomic_load_explicit(wait->idle, memory_order_relaxed) == how;
}

/*
 * Whether the guest's threads are to have the waiter's processor until it is woken. Between regions they get it at
 * once, but the waiter stays where it is, behind them, unless a neighbour would be let in too.
 */
static bool leaves_to_guest(struct omp__wait *wait)
{
	uint64_t now;

	if (idles(wait, OMP__IDLE_PARKS))
		return true;
	if (wait->step % LOOKS_PER_QUESTION && !wait->behind_ns)
		return false;
	/* a worker between regions of a guest is in the way of the guest's own threads, but in a batch */
	if (wait->idle)
		wait->spin.limit_ns = idles(wait, OMP__IDLE_STAYS) ? BATCH_SPIN_NS : omp__wait_any_ns;
	if (!omp__guest_crowded()) {
		wait->behind_ns = 0;
		return false;
	}
	now = thread__now_ns();
	if (!wait->idle)
		return wait->spin.begun_ns && now - wait->spin.begun_ns >= GUEST_SPIN_NS;
	if (!wait->behind_ns)
		wait->behind_ns = now;
	return now - wait->behind_ns >= GUEST_YIELD_NS || thread__has_neighbours(now);
}

void omp__wait_slowly(struct omp__wait *wait)
{
	if (wait->announced) {
		sleep_now(wait);
		return;
	}
	wait->step++;
	if (__builtin_expect(omp__guest != NULL, 0)) {
		if (leaves_to_guest(wait)) {
			announce(wait);
			return;
		}
		if (wait->behind_ns) {
			thread__yield(thread__now_ns(), awake_now(), omp__host_processors());
			return;
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
