/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors the other runtime system uses, and how many threads ours has in regions. */
#ifndef OMP_CENSUS_H
#define OMP_CENSUS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ferry/openmp_coscheduler.h>

/* The other runtime system: NULL until one registers, and never changed afterwards. */
extern const struct ferryomp_coscheduler *omp__registered;

/*
 * How many threads are in regions and are not counted by the co-scheduler's `busy`: the workers of each team, and its
 * primary if that holds nothing of the co-scheduler. relaxed everywhere: a team that is one thread too large or too
 * small still gives right results.
 */
extern _Atomic unsigned omp__engaged;

unsigned omp__shared_processors(void);
unsigned omp__shared_free(unsigned wanted);
/*
 * Whether the other system keeps processors busy and, counting its threads, more threads are awake than there are
 * processors.
 */
bool omp__others_want_processors(void);

#endif
