/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskgroups. */
#ifndef OMP_TASKGROUP_H
#define OMP_TASKGROUP_H

#include "openmp/tool/event.h"

#include <stdbool.h>

void omp__taskgroup_start(struct omp__thread *thread);
void omp__taskgroup_end(struct omp__thread *thread);
/* The same for a construct of the program, of which a tool is told. */
void omp__taskgroup_start_here(struct omp__thread *thread, struct omp__tool_call call);
void omp__taskgroup_end_here(struct omp__thread *thread, struct omp__tool_call call);
/* GOMP_cancel and GOMP_cancellation_point for taskgroups. */
bool omp__taskgroup_cancelled(struct omp__thread *thread);
bool omp__taskgroup_cancel(struct omp__thread *thread);

#endif
