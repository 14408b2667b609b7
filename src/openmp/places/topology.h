/* SPDX-License-Identifier: BSD-3-Clause */
/* Places by name, from the machine's topology. */
#ifndef OMP_TOPOLOGY_H
#define OMP_TOPOLOGY_H

#include "openmp/places/places_list.h"

/* The groups of processors that the kernel's sysfs knows; at most `limit` places are made of them. */
enum omp__place_unit {
	OMP__PLACE_THREADS,
	OMP__PLACE_CORES,
	OMP__PLACE_SOCKETS,
	OMP__PLACE_LL_CACHES,
	OMP__PLACE_NUMA_DOMAINS,
};
bool omp__places_from_topology(struct omp__places *places, enum omp__place_unit unit, unsigned long limit);

#endif
