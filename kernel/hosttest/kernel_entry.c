// SPDX-License-Identifier: GPL-2.0-only
/*
 * The entry of libferry's kernel executor (src/batch/exec/kernel.h), leading to the core in this process instead of a
 * kernel: so every vector runs on the core, and the executor's way of going on with a batch that was handed back too.
 *
 * HOSTTEST_HAND_BACK in the environment has each run handed back after every slot, as if signals came in that often.
 */
#include <stdlib.h>

#include <ferry/batch.h>

#include "batch/exec/kernel.h"
#include "batch/syscall.h"
#include "kernel.h"

long batch_core_run(struct batch_slot *slots, long *rets, u64 count, u64 flags);

static bool hand_back;

static long make_call(unsigned int nr, const struct pt_regs *regs)
{
	if (hand_back)
		host.thread.flags |= _TIF_SIGPENDING;
	return batch__syscall6(nr, (long)regs->di, (long)regs->si, (long)regs->dx, (long)regs->r10,
			       (long)regs->r8, (long)regs->r9);
}

void batch__kernel_find(struct batch_kernel_executor *kernel)
{
	kernel->way = BATCH_KERNEL_SYSCALL;
	hand_back = getenv("HOSTTEST_HAND_BACK");
}

long batch__kernel_enter(const struct batch_kernel_executor *kernel, struct batch_slot *slots,
			 long *rets, size_t count)
{
	(void)kernel;
	host = (struct host){ .call = make_call };
	return batch_core_run(slots, rets, count, 0);
}

void batch__kernel_leave(struct batch_kernel_executor *kernel)
{
	(void)kernel;
}
