/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the kernel executor enters the kernel: batch(2) where the kernel has it, else the ioctl of /dev/batch.
 *
 * The number of batch(2) is that of a patch series; another kernel may have another call there. So a call counts as
 * batch(2) when it does what only a batch would: copies one word of ours to another. All that it is given is memory of
 * ours that holds nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "../syscall.h"
#include "kernel.h"

#define DEVICE "/dev/batch"
/* bytes of struct batch_run in a module that cannot go on with an interrupted call, and the command of that size */
#define FIRST_RUN_BYTES offsetof(struct batch_run, resume)
#define FIRST_IOC_RUN _IOC(_IOC_WRITE, BATCH_IOC_MAGIC, _IOC_NR(BATCH_IOC_RUN), FIRST_RUN_BYTES)
/* a word that no call stores by chance */
#define MARK 0x6261746368206973L

static long enter_syscall(struct batch_slot *slots, long *rets, size_t count, struct batch_resume *resume)
{
	return batch__syscall6(BATCH_SYSCALL_NR, (long)slots, (long)rets, (long)count, 0, (long)resume, 0);
}

static long enter_device(int fd, long command, struct batch_slot *slots, long *rets, size_t count,
			 struct batch_resume *resume)
{
	const struct batch_run run = { (__u64)slots, (__u64)rets, count, 0, (__u64)resume };

	return batch__syscall6(__NR_ioctl, fd, command, (long)&run, 0, 0, 0);
}

static int is_batch_call(void)
{
	long words[2] = { 0, MARK }, ret = MARK;
	struct batch_slot slot = scall2(wdcpy, 0, 0, 0, &words[0], &words[1]);
	struct batch_resume resume = { 0 };

	return enter_syscall(&slot, &ret, 1, &resume) == 0 && words[0] == MARK && ret == 0;
}

/* What the device at a descriptor is for a batch: BATCH_KERNEL_NONE when it is another device, or too old. */
static enum batch_kernel_way way_of_device(int fd)
{
	struct batch_query query = { 0 };
	long code = batch__syscall6(__NR_ioctl, fd, BATCH_IOC_QUERY, (long)&query, 0, 0, 0);

	if (code != 0 || query.version != BATCH_API_VERSION || query.slots_max < BATCH_SLOTS_MAX)
		return BATCH_KERNEL_NONE;
	return query.features & BATCH_FEATURE_RESUME ? BATCH_KERNEL_DEVICE : BATCH_KERNEL_FIRST_DEVICE;
}

void batch__kernel_find(struct batch_kernel_executor *kernel)
{
	long fd;

	/* A filter may kill for a call that it does not know, and nothing but the environment says that it does not. */
	if (!getenv("BATCH_FILTERED") && batch__syscall6(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) != 0)
		return;
	if (is_batch_call()) {
		kernel->way = BATCH_KERNEL_SYSCALL;
		return;
	}
	fd = batch__syscall6(__NR_openat, AT_FDCWD, (long)DEVICE, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	kernel->way = way_of_device((int)fd);
	if (kernel->way != BATCH_KERNEL_NONE)
		kernel->fd = (int)fd;
	else
		batch__syscall6(__NR_close, fd, 0, 0, 0, 0, 0);
}

long batch__kernel_enter(const struct batch_kernel_executor *kernel, struct batch_slot *slots, long *rets, size_t count,
			 struct batch_resume *resume)
{
	if (kernel->way == BATCH_KERNEL_SYSCALL)
		return enter_syscall(slots, rets, count, resume);
	return enter_device(kernel->fd, kernel->way == BATCH_KERNEL_DEVICE ? BATCH_IOC_RUN : FIRST_IOC_RUN, slots, rets,
			    count, resume);
}

void batch__kernel_leave(struct batch_kernel_executor *kernel)
{
	if (kernel->fd >= 0)
		batch__syscall6(__NR_close, kernel->fd, 0, 0, 0, 0, 0);
}
