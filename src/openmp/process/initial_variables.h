/* SPDX-License-Identifier: BSD-3-Clause */
/* The control variables that initial threads start with, which may change while the program runs. */
#ifndef OMP_INITIAL_VARIABLES_H
#define OMP_INITIAL_VARIABLES_H

#include <stdint.h>

struct omp__icv;

/*
 * The lock of omp__globals.initial: around omp__initial_set, and around a look at the variables that another thread may
 * change.
 */
void omp__initial_lock(void);
void omp__initial_unlock(void);
/* Set them; the caller holds the lock. */
void omp__initial_set(const struct omp__icv *icv);
/* Read what omp__initial_set said last, without the lock. */
void omp__initial_copy(struct omp__icv *icv);
/* A number that each omp__initial_set changes. */
uint32_t omp__initial_version(void);
/* After a fork, in the child: no thread has the lock. */
void omp__initial_forked(void);

#endif
