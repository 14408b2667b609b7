/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes of a context: its submission queue, a sharded queue with many producers and one consumer, in 16 parts
 * (INGRESS__LANES). A lane is a lock-free stack of blocks (lane.h): a block is the memory of one request, and the head
 * of the stack is EMPTY, ASLEEP, or the newest block, with the generation that says which context the lane serves. The
 * producers are the threads that submit requests; the consumer is the context's library thread, which takes a stack as
 * a whole.
 *
 * Each producer pushes to one lane, always the same, so that producers do not contend and the requests of one thread
 * stay in order. Requests of different threads have no order: even if thread A's submit has returned before thread B
 * submits, the consumer may take B's request first. Measured with no consumer on 2 cores: two threads that share one
 * lane push 50 million blocks a second together, as many as a bare compare-and-swap of one word allows; with a lane
 * each they push 100 million together. docs/decisions/0013-lanes.md has the alternatives.
 *
 * The two code paths:
 *
 *	push (submit.c)					sleep (library_thread.c)
 *	1. head -> block				1. `awake` -> none (ingress__lanes_sleep())
 *	2. the head was ASLEEP, or the consumer		2. each lane that was marked: EMPTY -> ASLEEP
 *	   will not look (see below): mark the		3. `parker` = PARKED
 *	   lane in `awake`, then look at `parker`,	4. look at `awake` again
 *	   and wake the consumer if it is parked	5. no lane is marked: sleep until woken
 *
 * The invariant: a lane with a block is marked in `awake`, or the consumer is between steps 1 and 2, or the producer
 * that replaced ASLEEP has yet to mark the lane. The consumer looks only into marked lanes, so that a context that once
 * had many producers does not pay for their lanes later. All lanes begin asleep.
 *
 * The race is a lost wake-up. Each side stores before it looks (Dekker): the producer marks its lane, then loads
 * `parker`; the consumer stores PARKED, then loads `awake`. These four operations are seq_cst, so at least one side
 * sees the other's store. Three cases:
 *
 *	consumer				producer
 *	awake: lane 1 -> none
 *						lane 1: EMPTY -> block; the lane does not sleep: done
 *	lane 1 has a block: does not sleep
 *
 *	awake: lane 1 -> none
 *	lane 1: EMPTY -> ASLEEP
 *						lane 1: ASLEEP -> block
 *						marks lane 1; parker is AWAKE: done
 *	parker = PARKED
 *	lane 1 is marked: does not sleep
 *
 *	awake: lane 1 -> none
 *	lane 1: EMPTY -> ASLEEP
 *						lane 1: ASLEEP -> block
 *	parker = PARKED
 *	no lane is marked: sleeps
 *						marks lane 1; parker is PARKED: wakes the consumer
 *
 * A suspended producer stops no other. First, a waker that is suspended before its system call leaves `parker` at
 * PARKED, because that system call both clears the word and wakes (parker.h); so the next producer that finds its lane
 * asleep wakes the consumer too. Second, a producer that pushes onto another thread's block checks that the consumer
 * will look into the lane, and otherwise does what the other producer has not done yet
 * (ingress__lanes_consumer_will_look()):
 *
 *	producer A, lane 1			producer B, lane 1
 *	ASLEEP -> block
 *	suspended
 *						block -> block; lane 1 is not marked: marks it and wakes
 *
 * Two kinds of producers need not check. A producer that pushes onto its own block checked when it pushed that block,
 * and the consumer has not emptied the lane since. A producer that finds EMPTY, and not ASLEEP, knows that the consumer
 * has yet to put the lane to sleep, and will find the block then. Only the suspended producer's own request may wait,
 * until another thread pushes to that lane. The suspended producer's submit has not returned, so no thread counts on
 * that request. At the end of a context the consumer takes from all lanes, marked or not.
 *
 * Credits bound the queue: at most `depth` requests of a context are unanswered. credits.h says how lanes get them.
 *
 * What may change: the number of lanes, up to 31, because `awake` has a bit for each. What may not change: the order of
 * the steps above. The model tests/ingress/model/lane.pml enumerates all interleavings of these steps;
 * tests/ingress/stress/frozen_ingress.c runs this code and suspends a producer at each of its steps.
 */
#ifndef INGRESS_LANES_H
#define INGRESS_LANES_H

#include "ingress/queues/lane.h"
#include "ingress/waiting/parker.h"

struct ingress__lanes {
	struct ingress__lane lane[INGRESS__LANES];
	/* For credits.h: generation << 32 | the number of credits that lanes were granted, modulo 2^32. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t granted;
	/* For credits.h: completed transfers of credits << 32 | transfers that are under way. */
	_Atomic uint64_t transfers;
	/* The lanes into which the consumer is to look, as bits. Producers set them; only the consumer clears them. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t awake;
	_Atomic uint32_t parker; /* on which the consumer sleeps: parker.h */
};

