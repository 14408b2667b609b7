/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow half of waiting: two-phase waiting (Ousterhout 1982) as a state machine. A waiter first spins: it looks at
 * its condition again and again. When spinning no longer pays, it parks: it sleeps at its parker, a futex word that
 * each thread has, or at an eventcount, where one event ends many waits (wait.h). The caller's loop is
 *
 *	while (!condition())		a look
 *		omp__wait_step(&wait);	a step: a pause, and after OMP__WAIT_EAGER of them omp__wait_slowly()
 *	omp__wait_end(&wait);
 *
 * so a look lies between any two steps, and the look that finds the condition true ends the wait, whatever its state:
 *
 *	state		step of omp__wait_slowly()			next state
 *	SPINNING	pause, or yield to threads of this process	SPINNING
 *	YIELDING	yield to threads of the co-scheduler		YIELDING
 *	PARKING		sleep in the kernel; woken			SPINNING
 *			sleep in the kernel; limit_ns has passed	PARKING
 *
 *	        +-- pause --+                +-- yield --+
 *	        |           v     yield      |           v
 *	        +------- SPINNING ---------> YIELDING ---+
 *	                  | ^  ^ <----------- |
 *	                  | |  |     pause    |
 *	             mark | |  |              | mark
 *	                  v |  | woken, leave |
 *	                 PARKING <------------+
 *	                  |   ^
 *	                  +---+  limit_ns has passed; it doubles
 *
 *	pause, yield, mark	the co-scheduler (another runtime system in this process, with threads of its own)
 *				advises which one, if one is registered; otherwise thread__spin() decides between a
 *				pause and the mark (spin_or_yield)
 *	mark			the waiter says that it is going to sleep: it sets its parker's `parked` to 1, or adds
 *				one sleeper to the eventcount where its wait has one
 *	woken			another thread has taken the mark off; the condition is probably true
 *	leave			the waiter takes its own mark off, because its wait ends or because its last look
 *				found a task to run
 *
 * What may go wrong is a lost wake-up: a waker that does not see the mark wakes nobody. The look between the mark and
 * the sleep prevents it; wait.h draws the race. A waker on a hot path leaves its full barrier out and may then miss a
 * mark all the same, so a sleep for such a waker has a limit, limit_ns, after which the waiter looks again. So has the
 * sleep of a helper that not every new task wakes (scheduler/helper.h). A signal handler that runs during the sleep
 * changes no state, because thread__futex_wait() sleeps on.
 *
 * Invariants:
 *	- A thread has at most one wait in PARKING, parker->parking. A thread that runs a task leaves PARKING first, as
 *	  the task may wait too.
 *	- omp__awake_excess is how many more threads are awake than processors can run all the time (oversubscribed.h).
 *	  The mark makes it one less. The thread that takes the mark off, the waiter or a waker, makes it one more. A
 *	  waker does so only after it has taken the mark off, so the count may be too low for a moment; that costs time,
 *	  nothing else.
 *	- A parker lives as long as its thread's struct omp__thread, because a waker may still touch the parker after
 *	  its owner runs again.
 *	- limit_ns hides a lost wake-up from a test, which sees only a delay; so a test that looks for lost wake-ups
 *	  sets limit_ns to 0, or omp__helper_sleep_ns (scheduler/helper.h).
 *
 * What may change: the times below; `ferry measure --check bench/targets.toml openmp` and `openmp-beside` show the
 * effect. What may not change: a look lies between the mark and the sleep, and the thread that takes the mark off is
 * the one that counts the waiter as awake.
 */
#include "openmp/waiting/wait.h"
#include "openmp/system/coscheduler.h"
#include "openmp/system/system.h"

#include "thread/apart.h"
#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/neighbours.h"

/*
 * How long a waiter spins; wait.h says which time is for which wait. Regions are often about a millisecond apart.
 * libgomp spins for 3 to 12 ms, depending on how long the processor's pause takes. Ferry's waiter spins for 3 ms, and
 * only while the thread that it waits for has a processor (thread/spin.h). A waiter that any thread may release cannot
 * know whether that thread has a processor, so it spins for less.
 */
