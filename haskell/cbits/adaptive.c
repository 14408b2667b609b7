/* SPDX-License-Identifier: BSD-3-Clause */
/* The C side of adaptive runs: what is done with a batch that paused. Called by cmm/ferry.cmm. */
#include <limits.h>
#include <time.h>

#include "Rts.h"
#include "adaptive.h"

/* slots between two looks at the clock: a look costs as much as a few cheap slots */
#define SLICE_STEP_SLOTS 16

/*
 * Whether a batch that paused goes on released. It does not when it paused because the runtime asked, and the runtime
 * has one OS thread for all Haskell threads: then giving the Capability up gives it to nobody, and the Haskell thread
 * has to yield.
 */
long ferry_is_released(const struct batch_prepared *program, long paused)
{
	return paused == LONG_MIN || rtsSupportsBoundThreads() || program->slots[~paused].flags & BATCH_SLOT_MAY_BLOCK;
}

long ferry_coarse_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/*
 * Go on with a batch that paused, for at most about one slice; with one that its executor runs whole, to its end. On a
 * runtime with one OS thread a slice is one slot: it is there for the slot's sake, which may call back.
 */
long ferry_run_slice(const struct batch_prepared *program, long paused)
{
	long end_ns;

	if (paused == LONG_MIN)
		return batch_prepared_run(program);
	if (!rtsSupportsBoundThreads())
		return batch_prepared_run_some(program, (size_t)~paused, 1);
	end_ns = ferry_coarse_ns() + FERRY_SLICE_NS;
	do
		paused = batch_prepared_run_some(program, (size_t)~paused, SLICE_STEP_SLOTS);
	while (paused < 0 && ferry_coarse_ns() < end_ns);
	return paused;
}
