/* SPDX-License-Identifier: BSD-3-Clause */
/* The control variables that initial threads start with, which may change while the program runs. */
#ifndef OMP_INITIAL_VARIABLES_H
#define OMP_INITIAL_VARIABLES_H

#include <stdint.h>

struct omp__icv;

/* Around a look at omp__globals.initial that another thread may change, and around omp__initial_set. */
void omp__initial_lock(void);
void omp__initial_unlock(void);
/* With the lock. */
void omp__initial_set(const struct omp__icv *icv);
/* What omp__initial_set said last, without the lock. */
void omp__initial_copy(struct omp__icv *icv);
/* Another number after each omp__initial_set. */
uint32_t omp__initial_version(void);
/* After a fork, in the child: nobody has the lock. */
void omp__initial_forked(void);

#endif
