/* SPDX-License-Identifier: BSD-3-Clause */
/* GHC's runtime system as a co-scheduler of the OpenMP runtime; see coscheduler.c. */
#ifndef FERRY_HASKELL_COSCHEDULER_H
#define FERRY_HASKELL_COSCHEDULER_H

#include <stdint.h>

/*
 * Not 0 once a parallel region has been opened in this process. Written once by the OpenMP runtime; read without order.
 */
extern uint32_t ferry_regions_opened;

#endif /* FERRY_HASKELL_COSCHEDULER_H */
