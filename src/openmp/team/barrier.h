/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of a team. */
#ifndef OMP_BARRIER_H
#define OMP_BARRIER_H

#include <stdbool.h>

struct omp__team;
struct omp__thread;

/* The barrier of the caller's team; true when `cancellable` and the region was cancelled. */
bool omp__barrier(struct omp__thread *thread, bool cancellable);
/* Put the barrier back to its start; nobody is in it. */
void omp__barrier_reset(struct omp__team *team);
/* Say who meets whom, for a team of another size than before; nobody is in the barrier. */
void omp__barrier_connect(struct omp__team *team);

#endif
