/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reentrancy guard: a flag of each thread that says whether the thread is inside the ingress. Inside, its heap and
 * the rest of its own state may be half changed. A signal handler that interrupts the thread there and calls the
 * ingress is refused with INGRESS_REENTRANT before it touches anything.
 *
 *	thread					its signal handler
 *	inside = 1
 *	block = heap->free
 *						ingress_submit: inside is 1: refused
 *	heap->free = block->next
 *	inside = 0
 *
 * A handler that runs before the first step or after the last one is an ordinary call, before or after this one. Only
 * the thread and its own signal handlers access the flag, so plain loads and stores suffice, with fences that hold back
 * the compiler.
 *
 * The ingress clears the flag while it runs a callout: a function of the host's or of the provider's, which may call
 * the ingress again. The library thread and the event thread are inside except during callouts.
 */
#ifndef INGRESS_REENTRANCY_H
#define INGRESS_REENTRANCY_H

#include "ingress/self/self.h"

#include <ferry/ingress.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* False: the caller is a signal handler, and the thread that it interrupted is inside. */
static inline bool ingress__enter(void)
{
	if (__builtin_expect(ingress__self.inside, 0))
		return false;
	ingress__self.inside = 1;
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

static inline void ingress__leave(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	ingress__self.inside = 0;
}

static inline void ingress__leave_scope(const bool *entered)
{
	(void)entered;
	ingress__leave();
}

/*
 * The thread is inside for the rest of the calling function. In a signal handler that interrupted a thread inside, the
 * calling function returns `refused`.
 */
#define INGRESS__ENTER(refused)                                                                                        \
	if (!ingress__enter())                                                                                         \
		return refused;                                                                                        \
	__attribute__((cleanup(ingress__leave_scope), unused)) const bool ingress__entered = true

/* Call it before a callout, and pass what it returns to ingress__call_returned() after the callout. */
static inline int ingress__call_out(void)
{
	int inside = ingress__self.inside;

	ingress__leave();
	return inside;
}

static inline void ingress__call_returned(int inside)
{
	ingress__self.inside = inside;
	atomic_signal_fence(memory_order_seq_cst);
}

/*
 * Postpone the cancellation of this thread: cancelled in the middle of a call it would keep a lock or a block for ever.
 * Each system call of a host's thread that is a cancellation point stands between this and ingress__resume_cancel();
 * waiting on a futex is no cancellation point.
 */
static inline int ingress__hold_cancel(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static inline void ingress__resume_cancel(int before)
{
	int ours;

	pthread_setcancelstate(before, &ours);
}

/* End a loan: call the `release` of the lent memory's owner, a callout. */
static inline void ingress__end_loan(ingress_release_fn *release, void *owner, const void *data, size_t bytes)
{
	const bool is_hosts = !ingress__self_is_core();
	/* threads of the core are never cancelled */
	int inside = ingress__call_out(), cancel = is_hosts ? ingress__hold_cancel() : 0;

	release(owner, data, bytes);
	if (is_hosts)
		ingress__resume_cancel(cancel);
	ingress__call_returned(inside);
}

#endif
