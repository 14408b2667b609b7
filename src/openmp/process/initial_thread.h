/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial regions that lie inside another region. */
#ifndef OMP_INITIAL_THREAD_H
#define OMP_INITIAL_THREAD_H

#include "openmp/state/thread_state.h"

/*
 * An initial region inside the caller's, as for a target region that runs on the host: level 0 again, one thread. The
 * hot team of the outer region is left alone.
 */
struct omp__inner_initial {
	struct omp__region region;
	struct omp__region *outer_region;
	struct omp__task *outer_task;
	struct omp__team **outer_hot;
	struct omp__team *hot_first;
	unsigned league_num;
	unsigned league_count;
};

void omp__inner_initial_begin(struct omp__thread *thread, struct omp__inner_initial *inner);
void omp__inner_initial_end(struct omp__thread *thread, struct omp__inner_initial *inner);

#endif
