/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a thread is: a place in a region. For a region of one thread it lies on that thread's stack, otherwise in its
 * member of the team.
 */
#ifndef OMP_REGION_H
#define OMP_REGION_H

#include "openmp/environment/icv.h"
#include "openmp/state/loop_state.h"
#include "openmp/state/task_state.h"

struct omp__member;
struct omp__team;

struct omp__region {
	/* Where the primary thread was when it opened this region; NULL for an initial region. */
	struct omp__region *outer;
	/* NULL in a region of one thread that never needed one (see omp__team_of). */
	struct omp__team *team;
	struct omp__member *member;
	unsigned thread_num;
	unsigned thread_count;
	unsigned level;
	unsigned active_level;
	/* Constructs met so far that share state, single constructs met so far. */
	uint32_t workshare_count;
	uint32_t single_count;
	struct omp__loop loop;
	struct omp__icv icv;
	struct omp__task implicit;
};

#endif
