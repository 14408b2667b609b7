/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: sets of processors that threads can be bound to. Their list is read once, from the environment. */
#ifndef OMP_PLACES_H
#define OMP_PLACES_H

#include "openmp/places/places_list.h"

#include <stdio.h>

extern struct omp__places omp__places;

/*
 * Read OMP_PLACES, or else GOMP_CPU_AFFINITY; true when one of them made a list. With `check_only` the values are
 * checked and not used.
 */
bool omp__places_read(bool check_only);
/* Make one place for each hardware thread; false when the machine does not say which there are. */
bool omp__places_default(void);
/* Write the processors of a set as a list: 0:4,8. */
void omp__places_print(FILE *to, const cpu_set_t *set, size_t bytes);

#endif
