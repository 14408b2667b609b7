/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains that have begun: the library thread runs one request after another. See chain.h. */
#ifndef INGRESS_CHAIN_RUN_H
#define INGRESS_CHAIN_RUN_H

#include "ingress/requests/chain.h"

/* Library thread: ready chains go on. Puts requests into batch[capacity]. Returns how many. */
uint32_t ingress__chains_step(struct ingress__context *context, struct ingress_request **batch, uint32_t capacity);
/* Library thread, when the context is closing: answer what waits in the ready chains. */
void ingress__chains_close(struct ingress__context *context);
/* Library thread: hand the chain of requests[count], the whole of which has begun, to a provider that passes it on. */
void ingress__chain_hand_over(struct ingress__context *context, struct ingress_request *const *requests, size_t count);

/* Library thread: answer a request that waits in its chain. */
void ingress__chain_cancel(struct ingress__context *context, struct ingress__block *block);

#endif
