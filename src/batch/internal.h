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

/* The jump of a slot with this head and result. Branches, because they can be predicted and a chosen shift cannot. */
static inline __attribute__((always_inline)) long batch__jump(__u64 head, long result)
{
	if (result > 0)
		return (__s16)(head >> 48);
	if (result < 0)
		return (__s16)(head >> 16);
	return (__s16)(head >> 32);
}

/* The slot after `index`, which nothing writes, or one >= count when the batch ends. */
static inline size_t batch__next(const struct batch_slot *slot, size_t index, size_t count, long result)
{
	long jump = batch__jump(batch__head(slot), result);

	return jump < 0 ? count : index + 1 + (size_t)jump;
}

#endif /* FERRY_BATCH_INTERNAL_H */
