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
 * Take a task that the thread may run inside its current one, or NULL. From its own deque the thread takes tasks at or
 * above the mark; from the queue and from other deques any task, or without `any` only descendants of the current task.
 * At a barrier the mark is 0, and `any` is true.
 */
struct omp__deferred *omp__ready_take(struct omp__thread *thread, struct omp__crew *crew, int64_t mark, bool any);

#endif
