/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: a queue with many producers and one consumer. It is a stack of blocks whose head is one word; the consumer
 * takes the whole stack and reverses it, so that the blocks of each producer come out in their order. (Treiber,
 * "Systems programming: coping with parallelism", 1986. A stack that is only ever emptied whole has no ABA problem.)
 *
 * The word holds all that a push has to check, so that one compare-and-swap checks and pushes:
 *
 *	generation 20 | credits 20 | index 24
 *
 *	generation	which use of the lane this is. A push with another generation fails, however long the producer
 *			was suspended, so a request for a context that has ended never reaches the context after it.
 *	credits		how many blocks producers may still push; a push spends one for each block. credits.h says where
 *			credits come from. The lane of an inbox, in which a host's thread takes replies, has no bound
 *			and uses no credits.
 *	index		the newest block; or LANE_EMPTY; or LANE_ASLEEP: empty, and the consumer sleeps or is about to.
 *
 * Invariant: the consumer sleeps only when all its lanes are asleep, and the producer that replaces LANE_ASLEEP wakes
 * the consumer. The consumer puts a lane to sleep, and the producer pushes, by a compare-and-swap of the same word, so
 * one of the two steps comes first. A push to a lane that is awake makes no system call. The race:
 *
 *	consumer				producer
 *	index is LANE_EMPTY			loads the word: LANE_EMPTY
 *	LANE_EMPTY -> LANE_ASLEEP
 *						compare-and-swap fails: the word is LANE_ASLEEP now
 *	sleeps (lanes.h)			LANE_ASLEEP -> block; the producer saw LANE_ASLEEP: wakes the consumer
 *
 * If the producer pushes before the consumer's step, that step fails, and the consumer takes the block.
 * tests/ingress/model/lane.pml enumerates this together with lanes.h.
 *
 * Memory orders. A successful push is acq_rel. Release: the block's contents go with it, and later pushes continue the
 * release sequence, being read-modify-writes. Acquire: a producer that saw LANE_ASLEEP marks the lane awake next, which
 * has to come after the consumer put the lane to sleep (a release). Taking is acquire. A load before a compare-and-swap
 * is relaxed, since the swap decides.
 *
 * What may change: the widths of the three fields (limits.h), as long as they fill the word. What may not: the step
 * that pushes has to check generation and credits, and LANE_ASLEEP has to be in the same word as they are.
 */
#ifndef INGRESS_LANE_H
#define INGRESS_LANE_H

#include "ingress/limits.h"
#include "ingress/memory/block.h"

#include "thread/processor.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { INGRESS__LANE_EMPTY = 0, INGRESS__LANE_ASLEEP = 1, INGRESS__LANE_FIRST = 2 };

#define INGRESS__GENERATION_MAX ((1u << INGRESS__GENERATION_BITS) - 1)
#define INGRESS__CREDITS_MAX ((1u << INGRESS__CREDIT_BITS) - 1)

struct ingress__lane {
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t head;
};

enum ingress__pushed {
	INGRESS__PUSHED,
	INGRESS__PUSHED_WAKE, /* pushed, and the caller has to wake the consumer */
	INGRESS__PUSH_FULL,   /* too few credits */
	INGRESS__PUSH_ENDED,  /* the lane is of another generation */
};

static inline uint64_t ingress__lane_word(uint32_t generation, uint32_t credits, uint32_t index)
{
	return (uint64_t)generation << (INGRESS__CREDIT_BITS + INGRESS__INDEX_BITS) |
	       (uint64_t)credits << INGRESS__INDEX_BITS | index;
}

static inline uint32_t ingress__lane_generation(uint64_t word)
{
	return (uint32_t)(word >> (INGRESS__CREDIT_BITS + INGRESS__INDEX_BITS));
}

static inline uint32_t ingress__lane_credits(uint64_t word)
{
	return (uint32_t)(word >> INGRESS__INDEX_BITS) & INGRESS__CREDITS_MAX;
}

static inline uint32_t ingress__lane_index(uint64_t word)
{
	return (uint32_t)word & ((1u << INGRESS__INDEX_BITS) - 1);
}

