/* SPDX-License-Identifier: BSD-3-Clause */
/* See rest.h. */
#include "openmp/team/rest.h"
#include "openmp/state/team_state.h"
#include "openmp/team/affinity.h"

/* After so many regions the primary looks again where the kernel puts its workers. */
enum { REST_WAKES = 256 };

static void begin(struct omp__team *team)
{
	struct omp__rest *rest = &team->rest;

	rest->has_woken = true;
	thread__runner_refresh(&team->primary->parker.runner);
	rest->cpu = thread__runner_cpu(&team->primary->parker.runner);
	rest->is_apart =
		rest->apart_left > 0 && !team->oversubscribed && !omp__affinity_binds && !omp__oversubscribed();
}

void omp__rest_wake(struct omp__team *team, struct omp__member *member)
{
	if (!team->rest.has_woken)
		begin(team);
	if (team->rest.is_apart)
		omp__parker_wake_apart(&member->thread->parker, &team->primary->parker.runner);
	else
		omp__parker_wake(&member->thread->parker);
}

void omp__rest_joined(struct omp__team *team)
{
	struct omp__rest *rest = &team->rest;

	rest->has_woken = false;
	if (rest->is_apart) {
		rest->apart_left--;
		return;
	}
	/* relaxed: only a hint; a worker that did not sleep says where it woke up another time */
	for (unsigned i = 1; i < team->size; i++)
		if (atomic_load_explicit(&team->members[i]->thread->parker.runner.woken_cpu, memory_order_relaxed) ==
		    rest->cpu)
			rest->apart_left = REST_WAKES;
}
