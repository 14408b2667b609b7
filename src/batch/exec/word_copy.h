/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word copy: *(long *)to = *(long *)from, where either address may be bad and the process must live.
 *
 * Fast path: both words lie whole inside the batch's own slots and results, which the executor reads and writes anyway.
 * That is the common case, a result fed to a later argument. Everything else goes through process_vm_readv(2) on the
 * process itself, where the kernel reads and writes both ends and reports a bad one as -EFAULT; where a sandbox forbids
 * that call, the kernel is asked about both addresses first.
 */
#ifndef FERRY_BATCH_WORD_COPY_H
#define FERRY_BATCH_WORD_COPY_H

#include "../internal.h"

/* The memory a running batch is known to own. */
struct batch__memory {
	struct batch_slot *slots;
	long *rets;
	size_t count;
};

static inline int batch__word_inside(uintptr_t address, const void *start, size_t bytes)
{
	return address - (uintptr_t)start <= bytes - sizeof(long);
}

static inline int batch__word_owned(const struct batch__memory *memory, uintptr_t address)
{
	return batch__word_inside(address, memory->rets, memory->count * sizeof(*memory->rets)) ||
	       batch__word_inside(address, memory->slots, memory->count * sizeof(*memory->slots));
}

/* Copy through the kernel. Returns 0, -EFAULT, or what a sandbox answers that forbids both ways to ask the kernel. */
long batch__word_copy_checked(long to, long from);

/* Returns 0, or -errno as batch__word_copy_checked does. */
static inline long batch__word_copy(const struct batch__memory *memory, long to, long from)
{
	if (batch__likely(batch__word_owned(memory, (uintptr_t)to) && batch__word_owned(memory, (uintptr_t)from))) {
		/* the addresses are words of the caller's, and may be unaligned */
		__builtin_memmove((void *)to, (const void *)from, sizeof(long));
		return 0;
	}
	return batch__word_copy_checked(to, from);
}

#endif /* FERRY_BATCH_WORD_COPY_H */
