/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of a team. */
#ifndef OMP_BARRIER_H
#define OMP_BARRIER_H

#include <stdbool.h>

struct omp__team;
struct omp__thread;

/* The barrier of the caller's team; true when `cancellable` and the region was cancelled. */
bool omp__barrier(struct omp__thread *thread, bool cancellable);
/* Put the barrier back to its initial state, while no member is in it. */
void omp__barrier_reset(struct omp__team *team);
/*
 * Connect the members that meet in each round, after the team's size has changed and while no member is in the barrier.
 */
void omp__barrier_connect(struct omp__team *team);

#endif
