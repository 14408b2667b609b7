/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GHC's runtime system as a co-scheduler of the OpenMP runtime.
 *
 * A Haskell program that calls C with OpenMP has two schedulers for the same processors. This file tells the OpenMP
 * runtime how many processors GHC's may use and how many it uses now, so that teams get what is free (decision 15,
 * docs/decisions/0015-co-scheduling.md), and tells held calls which of them a team works for. Both sides know only this
 * file: <ferry/openmp_coscheduler.h> declares what the OpenMP runtime asks, and says of each function when it is called
 * and what NULL and 0 mean; coscheduler/coscheduler.h has the answers, and held/openmp.h what held calls ask. The
 * package ferry installs both.
 *
 * The package has the linker always take this file (ferry-openmp.cabal, -u), so that a program registers GHC's runtime
 * system without an import.
 */
#include <omp.h>

#include <ferry/openmp_coscheduler.h>

#include "coscheduler/coscheduler.h"
#include "held/openmp.h"

static bool is_worker(void)
{
	for (int level = omp_get_level(); level > 0; level--)
		if (omp_get_ancestor_thread_num(level) != 0)
			return true;
	return false;
}

static const struct ferry_openmp openmp = {
	.held = ferryomp_coscheduler_held,
	.is_worker = is_worker,
	.batch_begin = ferryomp_batch_begin,
	.batch_end = ferryomp_batch_end,
};

static const struct ferryomp_coscheduler ghc = {
	.version = FERRYOMP_COSCHEDULER_VERSION,
	.processors = ferry_coscheduler_processors,
	.busy = ferry_coscheduler_busy,
	.holding = ferry_coscheduler_holding,
	.worker_ends = ferry_coscheduler_worker_ends,
	.opened = &ferry_openmp_opened,
};

/* A runtime of another version refuses the registration, and then treats the program as one in C. */
void ferry_coscheduler(void);
__attribute__((constructor)) void ferry_coscheduler(void)
{
	ferry_openmp_register(&openmp);
	ferryomp_coscheduler_register(&ghc);
}
