/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop executor: one system call per slot, straight to the kernel. Every other executor must give what this gives.
 *
 * All six argument words are loaded whatever argc says: loading them costs less than choosing how many.
 */
#include "../calls.h"
#include "../syscall.h"
#include "drive.h"

static inline long run_slot(const struct batch_executor *executor, const struct batch_slot *slot, long *ret, int *made)
{
	(void)executor;
	*made = batch__call_allowed(slot->nr);
	if (batch__unlikely(!*made))
		return 0;
	return *ret = batch__syscall6(slot->nr, slot->arg[0], slot->arg[1], slot->arg[2], slot->arg[3], slot->arg[4],
				      slot->arg[5]);
}

static long loop_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	return batch__drive(executor, rets, slots, count, run_slot);
}

const struct batch_executor batch_executor_loop = { "loop", NULL, loop_run };
