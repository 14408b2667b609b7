/* SPDX-License-Identifier: BSD-3-Clause */
/* Ready tasks. */
#ifndef OMP_READY_H
#define OMP_READY_H

#include <stdbool.h>
#include <stdint.h>

struct omp__crew;
struct omp__deferred;
struct omp__team;
struct omp__thread;

void omp__ready_push(struct omp__thread *thread, struct omp__crew *crew, struct omp__deferred *deferred);
void omp__ready_queue(struct omp__team *team, struct omp__deferred *deferred);
/*
 * One task that the thread may run inside its current task: of its own deque one at or above the mark, or any, or only
 * what descends from the current task. At a barrier that is 0 and any.
 */
struct omp__deferred *omp__ready_take(struct omp__thread *thread, struct omp__crew *crew, int64_t mark, bool any);

#endif
