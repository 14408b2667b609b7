/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mark for each thread: whether it is inside the ingress. While it is, its heap and the rest of its own state may be
 * half changed, so a signal handler that interrupts the thread there is refused (INGRESS_REENTRANT), and nothing is
 * touched.
 *
 *	thread					its signal handler
 *	inside = 1
 *	block = heap->free
 *						ingress_submit: inside is 1: refused
 *	heap->free = block->next
 *	inside = 0
 *
 * A handler that comes before the first step or after the last runs as a call before or after this one. Only the thread
 * itself and its handlers look at the mark, so a plain load and two stores do, and fences against the compiler alone.
 *
 * The mark is cleared while code of the host's or the provider's runs that the ingress calls: it may call in again. The
 * ingress's own threads are marked but for that.
 */
#ifndef INGRESS_INSIDE_H
#define INGRESS_INSIDE_H

#include "block.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* False: this thread is inside already, and its signal handler calls. */
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
 * For the rest of the function this thread is inside; in a signal handler that interrupted it there: return
 * `refused`.
 */
#define INGRESS__ENTER(refused)                                                                                        \
	if (!ingress__enter())                                                                                         \
		return refused;                                                                                        \
	__attribute__((cleanup(ingress__leave_scope), unused)) const bool ingress__entered = true

/* Before code that is not the ingress's; what this returns is for ingress__call_returned(). */
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
 * A thread that is being cancelled finishes its call first: cancelled in the middle of it, it would keep a lock, or a
 * block. Every system call and wait of a host's thread that is a cancellation point stands between these two; waiting
 * on a futex is none.
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

/* End a loan: call the function of its owner, which may call in. */
static inline void ingress__end_loan(ingress_release_fn *release, void *owner, const void *data, size_t bytes)
{
	const bool is_hosts = !ingress__self.library_of && !ingress__self.events_of;
	/* our own threads are never cancelled */
	int inside = ingress__call_out(), cancel = is_hosts ? ingress__hold_cancel() : 0;

	release(owner, data, bytes);
	if (is_hosts)
		ingress__resume_cancel(cancel);
	ingress__call_returned(inside);
}

#endif
