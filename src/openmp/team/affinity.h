/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding threads to places. */
#ifndef OMP_AFFINITY_H
#define OMP_AFFINITY_H

#include <stdbool.h>

struct omp__member;
struct omp__team;
struct omp__thread;

/* proc_bind in the flags of GOMP_parallel. */
#define OMP__FLAG_BIND 7u

/* Whether threads are bound to places at all. */
extern bool omp__affinity_binds;

/* Bind a new initial thread, when the program asked for binding. */
void omp__affinity_initial(struct omp__thread *thread);
/* Give each member of a team its place, before the team's region starts; flags are those of GOMP_parallel. */
void omp__affinity_team(struct omp__thread *thread, struct omp__team *team, unsigned flags);
/* Move the caller to its place, as a member of a team whose region starts. */
void omp__affinity_enter(struct omp__thread *thread, const struct omp__member *member);
/*
 * Show where the caller, now in its new region, is bound, if OMP_DISPLAY_AFFINITY asks for that and the same was not
 * shown before.
 */
void omp__affinity_entered(struct omp__thread *thread);

#endif
