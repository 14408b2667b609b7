/* SPDX-License-Identifier: BSD-3-Clause */
/* The team's queue of ready tasks that are in no deque: the highest priority first, then the oldest. Behind a lock. */
#ifndef OMP_TASK_QUEUE_H
#define OMP_TASK_QUEUE_H

#include "openmp/scheduler/deferred.h"

void omp__task_queue_put(struct omp__team *team, struct omp__deferred *deferred);
/*
 * Take the first task that the crew's thread may run: any task if `task` is NULL, otherwise only one that descends from
 * `task`. NULL: there is none.
 */
struct omp__deferred *omp__task_queue_take(struct omp__crew *crew, const struct omp__task *task);
/* The family is about to be freed, and nothing that descends from it is queued. */
void omp__task_queue_forget(struct omp__family *family);
/* The team ends. */
void omp__task_team_end(struct omp__team *team);

static inline bool omp__task_queue_has(const struct omp__team *team)
{
	return atomic_load_explicit(&team->tasks.queued, memory_order_seq_cst) > 0;
}

#endif
