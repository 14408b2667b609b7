/* SPDX-License-Identifier: BSD-3-Clause */
/* Waking the members of a team: each at its own parker, or all that sleep on the team's eventcount. */
#include "openmp/synchronization/team_wake.h"
#include "openmp/state/team_state.h"

void omp__team_wake(struct omp__team *team, const void *key)
{
	if (!key || key == &team->barrier_passed)
		omp__event_wake_all(&team->event);
	for (unsigned i = 0; i < team->size; i++) {
		if (key)
			omp__wait_wake_key(&team->members[i]->thread->parker, key);
		else
			omp__wait_wake(&team->members[i]->thread->parker);
	}
}

bool omp__team_wake_helper(struct omp__team *team)
{
	for (unsigned i = 0; i < team->size; i++) {
		struct omp__parker *parker = &team->members[i]->thread->parker;

		if (atomic_load_explicit(&parker->parked, memory_order_seq_cst) &&
		    atomic_load_explicit(&parker->helps, memory_order_relaxed)) {
			omp__parker_wake(parker);
			return true;
		}
	}
	return omp__event_wake_one(&team->event);
}
