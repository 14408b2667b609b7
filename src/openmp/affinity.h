/* SPDX-License-Identifier: BSD-3-Clause */
/* Places, and binding threads to them. */
#ifndef OMP_AFFINITY_H
#define OMP_AFFINITY_H

#include "host.h"

#include <stdbool.h>

struct omp__thread;
struct omp__team;

/* Whether threads are bound to places at all. */
extern bool omp__affinity_binds;

/* Bind a new root, when the program asked for binding. */
void omp__affinity_root(struct omp__thread *thread);
/* Where a new worker of this primary starts. */
void omp__affinity_worker(const struct omp__thread *primary, struct omp__thread *worker,
			  struct omp__worker_start *start);
/* Give each member of a team that is about to start its place; flags are those of GOMP_parallel. */
void omp__affinity_team(struct omp__thread *thread, struct omp__team *team, unsigned flags);

#endif
