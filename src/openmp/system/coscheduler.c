/* SPDX-License-Identifier: BSD-3-Clause */
/* The registered co-scheduler; NULL until one is registered. */
#include "openmp/system/coscheduler.h"

const struct omp__coscheduler *omp__coscheduler;
