/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What GCC compiles `teams` to. The initial threads of a league run one after the other on the calling thread; OpenMP
 * allows that, because teams cannot synchronise with each other. Each has the whole machine for its parallel regions.
 */
#include "openmp/abi/gomp.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/task_icv.h"

/* The size of a league without a clause and without OMP_NUM_TEAMS; libgomp has the same. */
#define LEAGUE_SIZE_DEFAULT 3

static unsigned thread_limit_of(unsigned clause)
{
	return clause > INT_MAX ? UINT_MAX : clause;
}

OMP__EXPORT void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned thread_limit, unsigned flags)
{
	struct omp__thread *thread = omp__self();
	unsigned outer_limit = thread->task->icv->thread_limit;
	unsigned outer_num = thread->league_num;
	unsigned outer_count = thread->league_count;

	(void)flags;
	if (thread_limit == 0)
		thread_limit = (unsigned)omp__globals.teams_thread_limit;
	if (thread_limit)
		omp__icv_write(thread)->thread_limit = thread_limit_of(thread_limit);
	if (teams == 0)
		teams = omp__globals.teams ? (unsigned)omp__globals.teams : LEAGUE_SIZE_DEFAULT;
	thread->league_count = teams;
	for (unsigned i = 0; i < teams; i++) {
		thread->league_num = i;
		fn(data);
	}
	thread->league_num = outer_num;
	thread->league_count = outer_count;
	if (thread_limit)
		omp__icv_write(thread)->thread_limit = outer_limit;
}

static void limit_threads(struct omp__thread *thread, unsigned thread_limit)
{
	if (thread_limit)
		omp__icv_write(thread)->thread_limit = thread_limit_of(thread_limit);
}

/* A teams construct inside a target region, from compilers before GCC 12: the league has one team. */
OMP__EXPORT void GOMP_teams(unsigned teams, unsigned thread_limit)
{
	(void)teams;
	limit_threads(omp__self(), thread_limit);
}

/* The same since GCC 12. The compiled code calls this before each team, until it returns false. */
OMP__EXPORT bool GOMP_teams4(unsigned lower, unsigned upper, unsigned thread_limit, bool first)
{
	struct omp__thread *thread = omp__self();

	(void)upper;
	if (first) {
		limit_threads(thread, thread_limit);
		thread->league_count = lower ? lower : 1;
		thread->league_num = 0;
		return true;
	}
	if (thread->league_num + 1 >= thread->league_count)
		return false;
	thread->league_num++;
	return true;
}
