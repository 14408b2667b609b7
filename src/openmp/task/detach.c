/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detached tasks (OpenMP 5.2, 12.5.2): such a task ends when its body has run and its event is fulfilled, whichever
 * comes last, and whoever comes last ends it. Any thread may fulfil an event, also one that is in no team.
 */
#include "openmp/abi/export.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/task.h"
#include "openmp/synchronization/team_wake.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

OMP__EXPORT void omp_fulfill_event(omp_event_handle_t event)
{
	struct omp__deferred *deferred = (struct omp__deferred *)event;
	struct omp__thread *thread = omp__self();
	struct omp__team *team = deferred->team;
	uint32_t before;

	/*
	 * Until this is taken back the team's barrier does not end, so the team stays; before it the task keeps the
	 * team. relaxed: the exchange of the event, and the count after it, order it for who sees the task end.
	 */
	atomic_fetch_add_explicit(&team->tasks.outsiders, 1, memory_order_relaxed);
	/* acq_rel: the second thread sees what the first did */
	before = atomic_fetch_or_explicit(&deferred->event, OMP__EVENT_FULFILLED, memory_order_acq_rel);
	if (before & OMP__EVENT_FULFILLED) {
		fprintf(stderr, "libferryomp: omp_fulfill_event: the event %p is already fulfilled\n", (void *)event);
		abort();
	}
	if (before & OMP__EVENT_RAN) {
		/* Also for a member of the team: what becomes ready need not descend from the task it is in. */
		omp__task_complete(thread, NULL, deferred);
		omp__wait_fence();
		/* A barrier of the team may wait for this, asleep. */
		omp__team_wake(team, &team->tasks);
	}
	/* release: nothing of the team is touched after it */
	atomic_fetch_sub_explicit(&team->tasks.outsiders, 1, memory_order_release);
}
