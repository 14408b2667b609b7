/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes of a context: each host thread pushes to one of them, always the same, so that threads do not meet and
 * what one thread submitted stays in order. Between threads there is none: what another thread submitted later, having
 * seen that this one was accepted, may be taken first. Two threads on 2 cores push 50 M/s to one lane, as they do by a
 * bare compare-and-swap of one word, and 100 M/s to one each, with nobody taking.
 *
 * The taker looks only at lanes in use. A lane has no room at first, so its first pusher comes to
 * ingress__lanes_make_room(), which counts it among those in use; and it is born asleep, so that this pusher looks at
 * `parked` in any case. `used` and `parked` are seq_cst on both sides:
 *
 *	taker					first pusher of a lane
 *	parked = 1				used = 2
 *	used is 1: lane 1 is not put to sleep	LANE_ASLEEP -> block; it saw LANE_ASLEEP: parked was 1, wakes
 *
 * Room: a context has at most `depth` requests unanswered. `granted` counts what the lanes were given in all; granted
 * less the answers never passes the depth, and each lane's word has what is left of its part. A push takes from its
 * own lane alone; a lane without room gets some more of what is free, up to 64 ahead while much is free, and when
 * nothing is it takes what other lanes have left. So the bound is never passed, and one thread alone can fill the
 * queue.
 *
 *	granted - answered = requests unanswered + room in lanes + room being moved <= depth
 *
 * While room is being moved, from what is free or from one lane to another, it is in neither place. Who finds none
 * looks again when anybody was at that: `moves` counts those under way and those that are over.
 *
 *	A: moves room to lane 2				B: finds no room
 *	moves: one under way
 *	takes 64 from lane 1
 *							lane 1 has none, lane 2 has none
 *	puts 64 into lane 2
 *	moves: one over					moves has changed: looks again
 *
 * A thread that the system stops in there for long does not keep the others: after 1,000 looks the queue is called
 * full, although what that thread moves would fit.
 */
#ifndef INGRESS_LANES_H
#define INGRESS_LANES_H

#include "lane.h"

struct ingress__lanes {
	/* Lanes below this have been pushed to, or are about to be, in this use: the taker looks at no others. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t used;
	struct ingress__lane lane[INGRESS__LANES];
	/* generation << 32 | room that lanes were given, modulo 2^32 */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t granted;
	/* moves of room that are over << 32 | that are under way */
	_Atomic uint64_t moves;
};

/* For lanes that nobody uses. */
void ingress__lanes_start(struct ingress__lanes *lanes, uint32_t generation);

/* Anybody: end this use of all lanes. False when it had ended already; then another thread is at it, or has been. */
bool ingress__lanes_end(struct ingress__lanes *lanes, uint32_t generation);

/* Room for `count` more in the lane. INGRESS__PUSHED: it is there, unless another thread of that lane takes it. */
enum ingress__pushed ingress__lanes_make_room(struct ingress__lanes *lanes, struct ingress__lane *lane,
					      uint32_t generation, uint32_t count, const _Atomic uint32_t *answered,
					      uint32_t depth);

/* The generation of the use that is accepted. */
static inline uint32_t ingress__lanes_generation(const struct ingress__lanes *lanes)
{
	/* acquire: with the end of the first lane, which ends before the others */
	return ingress__lane_generation(atomic_load_explicit(&lanes->lane[0].head, memory_order_acquire));
}

static inline bool ingress__lanes_are_empty(const struct ingress__lanes *lanes)
{
	/* relaxed: a taker that sleeps because of what it saw here has looked again, in the next function */
	uint32_t used = atomic_load_explicit(&lanes->used, memory_order_relaxed);

	for (uint32_t i = 0; i < used; i++)
		if (!ingress__lane_is_empty(&lanes->lane[i]))
			return false;
	return true;
}

/* Taker: fall asleep. False when there is something to take. `parked` is stored before, seq_cst. */
static inline bool ingress__lanes_doze(struct ingress__lanes *lanes)
{
	uint32_t used = atomic_load_explicit(&lanes->used, memory_order_seq_cst);

	for (uint32_t i = 0; i < used; i++)
		if (!ingress__lane_doze(&lanes->lane[i]))
			return false;
	return true;
}

#endif
