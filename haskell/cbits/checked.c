/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked runs: a slot that calls back into Haskell while the Capability is held is found out and served, where it
 * would otherwise wait for ever for a Capability that its own thread has.
 *
 * Every way into Haskell begins with rts_lock. The package is linked with --wrap=rts_lock, so that the call arrives
 * here first. A thread that runs a slot with the Capability held has a record of it; if there is one, the Capability is
 * given up there and then, which is possible because the thread's state was saved before the slot began
 * (cmm/ferry.cmm). The rest of the batch then runs released. For everybody else the price is one look at a thread-local
 * pointer.
 *
 *	C stack of one OS thread, growing down          record        Capability
 *	ferry_run_watched                               here          held
 *	  a slot                                        here          held
 *	    a Haskell function, exported: rts_lock      here.token    given up, then taken as by any other thread
 *	      Haskell                                   here.token    held
 *	        ferry_run_watched, of another batch     its own       held
 *	    rts_unlock                                  here.token    given up
 *	  ferry_run_slice: the rest of the batch        none          given up
 */
#include <limits.h>
#include <stdbool.h>

#include "Rts.h"
#include "adaptive.h"

/* A batch that runs on this thread with the Capability held. */
struct held {
	struct held *outer; /* the one that this one is called back from, if any */
	StgRegTable *base;
	void *token;	    /* once a callback has given the Capability up */
	long slot, culprit; /* the slot that runs; the one that called back, or -1 */
};

static __thread struct held *held;
static __thread struct ferry_watched watched;

Capability *__wrap_rts_lock(void);
/* weak: there is no such function where the linker was not told to wrap, and then nobody calls ours */
Capability *__real_rts_lock(void) __attribute__((weak));

Capability *__wrap_rts_lock(void)
{
	struct held *here = held;

	if (here && !here->token) {
		here->culprit = here->slot;
		here->token = suspendThread(here->base, false);
	}
	return __real_rts_lock();
}

/* Run slot by slot for as long as the Capability may be held. Returns as batch_prepared_run_some. */
static long run_held(const struct batch_prepared *program, long from, struct held *here)
{
	const unsigned long *go = (const unsigned long *)&here->base->rHpLim;
	long last = ~from;

	held = here;
	while (last < 0 && last != LONG_MIN && !here->token) {
		here->slot = ~last;
		if (!__atomic_load_n(go, __ATOMIC_RELAXED) || program->slots[~last].flags & BATCH_SLOT_MAY_BLOCK)
			break;
		last = batch_prepared_run_some(program, (size_t)~last, 1);
	}
	held = here->outer;
	return last;
}

/* Run a batch from slot `from`. The caller has saved the thread's state, and resumes with the token if there is one. */
const struct ferry_watched *ferry_run_watched(const struct batch_prepared *program, long from, StgRegTable *base);
const struct ferry_watched *ferry_run_watched(const struct batch_prepared *program, long from, StgRegTable *base)
{
	struct held here = { .outer = held, .base = base, .culprit = -1 };
	long last = run_held(program, from, &here);

	if (last < 0 && !here.token && ferry_is_released(program, last))
		here.token = suspendThread(base, false);
	if (last < 0 && here.token)
		last = ferry_run_slice(program, last);
	watched = (struct ferry_watched){ last, here.culprit, here.token };
	return &watched;
}
