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
 *	given up	the same				the slot has returned: a slice begins
 *	given up	batch_prepared_run_some			the slice's end, where it is taken back
 *
 * The word that the batch looks at between two slots is its owner's, `go` in held/retake.h. rHpLim would not do: once
 * the Capability has been retaken, the next Haskell thread there overwrites rHpLim, and until the batch ends it would
 * hear neither of that nor of an exception for its thread. A thread that collects, and one that gives this Capability
 * up, sets `go` to 0. Where the linker does not lead the former through wanted.c, the batch looks at rHpLim.
 *
 * A batch's result is ~next where it has not ended, and `next` is the slot to go on with, so it is negative; LONG_MIN
 * says that the executor runs batches only whole.
 *
 * What may go wrong: a Capability that is asked for by a tick, or for a message, is given up at the monitor's next look
 * and not between two slots. In a program that is linked with -dynamic a batch looks at rHpLim, and may not hear that
 * its Capability has been retaken. On the debug runtime system and without
 * membarrier each batch begins with a slice, since its calls cannot be retaken. The non-threaded one has nobody who
 * could: a batch there pauses where it is wanted, and gives its Capability up for callbacks.
 *
 * What may be changed: the numbers of a slice. bench-haskell-gc shows what they cost.
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
_Static_assert(FERRY_RUN_RESUMES < ~(long)BATCH_SLOTS_MAX, "no batch pauses before this slot");

/*
 * A slice: how long a batch runs with its Capability given up before it takes that back. An asynchronous exception for
 * its thread waits for the end of the slice, so slices are short. But taking a Capability back is not cheap where other
 * threads want it all the time: the runtime system wakes the next thread in the queue, and may give the Capability to
 * another one before that is awake. Under one collection after the other, slices of 10 ms left a batch less than a
 * tenth of its speed (build/bench/haskell-gc on an AMD EPYC VM, 2 cores). So a slice lasts SLICE_WAITS times as long
 * as the batch waited for its Capability after the slice before: a batch loses a tenth of its time at most, until
 * slices are SLICE_MAX_NS long.
 */
enum {
	SLICE_MIN_NS = 4000000,
	SLICE_WAITS = 9,
	SLICE_MAX_NS = 200000000,
	/* Slots between two looks at the clock, where they are short. A look costs as much as a few cheap slots. */
	SLICE_STEP_SLOTS = 16,
};

/*
 * The slices of the batch that this OS thread ran last. Where a batch goes on in another OS thread, its next slice is a
 * short one.
 */
static __thread struct {
	const struct batch_prepared *program;
	uint64_t ended_ns, length_ns;
} slices;

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

/* A batch goes on after a slice: its next slice is as long as what it has waited for says. */
static void note_wait(const struct batch_prepared *program)
{
	uint64_t length_ns = SLICE_MIN_NS;

	if (slices.program == program && slices.ended_ns) {
		length_ns = SLICE_WAITS * (thread__now_ns() - slices.ended_ns);
		length_ns = length_ns < SLICE_MIN_NS ? SLICE_MIN_NS : length_ns;
		length_ns = length_ns > SLICE_MAX_NS ? SLICE_MAX_NS : length_ns;
	}
	slices.program = program;
	slices.ended_ns = 0;
	slices.length_ns = length_ns;
}

/*
 * Run a batch that paused for a slice, or to its end where its executor runs batches only whole. With one OS thread for
 * all Haskell threads run one slot: the Capability was given up only because that slot may call back.
 */
static long run_slice(const struct batch_prepared *program, long paused)
{
	uint64_t now_ns, before_ns, end_ns;
	size_t slots = 1;

	if (paused == LONG_MIN)
		return batch_prepared_run(program);
	if (!rtsSupportsBoundThreads())
		return batch_prepared_run_some(program, (size_t)~paused, 1);
	if (slices.program != program)
		note_wait(program);
	now_ns = coarse_ns();
	end_ns = now_ns + slices.length_ns;
	do {
		before_ns = now_ns;
		paused = batch_prepared_run_some(program, (size_t)~paused, slots);
		now_ns = coarse_ns();
		/* slots that take long are run one by one, so that the slice ends when it is over */
		slots = now_ns == before_ns && slots < SLICE_STEP_SLOTS ? 2 * slots : 1;
	} while (paused < 0 && now_ns < end_ns);
	slices.ended_ns = paused < 0 ? thread__now_ns() : 0;
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
	else
		ferry_held_await_token(call);
	/* this call has no Capability left to give up; a thread that means an earlier one makes a batch pause once */
	__atomic_store_n(&own->go, 1, __ATOMIC_RELAXED);
	return run_slice(program, paused);
}