uint64_t omp__wait_spin_ns = 3000000;
uint64_t omp__wait_any_ns = 440000;
/* A sleep and a wake-up on another core cost about this much: 24 to 44 us (Intel Xeon VM). */
uint64_t omp__wait_oversubscribed_ns = 40000;
uint64_t omp__wait_between_oversubscribed_ns = 440000;
/*
 * In this time a worker under a CPU quota spins from one region to the next if the regions are 50 us apart. Where the
 * regions are 1 ms apart, the worker loses a tenth of the time between them to spinning.
 */
uint64_t omp__wait_between_quota_ns = 100000;

unsigned omp__wait_awake(void)
{
	int awake = atomic_load_explicit(&omp__awake_excess, memory_order_relaxed) + (int)omp__system_full_time();

	return awake > 1 ? (unsigned)awake : 1;
}

enum thread__company omp__wait_company(uint64_t now_ns)
{
	return thread__ask_for_company(now_ns, omp__wait_awake(), omp__system_full_time());
}

bool omp__wait_others_run(void)
{
	return thread__others_run(omp__wait_awake(), omp__system_full_time());
}

/* The thread that has taken the marks off calls this. */
static void count_awake(unsigned threads)
{
	atomic_fetch_add_explicit(&omp__awake_excess, (int)threads, memory_order_relaxed);
}

/* ---- the transitions -------------------------------------------------------------------------------------------- */

/* The step in SPINNING and YIELDING: what the waiter does until its next look. */
static enum omp__wait_state spin_or_yield(struct omp__wait *wait)
{
	wait->step++;
	if (__builtin_expect(omp__coscheduler != NULL, 0)) {
		switch (omp__coscheduler->advise(wait)) {
		case OMP__WAIT_PARK:
			return OMP__WAIT_PARKING;
		case OMP__WAIT_YIELD:
			thread__yield(thread__now_ns(), omp__wait_awake(), omp__system_full_time());
			return OMP__WAIT_YIELDING;
		case OMP__WAIT_AS_USUAL:
			break;
		}
	}
	/* relaxed: an old value makes this wait a bit longer or shorter */
	wait->spin.is_oversubscribed = atomic_load_explicit(&wait->parker->oversubscribed, memory_order_relaxed);
	return thread__spin(&wait->spin, omp__wait_awake(), omp__system_full_time()) ? OMP__WAIT_SPINNING
										     : OMP__WAIT_PARKING;
}

/* The transition into PARKING. */
static void mark(struct omp__wait *wait)
{
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	wait->parker->parking = wait;
	wait->timed_out = false;
	/* relaxed: a hint for those that wait for this thread; so is the store in omp__wait_leave() */
	atomic_store_explicit(&wait->parker->runner.sleeps, true, memory_order_relaxed);
	if (wait->event) {
		wait->sleep = thread__eventcount_prepare(wait->event);
	} else {
		atomic_store_explicit(&wait->parker->key, wait->key, memory_order_relaxed);
		atomic_store_explicit(&wait->parker->helps, wait->helps, memory_order_relaxed);
		/* seq_cst: before the fence, as a waker's look at `parked` is after its own */
		atomic_exchange_explicit(&wait->parker->parked, 1, memory_order_seq_cst);
	}
	/*
	 * The waiter's full barrier between its store and its next look at the condition (wait.h). The look acquires
	 * only, and an exchange before it does not keep it back: not in C11, and not where aarch64 acquires by LDAPR.
	 */
	omp__wait_fence();
}

/* The transition out of PARKING. */
void omp__wait_leave(struct omp__wait *wait)
{
	wait->state = OMP__WAIT_SPINNING;
	wait->parker->parking = NULL;
	atomic_store_explicit(&wait->parker->runner.sleeps, false, memory_order_relaxed);
	/* acquire: a waker that took the mark off may be about to wake the owner apart, and has said so before */
	if (wait->event ? thread__eventcount_leave(wait->event, wait->sleep)
			: atomic_exchange_explicit(&wait->parker->parked, 0, memory_order_acquire))
		count_awake(1);
	if (__builtin_expect(atomic_load_explicit(&wait->parker->runner.apart, memory_order_relaxed), 0))
		thread__apart_return(&wait->parker->runner);
}

