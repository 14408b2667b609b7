/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GHC's runtime system as a co-scheduler of the OpenMP runtime.
 *
 * A Haskell program that calls C with OpenMP has two schedulers for the same processors. This file tells the OpenMP
 * runtime how many processors GHC's may use and how many it uses now, so that teams get what is free (decision 15,
 * docs/decisions/0015-co-scheduling.md). <ferry/openmp_coscheduler.h> declares what is registered here, and says of
 * each function when it is called and what NULL and 0 mean.
 *
 * The package has the linker always take this file (ferry.cabal, -u), so that a program registers GHC's runtime system
 * without an import. It is a part of the package because it needs the headers of GHC's runtime system.
 *
 * What may go wrong: the answers are read from the Capabilities' fields without locks, and may be old the next moment.
 * They decide how many threads a team gets and whether a waiter sleeps, so a wrong answer costs time and breaks
 * nothing. That teams follow the number of Capabilities is tested by haskell/tests/Ferry/HeldSpec.hs.
 */
#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "capability/fields.h"
#include "capability/list.h"
#include "coscheduler/coscheduler.h"
#include "held/held.h"
#include "held/monitor.h"
#include "held/retake.h"

uint32_t ferry_regions_opened;

/* The number of all Capabilities, also of those above FERRY_CAPABILITIES_MAX, of which busy() knows nothing. */
static unsigned processors(void)
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
static unsigned busy(void)
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
 * keeps it for the workers of the region, which get it back from ferryomp_coscheduler_held().
 */
static void *holding(void)
{
	ferry_monitor_region_opens();
	return ferry_held_current();
}

/* A worker ends: the runtime system frees what it keeps for a thread that has called it. */
static void worker_ends(void)
{
	if (ferry_runtime_is_up())
		hs_thread_done();
}

static const struct ferryomp_coscheduler ghc = {
	.version = FERRYOMP_COSCHEDULER_VERSION,
	.processors = processors,
	.busy = busy,
	.holding = holding,
	.worker_ends = worker_ends,
	.opened = &ferry_regions_opened,
};

/* A runtime of another version refuses the registration, and then treats the program as one in C. */
void ferry_coscheduler(void);
__attribute__((constructor)) void ferry_coscheduler(void)
{
	ferryomp_coscheduler_register(&ghc);
}
