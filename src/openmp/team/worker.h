/* SPDX-License-Identifier: BSD-3-Clause */
/* What a worker runs, from its start to its end. */
#ifndef OMP_WORKER_H
#define OMP_WORKER_H

/* For omp__system_worker: the argument is a struct omp__member. */
void omp__member_main(void *argument);

#endif
