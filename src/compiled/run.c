/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs the batches that the compiler made. The first one finds out what this process may use:
 *
 *   ferry_compiled_slots_min   0: not known yet -> a number of slots, or INT_MAX: batches are never run
 *
 * One thread finds out, the one that moves `state` from UNKNOWN to ASKING; until it has finished, others make their
 * calls one by one. So does a process with more than one thread, always: libc's functions are cancellation points and
 * a slot is none. `executor` and `log_file` are written before `state` becomes KNOWN (release), and read after that was
 * seen (acquire).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include <ferry/compiled.h>

#include "batch/syscall.h"
#include "descriptor.h"
#include "log.h"

/* the largest errno that a system call returns, negated */
#define ERRNO_MAX 4095

enum { UNKNOWN, ASKING, KNOWN };

int ferry_compiled_slots_min;
static int state;
static const struct batch_executor *executor;
static int log_file = -1;
static struct batch_kernel_executor in_kernel;

/* Move the device's descriptor out of the program's way. Returns 0, or -errno with the device closed. */
static int move_descriptor(struct batch_kernel_executor *kernel)
{
	long moved = batch__syscall6(__NR_fcntl, kernel->fd, F_DUPFD_CLOEXEC, COMPILED__DESCRIPTOR_MIN, 0, 0, 0);

	batch_kernel_close(kernel);
	if (moved < 0)
		return (int)moved;
	kernel->way = BATCH_KERNEL_DEVICE;
	kernel->fd = (int)moved;
	return 0;
}

/* The fewest slots with which a batch pays here. A preloaded library may have its own idea of what libc's calls do. */
static int find_out(void)
{
	const char *asked = secure_getenv("FERRY_COMPILED");
	const int all = asked && strcmp(asked, "kernel") == 0;

	if (asked && strcmp(asked, "loop") == 0) {
		executor = &batch_executor_loop;
		return 1;
	}
	if ((asked && strcmp(asked, "off") == 0) || getenv("LD_PRELOAD"))
		return INT_MAX;
	if (batch_kernel_open(&in_kernel, NULL) < 0)
		return INT_MAX;
	executor = &in_kernel.executor;
	if (in_kernel.way == BATCH_KERNEL_SYSCALL)
		return all ? 1 : BATCH_KERNEL_SYSCALL_SLOTS_MIN;
	if (in_kernel.way == BATCH_KERNEL_DEVICE && move_descriptor(&in_kernel) == 0)
		return all ? 1 : BATCH_KERNEL_DEVICE_SLOTS_MIN;
	batch_kernel_close(&in_kernel);
	return INT_MAX;
}

/* Whether `executor` may be used. Finds out when nobody has. */
static int is_known(void)
{
	int expected = UNKNOWN, slots_min;

	if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == KNOWN)
		return 1;
	if (!__atomic_compare_exchange_n(&state, &expected, ASKING, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return 0;
	slots_min = find_out();
	if (slots_min != INT_MAX)
		log_file = compiled__log_open();
	__atomic_store_n(&ferry_compiled_slots_min, slots_min, __ATOMIC_RELAXED);
	__atomic_store_n(&state, KNOWN, __ATOMIC_RELEASE);
	return 1;
}

long ferry_compiled_run(struct batch_slot *slots, long *rets, unsigned long count)
{
	long last;

	if (!__libc_single_threaded || !is_known() ||
	    count < (unsigned long)__atomic_load_n(&ferry_compiled_slots_min, __ATOMIC_RELAXED))
		return -1;
	if (executor->check && executor->check(executor, slots, rets, count, NULL))
		return -1;
	if (log_file >= 0)
		compiled__log_mark(rets, count);
	last = executor->run(executor, rets, slots, count);
	if (log_file >= 0 && last >= 0)
		compiled__log(log_file, slots, rets, last);
	/* the kernel can no longer be entered, or something watches this thread: do not ask again */
	if (last == -EPERM || last == -EOPNOTSUPP)
		__atomic_store_n(&ferry_compiled_slots_min, INT_MAX, __ATOMIC_RELAXED);
	return last;
}

long ferry_compiled_result(long ret)
{
	if ((unsigned long)ret < (unsigned long)-ERRNO_MAX)
		return ret;
	errno = (int)-ret;
	return -1;
}
