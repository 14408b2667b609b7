/* SPDX-License-Identifier: BSD-3-Clause */
/* Closing a context, and waking its threads. Any thread does this; parker.h has the rules of waking. */
#include "ingress/context/context.h"

#include "thread/clock.h"
#include "thread/futex.h"

#include <errno.h>
#include <unistd.h>

/*
 * Wake a library thread that sleeps in poll(2), by its descriptor. Every waker that finds it POLLING writes, until one
 * write is complete; that waker then clears the parker, if it still shows the same sleep:
 *
 *	waker A				waker B				library thread
 *	writes
 *									wakes up, sleeps again
 *									(4 + POLLING: its second sleep)
 *					pushes, suspended
 *	POLLING -> AWAKE fails: 4 + POLLING
 */
static void wake_polling(struct ingress__context *context, uint32_t parked)
{
	const uint64_t one = 1;
	int saved = errno, cancel;

	cancel = ingress__hold_cancel();
	while (write(context->wake_descriptor, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	ingress__resume_cancel(cancel);
	errno = saved;
	/* relaxed: the library thread reads the descriptor and looks for work; a waker that sees AWAKE does nothing */
	atomic_compare_exchange_strong_explicit(&context->lanes.parker, &parked, INGRESS__AWAKE, memory_order_relaxed,
						memory_order_relaxed);
}

void ingress__context_wake(struct ingress__context *context)
{
	/* seq_cst: with `closing`, as in ingress__context_close(); and the descriptor was stored before POLLING */
	uint32_t parked = atomic_load_explicit(&context->lanes.parker, memory_order_seq_cst);

	if (parked == INGRESS__AWAKE)
		return;
	ingress__self.has_woken = true;
	/* relaxed: a hint for threads that wait for the library thread */
	atomic_store_explicit(&context->runner.woken_ns, thread__now_ns(), memory_order_relaxed);
	ingress__placement_wakes(&context->placement);
	if (parked & INGRESS__POLLING)
		wake_polling(context, parked);
	else
		thread__futex_wake_clear(&context->lanes.parker, INGRESS__PARKED);
}

void ingress__event_thread_wake(struct ingress__context *context)
{
	/* seq_cst on both sides: the caller stored before what the event thread looks at after it has stored PARKED */
	if (atomic_load_explicit(&context->events.parker, memory_order_seq_cst) != INGRESS__AWAKE)
		thread__futex_wake_clear(&context->events.parker, INGRESS__PARKED);
}

bool ingress__context_close(struct ingress__context *context, uint32_t generation)
{
	if (!ingress__lanes_end(&context->lanes, generation))
		return false;
	/*
	 *	the thread that closes			library thread
	 *	lanes end				puts the lanes to sleep
	 *	closing = 1				closing is 0: sleeps
	 *	wakes it, whatever the lanes say
	 */
	atomic_store_explicit(&context->closing, 1, memory_order_seq_cst);
	ingress__context_wake(context);
	return true;
}
