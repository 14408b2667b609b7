/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C side of adaptive runs, called by cmm/ferry.cmm: it runs a batch while the Capability is held, and the rest of a
 * batch that has paused while the Capability is given up.
 *
 * A batch pauses between two slots, when the runtime system wants the Capability (the word `go` is 0 then) or the next
 * slot may block. Its result is then ~next, where `next` is the slot to go on with, so it is negative; LONG_MIN says
 * that the executor runs batches only whole.
 *
 * What may be changed: SLICE_STEP_SLOTS, and FERRY_SLICE_NS in adaptive.h. bench-haskell-gc shows what both cost.
 */
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

/* Slots between two looks at the clock. A look costs as much as a few cheap slots. */
#define SLICE_STEP_SLOTS 16

/*
 * The OpenMP runtime is told when a batch begins and ends: between two slots that open regions the team stays awake,
 * and it sleeps as soon as the batch has ended. A process that has opened no region yet pays one load for that.
 *
 * `run` is the executor's own function: cmm/ferry.cmm has loaded it, since Cmm can call only functions with a name.
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

/*
 * The same for a part of a batch, with the Capability held. The co-scheduler counts that Capability as busy, and
 * ferry_held_batch says that it is the caller's own processor.
 */
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
 * Whether a batch that paused goes on with the Capability given up. It does not where the runtime system asked for the
 * Capability and has one OS thread for all Haskell threads: that thread itself would go on with the batch, so no other
 * Haskell thread could run. There the Haskell thread has to yield first (Ferry.Run).
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
 * Run a batch that paused for about FERRY_SLICE_NS more, or to its end where its executor runs batches only whole. With
 * one OS thread for all Haskell threads run one slot: the Capability was given up only because that slot may call back.
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
