/* SPDX-License-Identifier: BSD-3-Clause */
/* None, until one is registered. */
#include "openmp/system/coscheduler.h"

const struct omp__coscheduler *omp__coscheduler;
