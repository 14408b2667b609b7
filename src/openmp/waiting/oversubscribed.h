/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the process is oversubscribed: more threads of the runtime are awake than there are processors to run them
 * all the time. One atomic count says so, omp__awake_excess. Waiters compare it with 0, to choose between spinning and
 * yielding, so a count that is wrong for a moment costs time, nothing else.
 */
#ifndef OMP_OVERSUBSCRIBED_H
#define OMP_OVERSUBSCRIBED_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * The number of initial threads and workers that are not parked, less the number of threads that can run all the time
 * (omp__system_full_time()). A thread that parks takes itself off this count.
 */
extern _Atomic int omp__awake_excess;

/*
 * How many processors this program may use, by a CPU quota that was read no more than a second ago; see
 * omp__system_processors().
 */
unsigned omp__processors_now(void);
/*
 * omp_get_num_procs(): the processors that the caller may use now; with a list of places, where a thread may be bound
 * to a part of the program's processors, those of the program. No more than the CPU quota in either case.
 */
int omp__processors_visible(void);
/* How many threads a team has by default: omp__processors_now(), or what the co-scheduler says. */
unsigned omp__default_threads(void);

static inline bool omp__oversubscribed(void)
{
	return atomic_load_explicit(&omp__awake_excess, memory_order_relaxed) > 0;
}

#endif
