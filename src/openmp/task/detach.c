/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detached tasks (OpenMP 5.2, 12.5.2): such a task ends when its body has run and its event is fulfilled, whichever
 * comes last. The thread that comes last ends it. Any thread may fulfil an event, also one that is in no team.
 */
#include "openmp/abi/export.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/task.h"
#include "openmp/scheduler/tool_task.h"
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
	 * While this count is not 0 the team's barrier does not end, so the team stays; until here the unfinished task
	 * keeps it. relaxed: a thread that sees the task end sees this too, by the event's exchange and the count after
	 * it.
	 */
	atomic_fetch_add_explicit(&team->tasks.outsiders, 1, memory_order_relaxed);
	if (omp__tool_is_on() && deferred->task.tool)
		omp__tool_task_fulfilled(deferred->task.tool, &deferred->event);
	/* acq_rel: of the thread that runs the body and this one, the second sees what the first did */
	before = atomic_fetch_or_explicit(&deferred->event, OMP__EVENT_FULFILLED, memory_order_acq_rel);
	if (before & OMP__EVENT_FULFILLED) {
		fprintf(stderr, "libferryomp: omp_fulfill_event: the event %p is already fulfilled\n", (void *)event);
		abort();
	}
	if (before & OMP__EVENT_RAN) {
		/*
		 * NULL also for a member of the team: a task that becomes ready need not descend from its current
		 * one.
		 */
		omp__task_complete(thread, NULL, deferred);
		omp__wait_fence();
		/* Members may sleep until this task has ended, those of an oversubscribed team at its counter. */
		omp__team_wake(team, &team->tasks);
		omp__event_wake_all(&team->event);
	}
	/* release: nothing of the team is touched after it */
	atomic_fetch_sub_explicit(&team->tasks.outsiders, 1, memory_order_release);
}
