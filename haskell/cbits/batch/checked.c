/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked runs: adaptive runs that report a slot that calls back into Haskell without the mark that it may block. In an
 * adaptive run such a slot would wait for ever for the Capability that its own thread holds. It is reported also where
 * the Capability happened to be given up, so that the report does not depend on when the runtime system asked for it.
 *
 * Every way into Haskell begins with rts_lock. The package is linked with --wrap=rts_lock, so that the call arrives
 * here first. A thread that runs a checked batch has a record of it, `watch`. If the Capability is held, this file
 * gives it up at that moment, which is possible because cmm/ferry.cmm has saved the thread's state before the slot; the
 * rest of the batch then runs with the Capability given up. A thread without such a record pays one look at a
 * thread-local pointer.
 *
 * All callbacks come this way, so this file also makes way for those of held calls (ferry_held_yield), and refuses
 * those of a team's workers where the runtime system has one OS thread.
 *
 *	C stack of one OS thread, growing down          record        Capability
 *	ferry_run_watched                               here          held
 *	  a slot                                        here          held
 *	    a Haskell function, exported: rts_lock      here.token    given up, then taken as by any other thread
 *	      Haskell                                   here.token    held
 *	        ferry_run_watched, of another batch     its own       held
 *	    rts_unlock                                  here.token    given up
 *	  the next slots, for a slice                   here.token    given up
 */
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>

#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "batch/adaptive.h"
#include "held/held.h"

/* A checked batch that runs on this thread. */
struct watch {
	struct watch *outer; /* the one that this one is called back from, if any */
	StgRegTable *base;
	void *token;	    /* once the Capability has been given up */
	bool marked;	    /* the slot that runs is marked as one that may block, and may call back */
	long slot, culprit; /* the slot that runs; the first slot that called back without a mark, or -1 */
};

static __thread struct watch *watch;
static __thread struct ferry_watched watched;

Capability *__wrap_rts_lock(void);
/* weak: where the linker was not told to wrap rts_lock it makes no such function, and nobody calls __wrap_rts_lock */
Capability *__real_rts_lock(void) __attribute__((weak));

/*
 * A runtime system with one OS thread for Haskell lets every thread in that calls it, and breaks when two are in it.
 * The threads of a parallel region run at the same time, so only its primary may call.
 */
static void refuse_workers(void)
{
	for (int level = omp_get_level(); level > 0; level--) {
		if (omp_get_ancestor_thread_num(level) == 0)
			continue;
		errorBelch("ferry: a thread of an OpenMP team called back into Haskell, which needs the threaded "
			   "runtime system: add -threaded to the program's ghc-options");
		stg_exit(EXIT_FAILURE);
	}
}

Capability *__wrap_rts_lock(void)
{
	struct watch *here = watch;

	if (here && !here->marked && here->culprit < 0)
		here->culprit = here->slot;
	if (here && !here->token) {
		here->token = suspendThread(here->base, false);
		ferry_held_batch(false);
	}
	if (!rtsSupportsBoundThreads())
		refuse_workers();
	ferry_held_yield();
	return __real_rts_lock();
}

/* Whether the Capability is wanted, or the slot that runs next may block. */
static bool must_give_up(const struct watch *here)
{
	const unsigned long *go = (const unsigned long *)&here->base->rHpLim;

	return here->marked || !__atomic_load_n(go, __ATOMIC_RELAXED);
}

/*
 * Run slot by slot: with the Capability held until somebody wants it, then for a slice with it given up. Returns what
 * batch_prepared_run_some does.
 */
static long run_slots(const struct batch_prepared *program, long from, struct watch *here)
{
	long last = ~from, end_ns = LONG_MAX;

	while (last < 0 && last != LONG_MIN) {
		here->slot = ~last;
		here->marked = program->slots[~last].flags & BATCH_SLOT_MAY_BLOCK;
		if (!here->token && must_give_up(here)) {
			if (!ferry_is_released(program, last))
				break;
			here->token = suspendThread(here->base, false);
		}
		ferry_held_batch(!here->token);
		last = batch_prepared_run_some(program, (size_t)~last, 1);
		if (here->token && end_ns == LONG_MAX)
			end_ns = ferry_coarse_ns() + FERRY_SLICE_NS;
		/* on a runtime with one OS thread a slice is one slot */
		if (here->token && (!rtsSupportsBoundThreads() || ferry_coarse_ns() >= end_ns))
			break;
	}
	ferry_held_batch(false);
	return last;
}

/* Run a batch from slot `from`. The caller has saved the thread's state, and resumes with the token if there is one. */
const struct ferry_watched *ferry_run_watched(const struct batch_prepared *program, long from, StgRegTable *base);
const struct ferry_watched *ferry_run_watched(const struct batch_prepared *program, long from, StgRegTable *base)
{
	struct watch here = { .outer = watch, .base = base, .culprit = -1 };
	bool may_open = ferry_batch_may_open();
	long last;

	watch = &here;
	if (may_open)
		ferryomp_batch_begin();
	last = run_slots(program, from, &here);
	if (last == LONG_MIN) {
		here.token = suspendThread(base, false);
		last = batch_prepared_run(program);
	}
	if (may_open)
		ferryomp_batch_end(last >= 0);
	watch = here.outer;
	watched = (struct ferry_watched){ last, here.culprit, here.token };
	return &watched;
}
