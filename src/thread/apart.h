/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waking a thread apart: not on the processor of the thread that wakes it. The kernel often puts a thread that wakes
 * up on its waker's processor although another one is idle: in a virtual machine, a processor that has halted counts
 * as one that the host has taken away. The two threads then run one after the other, and the next wake-up begins with
 * both on one processor:
 *
 *	processor 0		processor 1		processor 0		processor 1
 *	A wakes B, computes	(idle)			A wakes B, computes	B computes
 *	B computes		(idle)			A goes on
 *	A goes on
 *
 * So the waker takes its own processor out of the sleeper's affinity mask before it makes the system call that wakes
 * it, and the sleeper takes its mask back before it does anything else. The one has to know how far the other is,
 * because a sleeper may also wake up by itself, in `runner->apart`:
 *
 *	waker						sleeper
 *	apart = BEGUN
 *	takes the mark off, or ends here		sleeps
 *	narrows the sleeper's mask
 *	BEGUN -> NARROW; wakes it			NARROW -> NO after it has its mask back
 *
 *	apart = BEGUN
 *	takes the mark off				wakes up by itself, finds no mark: BEGUN -> AWAKE
 *	narrows the sleeper's mask			computes
 *	finds AWAKE: gives the mask back; AWAKE -> NO
 *
 * What may not change: the sleeper calls thread__apart_return() after every wait that took or lost its mark, so that
 * the program never sees the narrow mask. A sleeper that may use only one processor, or that may not use its waker's
 * anyway, is woken as usual.
 */
#ifndef THREAD_APART_H
#define THREAD_APART_H

#include "processor.h"

/* What runner->apart says. */
enum {
	THREAD__APART_NO,
	THREAD__APART_BEGUN,
	THREAD__APART_NARROW,
	THREAD__APART_AWAKE,
};

/* The waker, before it takes the sleeper's mark off. One thread at a time wakes a sleeper apart. */
static inline void thread__apart_begin(struct thread__runner *sleeper)
{
	/* relaxed: the exchange that takes the mark off publishes it */
	atomic_store_explicit(&sleeper->apart, THREAD__APART_BEGUN, memory_order_relaxed);
}

/* The waker, when it has found no mark. */
static inline void thread__apart_end(struct thread__runner *sleeper)
{
	/* relaxed: nothing else was written; a sleeper that has just said AWAKE reads it no more */
	atomic_store_explicit(&sleeper->apart, THREAD__APART_NO, memory_order_relaxed);
}

/* The waker, when it has taken the mark off; next it wakes the sleeper. Takes 1 to 2 us. */
void thread__apart_narrow(struct thread__runner *sleeper, const struct thread__runner *waker);
/* The sleeper, awake: takes its affinity mask back. Call it if runner->apart is not THREAD__APART_NO. */
void thread__apart_return(struct thread__runner *self);

#endif
