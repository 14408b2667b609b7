/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing loops: a thread's own state in the construct it is in, and how chunks are handed out.
 *
 * Every loop is run over 0 … count - 1; iteration i of the program's loop is start + i * step, modulo 2^64, which
 * serves `long` and `unsigned long long`, up and down, alike.
 */
#ifndef OMP_LOOP_H
#define OMP_LOOP_H

#include "openmp/state/loop_state.h"
#include "openmp/state/workshares.h"

#include <stdbool.h>
#include <stdint.h>

struct omp__thread;
/* With so many chunks in its range, a thread takes so many at once. */
#define OMP__LOOP_MANY 32
#define OMP__LOOP_TAKEN 4

/* How many iterations, for bounds of type long or unsigned long long. */
uint64_t omp__loop_count(uint64_t start, uint64_t end, uint64_t step, bool is_unsigned, bool up);
/* Every thread of the team enters the construct; shared state is made when it needs some. */
void omp__loop_enter(struct omp__thread *thread, const struct omp__loop_spec *spec);
/* The thread's next chunk: in loop->first and loop->past. False when none is left. */
bool omp__loop_next(struct omp__thread *thread);
/* The thread leaves the construct. */
void omp__loop_leave(struct omp__thread *thread);

/* Bounds of the chunk being run, in the program's terms. */
static inline uint64_t omp__loop_first(const struct omp__loop *loop)
{
	return loop->start + loop->first * loop->step;
}

/* The last chunk ends where the loop does, because the bound one step further may not be representable. */
static inline uint64_t omp__loop_past(const struct omp__loop *loop)
{
	return loop->past == loop->count ? loop->end : loop->start + loop->past * loop->step;
}

/*
 * The next chunk of the thread's own range, by its number; false when the range is empty. While there are many, one
 * locked operation takes several: they are not for thieves any more, who find enough in what is left.
 */
static inline bool omp__loop_take(struct omp__loop *loop, uint32_t *chunk)
{
	uint64_t span;
	uint32_t next, end, count;

	if (loop->held < loop->held_end) {
		*chunk = loop->held++;
		return true;
	}
	/* relaxed: the count is all that is shared. Look first: a locked add moves an empty range on, see loop.c. */
	span = atomic_load_explicit(&loop->range->span, memory_order_relaxed);
	next = (uint32_t)span;
	end = span >> 32;
	if (next >= end)
		return false;
	count = end - next >= OMP__LOOP_MANY ? OMP__LOOP_TAKEN : 1;
	span = atomic_fetch_add_explicit(&loop->range->span, count, memory_order_relaxed);
	next = (uint32_t)span;
	end = span >> 32;
	if (next >= end)
		return false;
	*chunk = next;
	loop->held = next + 1;
	/* A thief may have left fewer than were there. */
	loop->held_end = end - next < count ? end : next + count;
	return true;
}

/*
 * The shortest way to the next chunk: from the thread's own range, in the program's terms. False says nothing; then
 * omp__loop_next knows. A range never has the last chunk, so the bound one chunk further is a bound of this one.
 */
static inline bool omp__loop_next_own(struct omp__loop *loop, uint64_t *first, uint64_t *past)
{
	uint32_t chunk;

	if (!loop->range || !omp__loop_take(loop, &chunk))
		return false;
	*first = loop->start + chunk * loop->chunk_step;
	*past = *first + loop->chunk_step;
	return true;
}

#endif
