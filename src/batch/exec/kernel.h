/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel executor's two sides: what a batch needs to be run by it (kernel.c), and the entry itself
 * (kernel_entry.c). */
#ifndef FERRY_BATCH_KERNEL_H
#define FERRY_BATCH_KERNEL_H

#include "../internal.h"

/* Find the way into the kernel and set kernel->way and kernel->fd. */
void batch__kernel_find(struct batch_kernel_executor *kernel);

/*
 * One entry. Returns what it says: -errno, or as BATCH_RUN_MORE and BATCH_RUN_NEXT say; and as struct batch_resume says
 * when resume->slot, which is 0 before, is not 0 any more.
 */
long batch__kernel_enter(const struct batch_kernel_executor *kernel, struct batch_slot *slots, long *rets, size_t count,
			 struct batch_resume *resume);

/* Give back what batch__kernel_find took. */
void batch__kernel_leave(struct batch_kernel_executor *kernel);

#endif /* FERRY_BATCH_KERNEL_H */
