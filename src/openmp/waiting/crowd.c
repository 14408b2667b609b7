/* SPDX-License-Identifier: BSD-3-Clause */
/* See crowd.h. */
#include "openmp/waiting/crowd.h"

_Atomic int omp__crowd_excess;
