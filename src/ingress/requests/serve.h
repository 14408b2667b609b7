/* SPDX-License-Identifier: BSD-3-Clause */
/* Serving requests: from the lanes to the provider, in batches, on the library thread. See serve.c. */
#ifndef INGRESS_SERVE_H
#define INGRESS_SERVE_H

#include "ingress/context/request.h"

/* Library thread: hand the next batch of requests to the provider. False: there is none. */
bool ingress__serve(struct ingress__context *context);

/* Library thread: whether there are requests that could be handed over. */
static inline bool ingress__serve_has_requests(const struct ingress__context *context)
{
	/* requests that waited for the constructor count once that has succeeded, perhaps in ->turn() */
	return !ingress__lanes_are_empty(&context->lanes) || context->ready ||
	       (context->constructed && atomic_load_explicit(&context->pending, memory_order_relaxed));
}

#endif
