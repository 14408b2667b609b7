/* SPDX-License-Identifier: BSD-3-Clause */
/* See oversubscribed.h. */
#include "openmp/waiting/oversubscribed.h"

_Atomic int omp__awake_excess;
