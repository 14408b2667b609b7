/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control flow of every executor that runs slots one by one (rules R2 to R8, R12, R15): run a slot, store its
 * result, go where it says. An executor supplies what differs, how a slot that is not a word copy is run.
 */
#ifndef FERRY_BATCH_DRIVE_H
#define FERRY_BATCH_DRIVE_H

#include <errno.h>

#include "../internal.h"
#include "word_copy.h"

/*
 * Run one slot and store its result in *ret. Returns the number to jump by, which is *ret unless the result is a
 * double. Returns without storing, and says so by *made = 0, when the slot's number is not one it may call.
 */
typedef long (*batch__slot_runner)(const struct batch_executor *executor, const struct batch_slot *slot, long *ret,
				   int *made);

/* Inlined into each executor with its own runner, so that the runner is inlined too. */
static inline __attribute__((always_inline)) long batch__drive(const struct batch_executor *executor, long *rets,
							       struct batch_slot *slots, size_t count,
							       batch__slot_runner run_slot)
{
	const struct batch__memory memory = { slots, rets, count };
	size_t last, next = 0;

	do {
		const struct batch_slot *slot = &slots[next];
		const __u64 head = batch__head(slot);
		int made = 1;
		long outcome = run_slot(executor, slot, &rets[next], &made);

		if (batch__unlikely(!made)) {
			outcome = (__s16)head == BATCH_WORD_COPY ? batch__word_copy(&memory, slot->arg[0], slot->arg[1])
								 : -ENOSYS;
			rets[next] = outcome;
		}
		last = next;
		next = batch__next_after(head, last, count, outcome);
	} while (next < count);
	return (long)last;
}

#endif /* FERRY_BATCH_DRIVE_H */