static inline long run_while(const struct ferry_held_owner *own, const struct batch_prepared *program, size_t from)
{
	return program->executor->run_part(program, from, own->watched, 0);
}

/* The batch on own->first has paused. A batch that does not pause need not have that record's address in a register. */
static __attribute__((noinline)) long go_on_first(struct ferry_held_owner *own, const struct batch_prepared *program,
						  long paused)
{
	return go_on(own, &own->first, program, paused);
}

/* What the Cmm code gets: the result, unless the thread has to resume first, which reads it from the owner. */
static inline long hand_back(struct ferry_held_owner *own, long last)
{
	own->result.word = (StgWord)last;
	return own->token ? FERRY_RUN_RESUMES : last;
}

static __attribute__((noinline)) long end_slowly(struct ferry_held_owner *own, long last)
{
	ferry_held_end_first_slowly(own);
	return hand_back(own, last);
}

/* As ferry_run_adaptive_held, also for a batch that may open regions or cannot begin at once. */
static __attribute__((noinline)) long run_slowly(const struct batch_prepared *program, size_t from, StgRegTable *base)
{
	struct ferry_held_call own_call, *call;
	struct ferry_held_owner *own = ferry_held_self();
	bool opens = may_open(), has_row;
	long last;

	if (from)
		note_wait(program);
	__atomic_store_n(&own->go, 1, __ATOMIC_RELAXED);
	if (rtsSupportsBoundThreads())
		call = ferry_held_begin(own, &own_call, base);
	else
		call = ferry_held_open(own, &own_call, base, &has_row);
	if (opens)
		ferry_openmp_registered->batch_begin();
	if (!program->executor->run_part)
		last = LONG_MIN;
	else if (atomic_load_explicit(&call->state, memory_order_relaxed) != FERRY_HELD)
		last = ~(long)from;
	else
		last = run_while(own, program, from);
	if (last < 0)
		last = go_on(own, call, program, last);
	if (opens)
		ferry_openmp_registered->batch_end(last >= 0);
	/* the call around it has given its Capability up, or this one could not be made: it has to hear of that */
	if (call->outer)
		__atomic_store_n(&own->go, 0, __ATOMIC_RELAXED);
	ferry_held_end(own, call);
	return hand_back(own, last);
}

/*
 * Run a batch from slot `from` on. cmm/ferry.cmm has not saved the state of its Haskell thread, but has lent its
 * registers for another thread to do so. Returns the last slot that ran, or ~next, and then the batch is to be run
 * again from there; or FERRY_RUN_RESUMES where the thread has to resume first: then the owner has the token and that
 * result.
 */
long ferry_run_adaptive_held(const struct batch_prepared *program, size_t from, StgRegTable *base);
long ferry_run_adaptive_held(const struct batch_prepared *program, size_t from, StgRegTable *base)
{
	struct ferry_held_owner *own = ferry_held_own;
	long last;

	if (__builtin_expect(from || may_open() || !program->executor->run_part || !ferry_held_begin_ready(own, base),
			     0))
		return run_slowly(program, from, base);
	/* asked for before the call was published: nobody looks for it again before the monitor does */
	last = __builtin_expect(!base->rHpLim, 0) ? ~0L : run_while(own, program, 0);
	if (__builtin_expect(last < 0, 0))
		last = go_on_first(own, program, last);
	return __builtin_expect(ferry_held_is_kept(own, &own->first), 1) ? last : end_slowly(own, last);
}

/* The owner in which ferry_run_adaptive_held has just left the token and the result. */
struct ferry_held_owner *ferry_run_adaptive_owner(void);
struct ferry_held_owner *ferry_run_adaptive_owner(void)
{
	return ferry_held_own;
}
