/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: many push, one takes all. A stack of blocks whose head is one word; the taker takes it whole and turns it
 * round, so that what one thread pushed comes out in its order. (A stack that is only ever emptied whole has no ABA
 * problem: Treiber, "Systems programming: coping with parallelism", 1986.)
 *
 * The word holds all that a push must be sure of at once:
 *
 *	generation 20 | count 20 | index 24
 *
 *	generation	which use of the lane this is. A push with another one fails: what was meant for a context that
 *			has ended can never reach the next one in its place, however long the pusher was held up.
 *	count		pushes so far, modulo 2^20. With the number of answers so far it bounds what is unanswered:
 *			the bound is checked by the very step that pushes, so it is never passed.
 *	index		the newest block; or LANE_EMPTY; or LANE_ASLEEP: empty, and the taker sleeps or is about to.
 *
 * Invariant: the taker sleeps only while index is LANE_ASLEEP, and whoever replaces LANE_ASLEEP wakes it. Both are one
 * compare-and-swap on one word, so no wake-up is lost and no fence is needed; a push to a lane whose taker is awake
 * costs nothing more. tests/model/ingress/lane.pml enumerates it.
 *
 *	taker					pusher
 *	index is LANE_EMPTY			loads the word: LANE_EMPTY
 *	parked = 1
 *	LANE_EMPTY -> LANE_ASLEEP
 *	sleeps while parked == 1		compare-and-swap fails: the word is LANE_ASLEEP now
 *						LANE_ASLEEP -> block; it saw LANE_ASLEEP: parked = 0, wakes
 *
 * Had it pushed before the taker's step, that step would have failed, and the taker would have taken the block.
 *
 * Memory orders. A push that succeeds is acq_rel: release, since the block's contents go with it (later pushes continue
 * the release sequence, being read-modify-writes); acquire, since a pusher that saw LANE_ASLEEP goes on to look at
 * `parked`. Taking is acquire. Loads before a compare-and-swap are relaxed: the swap is what counts.
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
#define INGRESS__COUNT_MASK ((1u << INGRESS__COUNT_BITS) - 1)

struct ingress__lane {
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t head;
	/* A number of answers that was true once: pushers look at the real one only when this makes the lane full. */
	_Atomic uint32_t answered_seen;
};

enum ingress__pushed {
	INGRESS__PUSHED,
	INGRESS__PUSHED_WAKE, /* and the taker is to be woken */
	INGRESS__PUSH_FULL,
	INGRESS__PUSH_ENDED, /* the lane is of another generation */
};

static inline uint64_t ingress__lane_word(uint32_t generation, uint32_t count, uint32_t index)
{
	return (uint64_t)generation << (INGRESS__COUNT_BITS + INGRESS__INDEX_BITS) |
	       (uint64_t)(count & INGRESS__COUNT_MASK) << INGRESS__INDEX_BITS | index;
}

static inline uint32_t ingress__lane_generation(uint64_t word)
{
	return (uint32_t)(word >> (INGRESS__COUNT_BITS + INGRESS__INDEX_BITS));
}

static inline uint32_t ingress__lane_count(uint64_t word)
{
	return (uint32_t)(word >> INGRESS__INDEX_BITS) & INGRESS__COUNT_MASK;
}

static inline uint32_t ingress__lane_index(uint64_t word)
{
	return (uint32_t)word & ((1u << INGRESS__INDEX_BITS) - 1);
}

/* For a lane that nobody uses. */
static inline void ingress__lane_start(struct ingress__lane *lane, uint32_t generation, uint32_t index)
{
	atomic_store_explicit(&lane->answered_seen, 0, memory_order_relaxed);
	/* release: who is told of the generation sees the rest */
	atomic_store_explicit(&lane->head, ingress__lane_word(generation, 0, index), memory_order_release);
}

/*
 * How many of `depth` are taken when the count is that of `word`; more than depth stands for "look again": the count
 * is older than the answers. The difference of both is exact while depth is at most half of what the count counts.
 */
