/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join. A thread that opens a region keeps the team for the next one ("hot"), one for each depth of nesting,
 * with its workers waiting. In the steady state a region makes no allocation and, while its workers still spin, no
 * system call.
 */
#ifndef OMP_TEAM_H
#define OMP_TEAM_H

#include "openmp/state/team_state.h"

/*
 * Run fn(data) by a team of which `thread`, the caller, is member 0. `threads` is the clause's value, 0 without one;
 * `code` is the program's function, which says whose code opens the region (omp__team_size).
 */
void omp__team_run(struct omp__thread *thread, void (*code)(void *), void (*fn)(void *), void *data, unsigned threads,
		   unsigned flags);
/* The halves of omp__team_run for regions of several threads, and of one. */
void omp__team_begin(struct omp__thread *thread, struct omp__team *team, void (*fn)(void *), void *data,
		     unsigned flags);
void omp__team_end(struct omp__thread *thread, struct omp__team *team);
void omp__alone_begin(struct omp__thread *thread, struct omp__region *region, unsigned flags);
void omp__alone_end(struct omp__thread *thread, struct omp__region *region);

#endif
