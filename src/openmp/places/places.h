/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: sets of processors that threads can be bound to. Read once, from the environment. */
#ifndef OMP_PLACES_H
#define OMP_PLACES_H

#include "openmp/host/host.h"

#include <stdio.h>

struct omp__places {
	unsigned count;
	size_t bytes;	      /* of each set */
	unsigned long wanted; /* how many a name such as cores(4) asks for; 0: as many as there are, or a list */
	cpu_set_t **sets;
};

extern struct omp__places omp__places;

/* OMP_PLACES, then GOMP_CPU_AFFINITY; true when one of them made a list. With `check_only` they are parsed, and no
 * more. */
bool omp__places_read(bool check_only);
/* One place for each thread of the hardware; false when the machine does not say. */
bool omp__places_default(void);
/* The processors of a set, as in {0:4,8}. */
void omp__places_print(FILE *to, const cpu_set_t *set, size_t bytes);

/* Building a list. */
bool omp__places_append(struct omp__places *places, const cpu_set_t *set);
void omp__places_clear(struct omp__places *places);
/* Groups of processors as the kernel's sysfs names them; at most `limit` places. */
enum omp__place_unit {
	OMP__PLACE_THREADS,
	OMP__PLACE_CORES,
	OMP__PLACE_SOCKETS,
	OMP__PLACE_LL_CACHES,
	OMP__PLACE_NUMA_DOMAINS,
};
bool omp__places_from_topology(struct omp__places *places, enum omp__place_unit unit, unsigned long limit);

#endif
