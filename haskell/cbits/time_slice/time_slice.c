/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shorter time slices for Haskell threads while parallel regions are opened: round robin, and wake-up preemption that
 * is followed by a pause.
 *
 * A *region* is an OpenMP parallel region, opened by C code that Haskell has called with a held call. Its threads run C
 * without a Capability, which is GHC's right to run Haskell code (held/held.c). The *incumbent* of a Capability is the
 * Haskell thread that ran there the last time that no other thread was waiting for the Capability.
 *
 * GHC's runtime system ends the time slice of a Haskell thread every 20 ms. A thread that wakes up on a Capability
 * where another one computes waits until then. In most programs it finds a free Capability instead, but in a program
 * that opens parallel regions none is free, because the threads of the regions use the processors. So there are two
 * rules while regions are opened:
 *
 *	- Round robin: the monitor (held/monitor.c) makes a look every 2 to 4 ms. If threads have waited since its last
 *	  look, the monitor sends the running thread to the end of the queue (ferry_time_slice_look).
 *	- Wake-up preemption: a thread that wakes up on a Capability for which no other thread was waiting runs at once
 *	  (ferry_time_slice_is_over). Most such threads run for microseconds: the runtime system's timer thread, a
 *	  thread whose timer has expired, or one whose MVar was filled. A thread that opens regions checks for such
 *	  threads at each region, on its own Capability and on one of the others. The monitor takes no part in this.
 *
 * A thread that preempts may compute for long after all, and may do so again after its next sleep. So the incumbent is
 * not preempted again for PAUSE_FACTOR times as long as it was kept waiting; with a factor of 2 it loses at most a
 * third of its time. (Only the first KEPT_WAITING_MAX_NS of the waiting count, so it loses more if no thread has
 * checked for longer than that.) A thread that wakes up often wakes another, as the timer thread does: threads that
 * wake up within TOGETHER_NS of the first one belong to the same preemption.
 *
 * For wake-up preemption each Capability is in one of three states, which the field `since` encodes. A check is one
 * call of step():
 *
 *	state		`since`		at a check
 *	QUIET		0		nobody waits: the thread that runs becomes the incumbent
 *					the incumbent runs, somebody waits, and not_before has passed: PREEMPTING, asks
 *					for a switch
 *	PREEMPTING	when it began	the incumbent runs and somebody waits: asks again; TOGETHER_NS later: CONTENDED;
 *					FORGOTTEN_NS later: as in QUIET
 *	CONTENDED	CONTENDED	somebody waits: does nothing, the monitor's round robin serves the threads
 *	PREEMPTING	as above	nobody waits: QUIET, not_before = now + PAUSE_FACTOR * (now - since)
 *	and CONTENDED
 *
 *	thread that opens regions on Capability 0	Capability 1
 *							A computes; nobody waits
 *	region: checks 1: incumbent = A
 *							B wakes up, is queued
 *	region, at time t0: B waits: since = t0,
 *	  asks A for a switch
 *							A goes behind B; B runs, wakes C, sleeps
 *							A runs, C is queued
 *	region: C waits, A runs: asks again
 *							C runs, sleeps; A goes on
 *	region, at time t1: nobody waits:
 *	  not_before = t1 + PAUSE_FACTOR * (t1 - t0)
 *
 * What may go wrong: the runtime system's fields are read without its locks, and may have changed meanwhile. The fields
 * of this file have several writers (every thread that opens regions) and are accessed relaxed, so that a thread may
 * see the state from before another thread's step, or read a time that is later than its own clock. A waiting thread
 * that one check misses is seen by the next, and an unneeded switch costs the thread that makes it a microsecond. So
 * nothing here can break a program, as long as the fields of a Capability are where capability/fields.h says.
 *
 * What may be changed: the numbers below. haskell/tests/Ferry/TimeSliceSpec.hs fails without wake-up preemption;
 * bench-haskell-interference (busy1:held, busy2:held) measures what both parts gain, and docs/results/openmp-haskell.md
 * has its results. Decision 17 (docs/decisions/0017-time-slices.md) has the alternatives.
 */
#include <stdatomic.h>

#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"
#include "time_slice/time_slice.h"

#include "thread/clock.h"

enum {
	/* For how many looks of the monitor a thread that opens regions may run; any other thread may run for one. */
	REGION_LOOKS = 3,
	/* The incumbent's pause, as a multiple of how long it was kept waiting. */
	PAUSE_FACTOR = 2,
	/* A thread that wakes up within this time after the first one belongs to the same preemption. */
	TOGETHER_NS = 200000,
	/* The pause is computed from at most this much waiting: the rest may be time in which no thread checked. */
	KEPT_WAITING_MAX_NS = 2000000,
	/*
	 * The value of `since` in the state CONTENDED. No clock returns 1, and the pause that is computed from it is
	 * the longest.
	 */
	CONTENDED = 1,
	/* A preemption that began longer ago than this is over, even if no check has seen its end. */
	FORGOTTEN_NS = 10000000,
	/* If a region was opened within this time, the running thread counts as the one that opened it. */
	OPENED_NS = 100000,
};

/*
 * The state of each Capability. A thread that opens regions writes the atomic fields of its own Capability and of the
 * others. They are accessed relaxed, because they are hints (see above).
 */
static struct slice {
	/* When the preemption began; or CONTENDED; or 0 when there is none. */
	_Alignas(64) _Atomic uint64_t since;
	/* No preemption begins before this time. */
	_Atomic uint64_t not_before;
	/* The incumbent. It is only compared, because the thread may have ended, or run on another Capability. */
	_Atomic(StgTSO *) incumbent;
	/* When a region was last opened here while another thread waited; while none waits, no clock is read. */
	_Atomic uint64_t opened_ns;
	/*
	 * At how many looks in a row a thread was waiting for what may be the same running thread. Only the monitor
	 * uses it.
	 */
	unsigned looks;
} slices[FERRY_CAPABILITIES_MAX];

