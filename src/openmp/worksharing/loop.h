/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing loops: a thread's own state in the construct it is in, and how chunks are handed out.
 *
 * Every loop is run over 0 … count - 1; iteration i of the program's loop is start + i * step, modulo 2^64, which
 * serves `long` and `unsigned long long`, up and down, alike.
 */
#ifndef OMP_LOOP_H
#define OMP_LOOP_H

#include "openmp/state/workshare.h"

#include <stdbool.h>
#include <stdint.h>

struct omp__thread;
enum omp__hand_out {
	OMP__HAND_OUT_NONE,
	OMP__HAND_OUT_WHOLE,   /* all at once: one thread */
	OMP__HAND_OUT_BLOCKS,  /* static without a chunk size */
	OMP__HAND_OUT_CHUNKS,  /* static with one */
	OMP__HAND_OUT_COUNTER, /* monotonic dynamic */
	OMP__HAND_OUT_RANGES,  /* nonmonotonic dynamic */
	OMP__HAND_OUT_GUIDED,
};

/* With so many chunks in its range, a thread takes so many at once. */
#define OMP__LOOP_MANY 32
#define OMP__LOOP_TAKEN 4

struct omp__loop {
	/* NULL when the construct shares nothing. */
	struct omp__workshare *share;
	uint64_t start;
	uint64_t step;
	uint64_t end;
	uint64_t count;
	uint64_t chunk;
	/* CHUNKS: the first iteration of this thread's next chunk. RANGES: how many chunks there are; 0: no more for
	 * us. */
	uint64_t next;
	/* The chunk being run: [first, past). */
	uint64_t first;
	uint64_t past;
	/* RANGES: this thread's range, else NULL; and from one chunk to the next in the program's terms. */
	struct omp__range *range;
	uint64_t chunk_step;
	/* RANGES: chunks that were taken from the range and not run yet, [held, held_end). */
	uint32_t held;
	uint32_t held_end;
	uint8_t hand_out;
	bool ordered;
	bool turn_passed; /* the ordered regions of this chunk are over */
	bool cancelled;
};

/* A loop as the compiler describes it. */
struct omp__loop_spec {
	uint64_t start;
	uint64_t end;
	uint64_t step;
	uint64_t count;
	uint64_t chunk;
	uint32_t schedule; /* enum omp__schedule, with OMP__MONOTONIC */
	bool ordered;
	uintptr_t *reductions;
	/* Where the size of the memory the compiler wants is, and where its address goes; or NULL. */
	void **memory;
	/* Doacross: progress words for this many iterations of the outermost loop; 0: not doacross. */
	unsigned dimensions;
	const uint64_t *counts;
};

/* How many iterations, for bounds of type long or unsigned long long. */
uint64_t omp__loop_count(uint64_t start, uint64_t end, uint64_t step, bool is_unsigned, bool up);
/* Every thread of the team enters the construct; shared state is made when it needs some. */
void omp__loop_enter(struct omp__thread *thread, const struct omp__loop_spec *spec);
/* The thread's next chunk: in loop->first and loop->past. False when none is left. */
bool omp__loop_next(struct omp__thread *thread);
/* The thread leaves the construct. */
void omp__loop_leave(struct omp__thread *thread);

/* Ordered regions of the chunk being run. */
void omp__ordered_start(struct omp__thread *thread);
void omp__ordered_end(struct omp__thread *thread);
/* The chunk is over: the next one's ordered regions may run. */
void omp__ordered_pass(struct omp__thread *thread);

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
