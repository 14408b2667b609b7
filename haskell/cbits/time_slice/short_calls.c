/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shorter time slices for a Haskell thread that makes one short held call after the other: wake-up preemption that is
 * followed by a pause.
 *
 * A `safe` call gives its Capability up, so a thread that makes many of them lets every other thread in at the next
 * one. A held call keeps its Capability, and none of many short ones lasts for long enough to be retaken
 * (held/wanted.c). Without this file other threads would wait until the time slice ends, as beside `unsafe` calls: up
 * to 20 ms. So a thread that wants the Capability is let in between two calls:
 *
 *	- A Task that comes back from a safe call asks for it itself (ask_between_calls in held/wanted.c).
 *	- A Haskell thread in the run queue cannot ask. The thread that makes the calls sees that the queue is not
 *	  empty, and asks itself to go to the end of it (ferry_short_calls_end_slice).
 *
 * Most threads that wake up run for microseconds. One that computes instead would get a time slice after each call, and
 * the thread that makes the calls next to nothing, as it does with `safe` calls. So that thread is not preempted again
 * for PAUSE_FACTOR times as long as it was kept waiting: beside threads that compute it keeps two thirds of the time,
 * less what the runtime system's own time slices and those of held/monitor.c give to others.
 *
 *	thread that makes calls				thread that wakes up now and then
 *	call							is queued
 *	  sees the queue: asks itself for a switch
 *	returns; goes behind the other (cmm/yield.h)
 *							runs for 10 us, sleeps
 *	runs again: not_before = now + 2 * 10 us
 *	calls						is queued, 1 ms later
 *	  sees the queue; not_before has passed: asks
 *
 * What may go wrong: nothing that breaks a program. The queue is read without its lock, and a thread may have moved to
 * another Capability when it runs again; then a slice ends too early, or too late. What may be changed: the numbers.
 * haskell/tests/Ferry/ShortCallsSpec.hs fails without this file.
 */
#include <stdatomic.h>

#include "capability/fields.h"
#include "capability/list.h"
#include "time_slice/short_calls.h"

#include "thread/clock.h"

enum {
	/* The pause after a preemption, as a multiple of how long the preempted thread was kept waiting. */
	PAUSE_FACTOR = 2,
	/* At most this much waiting counts: the runtime system's time slice. */
	KEPT_WAITING_MAX_NS = 20000000,
};

/*
 * No preemption begins on a Capability before this time. Only the thread that has the Capability writes it. relaxed: a
 * hint
 */
static struct {
	_Alignas(64) _Atomic uint64_t ns;
} not_before[FERRY_CAPABILITIES_MAX];

void ferry_short_calls_end_slice(const char *capability)
{
	unsigned number = ferry_capability_head(capability)->no;

	if (number < FERRY_CAPABILITIES_MAX &&
	    thread__now_ns() >= atomic_load_explicit(&not_before[number].ns, memory_order_relaxed))
		ferry_capability_ask(capability, FERRY_ASK_SWITCH);
}

StgWord ferry_short_calls_yields(void)
{
	return thread__now_ns();
}

void ferry_short_calls_yielded(StgRegTable *base, StgWord since_ns)
{
	unsigned number = ferry_capability_head(ferry_capability_of(base))->no;
	uint64_t now = thread__now_ns(), waited = now - since_ns;

	if (number >= FERRY_CAPABILITIES_MAX)
		return;
	if (waited > KEPT_WAITING_MAX_NS)
		waited = KEPT_WAITING_MAX_NS;
	atomic_store_explicit(&not_before[number].ns, now + PAUSE_FACTOR * waited, memory_order_relaxed);
}
