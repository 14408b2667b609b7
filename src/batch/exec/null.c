/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The null executor: as `loop`, but an allowed call is not made and gives 0. What is left is the cost of the dispatch,
 * the floor under every other executor.
 */
#include "../calls.h"
#include "drive.h"

static inline long run_slot(const struct batch_executor *executor, const struct batch_slot *slot, long *ret, int *made)
{
	(void)executor;
	*made = batch__call_allowed(slot->nr);
	if (batch__unlikely(!*made))
		return 0;
	return *ret = 0;
}

static long null_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	return batch__drive(executor, rets, slots, count, run_slot);
}

const struct batch_executor batch_executor_null = { "null", NULL, null_run };
