/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a request: one terminal reply, whoever gives it. See reply.c for the states of a block.
 */
#ifndef INGRESS_REPLY_H
#define INGRESS_REPLY_H

#include "context.h"

/* The low bits of block->state; above them is a number that no two uses of a block share. */
enum ingress__phase {
	INGRESS__FREE,	     /* not handed to a provider: one owner */
	INGRESS__RUNNING,    /* handed over */
	INGRESS__BUSY,	     /* handed over, and the event thread is telling its host something */
	INGRESS__DELIVERING, /* the library thread is giving the terminal reply */
	INGRESS__CUT,	     /* the event thread gave the terminal reply; the provider still has the request */
};
#define INGRESS__PHASE_BITS 3
#define INGRESS__PHASE_MASK ((1u << INGRESS__PHASE_BITS) - 1)

/* Library thread: before a request is handed over, and whether this use may end by a reply. */
void ingress__reply_begin(struct ingress__context *context, struct ingress__block *block);

/* The terminal reply to a request that was not handed over; the caller owns it, and no longer does afterwards. */
void ingress__reply_unhandled(struct ingress__block *block, enum ingress_status status);

/* Library thread: tell of a constructor that failed, after its place has become idle. */
void ingress__reply_failed_constructor(struct ingress__block *block);

/* Event thread: INGRESS_STALE for a request that still runs in `state`. False: it does not. */
bool ingress__reply_stale(struct ingress__context *context, struct ingress__block *block, uint64_t state);

/* Event thread: INGRESS_CLOSED for all that waits or runs. When it returns no reply is being given. */
void ingress__reply_cut_all(struct ingress__context *context);

#endif
