/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread's place in a region. In a region of one thread this struct lies on that thread's stack, otherwise in the
 * thread's member struct of the team.
 */
#ifndef OMP_REGION_H
#define OMP_REGION_H

#include "openmp/environment/icv.h"
#include "openmp/state/loop_state.h"
#include "openmp/state/task_state.h"

struct omp__member;
struct omp__team;

struct omp__region {
	/* The place from which the primary thread opened this region; NULL for an initial region. */
	struct omp__region *outer;
	/* NULL in a region of one thread that has not needed a team (see omp__team_of). */
	struct omp__team *team;
	struct omp__member *member;
	unsigned thread_num;
	unsigned thread_count;
	unsigned level;
	unsigned active_level;
	/* How many constructs that share state, and how many single constructs, the thread has met in this region. */
	uint32_t workshare_count;
	uint32_t single_count;
	struct omp__loop loop;
	struct omp__icv icv;
	struct omp__task implicit;
};

#endif
