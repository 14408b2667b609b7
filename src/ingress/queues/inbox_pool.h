/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An inbox, and the pool of closed ones. A closed inbox is kept for use again, with its descriptor: a producer that was
 * suspended before its write then wakes another inbox's consumer for nothing, and never writes to a descriptor that
 * has become something else.
 */
#ifndef INGRESS_INBOX_POOL_H
#define INGRESS_INBOX_POOL_H

#include "ingress/queues/lane.h"

struct ingress_inbox {
	struct ingress__lane lane;
	_Atomic uint32_t generation; /* of the lane */
	int descriptor;		     /* an eventfd; -1: none */
	uint32_t process;	     /* ingress__process() when it was made */
	/* The number of the sleep for which no producer's write to the descriptor is complete; 0: none. */
	_Atomic uint32_t unsignalled;
	_Atomic uint64_t extra; /* writes besides one for each sleep */

	/* For the consumer alone. Items that were taken from the lane and not handed out yet, linked by `after`. */
	_Alignas(INGRESS__LINE_BYTES) struct ingress__block *first;
	struct ingress__block *last;
	uint32_t budget_ns; /* for spinning: wait.h */
	/* The context whose answer or events come here, the last that was named, or NULL. */
	_Atomic(struct ingress__context *) asked;
	bool armed;	  /* the lane was put to sleep, and nothing was taken since */
	uint32_t sleeps;  /* number of the last sleep of the lane, never 0 */
	uint64_t signals; /* for how many sleeps a producer has written to the descriptor, or is about to */
	uint64_t signals_read;
	struct ingress_inbox *next; /* in the pool; under its lock */
};

/* An inbox from the pool, or NULL: the pool is empty. */
struct ingress_inbox *ingress__inbox_pool_take(void);
void ingress__inbox_pool_give(struct ingress_inbox *inbox);

/* fork.c: take the pool's lock, give it back, and in the child close the parent's descriptors under it. */
void ingress__inbox_pool_lock(void);
void ingress__inbox_pool_unlock(void);
void ingress__inbox_pool_forget(void);

#endif
