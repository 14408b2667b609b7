/* SPDX-License-Identifier: BSD-3-Clause */
/* See rest.h. */
#include "openmp/team/rest.h"
#include "openmp/state/team_state.h"
#include "openmp/team/affinity.h"

/* After so many regions the primary looks again where the kernel puts its workers. */
enum { REST_WAKES = 256 };

static uint32_t processor_of(const struct omp__thread *thread)
{
	const volatile uint32_t *cpu = atomic_load_explicit(&thread->parker.runner.cpu, memory_order_relaxed);

	return cpu ? __atomic_load_n(cpu, __ATOMIC_RELAXED) : UINT32_MAX;
}

static void begin(struct omp__team *team)
{
	struct omp__rest *rest = &team->rest;

	rest->has_woken = true;
	thread__runner_refresh(&team->primary->parker.runner);
	rest->cpu = processor_of(team->primary);
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
	/* relaxed, in processor_of: where members ran is only a hint */
	for (unsigned i = 1; i < team->size; i++)
		if (processor_of(team->members[i]->thread) == rest->cpu)
			rest->apart_left = REST_WAKES;
}
