/* SPDX-License-Identifier: BSD-3-Clause */
/* See credits.h. */
#include "ingress/queues/credits.h"

#include <sched.h>

/* One transfer more that is complete. */
#define COMPLETE ((uint64_t)1 << 32)

/* Add credits to a lane. False: this use of the lane has ended, and the credits with it. */
static bool give(struct ingress__lane *lane, uint32_t generation, uint32_t credits)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	do {
		if (ingress__lane_generation(head) != generation)
			return false;
		/* acq_rel: other threads' pushes keep their release, and a later push stays behind this */
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head + ((uint64_t)credits << INGRESS__INDEX_BITS),
							memory_order_acq_rel, memory_order_relaxed));
	return true;
}

/* A search for the credits of one push. */
struct search {
	struct ingress__lanes *lanes;
	struct ingress__lane *lane; /* the lane that lacks the credits */
	const _Atomic uint32_t *answered;
	uint32_t generation, depth;
	bool transfers; /* whether this thread is counted among those that transfer */
};

/* Call it before credits leave a place where other threads look for them. */
static void begin_transfer(struct search *search)
{
	if (search->transfers)
		return;
	search->transfers = true;
	/* acq_rel: a thread that sees the credits gone sees this count */
	atomic_fetch_add_explicit(&search->lanes->transfers, 1, memory_order_acq_rel);
}

static void end_transfer(struct search *search)
{
	if (!search->transfers)
		return;
	search->transfers = false;
	/* acq_rel: a thread that sees this count sees where the credits are now */
	atomic_fetch_add_explicit(&search->lanes->transfers, COMPLETE - 1, memory_order_acq_rel);
}

/* Take free credits: `lacking`, or more while many are free, or as many as there are. */
static uint32_t take_free(struct search *search, uint32_t lacking)
{
	_Atomic uint64_t *granted = &search->lanes->granted;
	uint64_t before = atomic_load_explicit(granted, memory_order_acquire);

	for (;;) {
		/* acquire: what the answered requests used is free */
		uint32_t answered = atomic_load_explicit(search->answered, memory_order_acquire);
		uint32_t unanswered = (uint32_t)before - answered, credits = 0, ahead;

		if ((uint32_t)(before >> 32) != search->generation)
			return 0;
		if (unanswered < search->depth)
			credits = search->depth - unanswered;
		if (credits > lacking) {
			ahead = credits / (2 * INGRESS__LANES);
			ahead = ahead < INGRESS__GRANT_MAX ? ahead : INGRESS__GRANT_MAX;
			credits = lacking > ahead ? lacking : ahead;
		}
		if (credits)
			begin_transfer(search);
		/*
		 * acq_rel: the depth was read before, and if the swap succeeds it is this generation's. The word is
		 * swapped even when no credit is free: if that fails, the answers may be to requests that `before` did
		 * not count.
		 */
		if (atomic_compare_exchange_weak_explicit(granted, &before,
							  (before & ~(uint64_t)UINT32_MAX) |
								  (uint32_t)((uint32_t)before + credits),
							  memory_order_acq_rel, memory_order_acquire))
			return credits;
	}
}

/* Take the credits that another lane has left, `most` at most. */
static uint32_t take_left(struct search *search, struct ingress__lane *lane, uint32_t most)
{
	/* acquire: a thread that took credits from here has counted its transfer before */
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_acquire);
	uint32_t credits;

	do {
		credits = ingress__lane_credits(head) < most ? ingress__lane_credits(head) : most;
		if (ingress__lane_generation(head) != search->generation || !credits)
			return 0;
		begin_transfer(search);
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head - ((uint64_t)credits << INGRESS__INDEX_BITS),
							memory_order_acq_rel, memory_order_acquire));
	return credits;
}

/*
 * One search through the pool and all lanes. INGRESS__PUSH_FULL: it found too few. It looks into the pool again after
 * the lanes, because of this race:
 *
 *	searches			another thread		the library thread
 *	the pool is empty; lane 2 has 1
 *								answers: 1 is free
 *					pushes to lane 2
 *	lane 2 has none
 *
 * Without transfers the credits of a lane only become fewer, so at the second look into the pool the lanes still have
 * none.
 */
static enum ingress__pushed search_once(struct search *search, uint32_t count)
{
	uint64_t head = atomic_load_explicit(&search->lane->head, memory_order_acquire);
	uint32_t has = ingress__lane_credits(head), found = 0;

	if (ingress__lane_generation(head) != search->generation)
		return INGRESS__PUSH_ENDED;
	if (has < count)
		found = take_free(search, count - has);
	for (uint32_t i = 0; i < INGRESS__LANES && has + found < count; i++)
		if (&search->lanes->lane[i] != search->lane)
			found += take_left(search, &search->lanes->lane[i], count - has - found);
	if (has + found < count)
		found += take_free(search, count - has - found);
	if (found && !give(search->lane, search->generation, found))
		return INGRESS__PUSH_ENDED;
	return has + found >= count ? INGRESS__PUSHED : INGRESS__PUSH_FULL;
}

enum ingress__pushed ingress__credits_find(struct ingress__lanes *lanes, struct ingress__lane *lane,
					   uint32_t generation, uint32_t count, const _Atomic uint32_t *answered,
					   uint32_t depth)
{
	struct search search = { lanes, lane, answered, generation, depth, false };
	enum ingress__pushed pushed;

	if (count > depth)
		return INGRESS__PUSH_FULL;
	for (uint32_t tries = 0;; tries++) {
		/* acquire: the credits of a complete transfer are seen where it put them */
		uint64_t before = atomic_load_explicit(&lanes->transfers, memory_order_acquire);
		bool transferred;

		pushed = search_once(&search, count);
		transferred = search.transfers;
		end_transfer(&search);
		if (pushed != INGRESS__PUSH_FULL)
			return pushed;
		/* The credits of lanes that have ended are lost; the first lane ends before the others. */
		if (ingress__lanes_generation(lanes) != generation)
			return INGRESS__PUSH_ENDED;
		if (tries == INGRESS__TRANSFER_TRIES)
			return pushed;
		/*
		 * No thread transferred any credits during the search: the queue is full. relaxed: the search's loads
		 * were acquire
		 */
		if (!transferred && !(uint32_t)before &&
		    atomic_load_explicit(&lanes->transfers, memory_order_relaxed) == before)
			return pushed;
		if (!transferred)
			sched_yield();
	}
}
