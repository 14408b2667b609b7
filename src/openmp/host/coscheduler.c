/* SPDX-License-Identifier: BSD-3-Clause */
/* None, until one is registered. */
#include "openmp/host/coscheduler.h"

const struct omp__coscheduler *omp__coscheduler;
