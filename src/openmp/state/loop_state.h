/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a thread is in the worksharing loop that it runs. worksharing/loop.h says how chunks are handed out. */
#ifndef OMP_LOOP_STATE_H
#define OMP_LOOP_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct omp__range;
struct omp__workshare;

enum omp__hand_out {
	OMP__HAND_OUT_NONE,
	OMP__HAND_OUT_WHOLE,   /* all iterations at once, to the only thread */
	OMP__HAND_OUT_BLOCKS,  /* static without a chunk size */
	OMP__HAND_OUT_CHUNKS,  /* static with a chunk size */
	OMP__HAND_OUT_COUNTER, /* monotonic dynamic */
	OMP__HAND_OUT_RANGES,  /* nonmonotonic dynamic */
	OMP__HAND_OUT_GUIDED,
};

struct omp__loop {
	/* NULL when the threads share nothing in this construct. */
	struct omp__workshare *share;
	uint64_t start;
	uint64_t step;
	uint64_t end;
	uint64_t count;
	uint64_t chunk;
	/*
	 * CHUNKS: the first iteration of this thread's next chunk. RANGES: how many chunks there are; 0: this thread
	 * gets no more.
	 */
	uint64_t next;
	/* The chunk that the thread runs: [first, past). */
	uint64_t first;
	uint64_t past;
	/* RANGES: this thread's range, else NULL; and the step from one chunk to the next in the program's terms. */
	struct omp__range *range;
	/* The same, for the fast path; NULL too with a tool, which is told of every chunk by the slow one. */
	struct omp__range *untold;
	uint64_t chunk_step;
	/* RANGES: chunks that the thread has taken from its range and not run yet, [held, held_end). */
	uint32_t held;
	uint32_t held_end;
	uint8_t hand_out;
	bool ordered;
	bool ordered_passed; /* the ordered regions of this chunk are over */
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
	/*
	 * The compiler asks for memory that the threads share: *memory is its size, and becomes its address. NULL: it
	 * asks for none.
	 */
	void **memory;
	/* Doacross: how many loops of the nest have progress words, and how many iterations each; 0: not doacross. */
	unsigned dimensions;
	const uint64_t *counts;
};

#endif