/*
 * Sleep. False: nobody has taken the mark off, because limit_ns has passed or because a late waker ended the sleep: a
 * waker that took an earlier mark of this parker off may make its system call only now.
 */
static bool sleep_until_woken(struct omp__wait *wait)
{
	uint64_t deadline = wait->limit_ns ? thread__now_ns() + wait->limit_ns : THREAD__NEVER;

	if (wait->event)
		return thread__eventcount_wait(wait->event, wait->sleep, deadline);
	thread__futex_wait(&wait->parker->parked, 1, deadline);
	return !atomic_load_explicit(&wait->parker->parked, memory_order_relaxed);
}

/*
 * The transition from PARKING to SPINNING, after a waker has ended the sleep. If the condition is still false, the
 * waiter spins for as long as a new waiter would, without the eager looks.
 */
static void end_sleep(struct omp__wait *wait)
{
	struct thread__runner *self = &wait->parker->runner;

	thread__runner_refresh(self);
	/* relaxed: hints for the waker (team/rest.h) */
	atomic_store_explicit(&self->began_ns, thread__now_ns(), memory_order_relaxed);
	atomic_store_explicit(&self->woken_cpu, thread__runner_cpu(self), memory_order_relaxed);
	omp__wait_leave(wait);
	wait->step = OMP__WAIT_EAGER;
	wait->behind_ns = 0;
	thread__spin_again(&wait->spin);
}

static void double_limit(struct omp__wait *wait)
{
	wait->limit_ns = wait->limit_ns * 2 < wait->limit_max_ns ? wait->limit_ns * 2 : wait->limit_max_ns;
}

void omp__wait_slowly(struct omp__wait *wait)
{
	bool is_woken;

	switch (wait->state) {
	case OMP__WAIT_SPINNING:
	case OMP__WAIT_YIELDING:
		wait->state = spin_or_yield(wait);
		if (wait->state == OMP__WAIT_PARKING)
			mark(wait);
		break;
	case OMP__WAIT_PARKING:
		is_woken = sleep_until_woken(wait);
		/* after every sleep, whatever ended it */
		if (__builtin_expect(omp__coscheduler != NULL, 0))
			omp__coscheduler->woken(wait->parker);
		wait->timed_out = !is_woken && wait->limit_ns;
		if (is_woken)
			end_sleep(wait);
		else if (wait->limit_ns)
			double_limit(wait);
		break;
	}
}

/* ---- the other side --------------------------------------------------------------------------------------------- */

/*
 * A waker takes the mark off and wakes the owner. Only the thread that takes the mark off makes the system call, so
 * each sleep costs at most one. A caller has made a full barrier before it calls this. The exchange must not become a
 * plain load and a store, because the owner could park again between the two.
 */
static bool take_mark(struct omp__parker *parker)
{
	if (!atomic_exchange_explicit(&parker->parked, 0, memory_order_seq_cst))
		return false;
	/*
	 * relaxed: a thread that waits for the owner, and reads an old value, may sleep too early (other_runs,
	 * spin.c)
	 */
	atomic_store_explicit(&parker->runner.woken_ns, thread__now_ns(), memory_order_relaxed);
	count_awake(1);
	return true;
}

void omp__parker_wake(struct omp__parker *parker)
{
	if (take_mark(parker))
		thread__futex_wake(&parker->parked, 1);
}

void omp__parker_wake_apart(struct omp__parker *parker, const struct thread__runner *waker)
{
	thread__apart_begin(&parker->runner);
	if (!take_mark(parker)) {
		thread__apart_end(&parker->runner);
		return;
	}
	thread__apart_narrow(&parker->runner, waker);
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
