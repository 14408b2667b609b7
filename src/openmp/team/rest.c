/* SPDX-License-Identifier: BSD-3-Clause */
/* See rest.h. */
#include "openmp/team/rest.h"
#include "openmp/state/team_state.h"
#include "openmp/team/affinity.h"

#include "thread/clock.h"

enum {
	/* After so many regions the primary looks again where the kernel puts its workers. */
	REST_WAKES = 256,
	/* A worker that begins so late may have waited for the end of a neighbour's time slice. */
	LATE_NS = 700000,
	/*
	 * For how long workers are then woken as usual, if neighbours run. Twice as long if that was so again in one of
	 * the next SOON regions after it: on a quiet machine it is so now and then.
	 */
	AS_USUAL_NS = 50000000,
	DOUBLINGS_MAX = 6,
	SOON = 8,
};

/* Whether members are to be on the primary's processor (gather.h). Workers that sleep do not write what this reads. */
static bool is_gathered(const struct omp__team *team)
{
	for (unsigned i = 1; i < team->size; i++)
		if (team->members[i]->met.is_gathered)
			return true;
	return false;
}

static void begin(struct omp__team *team)
{
	struct omp__rest *rest = &team->rest;

	rest->has_woken = true;
	thread__runner_refresh(&team->primary->parker.runner);
	rest->cpu = thread__runner_cpu(&team->primary->parker.runner);
	rest->begun_ns = thread__now_ns();
	rest->is_apart = rest->apart_left > 0 && rest->begun_ns >= rest->as_usual_until_ns && !team->oversubscribed &&
			 !omp__affinity_binds && !omp__oversubscribed() && !is_gathered(team);
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

/* A worker that was woken apart has begun late: ask the system whether neighbours run. */
static void be_late(struct omp__rest *rest, uint64_t now)
{
	if (!omp__wait_others_run())
		return;
	if (rest->apart_count > SOON)
		rest->doublings = 0;
	else if (rest->doublings < DOUBLINGS_MAX)
		rest->doublings++;
	rest->as_usual_until_ns = now + ((uint64_t)AS_USUAL_NS << rest->doublings);
	rest->apart_count = 0;
}

/* What happened to a worker that was woken for the region that has ended. */
static void look_at(struct omp__rest *rest, const struct thread__runner *worker)
{
	/* relaxed: the join has published what the worker wrote when it woke up */
	uint64_t woken_ns = atomic_load_explicit(&worker->woken_ns, memory_order_relaxed);
	uint64_t began_ns = atomic_load_explicit(&worker->began_ns, memory_order_relaxed);

	if (woken_ns < rest->begun_ns)
		return;
	if (rest->is_apart && began_ns > woken_ns + LATE_NS && began_ns >= rest->as_usual_until_ns)
		be_late(rest, began_ns);
	else if (!rest->is_apart && atomic_load_explicit(&worker->woken_cpu, memory_order_relaxed) == rest->cpu)
		rest->apart_left = REST_WAKES;
}

void omp__rest_joined(struct omp__team *team)
{
	struct omp__rest *rest = &team->rest;

	rest->has_woken = false;
	for (unsigned i = 1; i < team->size; i++)
		look_at(rest, &team->members[i]->thread->parker.runner);
	if (rest->is_apart) {
		rest->apart_left--;
		rest->apart_count++;
	}
}
