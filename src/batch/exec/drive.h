/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control flow of every executor that runs slots one by one (rules R2 to R8, R12, R13, R15, R21): run a slot, store
 * its result, go where it says. An executor supplies what differs, how a slot that is not a word copy is run.
 *
 * What one slot costs beside its call is a chain: its result decides the jump, the jump the address of the next slot,
 * and that slot's words the next call. A processor that has to wait for each link takes about 2 ns more per slot than
 * one that predicts the links. So every link is a branch: first "no jump leads anywhere", which needs no result at all,
 * then the sign of the result, then "this jump leads nowhere", so that the next address is known without it.
 */
#ifndef FERRY_BATCH_DRIVE_H
#define FERRY_BATCH_DRIVE_H

#include <errno.h>

#include "../internal.h"
#include "word_copy.h"

/*
 * Run one slot, whose head was read already, and store its result in *ret. `context` is the executor's own. Returns the
 * number to jump by, which is *ret unless the result is a double. Returns without storing, and says so by *made = 0,
 * when the slot's number is not one it may call. Once the call is made, the number in the low bits of *head is looked
 * at no more, and the runner may keep something else there: there are too few registers to keep more across a call.
 */
typedef long (*batch__slot_runner)(const void *context, const struct batch_slot *slot, __u64 *head, long *ret,
				   int *made);

/* What ends a run before the batch ends. A constant where the driver is inlined. */
enum batch__pause {
	BATCH__WHOLE, /* nothing */
	BATCH__WHILE, /* *go is 0, or the next slot may block */
	BATCH__SOME   /* at_most slots have run, or one that may block */
};

/* Where a run begins and what pauses it. */
struct batch__part {
	enum batch__pause pause;
	size_t from;
	const unsigned long *go; /* of BATCH__WHILE */
	size_t at_most;		 /* of BATCH__SOME */
};

/*
 * Run a batch from slot part.from. Returns the index of the last slot that ran when the batch has ended, else ~next,
 * where next is the slot to go on with. Inlined into each executor with its own runner and part.pause, so that those
 * are inlined too.
 */
static inline __attribute__((always_inline)) long batch__drive(const void *context, const struct batch__memory memory,
							       struct batch__part part, batch__slot_runner run_slot)
{
	const struct batch_slot *slot = memory.slots + part.from, *const end = memory.slots + memory.count;
	long *ret = memory.rets + part.from;

	for (;;) {
		__u64 head = batch__head(slot);
		long outcome;
		int made = 1;

		if (part.pause == BATCH__WHILE && (batch__unlikely(!__atomic_load_n(part.go, __ATOMIC_RELAXED)) ||
						   batch__unlikely(slot->flags & BATCH_SLOT_MAY_BLOCK)))
			return ~(slot - memory.slots);
		if (part.pause == BATCH__SOME && part.at_most-- == 0)
			return ~(slot - memory.slots);
		if (part.pause == BATCH__SOME && batch__unlikely(slot->flags & BATCH_SLOT_MAY_BLOCK))
			part.at_most = 0;

		outcome = run_slot(context, slot, &head, ret, &made);
		if (batch__unlikely(!made)) {
			outcome = (__s16)head == BATCH_WORD_COPY ? batch__word_copy(&memory, slot->arg[0], slot->arg[1])
								 : -ENOSYS;
			*ret = outcome;
		}
		if (batch__unlikely(head >> 16)) {
			long jump = batch__jump(head, outcome);

			if (jump) {
				if (jump < 0 || jump >= end - slot - 1)
					return slot - memory.slots;
				/* or the compiler adds a jump of 0 too, and the next address waits for it: 1.5 ns */
				__asm__("" : "+r"(jump));
				slot += jump;
				ret += jump;
			}
		}
		ret++;
		if (batch__unlikely(++slot == end))
			return (long)memory.count - 1;
	}
}

#endif /* FERRY_BATCH_DRIVE_H */
