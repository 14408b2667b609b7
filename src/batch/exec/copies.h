/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control flow of drive.h for slots that cost as little as a call through a pointer: what runs a slot is compiled
 * sixteen times in a row, and copy k runs slot k of the next sixteen. So no pointer moves on between two slots, and no
 * branch goes back.
 *
 * What remains is the processor's: a call and its return take an AMD Zen 5 four cycles where that call instruction has
 * always gone to the same function, and six where it has not. With copies, a batch of up to sixteen slots that is run
 * again and again has an instruction for each slot; with one, only a batch of one function has. Entering the row where
 * the batch will end with it (Duff's device) saves the look for the end after each slot, and costs batches of less than
 * a hundred slots more than that, for the jump into the row.
 */
#ifndef FERRY_BATCH_COPIES_H
#define FERRY_BATCH_COPIES_H

#include <stdbool.h>

#include "drive.h"

#define BATCH__COPIES 16

/* Call the function at this address with the slot's words; the number to store and to jump by. */
typedef long (*batch__word_caller)(void (*address)(void), const struct batch_slot *slot);

/* The table that a batch's numbers are of; each function has an address. */
struct batch__table {
	const struct batch_function *functions;
	size_t function_count; /* at most BATCH__NUMBERS, so that no negative number is below it */
};
#define BATCH__NUMBERS ((size_t)1 << 15)

/* Where to go from a slot. */
enum batch__step { BATCH__NEXT, BATCH__PAUSED, BATCH__JUMPS };

/*
 * What a slot that is no call gives: a word copy, or a number that is no function. Returns as batch__word_copy. Not a
 * struct batch__memory whose address is given away: it would have to lie in memory from the start.
 */
static __attribute__((noinline, cold)) long batch__not_called(struct batch_slot *slots, long *rets, size_t count,
							      const struct batch_slot *slot, __u64 head)
{
	const struct batch__memory memory = { slots, rets, count };

	return (__s16)head == BATCH_WORD_COPY ? batch__word_copy(&memory, slot->arg[0], slot->arg[1]) : -ENOSYS;
}

/* Run one slot, unless the run pauses before it. *jump, which is not 0, is set with BATCH__JUMPS. */
static inline __attribute__((always_inline)) enum batch__step
batch__run_copy(const struct batch__memory memory, const struct batch__table table, const struct batch__part part,
		const struct batch_slot *slot, long *ret, long *jump, batch__word_caller call)
{
	__u64 head = batch__head(slot);
	long outcome;

	if (part.pause == BATCH__WHILE && (batch__unlikely(!__atomic_load_n(part.go, __ATOMIC_RELAXED)) ||
					   batch__unlikely(slot->flags & BATCH_SLOT_MAY_BLOCK)))
		return BATCH__PAUSED;
	/* no jump leads anywhere, and the number is a function's: one comparison, and nothing to keep across the call
	 */
	if (batch__likely(head < table.function_count)) {
		*ret = call(table.functions[head].address, slot);
		return BATCH__NEXT;
	}
	if ((__u16)head < table.function_count)
		outcome = call(table.functions[(__u16)head].address, slot);
	else
		outcome = batch__not_called(memory.slots, memory.rets, memory.count, slot, head);
	*ret = outcome;
	*jump = batch__jump(head, outcome);
	return *jump ? BATCH__JUMPS : BATCH__NEXT;
}

/*
 * Whether a batch is one call, and may run now. Such a batch keeps next to nothing across the call, so that no
 * registers are saved for it: those saves are most of what it would cost to run it as any other.
 */
static inline __attribute__((always_inline)) bool
batch__is_one_call(const struct batch_prepared *prepared, const struct batch__table table, const unsigned long *go)
{
	return prepared->count == 1 && go && __atomic_load_n(go, __ATOMIC_RELAXED) &&
	       !(prepared->slots->flags & BATCH_SLOT_MAY_BLOCK) && batch__head(prepared->slots) < table.function_count;
}

/* Run a batch from slot part.from, whole or while it may. Returns as batch__drive. */
static inline __attribute__((always_inline)) long batch__drive_copies(const struct batch__memory memory,
								      const struct batch__table table,
								      const struct batch__part part,
								      batch__word_caller call)
{
	/* copy k runs row[k] */
	const struct batch_slot *row = memory.slots + part.from;
	long *rets = memory.rets + part.from;
	size_t left = memory.count - part.from;

	for (;;) {
		long jump = 0;
		size_t k;

#pragma GCC unroll 16
		for (k = 0; k < BATCH__COPIES; k++) {
			enum batch__step step = batch__run_copy(memory, table, part, row + k, rets + k, &jump, call);

			if (step == BATCH__PAUSED)
				return ~(row + k - memory.slots);
			if (step == BATCH__JUMPS)
				goto jumps;
			if (batch__unlikely(left == k + 1))
				return (long)memory.count - 1;
		}
		row += BATCH__COPIES;
		rets += BATCH__COPIES;
		left -= BATCH__COPIES;
		continue;
	jumps:
		if (jump < 0 || (size_t)jump >= left - k - 1)
			return row + k - memory.slots;
		row += k + 1 + (size_t)jump;
		rets += k + 1 + (size_t)jump;
		left -= k + 1 + (size_t)jump;
	}
}

#endif /* FERRY_BATCH_COPIES_H */
