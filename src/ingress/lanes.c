/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the room in lanes comes from, and their beginning and end. See lanes.h. */
#include "lanes.h"

#include <sched.h>

#define MOVE_OVER ((uint64_t)1 << 32)

void ingress__lanes_start(struct ingress__lanes *lanes, uint32_t generation)
{
	/* relaxed: the lanes' words publish it */
	atomic_store_explicit(&lanes->granted, (uint64_t)generation << 32, memory_order_relaxed);
	atomic_store_explicit(&lanes->awake, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < INGRESS__LANES; i++)
		ingress__lane_start(&lanes->lane[i], generation, INGRESS__LANE_ASLEEP);
}

bool ingress__lanes_end(struct ingress__lanes *lanes, uint32_t generation)
{
	if (!ingress__lane_end(&lanes->lane[0], generation))
		return false;
	for (uint32_t i = 1; i < INGRESS__LANES; i++)
		ingress__lane_end(&lanes->lane[i], generation);
	return true;
}

/* Add room to a lane. False: it has ended, and the room with it. */
static bool give(struct ingress__lane *lane, uint32_t generation, uint32_t room)
{
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);

	do {
		if (ingress__lane_generation(head) != generation)
			return false;
		/* acq_rel: what was pushed by others keeps its release, and a push after this is not before it */
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head + ((uint64_t)room << INGRESS__INDEX_BITS),
							memory_order_acq_rel, memory_order_relaxed));
	return true;
}

/* What is done to find room for one push. */
struct search {
	struct ingress__lanes *lanes;
	struct ingress__lane *lane; /* that lacks it */
	const _Atomic uint32_t *answered;
	uint32_t generation, depth;
	bool moves; /* counted among those that move room */
};

/* Before room is taken from where others look for it. */
static void begin_move(struct search *search)
{
	if (search->moves)
		return;
	search->moves = true;
	/* acq_rel: who sees that room has gone sees this */
	atomic_fetch_add_explicit(&search->lanes->moves, 1, memory_order_acq_rel);
}

static void end_move(struct search *search)
{
	if (!search->moves)
		return;
	search->moves = false;
	/* acq_rel: who sees this sees where the room is now */
	atomic_fetch_add_explicit(&search->lanes->moves, MOVE_OVER - 1, memory_order_acq_rel);
}

/* Room that no lane has: `lacking`, or more while much is free, or what there is. */
static uint32_t take_free(struct search *search, uint32_t lacking)
{
	_Atomic uint64_t *granted = &search->lanes->granted;
	uint64_t before = atomic_load_explicit(granted, memory_order_acquire);

	for (;;) {
		/* acquire: what the answered ones used is free */
		uint32_t answered = atomic_load_explicit(search->answered, memory_order_acquire);
		uint32_t unanswered = (uint32_t)before - answered, room = 0, ahead;

		if ((uint32_t)(before >> 32) != search->generation)
			return 0;
		if (unanswered < search->depth)
			room = search->depth - unanswered;
		if (room > lacking) {
			ahead = room / (2 * INGRESS__LANES);
			ahead = ahead < INGRESS__GRANT_MAX ? ahead : INGRESS__GRANT_MAX;
			room = lacking > ahead ? lacking : ahead;
		}
		if (room)
			begin_move(search);
		/*
		 * acq_rel: the depth was read before, and is this generation's if the swap succeeds. No room is swapped
		 * too: if that fails, the answers may be to requests that `before` did not know of.
		 */
		if (atomic_compare_exchange_weak_explicit(granted, &before,
							  (before & ~(uint64_t)UINT32_MAX) |
								  (uint32_t)((uint32_t)before + room),
							  memory_order_acq_rel, memory_order_acquire))
			return room;
	}
}

/* What another lane has left, up to `most`; it is the caller's. */
static uint32_t take_left(struct search *search, struct ingress__lane *lane, uint32_t most)
{
	/* acquire: who moved room away has counted itself before */
	uint64_t head = atomic_load_explicit(&lane->head, memory_order_acquire);
	uint32_t room;

	do {
		room = ingress__lane_room(head) < most ? ingress__lane_room(head) : most;
		if (ingress__lane_generation(head) != search->generation || !room)
			return 0;
		begin_move(search);
	} while (!atomic_compare_exchange_weak_explicit(&lane->head, &head,
							head - ((uint64_t)room << INGRESS__INDEX_BITS),
							memory_order_acq_rel, memory_order_acquire));
	return room;
}

/*
 * One look at all places. INGRESS__PUSH_FULL: too little was there. What is free is looked at again after the lanes:
 *
 *	looks				another thread		the library thread
 *	nothing is free; lane 2 has 1
 *								answers: 1 is free
 *					pushes to lane 2
 *	lane 2 has none
 *
 * Without moves a lane's room only shrinks, so at the second look at what is free the lanes still have none.
 */
static enum ingress__pushed look(struct search *search, uint32_t count)
{
	uint64_t head = atomic_load_explicit(&search->lane->head, memory_order_acquire);
	uint32_t has = ingress__lane_room(head), found = 0;

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

enum ingress__pushed ingress__lanes_make_room(struct ingress__lanes *lanes, struct ingress__lane *lane,
					      uint32_t generation, uint32_t count, const _Atomic uint32_t *answered,
					      uint32_t depth)
{
	struct search search = { lanes, lane, answered, generation, depth, false };
	enum ingress__pushed pushed;

	if (count > depth)
		return INGRESS__PUSH_FULL;
	for (uint32_t looks = 0;; looks++) {
		/* acquire: of a move that is over, the room is seen where it went */
		uint64_t before = atomic_load_explicit(&lanes->moves, memory_order_acquire);
		bool moved;

		pushed = look(&search, count);
		moved = search.moves;
		end_move(&search);
		if (pushed != INGRESS__PUSH_FULL)
			return pushed;
		/* The room of lanes that have ended is lost; the first one ends before the others. */
		if (ingress__lanes_generation(lanes) != generation)
			return INGRESS__PUSH_ENDED;
		if (looks == INGRESS__MOVE_LOOKS)
			return pushed;
		/* Nobody moved anything meanwhile, so it is full. relaxed: the loads of the look were acquire. */
		if (!moved && !(uint32_t)before && atomic_load_explicit(&lanes->moves, memory_order_relaxed) == before)
			return pushed;
		if (!moved)
			sched_yield();
	}
}
