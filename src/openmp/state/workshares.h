/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work shares: what the threads of a team share in a worksharing construct.
 *
 * A team has a ring of work shares. A member's c-th construct uses slot c modulo the ring's size, so threads may run
 * ahead through several constructs without a barrier. The first thread that arrives at a construct sets its slot up. A
 * slot is free again when every member has passed the construct that it served; each member writes in a line of its own
 * how far it has come, so no shared counter is written when a construct is left. A thread that would lap the slowest
 * one gets a work share from the heap instead, chained to the slot: if it waited for the slow thread, a lock that the
 * program holds could make that a deadlock.
 */
#ifndef OMP_WORKSHARES_H
#define OMP_WORKSHARES_H

#include "openmp/waiting/line.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct omp__doacross;

#define OMP__WORKSHARES 8

/* A member's range of a nonmonotonic loop, in chunks: the next one in the low half, the end in the high half. */
struct omp__range {
	_Alignas(OMP__LINE_BYTES) _Atomic uint64_t span;
};

/* What most loops need is in the first cache line, so that a construct moves one line between two threads. */
struct omp__workshare {
	/*
	 * The count of the construct that may use it now. While that changes, the thread that changes it holds `claim`.
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t serves;
	_Atomic uint32_t claim;
	uint32_t construct; /* the value that `serves` gets next; under `claim` */
	uint8_t hand_out;   /* enum omp__hand_out, as the first thread found it possible */
	/* The next iteration, chunk or section to hand out. With ranges: whether the last chunk is taken. */
	_Atomic uint64_t next;
	/* The first iteration whose ordered region may run. */
	_Atomic uint64_t ordered_next;
	/* How many threads may sleep until their ordered region may run. */
	_Atomic uint32_t ordered_sleepers;
	struct omp__range *ranges;
	struct omp__doacross *doacross;
	/* Memory that the compiler asked for; zeroed for each construct, and kept for the next. */
	void *memory;
	uintptr_t *reductions;
	/*
	 * Work shares from the heap, of constructs that lapped this slot; under its claim. The end of the region frees
	 * them.
	 */
	struct omp__workshare *overflow;
	size_t memory_bytes;
	unsigned range_count;
};

struct omp__workshares {
	/* A construct that every member has passed; they may have passed later ones too. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t floor;
	_Atomic bool lapped; /* whether any slot has an overflow */
	struct omp__workshare ring[OMP__WORKSHARES];
};

/* Make the ring as new; no thread uses it. */
void omp__workshares_reset(struct omp__workshares *shares);
/* At the end of a region: free the work shares that lapping threads took from the heap. */
void omp__workshares_trim(struct omp__workshares *shares);
void omp__workshares_free(struct omp__workshares *shares);

#endif
