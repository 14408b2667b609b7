/* SPDX-License-Identifier: BSD-3-Clause */
/* The C side of adaptive runs: what is done with a batch that paused. Called by cmm/ferry.cmm. */
#include <limits.h>
#include <stddef.h>

#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "batch/adaptive.h"
#include "held/held.h"
#include "batch/layout.h"

#include "thread/clock.h"

_Static_assert(offsetof(struct batch_prepared, executor) == FERRY_PREPARED_EXECUTOR &&
		       offsetof(struct batch_prepared, slots) == FERRY_PREPARED_SLOTS &&
		       offsetof(struct batch_prepared, rets) == FERRY_PREPARED_RETS &&
		       offsetof(struct batch_prepared, count) == FERRY_PREPARED_COUNT &&
		       offsetof(struct batch_executor, run) == FERRY_EXECUTOR_RUN &&
		       offsetof(struct batch_executor, run_part) == FERRY_EXECUTOR_RUN_PART,
	       "cmm/ferry.cmm reads these fields: layout.h must follow <ferry/batch.h>");

/* slots between two looks at the clock: a look costs as much as a few cheap slots */
#define SLICE_STEP_SLOTS 16

/*
 * The runtime of parallel regions is told when a batch begins and ends, so that the team is awake in between and asleep
 * after. A process that has opened no region yet pays a look at a word for that. Cmm calls only what has a name.
 */
long ferry_run_by(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count,
		  ferry_runner *run)
{
	long last;

	if (__builtin_expect(!ferry_batch_may_open(), 1))
		return run(executor, rets, slots, count);
	ferryomp_batch_begin();
	last = run(executor, rets, slots, count);
	ferryomp_batch_end(true);
	return last;
}

/* The Capability is held: the processor that its regions find busy is the caller's. */
long ferry_run_part_by(const struct batch_prepared *program, size_t from, const unsigned long *go, size_t at_most,
		       ferry_part_runner *run_part)
{
	long last;

	if (__builtin_expect(!ferry_batch_may_open(), 1))
		return run_part(program, from, go, at_most);
	ferryomp_batch_begin();
	ferry_held_batch(true);
	last = run_part(program, from, go, at_most);
	ferry_held_batch(false);
	ferryomp_batch_end(last >= 0);
	return last;
}

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
	return (long)thread__clock_ns(CLOCK_MONOTONIC_COARSE);
}

/*
 * Go on with a batch that paused, for at most about one slice; with one that its executor runs whole, to its end. On a
 * runtime with one OS thread a slice is one slot: it is there for the slot's sake, which may call back.
 */
static long run_slice(const struct batch_prepared *program, long paused)
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

long ferry_run_slice(const struct batch_prepared *program, long paused)
{
	long last;

	if (!ferry_batch_may_open())
		return run_slice(program, paused);
	ferryomp_batch_begin();
	last = run_slice(program, paused);
	ferryomp_batch_end(last >= 0);
	return last;
}
