/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GHC's scheduler beside libferryomp's (ferry/openmp_coscheduler.h): what its runtime system uses of the machine now.
 *
 * Part of the Haskell package, which is compiled with the headers of the runtime system. The package has the linker
 * always take this file (ferry.cabal, -u), so that a program needs no import to register it.
 *
 * The runtime system offers no function that says which Capabilities are in use, so their fields are read
 * (capability.h). What is read may be old the next moment. It decides how many threads a team has and whether a waiter
 * sleeps, and any answer is right.
 */
#include <stdatomic.h>

#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "capability.h"
#include "held.h"

/*
 * Private to the runtime system, but to be had where it is linked statically. In a program that was linked with
 * -dynamic these are NULL, and only Capabilities that have held a call are known (cbits/held.c).
 */
extern Capability **capabilities __attribute__((weak));
extern volatile StgWord sched_state __attribute__((weak));
#define SHUTTING_DOWN 2

/*
 * A Capability is never moved, and freed only when the runtime system ends; the array of them is, when it grows, so
 * what has been found there is kept. relaxed: written with the same value by whoever comes first.
 */
static _Atomic(const char *) known[FERRY_CAPABILITIES_MAX];

static bool is_running(void)
{
	return n_capabilities > 0 && (!&sched_state || sched_state < SHUTTING_DOWN);
}

const char *ferry_capability(unsigned number)
{
	const char *found = atomic_load_explicit(&known[number], memory_order_relaxed);

	if (!found && &capabilities) {
		Capability **now = *(Capability * *volatile *)&capabilities;

		found = (const char *)now[number];
		/* freed while we read it */
		if (now != *(Capability * *volatile *)&capabilities)
			return NULL;
		atomic_store_explicit(&known[number], found, memory_order_relaxed);
	} else if (!found) {
		found = ferry_held_capability(number);
	}
	return found;
}

unsigned ferry_capability_count(void)
{
	unsigned count = is_running() ? enabled_capabilities : 0;

	return count < FERRY_CAPABILITIES_MAX ? count : FERRY_CAPABILITIES_MAX;
}

static unsigned processors(void)
{
	return is_running() ? enabled_capabilities : 0;
}

/* A Capability that a thread has, or for which Haskell threads wait. */
static bool is_busy(const char *capability)
{
	const struct ferry_capability_head *head = ferry_capability_head(capability);

	return __atomic_load_n(&head->running_task, __ATOMIC_RELAXED) ||
	       __atomic_load_n(&head->n_run_queue, __ATOMIC_RELAXED);
}

static unsigned busy(void)
{
	unsigned count = ferry_held_loose(), all = ferry_capability_count();

	for (unsigned i = 0; i < all; i++) {
		const char *capability = ferry_capability(i);

		count += capability && is_busy(capability);
	}
	return count;
}

static void *holding(void)
{
	ferry_held_region_opens();
	return ferry_held_here();
}

/* What the runtime system keeps for a thread that has called it. */
static void worker_ends(void)
{
	if (is_running())
		hs_thread_done();
}

uint32_t ferry_regions_opened;

static const struct ferryomp_coscheduler coscheduler = {
	.version = FERRYOMP_COSCHEDULER_VERSION,
	.processors = processors,
	.busy = busy,
	.holding = holding,
	.worker_ends = worker_ends,
	.opened = &ferry_regions_opened,
};

/* A library of another version refuses this struct, and then does as it would in any C program. */
void ferry_coscheduler(void);
__attribute__((constructor)) void ferry_coscheduler(void)
{
	ferryomp_coscheduler_register(&coscheduler);
}
