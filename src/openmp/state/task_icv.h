/* SPDX-License-Identifier: BSD-3-Clause */
/* A task's own copy of its control variables. */
#ifndef OMP_TASK_ICV_H
#define OMP_TASK_ICV_H

struct omp__icv;
struct omp__thread;
/* The current task's variables, to be changed: a copy of its own when it still shares them with its parent. */
struct omp__icv *omp__icv_write(struct omp__thread *thread);

#endif
