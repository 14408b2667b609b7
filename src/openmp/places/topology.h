/* SPDX-License-Identifier: BSD-3-Clause */
/* Places that the machine's topology names. */
#ifndef OMP_TOPOLOGY_H
#define OMP_TOPOLOGY_H

#include "openmp/places/places_list.h"

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
