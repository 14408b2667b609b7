/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GHC's runtime system as a co-scheduler: what an OpenMP runtime asks of it. This package does not know the OpenMP
 * runtime; the package ferry-openmp leads that runtime's questions here (decision 15,
 * docs/decisions/0015-co-scheduling.md).
 *
 * What may go wrong: the answers are read from the Capabilities' fields without locks, and may be old the next moment.
 * The answers decide how many threads a team gets and whether a waiter sleeps, so a wrong answer costs time and breaks
 * nothing. haskell/tests/Ferry/HeldSpec.hs tests that teams follow the number of Capabilities. What may be changed:
 * what counts as busy. What may not: no function here waits for a Capability or calls Haskell, because a thread that
 * opens a region or waits calls it.
 */
#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"
#include "coscheduler/coscheduler.h"
#include "held/held.h"
#include "held/monitor.h"
#include "held/retake.h"

/*
 * The number of all Capabilities, also of those from number FERRY_CAPABILITIES_MAX on, which ferry_coscheduler_busy()
 * does not count.
 */
unsigned ferry_coscheduler_processors(void)
{
	return ferry_runtime_is_up() ? enabled_capabilities : 0;
}

/* Whether a thread has the Capability, or Haskell threads wait for it. */
static bool is_busy(const char *capability)
{
	return __atomic_load_n(&ferry_capability_head(capability)->running_task, __ATOMIC_RELAXED) ||
	       ferry_capability_is_queued(capability);
}

/*
 * Each held call that has given its Capability up counts as one more: its function runs beside the thread that has the
 * Capability now.
 */
unsigned ferry_coscheduler_busy(void)
{
	unsigned count = ferry_held_given_up_count(), all = ferry_capability_count();

	for (unsigned i = 0; i < all; i++) {
		const char *capability = ferry_capability(i);

		count += capability && is_busy(capability);
	}
	return count;
}

/*
 * The OpenMP runtime calls this for each outermost region that a thread opens, when it chooses the team's size and when
 * the region begins. The answer is the owner of the held call that the thread is in, or NULL; the OpenMP runtime keeps
 * the answer for the workers of the region, which get it back from `held` (held/openmp.h).
 */
void *ferry_coscheduler_holding(void)
{
	ferry_monitor_region_opens();
	return ferry_held_current();
}

void ferry_coscheduler_worker_ends(void)
{
	if (ferry_runtime_is_up())
		hs_thread_done();
}
