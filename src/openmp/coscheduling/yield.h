/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaving a processor to the co-scheduler's threads; see system/coscheduler.h. */
#ifndef OMP_YIELD_H
#define OMP_YIELD_H

#include "openmp/system/coscheduler.h"

void omp__yield_to_others(struct omp__parker *parker);
void omp__yield_after_sleep(struct omp__parker *parker);
enum omp__wait_advice omp__wait_advise(struct omp__wait *wait);

#endif
