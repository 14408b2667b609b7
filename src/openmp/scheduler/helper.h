/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers: members that wait, and run their team's tasks meanwhile.
 *
 * A thread that pushes a task wakes a helper. In an oversubscribed team it does not while as many threads are awake as
 * there are processors, because a woken helper would only take the processor from a thread that already has work. But a
 * thread that is awake for the runtime may wait by means of its own, on a pipe or a flag, perhaps for that very task,
 * and nothing tells the runtime so:
 *
 *	creates and waits			waits on a pipe			helper
 *	pushes a task; two are awake, on	(asleep in the kernel)		asleep
 *	two processors: wakes nobody
 *	polls a flag that the task sets
 *
 * So a helper of an oversubscribed team does not sleep for ever while its team has tasks. When its sleep has lasted its
 * limit it looks, and takes a task if there is one. It also asks the kernel how many members run. The threads that are
 * awake and do not run are "elsewhere"; they do not count for those that push tasks, so the next task wakes a helper at
 * once.
 *
 * A helper that went to sleep while its team had no task has no limit; the first task of the region wakes it, and it
 * looks for tasks before it sleeps again. No helper misses that (Dekker, as in wait.h):
 *
 *	defers the first task			goes to sleep
 *	tasks_live = generation			marks its parker, or is counted by the event
 *	full barrier				load(tasks_live): if set, looks for tasks, and takes a limit
 *	wakes all that sleep			sleeps
 */
#ifndef OMP_HELPER_H
#define OMP_HELPER_H

#include "openmp/state/team_state.h"

/*
 * How long a helper sleeps at first before it looks; twice as long each further time. 0: until it is woken, for a test
 * that looks for lost wake-ups. 1 ms would be too short, as for OMP__WAIT_LIMIT_NS.
 */
extern _Atomic uint64_t omp__helper_sleep_ns;

/* The caller has deferred the first task of its region: wake the helpers that sleep without a limit. */
void omp__helper_wake_first(struct omp__team *team);
/* The caller has pushed a task: wake a helper, if there is a processor for it. */
void omp__helper_wake(struct omp__team *team);
/* The caller is about to sleep, and has found no task: limit its sleep. */
void omp__helper_limit(const struct omp__team *team, struct omp__wait *wait);
/* The caller has found a task of another member. */
void omp__helper_found_task(const struct omp__thread *self, struct omp__team *team);

#endif
