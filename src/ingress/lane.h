/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: many push, one takes all. A stack of blocks whose head is one word; the taker takes it whole and turns it
 * round, so that what one thread pushed comes out in its order. (A stack that is only ever emptied whole has no ABA
 * problem: Treiber, "Systems programming: coping with parallelism", 1986.)
 *
 * The word holds all that a push must be sure of at once:
 *
 *	generation 20 | room 20 | index 24
 *
 *	generation	which use of the lane this is. A push with another one fails: what was meant for a context that
 *			has ended can never reach the next one in its place, however long the pusher was held up.
 *	room		pushes that still fit. The bound is checked by the very step that pushes, so it is never passed.
 *			lanes.h says where room comes from; the lane of an inbox has no bound and no room.
 *	index		the newest block; or LANE_EMPTY; or LANE_ASLEEP: empty, and the taker sleeps or is about to.
 *
 * Invariant: the taker sleeps only when all lanes are asleep, and whoever replaces LANE_ASLEEP wakes it. Both go by a
 * compare-and-swap of the word, so one of them comes first, and a push to a lane that is awake costs nothing more.
 *
 *	taker					pusher
 *	index is LANE_EMPTY			loads the word: LANE_EMPTY
 *	LANE_EMPTY -> LANE_ASLEEP
 *						compare-and-swap fails: the word is LANE_ASLEEP now
 *	sleeps: lanes.h				LANE_ASLEEP -> block; it saw LANE_ASLEEP: wakes
 *
 * Had it pushed before the taker's step, that step would have failed, and the taker would have taken the block.
 * tests/ingress/model/lane.pml enumerates it, with lanes.h.
 *
 * Memory orders. A push that succeeds is acq_rel: release, since the block's contents go with it (later pushes continue
 * the release sequence, being read-modify-writes); acquire, since a pusher that saw LANE_ASLEEP goes on to say so after
 * the taker's doze (release) and what that thread did before. Taking is acquire. Loads before a compare-and-swap are
 * relaxed: the swap is what counts.
 */
#ifndef INGRESS_LANE_H
#define INGRESS_LANE_H

#include "block.h"
#include "limits.h"
#include "wait.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { INGRESS__LANE_EMPTY = 0, INGRESS__LANE_ASLEEP = 1, INGRESS__LANE_FIRST = 2 };

#define INGRESS__GENERATION_MAX ((1u << INGRESS__GENERATION_BITS) - 1)
#define INGRESS__ROOM_MAX ((1u << INGRESS__ROOM_BITS) - 1)

struct ingress__lane {
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t head;
};

enum ingress__pushed {
	INGRESS__PUSHED,
	INGRESS__PUSHED_WAKE, /* and the taker is to be woken */
	INGRESS__PUSH_FULL,
	INGRESS__PUSH_ENDED, /* the lane is of another generation */
};

static inline uint64_t ingress__lane_word(uint32_t generation, uint32_t room, uint32_t index)
{
	return (uint64_t)generation << (INGRESS__ROOM_BITS + INGRESS__INDEX_BITS) |
	       (uint64_t)room << INGRESS__INDEX_BITS | index;
}

static inline uint32_t ingress__lane_generation(uint64_t word)
{
	return (uint32_t)(word >> (INGRESS__ROOM_BITS + INGRESS__INDEX_BITS));
}

static inline uint32_t ingress__lane_room(uint64_t word)
{
	return (uint32_t)(word >> INGRESS__INDEX_BITS) & INGRESS__ROOM_MAX;
}

static inline uint32_t ingress__lane_index(uint64_t word)
{
	return (uint32_t)word & ((1u << INGRESS__INDEX_BITS) - 1);
}

/* For a lane that nobody uses; it has no room. */
static inline void ingress__lane_start(struct ingress__lane *lane, uint32_t generation, uint32_t index)
{
	/* release: who is told of the generation sees the rest */
	atomic_store_explicit(&lane->head, ingress__lane_word(generation, 0, index), memory_order_release);
}

/*
 * Leave the word to the other pusher for a while: it pushes several times before the line moves, which costs more than
 * a push. Returns the word.
 */
static inline uint64_t ingress__lane_back_off(struct ingress__lane *lane, uint32_t failures)
{
	for (uint32_t pauses = 32u << (failures < 5 ? failures : 5); pauses; pauses--)
		thread__relax();
	return atomic_load_explicit(&lane->head, memory_order_relaxed);
}

/*
 * Push several blocks at once: `newest` is linked by `next` down to `oldest`. They take `room` of the lane's: as many
 * as they are, or 0 in a lane without a bound. *below: what was the newest before, if they were pushed.
 */
static inline enum ingress__pushed ingress__lane_push(struct ingress__lane *lane, uint32_t generation,
						      struct ingress__block *newest, struct ingress__block *oldest,
						      uint32_t room, uint32_t *below)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	for (uint32_t failures = 0;; failures++) {
		if (ingress__lane_generation(head) != generation)
			return INGRESS__PUSH_ENDED;
		if (ingress__lane_room(head) < room)
			return INGRESS__PUSH_FULL;
		*below = oldest->next = ingress__lane_index(head);
		if (atomic_compare_exchange_weak_explicit(
			    &lane->head, &head,
			    ingress__lane_word(generation, ingress__lane_room(head) - room, newest->index),
			    memory_order_acq_rel, memory_order_relaxed))
			return *below == INGRESS__LANE_ASLEEP ? INGRESS__PUSHED_WAKE : INGRESS__PUSHED;
		/* the first time it was the taker, who is gone for a while; afterwards another pusher */
		if (failures)
			head = ingress__lane_back_off(lane, failures - 1);
	}
}

static inline bool ingress__lane_is_empty(const struct ingress__lane *lane)
{
	/* relaxed: taking is what acquires */
	return ingress__lane_index(atomic_load_explicit(&lane->head, memory_order_relaxed)) < INGRESS__LANE_FIRST;
}

/* Taker: all that is there, the newest first, linked by `next`; 0 when there is nothing. */
static inline uint32_t ingress__lane_take(struct ingress__lane *lane)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	/* An empty one may stay asleep: the next push wakes a taker that is awake, which does nothing. */
	do {
		if (ingress__lane_index(head) < INGRESS__LANE_FIRST)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head - ingress__lane_index(head) + INGRESS__LANE_EMPTY,
							memory_order_acq_rel, memory_order_relaxed));
	return ingress__lane_index(head);
}

/* Taker: put the lane to sleep. False when there is something to take. */
static inline bool ingress__lane_doze(struct ingress__lane *lane)
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
 * Anybody: end this use of the lane: every later push fails. What is in it stays for the taker, who counts as awake
 * now. False when it had ended already.
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
