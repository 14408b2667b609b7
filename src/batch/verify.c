/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * Accept a batch, or name its first bad slot and why.
 *
 * Freestanding: no libc, no allocation, one pass, so that a kernel can build it too. What is checked here is what an
 * executor then relies on; what a running batch may change under the executor's feet (a word copy may aim at a slot) is
 * checked again when the slot runs.
 */
#include "internal.h"

int batch_verify(const struct batch_slot *slots, const long *rets, size_t count, unsigned long flags,
		 struct batch_error *error)
{
	if (flags & ~(unsigned long)BATCH_FLAGS_KNOWN)
		return batch__refuse(error, BATCH_REASON_FLAGS, -1);
	if (count == 0)
		return batch__refuse(error, BATCH_REASON_EMPTY, -1);
	if (count > BATCH_SLOTS_MAX)
		return batch__refuse(error, BATCH_REASON_TOO_LONG, -1);
	if (!slots || !rets)
		return batch__refuse(error, BATCH_REASON_NULL, -1);
	if (((uintptr_t)slots | (uintptr_t)rets) % sizeof(long))
		return batch__refuse(error, BATCH_REASON_MISALIGNED, -1);
	for (size_t i = 0; i < count; i++)
		if (slots[i].argc > BATCH_ARGS_MAX)
			return batch__refuse(error, BATCH_REASON_ARGC, (long)i);
	return 0;
}
