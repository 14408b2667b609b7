/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a library thread runs: on its callers' processor or on another one. See placement.c. */
#ifndef INGRESS_PLACEMENT_H
#define INGRESS_PLACEMENT_H

#include "thread/processor.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ingress__placement {
	/* Hints from the threads that call; all accessed relaxed. */
	_Atomic uint32_t waker_cpu; /* the processor of the last thread that woke the library thread, or UINT32_MAX */
	_Atomic uint32_t colocated; /* how often a waiting thread found the library thread on its own processor */

	/* For the library thread alone. */
	uint32_t waited_with; /* `colocated` when the thread last waited */
	uint32_t looked_with; /* `colocated` when the thread last thought of moving, and when that was */
	uint64_t looked_ns, moved_ns;
};

/* The library thread begins. */
void ingress__placement_begin(struct ingress__placement *placement);

/* The caller wakes the library thread. */
static inline void ingress__placement_wakes(struct ingress__placement *placement)
{
	atomic_store_explicit(&placement->waker_cpu, thread__cpu(), memory_order_relaxed);
}

/* The caller waits for the library thread, which ran last on the caller's processor. */
static inline void ingress__placement_is_colocated(struct ingress__placement *placement)
{
	atomic_fetch_add_explicit(&placement->colocated, 1, memory_order_relaxed);
}

/*
 * The library thread is about to wait, and has_woken says whether it has woken a thread since its last wait: move away,
 * if that is better. Returns whether the thread has to sleep at once, because a thread that may go on shares its
 * processor.
 */
bool ingress__placement_settle(struct ingress__placement *placement, bool has_woken);

#endif
