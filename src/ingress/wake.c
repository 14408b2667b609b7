/* SPDX-License-Identifier: BSD-3-Clause */
/* Waking a library thread, whichever way it sleeps. Threads of hosts do this; wait.h says what a parker is. */
#include "context.h"

#include <errno.h>
#include <unistd.h>

/*
 * The taker sleeps on its descriptor. Whoever finds it so writes, until a write is over, and says so then of that very
 * sleep:
 *
 *	waker A				waker B				taker
 *	writes
 *									wakes up, sleeps again
 *									(4 + POLLING: its second sleep)
 *					pushes, suspended
 *	POLLING -> AWAKE fails
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
	/* relaxed: the taker reads the descriptor, and looks for itself; who sees AWAKE has nothing to do */
	atomic_compare_exchange_strong_explicit(&context->lanes.parked, &parked, INGRESS__AWAKE, memory_order_relaxed,
						memory_order_relaxed);
}

void ingress__context_wake(struct ingress__context *context)
{
	/* seq_cst: with `closing`, as in ingress__context_close(); and the descriptor was stored before POLLING */
	uint32_t parked = atomic_load_explicit(&context->lanes.parked, memory_order_seq_cst);

	if (parked == INGRESS__AWAKE)
		return;
	ingress__self.has_woken = true;
	/* relaxed: a hint, for those that wait for the library thread */
	atomic_store_explicit(&context->runner.woken_ns, thread__now_ns(), memory_order_relaxed);
	if (parked & INGRESS__POLLING)
		wake_polling(context, parked);
	else
		thread__futex_wake_clear(&context->lanes.parked, INGRESS__PARKED);
}
