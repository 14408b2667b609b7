/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked runs: a slot that calls back into Haskell, and is not marked as one that may block, is found out. Had the
 * Capability been held, it would otherwise have waited for ever for what its own thread has. It is found out also where
 * the Capability happened to be given up, so that what is reported does not depend on when the runtime asked for it.
 *
 * Every way into Haskell begins with rts_lock. The package is linked with --wrap=rts_lock, so that the call arrives
 * here first. A thread that runs a checked batch has a record of it; if the Capability is held, it is given up there
 * and then, which is possible because the thread's state was saved before the slot began (cmm/ferry.cmm). The rest of
 * the batch then runs released. For everybody else the price is one look at a thread-local pointer.
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
	long slot, culprit; /* the slot that runs; the first that called back without a mark, or -1 */
};

static __thread struct watch *watch;
static __thread struct ferry_watched watched;

Capability *__wrap_rts_lock(void);
/* weak: there is no such function where the linker was not told to wrap, and then nobody calls ours */
Capability *__real_rts_lock(void) __attribute__((weak));

/*
 * A runtime system with one OS thread for Haskell lets any thread in that calls, and breaks when two are in it. Those
 * of a parallel region run at once, so they may not call.
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
 * Run slot by slot: with the Capability held for as long as it may be, then without it for a slice. Returns as
 * batch_prepared_run_some.
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
