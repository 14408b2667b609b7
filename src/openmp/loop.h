/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's own state in the worksharing construct it is in.
 *
 * Every loop is run over 0 … count - 1; iteration i of the program's loop is start + i * step, modulo 2^64, which
 * serves `long` and `unsigned long long`, up and down, alike.
 */
#ifndef OMP_LOOP_H
#define OMP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct omp__thread;
struct omp__workshare;

/* How chunks are handed out. */
enum omp__hand_out {
	OMP__HAND_OUT_NONE,
	OMP__HAND_OUT_WHOLE,   /* all at once: one thread */
	OMP__HAND_OUT_BLOCKS,  /* static without a chunk size */
	OMP__HAND_OUT_CHUNKS,  /* static with one */
	OMP__HAND_OUT_COUNTER, /* monotonic dynamic */
	OMP__HAND_OUT_RANGES,  /* nonmonotonic dynamic */
	OMP__HAND_OUT_GUIDED,
};

struct omp__loop {
	/* NULL when the construct shares nothing. */
	struct omp__workshare *share;
	uint64_t start;
	uint64_t step;
	uint64_t end;
	uint64_t count;
	uint64_t chunk;
	/* CHUNKS: the first iteration of the next chunk of this thread. */
	uint64_t next;
	/* The chunk being run: [first, past). */
	uint64_t first;
	uint64_t past;
	uint8_t hand_out;
	bool ordered;
	bool ordered_done; /* this chunk's turn has been passed on */
};

#endif
