/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Credits: the flow control of a context's lanes. A push spends one credit of its own lane for each request, by the
 * compare-and-swap that pushes, so that no thread can exceed the bound. (Credit-based flow control: Kung, Morris 1995.)
 *
 * The pool of free credits. `depth` is how many requests of the context may be unanswered. `granted` counts the credits
 * that lanes were given in all, `answered` the requests that were answered:
 *
 *	granted - answered = requests unanswered + credits in lanes + credits under transfer <= depth
 *
 * So depth - (granted - answered) credits are free, and an answer frees one. A lane without credits gets what it lacks
 * of the free ones, and up to 64 ahead while many are free. When none is free it takes what other lanes have left.
 * Therefore one thread alone can fill the queue.
 *
 * The race. While a thread transfers credits, from the pool or from one lane to another, they are in neither place. A
 * thread that finds none must not report a full queue then. `transfers` counts the transfers under way and those that
 * are complete; a thread that finds no credits searches again if either has changed:
 *
 *	A: transfers credits to lane 2			B: finds no credits
 *	transfers: one under way
 *	takes 64 from lane 1
 *							lane 1 has none, lane 2 has none
 *	puts 64 into lane 2
 *	transfers: one complete				transfers has changed: searches again
 *
 * A thread that is suspended during a transfer does not block the others: after 1,000 searches they report a full
 * queue, although the credits that it holds would have sufficed.
 */
#ifndef INGRESS_CREDITS_H
#define INGRESS_CREDITS_H

#include "ingress/queues/lanes.h"

/*
 * Producer: find `count` credits for the lane. INGRESS__PUSHED: the lane has them, unless another producer of the same
 * lane spends them first. INGRESS__PUSH_FULL, INGRESS__PUSH_ENDED: as of a push.
 */
enum ingress__pushed ingress__credits_find(struct ingress__lanes *lanes, struct ingress__lane *lane,
					   uint32_t generation, uint32_t count, const _Atomic uint32_t *answered,
					   uint32_t depth);

#endif
