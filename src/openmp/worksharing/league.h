/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The leagues of teams constructs. Their initial threads run one after the other on the calling thread; OpenMP allows
 * that, because teams cannot synchronise with each other. Each has the whole machine for its parallel regions.
 */
#ifndef OMP_LEAGUE_H
#define OMP_LEAGUE_H

#include "openmp/tool/tool.h"

#include <limits.h>

/* Run fn(data) for each team; 0 teams or threads: no clause says how many. */
void omp__league_run(struct omp__thread *thread, void (*fn)(void *), void *data, unsigned teams, unsigned thread_limit,
		     struct omp__tool_call call);

/* What a thread_limit clause says. */
static inline unsigned omp__league_thread_limit(unsigned clause)
{
	return clause > INT_MAX ? UINT_MAX : clause;
}

#endif
