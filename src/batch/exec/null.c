/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The null executor: as `loop`, but an allowed call is not made and gives 0. What is left is the cost of the dispatch,
 * the floor under every other executor.
 */
#include <errno.h>

#include "../calls.h"
#include "../internal.h"
#include "word_copy.h"

static long run_slot(const struct batch_slot *slot, const struct batch__memory *memory)
{
	if (batch__likely(batch__call_allowed(slot->nr)))
		return 0;
	if (slot->nr == BATCH_WORD_COPY)
		return batch__word_copy(memory, slot->arg[0], slot->arg[1]);
	return -ENOSYS;
}

static long null_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	const struct batch__memory memory = { slots, rets, count };
	size_t last, next = 0;

	(void)executor;
	do {
		last = next;
		rets[last] = run_slot(&slots[last], &memory);
		next = batch__next(&slots[last], last, count, rets[last]);
	} while (next < count);
	return (long)last;
}

const struct batch_executor batch_executor_null = { "null", NULL, null_run };
