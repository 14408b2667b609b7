/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The watchdog of a context, on its event thread: it tells hosts of requests that have been running for long, with
 * INGRESS_STALE, once in each stale_ns.
 *
 * How: it looks at the running table four times in stale_ns and remembers what it saw. A request that it sees again
 * after stale_ns has run for as long. No request pays for a clock of its own. When nothing was handed over for
 * stale_ns, the watchdog sleeps; the library thread wakes the event thread at the next request.
 */
#ifndef INGRESS_WATCHDOG_H
#define INGRESS_WATCHDOG_H

#include "ingress/context/context.h"

struct ingress__seen;

struct ingress__watchdog {
	struct ingress__seen *seen; /* what the last look saw, by the index in the running table */
	uint32_t capacity;
	uint32_t activity;	/* the context's, at the last look */
	int64_t stale_ns;	/* the context's, at the last look */
	uint64_t next_ns;	/* when the next look is due; UINT64_MAX: it sleeps */
	uint64_t idle_since_ns; /* 0: something was running at the last look */
};

/* Look at the running table, if a look is due. */
void ingress__watchdog_look(struct ingress__context *context, struct ingress__watchdog *watchdog);
/*
 * Whether the value that the last look read is unchanged (the activity if the watchdog sleeps, else stale_ns), so that
 * the event thread may sleep until the next look.
 */
bool ingress__watchdog_is_current(struct ingress__context *context, const struct ingress__watchdog *watchdog);
/* Library thread: note that requests were handed over. */
static inline void ingress__watchdog_note_activity(struct ingress__context *context)
{
	/* relaxed: only this thread writes it. seq_cst: fall_asleep() in watchdog.c */
	atomic_store_explicit(&context->activity, atomic_load_explicit(&context->activity, memory_order_relaxed) + 1,
			      memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&context->watchdog_awake, memory_order_seq_cst), 1))
		return;
	atomic_store_explicit(&context->watchdog_awake, 1, memory_order_seq_cst);
	ingress__event_thread_wake(context);
}

#endif
