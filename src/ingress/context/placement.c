/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a library thread runs. On its caller's processor a call costs two context switches, 2 us, and 8 where the host
 * is written in Go; on another processor 0.25 us while both threads look for each other, but 60 to 100 us in a virtual
 * machine when each has to wake the other's idle processor. The kernel brings the two together when they sleep, since
 * it places a woken thread near its waker; it does not part them when calls begin to follow each other closely. That is
 * done here.
 *
 * While the two share a processor, neither may look for the other, which cannot run meanwhile. The caller sees where
 * the library thread is (wait.h). The library thread does not see where its callers are, and learns it from them: one
 * that waits counts in `colocated` before it sleeps, and one that wakes the library thread leaves its processor's
 * number.
 *
 * What may go wrong: nothing here decides whether a wait is over; a wrong guess costs a wake-up or a move (10 to 20
 * us). What may change: the numbers below; the lanes ask and ask-sparse of `build/bench/ingress --latency` show the
 * effect.
 */
#include "ingress/context/placement.h"

#include "thread/clock.h"

enum {
	/*
	 * Calls follow each other closely when so many were waited for on the library thread's own processor within
	 * CLOSE_NS, one in 31 us. Where calls are twice as far apart, both threads sleep between them: such a call
	 * takes 3.5 us on one processor and 25 to 80 on two.
	 */
	CLOSE_MANY = 64,
	CLOSE_NS = 2000000,
	MOVE_INTERVAL_NS = 20000000,
};

void ingress__placement_begin(struct ingress__placement *placement)
{
	atomic_store_explicit(&placement->waker_cpu, UINT32_MAX, memory_order_relaxed);
}

static void move_if_close(struct ingress__placement *placement, uint32_t colocated)
{
	uint64_t now;

	if (colocated - placement->looked_with < CLOSE_MANY)
		return;
	now = thread__now_ns();
	if (now - placement->looked_ns < CLOSE_NS && now - placement->moved_ns > MOVE_INTERVAL_NS) {
		placement->moved_ns = now;
		thread__move_away();
	}
	placement->looked_with = colocated;
	placement->looked_ns = now;
}

bool ingress__placement_settle(struct ingress__placement *placement, bool has_woken)
{
	uint32_t colocated = atomic_load_explicit(&placement->colocated, memory_order_relaxed);
	uint32_t waker = atomic_load_explicit(&placement->waker_cpu, memory_order_relaxed);
	bool has_woken_here = has_woken && colocated != placement->waited_with;

	/* callers read this line: it is written only when it changes */
	if (placement->waited_with != colocated)
		placement->waited_with = colocated;
	move_if_close(placement, colocated);
	if (waker == UINT32_MAX)
		return has_woken_here;
	atomic_store_explicit(&placement->waker_cpu, UINT32_MAX, memory_order_relaxed);
	return has_woken_here || waker == thread__cpu();
}
