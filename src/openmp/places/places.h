/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: sets of processors that threads can be bound to. Read once, from the environment. */
#ifndef OMP_PLACES_H
#define OMP_PLACES_H

#include "openmp/places/places_list.h"

#include <stdio.h>

extern struct omp__places omp__places;

/* OMP_PLACES, then GOMP_CPU_AFFINITY; true when one of them made a list. With `check_only` they are parsed, and no
 * more. */
bool omp__places_read(bool check_only);
/* One place for each thread of the hardware; false when the machine does not say. */
bool omp__places_default(void);
/* The processors of a set, as in {0:4,8}. */
void omp__places_print(FILE *to, const cpu_set_t *set, size_t bytes);

#endif
