/* SPDX-License-Identifier: BSD-3-Clause */
/* GHC's runtime system as a co-scheduler of an OpenMP runtime; see coscheduler.c. */
#ifndef FERRY_HASKELL_COSCHEDULER_H
#define FERRY_HASKELL_COSCHEDULER_H

/* How many Capabilities there are; 0 while GHC's runtime system is not up. */
unsigned ferry_coscheduler_processors(void);

/* How many processors Haskell uses now. */
unsigned ferry_coscheduler_busy(void);

/* Called when a region is opened: the caller as the owner of a held call, or NULL where it is in none. */
void *ferry_coscheduler_holding(void);

/* Called by a thread of a team that ends: the runtime system frees what it keeps for a thread that has called it. */
void ferry_coscheduler_worker_ends(void);

#endif /* FERRY_HASKELL_COSCHEDULER_H */
