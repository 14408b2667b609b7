/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join. A thread that opens a region keeps the team, with its workers waiting, for the next region (a "hot"
 * team), and has one such team for each depth of nesting. In the steady state a region makes no allocation and, while
 * its workers still spin, no system call.
 */
#ifndef OMP_TEAM_H
#define OMP_TEAM_H

#include "openmp/state/team_state.h"

/*
 * Run fn(data) on each member of a team whose member 0 is `thread`, the caller. `threads` is the value of the
 * num_threads clause, 0 without one. `code` is the outlined function, which shows whose code opens the region
 * (omp__team_size).
 */
void omp__team_run(struct omp__thread *thread, void (*code)(void *), void (*fn)(void *), void *data, unsigned threads,
		   unsigned flags);
/* The two halves of omp__team_run: the first pair for regions of several threads, the second for regions of one. */
void omp__team_begin(struct omp__thread *thread, struct omp__team *team, void (*fn)(void *), void *data,
		     unsigned flags);
void omp__team_end(struct omp__thread *thread, struct omp__team *team);
void omp__alone_begin(struct omp__thread *thread, struct omp__region *region, unsigned flags);
void omp__alone_end(struct omp__thread *thread, struct omp__region *region);

#endif
