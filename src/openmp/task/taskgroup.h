/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskgroups. */
#ifndef OMP_TASKGROUP_H
#define OMP_TASKGROUP_H

#include <stdbool.h>

struct omp__thread;

void omp__taskgroup_start(struct omp__thread *thread);
void omp__taskgroup_end(struct omp__thread *thread);
/* GOMP_cancel and GOMP_cancellation_point for taskgroups. */
bool omp__taskgroup_cancelled(struct omp__thread *thread);
bool omp__taskgroup_cancel(struct omp__thread *thread);

#endif
