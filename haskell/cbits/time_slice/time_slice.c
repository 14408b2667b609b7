/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shorter time slices for Haskell threads while parallel regions are opened: round robin, and wake-up preemption with a
 * pause after it.
 *
 * A *region* is an OpenMP parallel region that C code opens, called from Haskell by a held call. Its threads run C
 * without a Capability. The *incumbent* of a Capability is the Haskell thread that ran there when last nobody waited.
 *
 * GHC's runtime system ends the time slice of a Haskell thread every 20 ms. A thread that wakes up on a Capability
 * where another one computes waits for that. In most programs it finds a free Capability instead. A program that opens
 * parallel regions has none free: their threads take the processors. So while regions are opened
 *
 *  - *round robin*: the monitor (held/monitor.c) looks every 2 to 4 ms, and where threads have waited since its last
 *    look, the thread that runs goes to the end of the queue (ferry_time_slice_look);
 *  - *wake-up preemption*: a thread that wakes up where nobody waited runs at once (ferry_time_slice_is_over). Most
 *    such threads run for microseconds: the runtime system's timer thread, a thread whose timer has expired, or one
 *    whose MVar was filled. A thread that opens regions checks that at each region, for its own Capability and for one
 *    of the others.
 *
 * A thread that preempts may compute after all, and wake up again after its next sleep. So the incumbent is not
 * preempted again for PAUSE_FACTOR times as long as it was kept waiting. That way it loses at most a third of its time,
 * unless nobody looked for more than KEPT_WAITING_MAX_NS, which is the most that is made up for. A thread that wakes up
 * often wakes another, as the timer thread does: threads that come within TOGETHER_NS of the first one belong to the
 * same preemption.
 *
 * Each Capability is in one of three states, which `since` says. A look is one call of step():
 *
 *	state		`since`		at a look
 *	QUIET		0		nobody waits: the thread that runs is the incumbent
 *					somebody waits, and not_before has passed: PREEMPTING, asks for a switch
 *	PREEMPTING	when it began	the incumbent runs and somebody waits: asks again; TOGETHER_NS later: CONTENDED
 *	CONTENDED	CONTENDED	threads wait all the time: nothing, the monitor's round robin serves them
 *	both of these			nobody waits: QUIET, not_before = now + PAUSE_FACTOR * (now - since)
 *
 *	thread that opens regions on Capability 0	Capability 1
 *							A computes; nobody waits
 *	region: looks at 1: incumbent = A
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
 * What may go wrong: the runtime system's fields are read without its locks, and may have changed since. The fields
 * here have several writers (every thread that opens regions) and are relaxed, so that one may see the state before
 * another's step, or read a time later than its own clock. A thread that is missed is seen at the next look, and a
 * switch too many costs the thread that is asked a microsecond. So nothing here can break a program, as long as the
 * fields of a Capability are where capability/fields.h says.
 *
 * What may be changed: the numbers below. haskell/tests/Ferry/TimeSliceSpec.hs fails without wake-up preemption;
 * bench-haskell-interference (busy1:held, busy2:held) shows what both parts give, and docs/results/openmp-haskell.md
 * what they gave. Decision 17 (docs/decisions/0017-time-slices.md) has the alternatives.
 */
#include <stdatomic.h>

#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"
#include "time_slice/time_slice.h"

#include "thread/clock.h"

enum {
	/* Looks of the monitor that a thread which opens regions runs for, where another thread has one. */
	REGION_LOOKS = 3,
	/* The incumbent's pause, as a multiple of how long it was kept waiting. */
	PAUSE_FACTOR = 2,
	/* A thread that wakes up so soon after the first one belongs to the same preemption. */
	TOGETHER_NS = 200000,
	/* The longest time that the pause is worked out from: maybe nobody looked for long. */
	KEPT_WAITING_MAX_NS = 2000000,
	/* `since` in that state: no clock reads so little, and the pause after it is the longest. */
	CONTENDED = 1,
	/* A preemption that began so long ago is over, even if no look has seen its end. */
	FORGOTTEN_NS = 10000000,
	/* A region that was opened within this time was opened by the thread that runs now. */
	OPENED_NS = 100000,
};

/*
 * Of each Capability. The atomic fields are written by any thread that opens regions, here or on another Capability,
 * and are relaxed: hints, see above.
 */
static struct slice {
	/* When the preemption began, CONTENDED, or 0: there is none. */
	_Alignas(64) _Atomic uint64_t since;
	/* No preemption begins before this time. */
	_Atomic uint64_t not_before;
	/* The thread that ran when last nobody waited. Only compared: it may be gone, or on another Capability. */
	_Atomic(StgTSO *) incumbent;
	/* When a region was last opened here while somebody waited; where nobody does, no clock is read. */
	_Atomic uint64_t opened_ns;
	/*
	 * The monitor's own: at how many looks, one after the other, somebody waited for what may be the same thread.
	 */
	unsigned looks;
} slices[FERRY_CAPABILITIES_MAX];

/* How long ago that was; 0 where another thread has stored a time later than `now`. */
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

/* A look: one step of the states above. Whether `runs`, the thread that runs there, is to be preempted now. */
static bool step(struct slice *slice, bool waits, StgTSO *runs)
{
	uint64_t since = atomic_load_explicit(&slice->since, memory_order_relaxed);
	uint64_t now;

	if (!waits) {
		if (since)
			end_preemption(slice, since);
		/* stored only where it differs: a load leaves the cache line shared */
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

/* Look at one of the other Capabilities, at each call at the next one. */
static void look_at_another(unsigned own)
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
	 * The runtime system keeps a Task that returns from a safe call waiting until the time slice ends. It goes
	 * before the run queue, so the calling thread need not be asked for a switch: it yields and is the next but
	 * one.
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
	look_at_another(number);
	return false;
}

/* ---- round robin ---------------------------------------------------------------------------------------------------
 */

/*
 * A thread that opens regions runs for REGION_LOOKS looks, any other thread for one. Alone its regions have two
 * processors, beside others one, so waiting costs it more: on two processors beside two threads that compute it kept
 * 0.35 of its rate with two looks, and they 0.6 of theirs; with three looks it kept 0.38 to 0.42, and they about as
 * much (bench-haskell-interference, busy2:held).
 *
 * The thread that runs is taken for one that opens regions if a held call has the Capability, or a region was opened a
 * moment ago. Otherwise the runtime system's own tick has ended its time slice since the last look.
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
		 * A thread that yields only so that a returning Task can re-enter keeps its place before the run queue.
		 */
		ferry_capability_ask(capability, is_due ? FERRY_ASK_SWITCH : FERRY_ASK_INTERRUPT);
		if (is_due)
			slice->looks = 0;
	}
	return true;
}
