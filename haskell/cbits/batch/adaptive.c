/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Batches that cmm/ferry.cmm runs: batched ones, with the Capability given up, and adaptive ones.
 *
 * An adaptive batch is a held call (held/held.c) that also looks itself. Between two slots it pauses when the runtime
 * system wants the Capability (rHpLim is 0 then) or the next slot is marked as one that may block; it gives the
 * Capability up and goes on without it for a slice. In the middle of a slot the Capability is given up as that of any
 * held call is: by the monitor or a collection where the slot lasts, by the slot's own thread where it calls back. So a
 * slot that is not marked and blocks or calls back is right as well; a mark saves what the others wait until then.
 *
 *	Capability	slots run				until
 *	held		batch_prepared_run_while		wanted, or a marked slot is next: it is given up
 *	held		the same				another thread has retaken it, or a callback gave it up
 *	given up	the same, as long as rHpLim is not 0	the batch pauses: a slice begins
 *	given up	batch_prepared_run_some			the slice's end, where it is taken back
 *
 * A batch's result is ~next where it has not ended, and `next` is the slot to go on with, so it is negative; LONG_MIN
 * says that the executor runs batches only whole.
 *
 * What may go wrong: a batch whose Capability was given up in the middle of a slot looks at the rHpLim of a Capability
 * that it does not have. It is 0 from the runtime system's next tick on until a Haskell thread runs there. Until the
 * batch sees it, or ends, no asynchronous exception can reach its thread. On the debug runtime system and without
 * membarrier each batch begins with a slice, since its calls cannot be retaken. The non-threaded one has nobody who
 * could: a batch there pauses where it is wanted, and gives its Capability up for callbacks.
 *
 * What may be changed: SLICE_STEP_SLOTS and SLICE_NS. bench-haskell-gc shows what both cost.
 */
/* as in held.c: Cabal has C compiled with -O1 */
#pragma GCC optimize("O2", "no-tree-slp-vectorize")

#include <limits.h>
#include <stddef.h>

#include "Rts.h"

#include <ferry/batch.h>

#include "batch/layout.h"
#include "held/call.h"
#include "held/openmp.h"

#include "thread/clock.h"

_Static_assert(offsetof(struct batch_prepared, executor) == FERRY_PREPARED_EXECUTOR &&
		       offsetof(struct batch_prepared, slots) == FERRY_PREPARED_SLOTS &&
		       offsetof(struct batch_prepared, rets) == FERRY_PREPARED_RETS &&
		       offsetof(struct batch_prepared, count) == FERRY_PREPARED_COUNT &&
		       offsetof(struct batch_executor, run) == FERRY_EXECUTOR_RUN,
	       "cmm/ferry.cmm reads these fields: layout.h must follow <ferry/batch.h>");

/* Slots between two looks at the clock. A look costs as much as a few cheap slots. */
#define SLICE_STEP_SLOTS 16

/*
 * A slice: how long a batch runs with its Capability given up before it takes that back. An asynchronous exception for
 * its thread waits for the end of the slice. Taking a Capability back is not cheap where other threads want it all the
 * time: the runtime system wakes the next thread in the queue, and may give the Capability to another one before that
 * is awake. Under one collection after the other, slices of 10 ms left a batch less than a tenth of its speed
 * (build/bench/haskell-gc on an AMD EPYC VM, 2 cores).
 */
#define SLICE_NS 200000000UL

/* Whether a batch may open parallel regions: as soon as anything in this process has opened one. */
static inline bool may_open(void)
{
	return __atomic_load_n(&ferry_openmp_opened, __ATOMIC_RELAXED);
}

/* ---- batched -------------------------------------------------------------------------------------------------------
 */

typedef long runner(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count);

/*
 * The OpenMP runtime is told when a batch begins and ends: between two slots that open regions the team stays awake,
 * and it sleeps as soon as the batch has ended. A process that has opened no region yet pays one load for that.
 *
 * `run` is the executor's own function: cmm/ferry.cmm has loaded it, since Cmm can call only functions with a name.
 */
long ferry_run_by(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count,
		  runner *run);
long ferry_run_by(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count,
		  runner *run)
{
	long last;

	if (__builtin_expect(!may_open(), 1))
		return run(executor, rets, slots, count);
	ferry_openmp_registered->batch_begin();
	last = run(executor, rets, slots, count);
	ferry_openmp_registered->batch_end(true);
	return last;
}

/* ---- adaptive ------------------------------------------------------------------------------------------------------
 */

