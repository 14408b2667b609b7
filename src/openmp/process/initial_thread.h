/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial threads: how a thread of the program becomes one, and initial regions inside another region. */
#ifndef OMP_INITIAL_THREAD_H
#define OMP_INITIAL_THREAD_H

#include "openmp/state/thread_state.h"

/*
 * Make the caller an initial thread; or, with a co-scheduler, have it take one that is free. This is the slow path of
 * omp__self().
 */
struct omp__thread *omp__thread_enter(void);

/* The calling thread; its first call of the runtime may be this one. */
static inline struct omp__thread *omp__self(void)
{
	struct omp__thread *thread = omp__tls;

	return __builtin_expect(thread != NULL, 1) ? thread : omp__thread_enter();
}

/*
 * An initial region inside the caller's region, for a target region: it has level 0 and one thread. The hot team of the
 * caller's region is left alone.
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