/* Begin a use of a lane that no thread uses. It has no credits yet. */
static inline void ingress__lane_start(struct ingress__lane *lane, uint32_t generation, uint32_t index)
{
	/* release: a thread that learns the generation sees what was written before */
	atomic_store_explicit(&lane->head, ingress__lane_word(generation, 0, index), memory_order_release);
}

/*
 * Back off: leave the word to the producer that pushed first, for a while. That producer then pushes several times
 * before the cache line moves, and moving the line costs more than a push. Returns the word.
 */
static inline uint64_t ingress__lane_back_off(struct ingress__lane *lane, uint32_t failures)
{
	for (uint32_t pauses = 32u << (failures < 5 ? failures : 5); pauses; pauses--)
		thread__relax();
	return atomic_load_explicit(&lane->head, memory_order_relaxed);
}

/*
 * Producer: push several blocks in one step. `newest` is linked by `next` down to `oldest`. `credits` is how many
 * blocks there are, or 0 in a lane without a bound. *below becomes the index that was in the word before the push.
 */
static inline enum ingress__pushed ingress__lane_push(struct ingress__lane *lane, uint32_t generation,
						      struct ingress__block *newest, struct ingress__block *oldest,
						      uint32_t credits, uint32_t *below)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	for (uint32_t failures = 0;; failures++) {
		if (ingress__lane_generation(head) != generation)
			return INGRESS__PUSH_ENDED;
		if (ingress__lane_credits(head) < credits)
			return INGRESS__PUSH_FULL;
		*below = oldest->next = ingress__lane_index(head);
		if (atomic_compare_exchange_weak_explicit(
			    &lane->head, &head,
			    ingress__lane_word(generation, ingress__lane_credits(head) - credits, newest->index),
			    memory_order_acq_rel, memory_order_relaxed))
			return *below == INGRESS__LANE_ASLEEP ? INGRESS__PUSHED_WAKE : INGRESS__PUSHED;
		/*
		 * The first failure is mostly caused by the consumer, which then stays away for a while; a later one by
		 * another producer.
		 */
		if (failures)
			head = ingress__lane_back_off(lane, failures - 1);
	}
}

static inline bool ingress__lane_is_empty(const struct ingress__lane *lane)
{
	/* relaxed: taking is what acquires */
	return ingress__lane_index(atomic_load_explicit(&lane->head, memory_order_relaxed)) < INGRESS__LANE_FIRST;
}

/* Consumer: take all blocks. Returns the index of the newest, linked by `next`; 0 when there is none. */
static inline uint32_t ingress__lane_take(struct ingress__lane *lane)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	/* An empty lane may stay asleep: the next push then wakes a consumer that is awake, which does no harm. */
	do {
		if (ingress__lane_index(head) < INGRESS__LANE_FIRST)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head - ingress__lane_index(head) + INGRESS__LANE_EMPTY,
							memory_order_acq_rel, memory_order_relaxed));
	return ingress__lane_index(head);
}

/* Consumer: put the lane to sleep. False: it has blocks. */
static inline bool ingress__lane_sleep(struct ingress__lane *lane)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	do {
		if (ingress__lane_index(head) >= INGRESS__LANE_FIRST)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head - ingress__lane_index(head) + INGRESS__LANE_ASLEEP,
							memory_order_acq_rel, memory_order_relaxed));
	return true;
}

/*
 * Any thread: end this use of the lane, so that every later push fails. The blocks in it stay for the consumer; a lane
 * that slept is awake (LANE_EMPTY) afterwards. False: another thread has ended this use of the lane before.
 */
static inline bool ingress__lane_end(struct ingress__lane *lane, uint32_t generation)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed), after;
	uint32_t index;

	do {
		index = ingress__lane_index(head);
		if (ingress__lane_generation(head) != generation)
			return false;
		after = ingress__lane_word(generation + 1, 0,
					   index == INGRESS__LANE_ASLEEP ? INGRESS__LANE_EMPTY : index);
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head, after, memory_order_acq_rel,
							memory_order_relaxed));
	return true;
}

#endif