/* The clock of the last tick, which is a few milliseconds old and costs next to nothing. */
static uint64_t coarse_ns(void)
{
	return thread__clock_ns(CLOCK_MONOTONIC_COARSE);
}

/*
 * Run a batch that paused for about SLICE_NS more, or to its end where its executor runs batches only whole. With one
 * OS thread for all Haskell threads run one slot: the Capability was given up only because that slot may call back.
 */
static long run_slice(const struct batch_prepared *program, long paused)
{
	uint64_t end_ns;

	if (paused == LONG_MIN)
		return batch_prepared_run(program);
	if (!rtsSupportsBoundThreads())
		return batch_prepared_run_some(program, (size_t)~paused, 1);
	end_ns = coarse_ns() + SLICE_NS;
	do
		paused = batch_prepared_run_some(program, (size_t)~paused, SLICE_STEP_SLOTS);
	while (paused < 0 && coarse_ns() < end_ns);
	return paused;
}

/*
 * Whether a batch that paused goes on with the Capability given up. It does not where the runtime system asked for the
 * Capability and has one OS thread for all Haskell threads: that thread itself would go on with the batch, so no other
 * Haskell thread could run. There the Haskell thread has to yield first (Ferry.Run).
 */
static bool goes_on(const struct batch_prepared *program, long paused)
{
	return paused == LONG_MIN || rtsSupportsBoundThreads() || program->slots[~paused].flags & BATCH_SLOT_MAY_BLOCK;
}

/* A batch has paused: give the Capability up, unless it is already, and run a slice. */
static __attribute__((noinline)) long go_on(struct ferry_held_owner *own, struct ferry_held_call *call,
					    const struct batch_prepared *program, long paused)
{
	if (!goes_on(program, paused))
		return paused;
	if (ferry_held_take(own, call))
		ferry_held_give_up(own, call);
	return run_slice(program, paused);
}

static inline long run_while(const struct batch_prepared *program, size_t from, StgRegTable *base)
{
	return program->executor->run_part(program, from, (const unsigned long *)&base->rHpLim, 0);
}

/* As ferry_run_adaptive_held, also for a batch that may open regions or cannot begin at once. */
static __attribute__((noinline)) struct ferry_held_owner *run_slowly(const struct batch_prepared *program, size_t from,
								     StgRegTable *base, StgPtr sp, StgPtr hp)
{
	struct ferry_held_call own_call = { .sp = sp, .hp = hp }, *call;
	struct ferry_held_owner *own = ferry_held_self();
	bool opens = may_open(), is_seen;
	long last;

	if (rtsSupportsBoundThreads())
		call = ferry_held_begin(own, &own_call, base);
	else
		call = ferry_held_open(own, &own_call, base, &is_seen);
	if (opens)
		ferry_openmp_registered->batch_begin();
	if (!program->executor->run_part)
		last = LONG_MIN;
	else if (atomic_load_explicit(&call->state, memory_order_relaxed) != FERRY_HELD)
		last = ~(long)from;
	else
		last = run_while(program, from, base);
	if (last < 0)
		last = go_on(own, call, program, last);
	if (opens)
		ferry_openmp_registered->batch_end(last >= 0);
	own->result.word = (StgWord)last;
	ferry_held_end(own, call, call->outer);
	return own;
}

/*
 * Run a batch from slot `from` on. cmm/ferry.cmm has not saved the state of its Haskell thread: Sp and Hp are for
 * another thread to do so. What comes back is the owner, with its token, and its result: the last slot that ran, or
 * ~next, and then the batch is to be run again from there.
 */
struct ferry_held_owner *ferry_run_adaptive_held(const struct batch_prepared *program, size_t from, StgRegTable *base,
						 StgPtr sp, StgPtr hp);
struct ferry_held_owner *ferry_run_adaptive_held(const struct batch_prepared *program, size_t from, StgRegTable *base,
						 StgPtr sp, StgPtr hp)
{
	struct ferry_held_owner *own = ferry_held_own;
	struct ferry_held_call *outer = own->innermost;
	struct ferry_held_call call;
	long last;

	call.sp = sp;
	call.hp = hp;
	call.function = 0;
	if (__builtin_expect(may_open() || !program->executor->run_part || !ferry_held_begin_ready(own, &call, base),
			     0))
		return run_slowly(program, from, base, sp, hp);
	last = run_while(program, from, base);
	if (__builtin_expect(last < 0, 0))
		last = go_on(own, &call, program, last);
	own->result.word = (StgWord)last;
	ferry_held_end(own, &call, outer);
	return own;
}
