/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Abandoning the requests of a context: when a destroyer does not wait any longer, the event thread answers all
 * requests that wait or run with INGRESS_CLOSED. Handlers run on, and their answers are dropped (request.h). See
 * abandon.c.
 */
#ifndef INGRESS_ABANDON_H
#define INGRESS_ABANDON_H

#include "ingress/context/context.h"

/* A destroyer: ask the event thread to abandon the requests of contexts of generations below `wanted`. */
void ingress__abandon_ask(struct ingress__context *context, uint32_t wanted);
/* Event thread: abandon the requests of the context, if a destroyer asked. False: none did. */
bool ingress__abandon_if_asked(struct ingress__context *context);
/*
 * Library thread, at the end of a context: contexts of generations below `generation` are not abandoned any more. When
 * this returns the event thread is not abandoning.
 */
void ingress__abandon_stop(struct ingress__context *context, uint32_t generation);

#endif
