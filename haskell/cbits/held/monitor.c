/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The monitor: a separate thread that makes a look every few milliseconds while there are held calls or parallel
 * regions, as Go's sysmon does. At each look it
 *
 * - retakes the Capability of a call that has gone on since the last look, or whose Capability another thread wants
 *   (retake.c); most threads that want a Capability have retaken it themselves before the look (wanted.c);
 * - ends time slices where Haskell threads wait for a Capability (time_slice/time_slice.c);
 * - switches to collections by one thread while other programs want the processors (collector/collector.c).
 *
 * An owner whose call begins while Haskell threads wait in the run queue asks the monitor for an early look, since that
 * call may block. The monitor then looks twice at the calls that keep threads waiting, some 100 us apart, and retakes
 * those that go on. The owners of a program that makes short calls while threads wait ask all the time, and the monitor
 * finds nothing to retake. The monitor then pauses longer and longer before it hears the next request, up to
 * EARLY_PAUSE_MAX_NS.
 *
 *	owner					monitor
 *	call = record				early = HEARD; sleeps until its next look
 *	load: the run queue is not empty
 *	exchange(early, ASKED) was HEARD:
 *	  wakes the monitor
 *	function				load(early) is ASKED, so it sees the call
 *						early = LATER; looks, and 100 us later retakes
 *						sleeps for the pause; early: LATER -> HEARD, or is ASKED again
 *
 * The monitor sleeps when there has been nothing to look at for REST_NS; the next held call or region wakes the
 * monitor:
 *
 *	monitor					owner of a call
 *	store(state, ASLEEP)			store(call, record)
 *	membarrier
 *	load(calls)				load(state)
 *
 * membarrier is a barrier in both threads, so at least one of the two sees what the other has stored: no call is held
 * while the monitor sleeps. A thread that opens a region loads the state relaxed. If it does not see that the monitor
 * is falling asleep, its next region wakes the monitor, and until then only time slices are longer.
 *
 * What may go wrong: the system may refuse a thread for the monitor. The owner that wanted to start it then stores
 * ABSENT and retakes all calls. A call that was published while the state said AWAKE is among these, by the drawing
 * above with ABSENT instead of ASLEEP. The child of a fork has no monitor until its next held call or region. hs_exit
 * makes a collection, which waits until the monitor has retaken each held call that goes on; after it no Haskell thread
 * makes another call.
 *
 * What may be changed: the numbers below. bench-haskell-interference shows the effect; no number breaks a program.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "capability/list.h"
#include "collector/collector.h"
#include "held/monitor.h"
#include "held/retake.h"
#include "time_slice/time_slice.h"

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/neighbours.h"

enum {
	/*
	 * The time between two looks. A look takes a processor from another thread for about 10 us: with a look every
	 * millisecond the 99th percentile of short regions beside a busy collector was 25 us, without a monitor 4 us.
	 */
	LOOK_NS = 4000000,
	/* The same while threads wait for a Capability: the shortest time slice. */
	LOOK_CONTENDED_NS = 2000000,
	/* The time between two early looks; it doubles, up to the maximum, while they find nothing to retake. */
	EARLY_PAUSE_NS = 1000000,
	EARLY_PAUSE_MAX_NS = 16000000,
	/* The monitor sleeps when it has seen neither a held call nor a region for this long. */
	REST_NS = 50000000,
};

_Atomic uint32_t ferry_monitor_state = FERRY_MONITOR_ABSENT;

/* Whether a region was opened since the last look. relaxed: a hint */
static _Atomic bool has_regions;

/*
 * Make a look. Returns whether there were held calls since the last look. With `ends_slices`, also ends time slices and
 * sets *is_contended to whether a Haskell thread waits for a Capability.
 */
static bool look(bool *is_contended, bool ends_slices)
{
	bool holds[FERRY_CAPABILITIES_MAX] = { 0 };
	bool is_any = ferry_held_look(holds);
	/*
	 * The monitor looks at all Capabilities, also if no call is held at the moment: the thread that opens regions
	 * may itself wait for a Capability.
	 */
	unsigned count = ends_slices ? ferry_capability_count() : 0;

	*is_contended = false;
	for (unsigned i = 0; i < count; i++)
		*is_contended |= ferry_time_slice_look(i, holds[i]);
	return is_any;
}

/* ---- early looks ---------------------------------------------------------------------------------------------------
 */

