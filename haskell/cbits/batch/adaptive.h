/* SPDX-License-Identifier: BSD-3-Clause */
/* What adaptive and checked runs share; see adaptive.c. */
#ifndef FERRY_HASKELL_ADAPTIVE_H
#define FERRY_HASKELL_ADAPTIVE_H

#include <stdbool.h>

#include <ferry/batch.h>

#include "coscheduler/coscheduler.h"

/*
 * A slice: how long a batch runs with its Capability given up before it takes that back. An asynchronous exception for
 * its thread waits for the end of the slice. Taking a Capability back is not cheap where other threads want it all the
 * time: the runtime system wakes the next thread in the queue, and may give the Capability to another one before that
 * is awake. Under one collection after the other, slices of 10 ms left a batch less than a tenth of its speed
 * (build/bench/haskell-gc on an AMD EPYC VM, 2 cores).
 */
#define FERRY_SLICE_NS 200000000L

/* The clock of the last tick, which is a few milliseconds old and costs next to nothing. */
long ferry_coarse_ns(void);

/* Whether a batch may open parallel regions: as soon as anything in this process has opened one. */
static inline bool ferry_batch_may_open(void)
{
	return __atomic_load_n(&ferry_regions_opened, __ATOMIC_RELAXED);
}

/* The functions of struct batch_executor. */
typedef long ferry_runner(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count);
typedef long ferry_part_runner(const struct batch_prepared *program, size_t from, const unsigned long *go,
			       size_t at_most);

long ferry_run_by(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count,
		  ferry_runner *run);
long ferry_run_part_by(const struct batch_prepared *program, size_t from, const unsigned long *go, size_t at_most,
		       ferry_part_runner *run_part);
long ferry_is_released(const struct batch_prepared *program, long paused);
long ferry_run_slice(const struct batch_prepared *program, long paused);

/* How a checked run, or its first part, ended. */
struct ferry_watched {
	long last;    /* the last slot that ran, or ~next */
	long culprit; /* the first slot that called back and was not marked, or -1 */
	void *token;  /* what resumeThread wants, or NULL when the Capability is still held */
};

#endif /* FERRY_HASKELL_ADAPTIVE_H */
