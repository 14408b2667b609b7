/* SPDX-License-Identifier: BSD-3-Clause */
/* The control variables of the device: one set for the whole program. */
#include "openmp/environment/icv.h"

struct omp__globals omp__globals = {
	.wait_policy = -1,
	.affinity_format = "level %L thread %i affinity %A",
};
