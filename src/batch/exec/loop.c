/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop executor: one system call per slot, straight to the kernel. Every other executor must give what this gives.
 *
 * All six argument words are loaded whatever argc says: loading them costs less than choosing how many.
 */
#include <errno.h>

#include "../calls.h"
#include "../internal.h"
#include "../syscall.h"
#include "word_copy.h"

static long run_slot(const struct batch_slot *slot, const struct batch__memory *memory)
{
	if (batch__likely(batch__call_allowed(slot->nr)))
		return batch__syscall6(slot->nr, slot->arg[0], slot->arg[1], slot->arg[2], slot->arg[3], slot->arg[4],
				       slot->arg[5]);
	if (slot->nr == BATCH_WORD_COPY)
		return batch__word_copy(memory, slot->arg[0], slot->arg[1]);
	return -ENOSYS;
}

static long loop_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
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

const struct batch_executor batch_executor_loop = { "loop", NULL, loop_run };
