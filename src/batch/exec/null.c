/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The null executor: as `loop`, but an allowed call is not made and gives 0. What is left is the cost of the dispatch,
 * the floor under every other executor.
 */
#include "../calls.h"
#include "drive.h"

static inline __attribute__((always_inline)) long run_slot(const void *context, const struct batch_slot *slot,
							   __u64 *head, long *ret, int *made)
{
	(void)context;
	(void)slot;
	*made = batch__call_allowed((__s16)*head);
	if (batch__unlikely(!*made))
		return 0;
	return *ret = 0;
}

static long null_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	(void)executor;
	return batch__drive(NULL, (struct batch__memory){ slots, rets, count },
			    (struct batch__part){ .pause = BATCH__WHOLE }, run_slot);
}

static long null_run_part(const struct batch_prepared *prepared, size_t from, const unsigned long *go, size_t at_most)
{
	const struct batch__memory memory = { prepared->slots, prepared->rets, prepared->count };

	if (go)
		return batch__drive(NULL, memory, (struct batch__part){ BATCH__WHILE, from, go, 0 }, run_slot);
	return batch__drive(NULL, memory, (struct batch__part){ BATCH__SOME, from, NULL, at_most }, run_slot);
}

const struct batch_executor batch_executor_null = { "null", NULL, null_run, null_run_part };
