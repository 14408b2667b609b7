/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing teams and their members. Nothing here runs in the steady state. */
#include "openmp/team/team_life.h"
#include "openmp/scheduler/queue.h"
#include "openmp/scheduler/task.h"
#include "openmp/state/team_state.h"
#include "openmp/state/thread.h"

#include "thread/clock.h"

#include <stdlib.h>
#include <string.h>

struct omp__member *omp__member_make(struct omp__team *team, struct omp__thread *thread, unsigned num)
{
	struct omp__member *member = aligned_alloc(OMP__PAIR_BYTES, sizeof(*member));

	if (!member)
		return NULL;
	memset(member, 0, sizeof(*member));
	member->team = team;
	member->thread = thread;
	member->num = num;
	member->region.team = team;
	member->region.member = member;
	omp__task_member_start(member);
	return member;
}

void omp__member_free(struct omp__member *member)
{
	omp__task_member_end(member);
	free(member);
}

void omp__members_free_gone(struct omp__team *team)
{
	struct omp__member **at = &team->leaving;

	while (*at) {
		struct omp__member *member = *at;

		/* acquire: all that the worker did with its member comes before */
		if (!atomic_load_explicit(&member->gone, memory_order_acquire)) {
			at = &member->next_leaving;
			continue;
		}
		*at = member->next_leaving;
		omp__thread_free(member->thread);
		omp__member_free(member);
	}
}

static void free_team(struct omp__team *team)
{
	omp__members_free_gone(team);
	for (unsigned i = 0; i < team->member_count; i++) {
		if (i > 0)
			omp__thread_free(team->members[i]->thread);
		omp__member_free(team->members[i]);
	}
	omp__workshares_free(&team->workshares);
	omp__task_team_end(team);
	free(team->meetings);
	free(team->members);
	free(team);
}

struct omp__team *omp__team_make(struct omp__thread *thread)
{
	struct omp__team *team = aligned_alloc(OMP__LINE_BYTES, sizeof(*team));

	if (!team)
		return NULL;
	memset(team, 0, sizeof(*team));
	team->primary = thread;
	team->members = malloc(sizeof(struct omp__member *));
	if (team->members && (team->members[0] = omp__member_make(team, thread, 0))) {
		team->member_count = 1;
		team->size = 1;
		atomic_store_explicit(&team->users, 1, memory_order_relaxed);
		return team;
	}
	free(team->members);
	free(team);
	return NULL;
}

/*
 * Workers look at their primary until they have gone, so it waits for them before it frees the team or itself is freed.
 */
void omp__team_dismiss(struct omp__team *team)
{
	uint32_t generation = team->generation + 1;
	unsigned looks = 0;

	if (team->inner)
		omp__team_dismiss(team->inner);
	team->inner = NULL;
	atomic_store_explicit(&team->fork.go, generation, memory_order_release);
	for (unsigned i = 1; i < team->member_count; i++) {
		struct omp__member *member = team->members[i];

		atomic_fetch_add_explicit(&member->unpark, OMP__UNPARK_ONE, memory_order_release);
		omp__wait_fence();
		omp__wait_wake(&member->thread->parker);
	}
	omp__event_wake_all(&team->event);
	while (atomic_load_explicit(&team->users, memory_order_acquire) > 1)
		thread__spin_briefly(&looks);
	free_team(team);
}

/* A team for a region of one thread; it ends with the region. */
struct omp__team *omp__team_of(struct omp__thread *thread)
{
	struct omp__region *region = thread->region;
	struct omp__team *team = region->team;

	if (team)
		return team;
	team = omp__team_make(thread);
	if (!team)
		return NULL;
	team->generation = 1;
	team->members[0]->generation = 1;
	team->level = region->level;
	team->active_level = region->active_level;
	team->outer = region->outer;
	team->parent = region->implicit.parent;
	region->member = team->members[0];
	region->team = team;
	return team;
}
