/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC compiles `teams` to. */
#include "openmp/abi/gomp.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/task_icv.h"
#include "openmp/worksharing/league.h"

OMP__EXPORT void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned thread_limit, unsigned flags)
{
	(void)flags;
	omp__league_run(omp__self(), fn, data, teams, thread_limit, OMP__TOOL_CALL());
}

static void limit_threads(struct omp__thread *thread, unsigned thread_limit)
{
	if (thread_limit)
		omp__icv_write(thread)->thread_limit = omp__league_thread_limit(thread_limit);
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
