/* SPDX-License-Identifier: BSD-3-Clause */
/* The main function of a worker. */
#ifndef OMP_WORKER_H
#define OMP_WORKER_H

/* To be given to omp__system_worker; the argument is a struct omp__member. */
void omp__member_main(void *argument);

#endif
