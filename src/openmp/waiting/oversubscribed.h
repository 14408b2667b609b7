/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether more of our threads are awake than there are processors. */
#ifndef OMP_OVERSUBSCRIBED_H
#define OMP_OVERSUBSCRIBED_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * The number of initial threads and workers that are not parked, less the number of threads that can run all the time
 * (omp__system_full_time()). A thread that parks takes itself off this count.
 */
extern _Atomic int omp__awake_excess;

/* What omp__system_processors() returns, by a quota that was read no more than a second ago. */
unsigned omp__processors_now(void);
/*
 * omp_get_num_procs(): the processors of all places, if there is a list; otherwise those that the caller may use now.
 * No more than the CPU quota in either case.
 */
int omp__processors_visible(void);
/* How many threads a team has by default: omp__processors_now(), or what the co-scheduler says. */
unsigned omp__default_threads(void);

static inline bool omp__oversubscribed(void)
{
	return atomic_load_explicit(&omp__awake_excess, memory_order_relaxed) > 0;
}

#endif