_Static_assert(INGRESS__LANES <= 31,
	       "`awake` has a bit for each lane, and INGRESS__LANES_ALL is computed from 1 << lanes");
#define INGRESS__LANES_ALL ((1u << INGRESS__LANES) - 1)

/* Begin to use the lanes for the context of that generation. No other thread uses them. */
void ingress__lanes_start(struct ingress__lanes *lanes, uint32_t generation);

/*
 * Any thread: end the use of all lanes for the context of that generation, one lane after another, the first lane
 * first. False: another thread has ended the first lane; it may not have come to the last one yet.
 */
bool ingress__lanes_end(struct ingress__lanes *lanes, uint32_t generation);

/*
 * Any thread: the generation of the first lane, which ends before the others. Pushes of any other generation fail, or
 * will as soon as all lanes have ended.
 */
static inline uint32_t ingress__lanes_generation(const struct ingress__lanes *lanes)
{
	/* acquire: a thread that sees the new generation also sees what the thread that ended the lane did before */
	return ingress__lane_generation(atomic_load_explicit(&lanes->lane[0].head, memory_order_acquire));
}

/*
 * Producer that replaced LANE_ASLEEP: have the consumer look into this lane. The producer wakes the consumer after
 * this, not before.
 */
static inline void ingress__lanes_mark_awake(struct ingress__lanes *lanes, const struct ingress__lane *lane)
{
	atomic_fetch_or_explicit(&lanes->awake, 1u << (lane - lanes->lane), memory_order_seq_cst);
}

/*
 * Consumer: the lanes to look into. Do not use it for the look after PARKED, which has to be seq_cst (sleep_until()).
 */
static inline uint32_t ingress__lanes_awake(const struct ingress__lanes *lanes)
{
	/* relaxed: taking a lane's blocks acquires; a mark that is missed here is seen by the look after PARKED */
	return atomic_load_explicit(&lanes->awake, memory_order_relaxed);
}

/*
 * Producer, after a push onto `below` in a lane that did not sleep: whether the consumer will look into the lane.
 * False: another producer has not marked the lane yet, or has not woken the consumer yet, and may be suspended; the
 * caller marks the lane and wakes the consumer in that producer's place.
 *
 * The caller does not see an `awake` from before the consumer cleared it: the consumer cleared it, then put the lane to
 * sleep (release); the other producer's push acquired that, and the caller's push acquired the other producer's. If the
 * caller sees the mark and AWAKE, both seq_cst, then either the consumer has not stored PARKED yet, and its look at
 * `awake` after that sees the mark; or it has been woken, and looks into all marked lanes.
 *
 * `newest` is the index of the block that this thread pushed last, to any context. If `below` is that index, the lane's
 * newest block was that block: a block is in one lane at most, and only the thread of the block's heap takes it again
 * and pushes it.
 */
static inline bool ingress__lanes_consumer_will_look(const struct ingress__lanes *lanes,
						     const struct ingress__lane *lane, uint32_t below)
{
	if (below == INGRESS__LANE_EMPTY || below == ingress__self.newest)
		return true;
	return (atomic_load_explicit(&lanes->awake, memory_order_seq_cst) & 1u << (lane - lanes->lane)) &&
	       atomic_load_explicit(&lanes->parker, memory_order_seq_cst) == INGRESS__AWAKE;
}

/* Consumer: whether no marked lane has blocks. A lane whose producer has not marked it yet counts as empty. */
static inline bool ingress__lanes_are_empty(const struct ingress__lanes *lanes)
{
	for (uint32_t left = ingress__lanes_awake(lanes); left; left &= left - 1)
		if (!ingress__lane_is_empty(&lanes->lane[__builtin_ctz(left)]))
			return false;
	return true;
}

/*
 * Consumer: put all marked lanes to sleep; the others sleep already. False: a lane has blocks. Those lanes stay marked,
 * and the empty ones sleep all the same.
 */
static inline bool ingress__lanes_sleep(struct ingress__lanes *lanes)
{
	/* seq_cst, and before the lanes are put to sleep, so that no producer's mark of a sleeping lane is cleared */
	uint32_t left = atomic_exchange_explicit(&lanes->awake, 0, memory_order_seq_cst), kept = 0;

	for (; left; left &= left - 1)
		if (!ingress__lane_sleep(&lanes->lane[__builtin_ctz(left)]))
			kept |= left & -left;
	if (kept)
		/* relaxed: only this thread clears marks, so it will see these */
		atomic_fetch_or_explicit(&lanes->awake, kept, memory_order_relaxed);
	return !kept;
}

#endif
