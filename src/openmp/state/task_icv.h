/* SPDX-License-Identifier: BSD-3-Clause */
/* Giving a task its own copy of its control variables. */
#ifndef OMP_TASK_ICV_H
#define OMP_TASK_ICV_H

struct omp__icv;
struct omp__thread;
/* The current task's variables, to be changed. A task that still shares its parent's gets a copy of its own. */
struct omp__icv *omp__icv_write(struct omp__thread *thread);

#endif
