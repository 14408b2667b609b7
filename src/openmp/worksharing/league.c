/* SPDX-License-Identifier: BSD-3-Clause */
/* See league.h. A tool sees each team as an initial task in the league. */
#include "openmp/worksharing/league.h"
#include "openmp/state/task_icv.h"
#include "openmp/tool/event.h"

/* The size of a league without a clause and without OMP_NUM_TEAMS; libgomp has the same. */
#define LEAGUE_SIZE_DEFAULT 3

static void run_teams(struct omp__thread *thread, void (*fn)(void *), void *data, unsigned teams)
{
	for (unsigned i = 0; i < teams; i++) {
		thread->league_num = i;
		fn(data);
	}
}

static OMP__TOOL_ONLY void run_teams_for_tool(struct omp__thread *thread, void (*fn)(void *), void *data,
					      unsigned teams, struct omp__tool_call call)
{
	struct omp__tool_parallel league = { .call = call,
					     .flags = ompt_parallel_invoker_runtime | ompt_parallel_league };
	struct omp__tool_task *outer = thread->region->implicit.tool;

	omp__tool_parallel_begin(thread, &league, teams);
	for (unsigned i = 0; i < teams; i++) {
		struct omp__tool_region team;

		thread->league_num = i;
		omp__tool_team_begin(thread, &team, &league, teams);
		omp__tool_task_exit(thread->task, __builtin_frame_address(0));
		fn(data);
		omp__tool_team_end(thread, &team);
		thread->region->implicit.tool = outer;
	}
	omp__tool_parallel_end(thread, &league);
}

void omp__league_run(struct omp__thread *thread, void (*fn)(void *), void *data, unsigned teams, unsigned thread_limit,
		     struct omp__tool_call call)
{
	unsigned outer_limit = thread->task->icv->thread_limit;
	unsigned outer_num = thread->league_num;
	unsigned outer_count = thread->league_count;

	if (thread_limit == 0)
		thread_limit = (unsigned)omp__globals.teams_thread_limit;
	if (thread_limit)
		omp__icv_write(thread)->thread_limit = omp__league_thread_limit(thread_limit);
	if (teams == 0)
		teams = omp__globals.teams ? (unsigned)omp__globals.teams : LEAGUE_SIZE_DEFAULT;
	thread->league_count = teams;
	if (omp__tool_is_on())
		run_teams_for_tool(thread, fn, data, teams, call);
	else
		run_teams(thread, fn, data, teams);
	thread->league_num = outer_num;
	thread->league_count = outer_count;
	if (thread_limit)
		omp__icv_write(thread)->thread_limit = outer_limit;
}
