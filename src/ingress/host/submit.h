/* SPDX-License-Identifier: BSD-3-Clause */
/* Submitting, for calls that do more than submit: ask.c and start.c. See submit.c. */
#ifndef INGRESS_SUBMIT_H
#define INGRESS_SUBMIT_H

#include "ingress/context/context.h"

/* Submit a request for whose reply the caller will wait until deadline_ns: *block is its block. */
enum ingress_status ingress__submit_waiting(ingress_token token, const struct ingress_call *call, uint64_t deadline_ns,
					    struct ingress__block **block);
/* As ingress_submit_chain; if the caller will wait for the replies, waited[count] become the requests' blocks. */
enum ingress_status ingress__submit_chain(ingress_token token, const struct ingress_call *calls, size_t count,
					  const struct ingress_link *links, size_t link_count, uint64_t deadline_ns,
					  struct ingress__block **waited, struct ingress_refusal *error);
/*
 * Starter: submit the first request of a context. This publishes the token, when nothing can fail any more. If the
 * caller will wait for the reply, `block` is not NULL and *block becomes the request's block.
 */
enum ingress_status ingress__submit_constructor(struct ingress__context *context, ingress_token token,
						const struct ingress_call *call, struct ingress__block **block);

/* Refuse a call before the thread is inside, or in a signal handler that interrupted it inside: end the loan only. */
static inline enum ingress_status ingress__submit_refuse(const struct ingress_call *call, enum ingress_status status)
{
	if (call->release)
		call->release(call->owner, call->data, call->bytes);
	return status;
}

#endif
