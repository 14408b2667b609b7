/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors the other runtime system uses, and how many threads ours has in regions. */
#ifndef OMP_CENSUS_H
#define OMP_CENSUS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ferry/openmp_coscheduler.h>

/* The other runtime system: NULL, or set once. */
extern const struct ferryomp_coscheduler *omp__registered;

/*
 * Threads in regions that `busy` of the co-scheduler does not count: a team's workers, and its primary when that holds
 * nothing of the co-scheduler. relaxed everywhere: a team that is one thread too large or too small is still right.
 */
extern _Atomic unsigned omp__engaged;

unsigned omp__shared_processors(void);
unsigned omp__shared_free(unsigned wanted);
/* Whether the other system has processors busy, and with them more threads are awake than there are processors. */
bool omp__others_want_processors(void);

#endif
