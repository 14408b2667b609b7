/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether more of our threads are awake than there are processors. */
#ifndef OMP_OVERSUBSCRIBED_H
#define OMP_OVERSUBSCRIBED_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * Initial threads and workers that are not parked, less the processors there are. A thread that parks takes itself off.
 */
extern _Atomic int omp__awake_excess;

static inline bool omp__oversubscribed(void)
{
	return atomic_load_explicit(&omp__awake_excess, memory_order_relaxed) > 0;
}

#endif
