/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes of a context: its submission queue, in 16 parts. Each host thread pushes to one lane, always the same, so
 * that threads do not contend and the requests of one thread stay in order. Requests of different threads have no
 * order: of two requests, the consumer may take first the one that was submitted later by a thread that had seen the
 * other one accepted. Measured: with no consumer, two threads on 2 cores push 50 M/s to one lane, as much as a bare
 * compare-and-swap of one word allows, and 100 M/s to a lane each. docs/decisions/0013-lanes.md says why.
 *
 * How the consumer sleeps. It looks only into the lanes that are marked in `awake`, so that a context that once had
 * many producers does not pay for their lanes later. A lane begins asleep. A producer that pushes to a lane that sleeps
 * marks the lane in `awake` and then looks at `parker`. The consumer, before it sleeps, clears `awake`, puts the lanes
 * that were marked to sleep, stores PARKED, and looks at `awake` again. Both words are seq_cst on both sides:
 *
 *	consumer				producer
 *	awake: lane 1 -> none
 *						lane 1: EMPTY -> block; the lane does not sleep: done
 *	lane 1 has a block: stays awake
 *
 *	awake: lane 1 -> none
 *	lane 1: EMPTY -> ASLEEP
 *						lane 1: ASLEEP -> block
 *	parker = PARKED
 *	awake is none: sleeps			awake: lane 1; parker is PARKED: wakes the consumer
 *
 * How a suspended producer stops no other. `parker` becomes AWAKE only when the consumer has been woken (parker.h), so
 * that the next producer, of any lane that sleeps, wakes it too. And a producer that pushes onto another thread's block
 * checks that the consumer will look into the lane (ingress__lanes_consumer_will_look()):
 *
 *	producer A, lane 1			producer B, lane 1
 *	ASLEEP -> block
 *	suspended
 *						block -> block; lane 1 is not in `awake`: marks it and wakes
 *
 * It need not check when the block below is its own: it checked when it pushed that one, and the consumer has not been
 * through the lane since. Nor when the lane was empty: the consumer was there. What may wait is the suspended
 * producer's own request, until another thread pushes to its lane; no thread has been told that it was accepted. At the
 * end of a context the consumer takes from all lanes, awake or not.
 *
 * Credits bound the queue: at most `depth` requests of a context are unanswered. credits.h says how lanes get them.
 *
 * What may change: the number of lanes, up to 31, the bits of `awake`. What may not: the order of the consumer's steps
 * before it sleeps, and of the producer's two (mark the lane, then look at `parker`).
 */
#ifndef INGRESS_LANES_H
#define INGRESS_LANES_H

#include "lane.h"
#include "parker.h"

struct ingress__lanes {
	struct ingress__lane lane[INGRESS__LANES];
	/* generation << 32 | credits that lanes were granted, modulo 2^32: credits.h */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t granted;
	/* transfers of credits that are complete << 32 | transfers that are under way: credits.h */
	_Atomic uint64_t transfers;
	/* The lanes into which the consumer is to look, as bits. Producers set them; only the consumer clears them. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t awake;
	_Atomic uint32_t parker; /* the consumer's: parker.h */
};

#define INGRESS__LANES_ALL ((1u << INGRESS__LANES) - 1)

/* Begin a use of lanes that no thread uses. */
void ingress__lanes_start(struct ingress__lanes *lanes, uint32_t generation);

/* Any thread: end this use of all lanes. False: another thread has ended it before, or is ending it. */
bool ingress__lanes_end(struct ingress__lanes *lanes, uint32_t generation);

/* The generation whose pushes succeed. */
static inline uint32_t ingress__lanes_generation(const struct ingress__lanes *lanes)
{
	/* acquire: with the end of the first lane, which ends before the others */
	return ingress__lane_generation(atomic_load_explicit(&lanes->lane[0].head, memory_order_acquire));
}

/* A producer that saw LANE_ASLEEP: the consumer is to look into this lane. Wake the consumer after it. */
static inline void ingress__lanes_mark_awake(struct ingress__lanes *lanes, const struct ingress__lane *lane)
{
	atomic_fetch_or_explicit(&lanes->awake, 1u << (lane - lanes->lane), memory_order_seq_cst);
}

/* Consumer: the lanes to look into. */
static inline uint32_t ingress__lanes_awake(const struct ingress__lanes *lanes)
{
	/* relaxed: taking acquires; and before it sleeps, the consumer looks at the word again, seq_cst */
	return atomic_load_explicit(&lanes->awake, memory_order_relaxed);
}

/*
 * A producer that pushed to a lane that did not sleep, onto `below`: whether the consumer will look into the lane.
 * False: another producer has not marked the lane yet, or has not woken the consumer yet, and may be suspended; the
 * caller does both in its place.
 *
 * The other producer pushed after the consumer had cleared `awake` and put the lane to sleep, so the caller does not
 * see an older `awake`. seq_cst: if the caller sees the other producer's mark, it also sees that the consumer parked.
 */
static inline bool ingress__lanes_consumer_will_look(const struct ingress__lanes *lanes,
						     const struct ingress__lane *lane, uint32_t below)
{
	if (below == INGRESS__LANE_EMPTY || below == ingress__self.newest)
		return true;
	return (atomic_load_explicit(&lanes->awake, memory_order_seq_cst) & 1u << (lane - lanes->lane)) &&
	       atomic_load_explicit(&lanes->parker, memory_order_seq_cst) == INGRESS__AWAKE;
}

static inline bool ingress__lanes_are_empty(const struct ingress__lanes *lanes)
{
	for (uint32_t left = ingress__lanes_awake(lanes); left; left &= left - 1)
		if (!ingress__lane_is_empty(&lanes->lane[__builtin_ctz(left)]))
			return false;
	return true;
}

/* Consumer: put all lanes to sleep. False: some lane has blocks. */
static inline bool ingress__lanes_sleep(struct ingress__lanes *lanes)
{
	/* seq_cst, and before the lanes: a producer that finds a lane asleep marks it after this */
	uint32_t left = atomic_exchange_explicit(&lanes->awake, 0, memory_order_seq_cst), kept = 0;

	for (; left; left &= left - 1)
		if (!ingress__lane_sleep(&lanes->lane[__builtin_ctz(left)]))
			kept |= left & -left;
	if (kept)
		/* relaxed: only this thread clears them */
		atomic_fetch_or_explicit(&lanes->awake, kept, memory_order_relaxed);
	return !kept;
}

#endif
