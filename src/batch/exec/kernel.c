/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel executor: the batch is run inside the kernel, in one entry or a few.
 *
 * The kernel may hand a batch back after any slot, so that a signal handler runs where it would have run between two
 * system calls; the rest is then entered again. When it no longer takes the batch, because a slot or another thread has
 * had this thread's calls watched (seccomp, ptrace), the rest is run by `loop`: what the watcher forbids is refused
 * there, and never made.
 */
#include <errno.h>
#include <stdlib.h>

#include "kernel.h"

static int kernel_check(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
			size_t count, struct batch_error *error)
{
	const struct batch_kernel_executor *kernel = (const struct batch_kernel_executor *)executor;

	(void)slots;
	(void)rets;
	(void)count;
	return kernel->way == BATCH_KERNEL_NONE ? batch__refuse(error, BATCH_REASON_UNAVAILABLE, -1) : 0;
}

static long kernel_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	const struct batch_kernel_executor *kernel = (const struct batch_kernel_executor *)executor;
	size_t from = 0;
	long result;

	if (kernel->way == BATCH_KERNEL_NONE)
		return -EOPNOTSUPP;
	for (;;) {
		result = batch__kernel_enter(kernel, slots + from, rets + from, count - from);
		if (result < 0)
			break;
		if (!BATCH_RUN_NEXT(result))
			return (long)from + result;
		from += (size_t)BATCH_RUN_NEXT(result);
	}
	/* -EFAULT: memory of the batch is not there, and a call whose result could not be stored is not made twice */
	if (from == 0 || result == -EFAULT)
		return result;
	return (long)from + batch_executor_loop.run(&batch_executor_loop, rets + from, slots + from, count - from);
}

int batch_kernel_open(struct batch_kernel_executor *kernel, struct batch_error *error)
{
	*kernel = (struct batch_kernel_executor){ .executor = { "kernel", kernel_check, kernel_run, NULL }, .fd = -1 };
	if (!getenv("BATCH_EMUL"))
		batch__kernel_find(kernel);
	return kernel->way == BATCH_KERNEL_NONE ? batch__refuse(error, BATCH_REASON_UNAVAILABLE, -1) : 0;
}

void batch_kernel_close(struct batch_kernel_executor *kernel)
{
	batch__kernel_leave(kernel);
	kernel->way = BATCH_KERNEL_NONE;
	kernel->fd = -1;
}

const char *batch_kernel_way_text(const struct batch_kernel_executor *kernel)
{
	if (kernel->way == BATCH_KERNEL_SYSCALL)
		return "batch(2)";
	return kernel->way == BATCH_KERNEL_DEVICE ? "/dev/batch" : "not in the kernel";
}