/* The time from `then` to `now`; 0 if another thread has stored a time later than `now`. */
static uint64_t passed(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* ---- wake-up preemption --------------------------------------------------------------------------------------------
 */

static void end_preemption(struct slice *slice, uint64_t since)
{
	uint64_t now = thread__now_ns();
	uint64_t waited = passed(now, since) < KEPT_WAITING_MAX_NS ? passed(now, since) : KEPT_WAITING_MAX_NS;

	atomic_store_explicit(&slice->not_before, now + PAUSE_FACTOR * waited, memory_order_relaxed);
	atomic_store_explicit(&slice->since, 0, memory_order_relaxed);
}

/*
 * A check: one step of the state machine above. `waits` says whether a thread waits, `runs` is the thread that runs.
 * Returns whether `runs` is to be preempted now.
 */
static bool step(struct slice *slice, bool waits, StgTSO *runs)
{
	uint64_t since = atomic_load_explicit(&slice->since, memory_order_relaxed);
	uint64_t now;

	if (!waits) {
		if (since)
			end_preemption(slice, since);
		/* load first: the cache line stays shared while the incumbent is the same */
		if (runs && atomic_load_explicit(&slice->incumbent, memory_order_relaxed) != runs)
			atomic_store_explicit(&slice->incumbent, runs, memory_order_relaxed);
		return false;
	}
	if (!runs || since == CONTENDED || runs != atomic_load_explicit(&slice->incumbent, memory_order_relaxed))
		return false;
	now = thread__now_ns();
	if (passed(now, since) > FORGOTTEN_NS)
		since = 0;
	if (!since && now < atomic_load_explicit(&slice->not_before, memory_order_relaxed))
		return false;
	if (since && passed(now, since) > TOGETHER_NS) {
		atomic_store_explicit(&slice->since, CONTENDED, memory_order_relaxed);
		return false;
	}
	if (!since)
		atomic_store_explicit(&slice->since, now, memory_order_relaxed);
	return true;
}

/* Check one of the other Capabilities; each call checks the next one. */
static void check_another(unsigned own)
{
	static __thread unsigned next;
	unsigned count = ferry_capability_count();
	const char *capability;
	bool queued;

	next = next + 1 < count ? next + 1 : 0;
	if (next == own)
		next = next + 1 < count ? next + 1 : 0;
	if (next == own || !(capability = ferry_capability(next)))
		return;
	queued = ferry_capability_is_queued(capability);
	if (step(&slices[next], queued || ferry_capability_is_returned_to(capability),
		 ferry_capability_thread(capability)))
		ferry_capability_ask(capability, queued ? FERRY_ASK_SWITCH : FERRY_ASK_INTERRUPT);
}

bool ferry_time_slice_is_over(char *capability)
{
	unsigned number = ferry_capability_head(capability)->no;
	bool queued = ferry_capability_is_queued(capability);

	/*
	 * An OS thread (a Task) that returns from a safe call would wait until the time slice ends. Returning Tasks go
	 * before the run queue, so it is enough that the calling thread yields, without a switch: then it runs again
	 * right after the returning Task.
	 */
	if (ferry_capability_is_returned_to(capability))
		return true;
	if (number >= FERRY_CAPABILITIES_MAX)
		return false;
	if (queued)
		atomic_store_explicit(&slices[number].opened_ns, thread__now_ns(), memory_order_relaxed);
	if (step(&slices[number], queued, ferry_capability_thread(capability))) {
		ferry_capability_ask(capability, FERRY_ASK_SWITCH);
		return true;
	}
	check_another(number);
	return false;
}

/* ---- round robin ---------------------------------------------------------------------------------------------------
 */

/*
 * A thread that opens regions runs for REGION_LOOKS looks, any other thread for one, because waiting costs the former
 * more: alone, its regions have two processors, and beside other threads one. Measured on two processors beside two
 * computing threads (bench-haskell-interference, busy2:held): with two looks the thread that opens regions kept 0.35 of
 * its rate and each of the others 0.6 of theirs; with three looks it kept 0.38 to 0.42, and the others about as much as
 * with two.
 *
 * The running thread counts as one that opens regions if a held call has the Capability, or if a region was opened
 * within OPENED_NS. The time slice of any other thread also ends every 20 ms, by the runtime system's own tick.
 */
bool ferry_time_slice_look(unsigned number, bool holds)
{
	const char *capability = ferry_capability(number);
	struct slice *slice = &slices[number];
	bool queued, returning, opens;

	if (!capability)
		return false;
	opens = holds ||
		passed(thread__now_ns(), atomic_load_explicit(&slice->opened_ns, memory_order_relaxed)) < OPENED_NS;
	queued = ferry_capability_is_queued(capability);
	returning = ferry_capability_is_returned_to(capability);
	if (!queued && !returning) {
		slice->looks = 0;
		return false;
	}
	slice->looks++;
	if (!opens || slice->looks >= REGION_LOOKS || returning) {
		bool is_due = queued && slice->looks >= (opens ? REGION_LOOKS : 1);

		/*
		 * A thread that yields only so that a returning Task can re-enter keeps its place at the head of the
		 * run queue.
		 */
		ferry_capability_ask(capability, is_due ? FERRY_ASK_SWITCH : FERRY_ASK_INTERRUPT);
		if (is_due)
			slice->looks = 0;
	}
	return true;
}
