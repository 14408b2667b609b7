/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes of a context: each host thread pushes to one of them, always the same, so that threads do not meet and
 * what one thread submitted stays in order. Between threads there is none: what another thread submitted later, having
 * seen that this one was accepted, may be taken first. Two threads on 2 cores push 50 M/s to one lane, as they do by a
 * bare compare-and-swap of one word, and 100 M/s to one each, with nobody taking.
 *
 * The taker looks only at lanes that are awake, so that what many threads once did is not paid for when one is left. A
 * lane is born asleep. Who pushes to one that sleeps says so in `awake` and then looks at `parked`; the taker takes
 * note of `awake` before it puts those lanes to sleep, and looks at it again before it sleeps itself. Both words are
 * seq_cst on both sides:
 *
 *	taker					pusher
 *	awake: lane 1 -> none
 *						lane 1: EMPTY -> block; nobody sleeps, it says nothing
 *	lane 1 has a block: stays awake
 *
 *	awake: lane 1 -> none
 *	lane 1: EMPTY -> ASLEEP
 *						lane 1: ASLEEP -> block
 *	parked = PARKED
 *	awake is none: sleeps			awake: lane 1; parked is PARKED: wakes
 *
 * A pusher that is suspended between these steps stops nobody else. `parked` says AWAKE only when the taker has been
 * woken (wait.h), so that the next pusher, of any lane that sleeps, wakes it too. And whoever pushes onto another
 * thread's block looks whether the taker is going to look there. Onto its own it need not, having looked when it pushed
 * that one: the taker has not been through the lane since. Neither onto nothing: the taker was there.
 *
 *	pusher A, lane 1			pusher B, lane 1
 *	ASLEEP -> block
 *	suspended
 *						block -> block; lane 1 is not in `awake`: says so, and wakes
 *
 * What keeps waiting is a request of the suspended pusher's own, until somebody else pushes to its lane: nobody has
 * been told that it was accepted. At the end of a context the taker takes from all lanes, awake or not.
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
	struct ingress__lane lane[INGRESS__LANES];
	/* generation << 32 | room that lanes were given, modulo 2^32 */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t granted;
	/* moves of room that are over << 32 | that are under way */
	_Atomic uint64_t moves;
	/* Lanes in which the taker is to look, as bits. Pushers set them; only the taker clears them. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t awake;
	_Atomic uint32_t parked; /* the taker's parker: wait.h */
};

#define INGRESS__LANES_ALL ((1u << INGRESS__LANES) - 1)

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

/* Pusher, which saw LANE_ASLEEP: the taker is to look in this lane. Afterwards it is to be woken. */
static inline void ingress__lanes_awaken(struct ingress__lanes *lanes, const struct ingress__lane *lane)
{
	atomic_fetch_or_explicit(&lanes->awake, 1u << (lane - lanes->lane), memory_order_seq_cst);
}

/* Taker: the lanes to look in. */
static inline uint32_t ingress__lanes_awake(const struct ingress__lanes *lanes)
{
	/* relaxed: taking acquires, and a taker that sleeps because of what it saw here has looked again, seq_cst */
	return atomic_load_explicit(&lanes->awake, memory_order_relaxed);
}

/*
 * Pusher, which saw a lane that does not sleep, and in it `below`: whether the taker is going to look there. False:
 * another pusher has not said so yet, or has not woken the taker yet, and may be suspended; do both for it.
 *
 * The other's push came after the taker's doze and after that had cleared the lane in `awake`, so an older word is not
 * seen. seq_cst: who sees here what the other pusher said sees that the taker parked before.
 */
static inline bool ingress__lanes_is_watched(const struct ingress__lanes *lanes, const struct ingress__lane *lane,
					     uint32_t below)
{
	if (below == INGRESS__LANE_EMPTY || below == ingress__self.newest)
		return true;
	return (atomic_load_explicit(&lanes->awake, memory_order_seq_cst) & 1u << (lane - lanes->lane)) &&
	       atomic_load_explicit(&lanes->parked, memory_order_seq_cst) == INGRESS__AWAKE;
}

static inline bool ingress__lanes_are_empty(const struct ingress__lanes *lanes)
{
	for (uint32_t left = ingress__lanes_awake(lanes); left; left &= left - 1)
		if (!ingress__lane_is_empty(&lanes->lane[__builtin_ctz(left)]))
			return false;
	return true;
}

/* Taker: put all lanes to sleep. False when there is something to take. */
static inline bool ingress__lanes_doze(struct ingress__lanes *lanes)
{
	/* before the lanes: what a pusher finds asleep it says after this */
	uint32_t left = atomic_exchange_explicit(&lanes->awake, 0, memory_order_seq_cst), kept = 0;

	for (; left; left &= left - 1)
		if (!ingress__lane_doze(&lanes->lane[__builtin_ctz(left)]))
			kept |= left & -left;
	if (kept)
		/* relaxed: only this thread clears them */
		atomic_fetch_or_explicit(&lanes->awake, kept, memory_order_relaxed);
	return !kept;
}

#endif
