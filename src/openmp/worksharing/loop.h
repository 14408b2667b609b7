/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing loops: a thread's state in the loop that it runs, and how it gets chunks.
 *
 * Every loop is run over 0 … count - 1. Iteration i of the program's loop is start + i * step modulo 2^64; that holds
 * for `long` and `unsigned long long`, upwards and downwards.
 */
#ifndef OMP_LOOP_H
#define OMP_LOOP_H

#include "openmp/state/loop_state.h"
#include "openmp/state/workshares.h"
#include "openmp/tool/tool.h"

#include <stdbool.h>
#include <stdint.h>

struct omp__thread;
/* A thread whose range has this many chunks takes OMP__LOOP_TAKEN at once. */
#define OMP__LOOP_MANY 32
#define OMP__LOOP_TAKEN 4

/* The number of iterations, for bounds of type long or unsigned long long. */
uint64_t omp__loop_count(uint64_t start, uint64_t end, uint64_t step, bool is_unsigned, bool up);
/* Every thread of the team enters the construct. What the threads share is made if they share anything. */
void omp__loop_enter(struct omp__thread *thread, const struct omp__loop_spec *spec);
/* Get the thread's next chunk, into loop->first and loop->past. False: none is left. */
bool omp__loop_next(struct omp__thread *thread);
/* The thread leaves the construct. */
void omp__loop_leave(struct omp__thread *thread);

/* A construct of GCC's ends, with a barrier or without; `code` is where the program goes on. */
bool omp__loop_end(struct omp__thread *thread, bool cancellable, struct omp__tool_call call);
void omp__loop_end_nowait(struct omp__thread *thread, const void *code);

/* The bounds of the chunk that the thread runs, in the program's terms. */
static inline uint64_t omp__loop_first(const struct omp__loop *loop)
{
	return loop->start + loop->first * loop->step;
}

/* The last chunk ends where the loop ends: the bound one step further may not be representable. */
static inline uint64_t omp__loop_past(const struct omp__loop *loop)
{
	return loop->past == loop->count ? loop->end : loop->start + loop->past * loop->step;
}

/*
 * Get the number of the next chunk of the thread's own range; false: the range is empty. While the range has many
 * chunks, one locked operation takes several. Thieves cannot take those any more, but find enough in what is left.
 */
static inline bool omp__loop_take(struct omp__loop *loop, uint32_t *chunk)
{
	uint64_t span;
	uint32_t next, end, count;

	if (loop->held < loop->held_end) {
		*chunk = loop->held++;
		return true;
	}
	/*
	 * relaxed: the threads share only the count. The load comes first, since a locked add to an empty range would
	 * still move it on (loop.c).
	 */
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
	/* A thief may have taken some of the chunks that the load had seen. */
	loop->held_end = end - next < count ? end : next + count;
	return true;
}

/*
 * The fast path to the next chunk: from the thread's own range, in the program's terms. False: ask omp__loop_next(),
 * which knows whether there is another chunk. A range never has the last chunk, so start + step of the chunk is its
 * bound.
 */
static inline bool omp__loop_next_own(struct omp__loop *loop, uint64_t *first, uint64_t *past)
{
	uint32_t chunk;

	if (!loop->untold || !omp__loop_take(loop, &chunk))
		return false;
	*first = loop->start + chunk * loop->chunk_step;
	*past = *first + loop->chunk_step;
	return true;
}

#endif
