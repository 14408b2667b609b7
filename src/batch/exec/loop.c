/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop executor: one system call per slot, straight to the kernel. Every other executor must give what this gives.
 *
 * All six argument words are loaded whatever argc says: loading them costs less than choosing how many.
 */
#include "../calls.h"
#include "../syscall.h"
#include "drive.h"

static inline __attribute__((always_inline)) long run_slot(const void *context, const struct batch_slot *slot,
							   __u64 *head, long *ret, int *made)
{
	(void)context;
	*made = batch__call_allowed((__s16)*head);
	if (batch__unlikely(!*made))
		return 0;
	return *ret = batch__syscall6((__s16)*head, slot->arg[0], slot->arg[1], slot->arg[2], slot->arg[3],
				      slot->arg[4], slot->arg[5]);
}

static long loop_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	(void)executor;
	return batch__drive(NULL, (struct batch__memory){ slots, rets, count },
			    (struct batch__part){ .pause = BATCH__WHOLE }, run_slot);
}

static long loop_run_part(const struct batch_prepared *prepared, size_t from, const unsigned long *go, size_t at_most)
{
	const struct batch__memory memory = { prepared->slots, prepared->rets, prepared->count };

	if (go)
		return batch__drive(NULL, memory, (struct batch__part){ BATCH__WHILE, from, go, 0 }, run_slot);
	return batch__drive(NULL, memory, (struct batch__part){ BATCH__SOME, from, NULL, at_most }, run_slot);
}

const struct batch_executor batch_executor_loop = { "loop", NULL, loop_run, loop_run_part };