static void sleep_until(uint64_t until_ns)
{
	const struct timespec until = { .tv_sec = (time_t)(until_ns / 1000000000),
					.tv_nsec = (long)(until_ns % 1000000000) };

	while (until_ns > thread__now_ns())
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

_Atomic uint32_t ferry_monitor_early = FERRY_EARLY_LATER;

/* release, and the monitor's acquire: the monitor that sees the request sees the call */
__attribute__((noinline)) void ferry_monitor_ask(void)
{
	if (atomic_exchange_explicit(&ferry_monitor_early, FERRY_EARLY_ASKED, memory_order_acq_rel) ==
	    FERRY_EARLY_HEARD)
		thread__futex_wake(&ferry_monitor_early, 1);
}

/* Wait until until_ns for a request. Returns whether there is one. */
static bool is_asked(uint64_t until_ns)
{
	uint32_t early = FERRY_EARLY_LATER;

	atomic_compare_exchange_strong_explicit(&ferry_monitor_early, &early, FERRY_EARLY_HEARD, memory_order_acquire,
						memory_order_acquire);
	while ((early = atomic_load_explicit(&ferry_monitor_early, memory_order_acquire)) == FERRY_EARLY_HEARD)
		if (!thread__futex_wait(&ferry_monitor_early, FERRY_EARLY_HEARD, until_ns))
			return false;
	return true;
}

/* Pause until the next look, and look early each time an owner asks for it. */
static void pause_for(uint64_t pause_ns)
{
	/* only the monitor uses these */
	static uint64_t not_before_ns, early_pause_ns = EARLY_PAUSE_NS;
	uint64_t until_ns = thread__now_ns() + pause_ns;

	for (;;) {
		sleep_until(not_before_ns < until_ns ? not_before_ns : until_ns);
		if (not_before_ns >= until_ns || !is_asked(until_ns))
			return;
		atomic_store_explicit(&ferry_monitor_early, FERRY_EARLY_LATER, memory_order_relaxed);
		if (ferry_held_look_early())
			early_pause_ns = EARLY_PAUSE_NS;
		else if (early_pause_ns < EARLY_PAUSE_MAX_NS)
			early_pause_ns *= 2;
		not_before_ns = thread__now_ns() + early_pause_ns;
	}
}

static void rest(void)
{
	ferry_collector_forget();
	atomic_store_explicit(&ferry_monitor_state, FERRY_MONITOR_ASLEEP, memory_order_relaxed);
	if (ferry_held_is_any())
		atomic_store_explicit(&ferry_monitor_state, FERRY_MONITOR_AWAKE, memory_order_relaxed);
	while (atomic_load_explicit(&ferry_monitor_state, memory_order_relaxed) == FERRY_MONITOR_ASLEEP)
		thread__futex_wait(&ferry_monitor_state, FERRY_MONITOR_ASLEEP, THREAD__NEVER);
}

/*
 * The monitor stays awake for held calls and for regions. A region that a `safe` call has opened holds no Capability:
 * there is nothing to retake and no time slice to end, only collections to look at. So the monitor ends time slices
 * only if it has seen a held call within REST_NS.
 */
static void *run(void *unused)
{
	bool is_contended = false;
	long no_calls_ns = 0, no_regions_ns = 0;

	(void)unused;
	for (;;) {
		long pause_ns = is_contended ? LOOK_CONTENDED_NS : LOOK_NS;

		pause_for((uint64_t)pause_ns);
		no_calls_ns = look(&is_contended, no_calls_ns < REST_NS) ? 0 : no_calls_ns + pause_ns;
		no_regions_ns = atomic_exchange_explicit(&has_regions, false, memory_order_relaxed)
					? 0
					: no_regions_ns + pause_ns;
		ferry_collector_look(thread__now_ns());
		if (no_calls_ns < REST_NS || no_regions_ns < REST_NS)
			continue;
		rest();
		no_calls_ns = no_regions_ns = 0;
	}
	return NULL;
}

/* ---- starting and waking it ----------------------------------------------------------------------------------------
 */

/* relaxed: ferry_held_retake_all makes a barrier before it reads the owners' calls */
static void set_absent(void)
{
	atomic_store_explicit(&ferry_monitor_state, FERRY_MONITOR_ABSENT, memory_order_relaxed);
}

static void begin_child(void)
{
	set_absent();
	ferry_held_begin_child();
	ferry_collector_forget();
	thread__neighbours_forget();
}

static void watch_forks(void)
{
	pthread_atfork(ferry_held_begin_fork, ferry_held_end_fork, begin_child);
}

/*
 * The monitor inherits the signal mask of the thread that creates it, as every thread of the runtime system does. When
 * the monitor gives a Capability up, the runtime system may create a worker, which inherits the monitor's mask. If the
 * monitor blocked all signals, that worker would too, and so would each program that a Haskell thread starts from
 * there: such a program could not be terminated.
 */
static bool create_monitor(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_attr_t attributes;
	pthread_t thread;
	int status;

	pthread_once(&once, watch_forks);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	status = pthread_create(&thread, &attributes, run, NULL);
	pthread_attr_destroy(&attributes);
	return status == 0;
}

__attribute__((noinline)) void ferry_monitor_start(uint32_t state)
{
	int saved = errno;

	/* The thread whose exchange succeeds starts or wakes the monitor. Other threads need not wait for it. */
	if (!atomic_compare_exchange_strong_explicit(&ferry_monitor_state, &state, FERRY_MONITOR_AWAKE,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	if (state == FERRY_MONITOR_ASLEEP) {
		thread__futex_wake(&ferry_monitor_state, 1);
	} else if (!create_monitor()) {
		set_absent();
		ferry_held_retake_all();
	}
	errno = saved;
}

/* The load before the store keeps the cache line shared among threads that open regions. */
void ferry_monitor_region_opens(void)
{
	uint32_t state = atomic_load_explicit(&ferry_monitor_state, memory_order_relaxed);

	if (!atomic_load_explicit(&has_regions, memory_order_relaxed))
		atomic_store_explicit(&has_regions, true, memory_order_relaxed);
	if (__builtin_expect(state != FERRY_MONITOR_AWAKE, 0) && ferry_held_is_possible())
		ferry_monitor_start(state);
}
