/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of src/batch share with each other and with nobody else. */
#ifndef FERRY_BATCH_INTERNAL_H
#define FERRY_BATCH_INTERNAL_H

#include <ferry/batch.h>

#define batch__likely(x) __builtin_expect(!!(x), 1)
#define batch__unlikely(x) __builtin_expect(!!(x), 0)

/* Fill *error (which may be NULL) and return the reason's error code. */
int batch__refuse(struct batch_error *error, enum batch_reason reason, long slot);

/*
 * The number and the three jumps of a slot, in one register: an executor reads them before the slot runs, because a
 * word copy or a call may write over the slot while it does (R13).
 */
static inline __u64 batch__head(const struct batch_slot *slot)
{
	__u64 head;

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "nr is in the low bits of the head");
	__builtin_memcpy(&head, slot, sizeof(head));
	return head;
}

/*
 * Where control goes after a slot with this head and result: the index of the next slot, or one >= count when the batch
 * ends. The compiler makes branches of it, and that is wanted: a predicted branch lets the processor begin the next
 * slot before this one's result is there. Picking the jump by address, without a branch, was measured to cost more.
 */
static inline size_t batch__next_after(__u64 head, size_t index, size_t count, long result)
{
	unsigned int shift = result == 0 ? 32 : 48;
	long jump;

	shift = result < 0 ? 16 : shift;
	jump = (__s16)(head >> shift);
	return jump < 0 ? count : index + 1 + (size_t)jump;
}

/* As batch__next_after, for a slot that nothing writes. */
static inline size_t batch__next(const struct batch_slot *slot, size_t index, size_t count, long result)
{
	return batch__next_after(batch__head(slot), index, count, result);
}

#endif /* FERRY_BATCH_INTERNAL_H */
