/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GHC's runtime system as a co-scheduler: what an OpenMP runtime asks of it. This package does not know that runtime;
 * the package ferry-openmp leads its questions here (decision 15, docs/decisions/0015-co-scheduling.md).
 *
 * What may go wrong: the answers are read from the Capabilities' fields without locks, and may be old the next moment.
 * They decide how many threads a team gets and whether a waiter sleeps, so a wrong answer costs time and breaks
 * nothing. That teams follow the number of Capabilities is tested by haskell/tests/Ferry/HeldSpec.hs.
 */
#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"
#include "coscheduler/coscheduler.h"
#include "held/held.h"
#include "held/monitor.h"
#include "held/retake.h"

/* The number of all Capabilities, also of those above FERRY_CAPABILITIES_MAX, of which busy() knows nothing. */
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

/* A held call that has given its Capability up runs beside whatever has that now. */
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
 * Asked once for each region that a thread opens. What it returns names the owner of a held call; the OpenMP runtime
 * keeps it for the workers of the region, which get it back from `held`.
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
