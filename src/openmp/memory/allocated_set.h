/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of Fortran's allocatable variables are known. */
#ifndef OMP_ALLOCATED_SET_H
#define OMP_ALLOCATED_SET_H

/* Held around a fork: what is known about allocatable variables is whole. */
void omp__allocated_set_lock(void);
void omp__allocated_set_unlock(void);

#endif
