/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether more of our threads are awake than there are processors. */
#ifndef OMP_CROWD_H
#define OMP_CROWD_H

#include <stdatomic.h>
#include <stdbool.h>

/* Roots and workers that are not parked, less the processors there are. A thread that parks takes itself off. */
extern _Atomic int omp__crowd_excess;

static inline bool omp__crowded(void)
{
	return atomic_load_explicit(&omp__crowd_excess, memory_order_relaxed) > 0;
}

#endif
