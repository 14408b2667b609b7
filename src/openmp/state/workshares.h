/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the threads of a team share in a worksharing construct.
 *
 * A team has a ring of descriptors. The construct that a member meets as its c-th uses slot c modulo the ring's size,
 * so threads may run ahead through constructs without a barrier. The first to arrive sets the slot up. A slot is free
 * again when every member has passed the construct it served; each member says in a line of its own how far it has
 * come, so nobody writes a shared counter on leaving. When a thread would lap the slowest one it gets a descriptor from
 * the heap, chained to the slot, because waiting could deadlock with a lock the program holds.
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

/* A member's share of a nonmonotonic loop, in chunks: next in the low half, end in the high half. */
struct omp__range {
	_Alignas(OMP__LINE_BYTES) _Atomic uint64_t span;
};

/* What most loops need is in the first cache line, so that a construct moves one line between two threads. */
struct omp__workshare {
	/* The construct that may use it now; the claim is held while that changes. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t serves;
	_Atomic uint32_t claim;
	uint32_t construct; /* what `serves` will be; under the claim */
	uint8_t hand_out;   /* enum omp__hand_out, as the first thread found it possible */
	/* The next iteration, chunk or section to hand out; for ranges: whether the last chunk is taken. */
	_Atomic uint64_t next;
	/* The first iteration whose ordered region may run. */
	_Atomic uint64_t ordered_next;
	/* Those who may sleep until it comes to them. */
	_Atomic uint32_t ordered_sleepers;
	struct omp__range *ranges;
	struct omp__doacross *doacross;
	/* Memory the compiler asked for: zeroed for each construct, kept for the next. */
	void *memory;
	uintptr_t *reductions;
	/* Constructs that lapped this slot; under its claim. The region's end frees them. */
	struct omp__workshare *overflow;
	size_t memory_bytes;
	unsigned range_count;
};

struct omp__workshares {
	/* Every member has passed this construct, and perhaps more. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t floor;
	_Atomic bool lapped; /* some slot has an overflow */
	struct omp__workshare ring[OMP__WORKSHARES];
};

/* The ring as new: nobody uses it. */
void omp__workshares_reset(struct omp__workshares *shares);
/* At a region's end: free what lapping threads needed. */
void omp__workshares_trim(struct omp__workshares *shares);
void omp__workshares_free(struct omp__workshares *shares);

#endif
