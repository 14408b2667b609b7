/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "ingress/host/options.h"

static uint32_t power_of_two(uint32_t least)
{
	return least <= 1 ? 1 : 1u << (32 - __builtin_clz(least - 1));
}

#define CHOOSE(field, standard)                                                                                        \
	(given.field					 ? given.field                                                 \
	 : library->defaults && library->defaults->field ? library->defaults->field                                    \
							 : (standard))

bool ingress__options_choose(const struct ingress_library *library, const struct ingress_options *options,
			     struct ingress_options *chosen)
{
	const struct ingress_options none = { 0 }, given = options ? *options : none;

	for (size_t i = 0; i < sizeof(given.reserved) / sizeof(given.reserved[0]); i++)
		if (given.reserved[i])
			return false;
	*chosen = (struct ingress_options){
		.queue_depth = CHOOSE(queue_depth, INGRESS__QUEUE_DEPTH),
		.event_depth = CHOOSE(event_depth, INGRESS__EVENT_DEPTH),
		.payload_bytes = CHOOSE(payload_bytes, INGRESS__PAYLOAD_BYTES),
		.stale_ns = CHOOSE(stale_ns, INGRESS__STALE_NS),
		.stuck_ns = CHOOSE(stuck_ns, INGRESS__STUCK_NS),
		.spin_ns = CHOOSE(spin_ns, INGRESS__SPIN_NS),
	};
	if (chosen->queue_depth > INGRESS__QUEUE_DEPTH_MAX || chosen->event_depth > INGRESS__EVENT_DEPTH_MAX ||
	    chosen->payload_bytes > INGRESS__PAYLOAD_BYTES_MAX || chosen->stale_ns < 0 || chosen->stuck_ns < 0 ||
	    chosen->spin_ns > INGRESS__SPIN_NS_MAX)
		return false;
	chosen->queue_depth = power_of_two(chosen->queue_depth);
	chosen->event_depth = power_of_two(chosen->event_depth);
	return true;
}

void ingress__options_set(struct ingress__context *context, const struct ingress_options *options)
{
	/*
	 * relaxed: the store of the token publishes them. A thread with an older token may see them, but its push
	 * fails.
	 */
	atomic_store_explicit(&context->payload_max, options->payload_bytes, memory_order_relaxed);
	atomic_store_explicit(&context->stuck_ns, (uint64_t)options->stuck_ns, memory_order_relaxed);
	/* The event thread may be sleeping by the stale_ns of the context before. seq_cst: is_current() reads it. */
	if (atomic_exchange_explicit(&context->stale_ns, options->stale_ns, memory_order_seq_cst) > options->stale_ns)
		ingress__event_thread_wake(context);
	atomic_store_explicit(&context->spin_ns, options->spin_ns, memory_order_relaxed);
	atomic_store_explicit(&context->depth, options->queue_depth, memory_order_relaxed);
	atomic_store_explicit(&context->event_depth, options->event_depth, memory_order_relaxed);
}