static inline uint32_t ingress__lane_used(struct ingress__lane *lane, uint64_t word, const _Atomic uint32_t *answered,
					  uint32_t depth, uint32_t pushed)
{
	uint32_t seen = atomic_load_explicit(&lane->answered_seen, memory_order_relaxed);
	uint32_t used = (ingress__lane_count(word) - seen) & INGRESS__COUNT_MASK;
	uint32_t now;

	if (__builtin_expect(used + pushed <= depth, 1))
		return used;
	/* acquire: what the answered ones used is free */
	now = atomic_load_explicit(answered, memory_order_acquire) & INGRESS__COUNT_MASK;
	/* not a plain store: a thread that was held up here would turn the number back */
	atomic_compare_exchange_strong_explicit(&lane->answered_seen, &seen, now, memory_order_relaxed,
						memory_order_relaxed);
	return (ingress__lane_count(word) - now) & INGRESS__COUNT_MASK;
}

/*
 * Leave the word to the other pusher for a while: it pushes several times before the line moves, which costs more than
 * a push. Returns the word.
 */
static inline uint64_t ingress__lane_back_off(struct ingress__lane *lane, uint32_t failures)
{
	for (uint32_t pauses = 32u << (failures < 5 ? failures : 5); pauses; pauses--)
		ingress__relax();
	return atomic_load_explicit(&lane->head, memory_order_relaxed);
}

/*
 * Push `count` blocks at once: `newest` is linked by `next` down to `oldest`. depth 0: any number fits, and `answered`
 * is not looked at.
 */
static inline enum ingress__pushed ingress__lane_push(struct ingress__lane *lane, uint32_t generation,
						      struct ingress__block *newest, struct ingress__block *oldest,
						      uint32_t count, const _Atomic uint32_t *answered, uint32_t depth)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	for (uint32_t failures = 0;; failures++) {
		uint64_t after = ingress__lane_word(generation, ingress__lane_count(head) + count, newest->index);

		if (ingress__lane_generation(head) != generation)
			return INGRESS__PUSH_ENDED;
		if (depth) {
			uint32_t used = ingress__lane_used(lane, head, answered, depth, count);

			if (used > INGRESS__QUEUE_DEPTH_MAX) {
				head = atomic_load_explicit(&lane->head, memory_order_relaxed);
				continue;
			}
			if (used + count > depth)
				return INGRESS__PUSH_FULL;
		}
		oldest->next = ingress__lane_index(head);
		if (atomic_compare_exchange_weak_explicit(&lane->head, &head, after, memory_order_acq_rel,
							  memory_order_relaxed))
			return ingress__lane_index(head) == INGRESS__LANE_ASLEEP ? INGRESS__PUSHED_WAKE
										 : INGRESS__PUSHED;
		head = ingress__lane_back_off(lane, failures);
	}
}

static inline bool ingress__lane_is_empty(const struct ingress__lane *lane)
{
	/* relaxed: taking is what acquires */
	return ingress__lane_index(atomic_load_explicit(&lane->head, memory_order_relaxed)) < INGRESS__LANE_FIRST;
}

/* Taker: all that is there, the newest first, linked by `next`; 0 when there is nothing. It is awake afterwards. */
static inline uint32_t ingress__lane_take(struct ingress__lane *lane)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	do {
		if (ingress__lane_index(head) == INGRESS__LANE_EMPTY)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head - ingress__lane_index(head) + INGRESS__LANE_EMPTY,
							memory_order_acq_rel, memory_order_relaxed));
	return ingress__lane_index(head) == INGRESS__LANE_ASLEEP ? 0 : ingress__lane_index(head);
}

/* Taker: fall asleep. False when there is something to take. What a waker looks at is stored before. */
static inline bool ingress__lane_doze(struct ingress__lane *lane)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	do {
		if (ingress__lane_index(head) != INGRESS__LANE_EMPTY)
			return ingress__lane_index(head) == INGRESS__LANE_ASLEEP;
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head, head + INGRESS__LANE_ASLEEP,
							memory_order_acq_rel, memory_order_relaxed));
	return true;
}

/*
 * Anybody: end this use of the lane: every later push fails. What is in it stays for the taker. False when it had ended
 * already. *asleep: whether the taker was asleep; it counts as awake now.
 */
static inline bool ingress__lane_end(struct ingress__lane *lane, uint32_t generation, bool *asleep)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed), after;
	uint32_t index;

	do {
		index = ingress__lane_index(head);
		if (ingress__lane_generation(head) != generation)
			return false;
		after = ingress__lane_word(generation + 1, ingress__lane_count(head),
					   index == INGRESS__LANE_ASLEEP ? INGRESS__LANE_EMPTY : index);
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head, after, memory_order_acq_rel,
							memory_order_relaxed));
	*asleep = index == INGRESS__LANE_ASLEEP;
	return true;
}

#endif
