/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What <linux/batch.h>, the original's API, needs of the library: which executor its batch() runs on, chosen once per
 * process from the environment, and the run itself. Calls that libc would make errno for are made without it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <ferry/batch.h>

#include "batch/syscall.h"

/* The slot layouts are one; the compat header cannot say so, because it cannot include <ferry/batch.h>. */
_Static_assert(sizeof(struct batch_slot) == 64 && offsetof(struct batch_slot, arg) == 16, "layout of syscall_t");

/*
 * Written once under `once`, as is `kernel`. pthread_once makes the writes visible to every thread that returns from
 * it, so they are read without further order.
 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct batch_executor *chosen;

static struct batch_kernel_executor kernel;

static void choose(void)
{
	/* which looks for BATCH_EMUL; under the first modules a call fails that is stopped and continued */
	int code = batch_kernel_open(&kernel, NULL) || kernel.way == BATCH_KERNEL_FIRST_DEVICE;
	const char *line = code == 0 ? "sys_batch Real\n" : "sys_batch Emul\n";

	chosen = code == 0 ? &kernel.executor : &batch_executor_loop;
	if (getenv("BATCH_VERBOSE"))
		(void)batch__syscall6(__NR_write, 2, (long)line, (long)strlen(line), 0, 0, 0);
}

static long run(const struct batch_executor *executor, long *rets, void *calls, unsigned long ncall)
{
	long last;

	if (ncall == 0)
		return 0;
	last = batch_run(executor, rets, calls, ncall, 0, NULL);
	/* the kernel does not take this thread's batches, or is no longer reached; nothing ran, and what programs of
	 * the original ask for is a result */
	if ((last == -EOPNOTSUPP || last == -EPERM) && executor != &batch_executor_loop)
		last = batch_run(&batch_executor_loop, rets, calls, ncall, 0, NULL);
	return last;
}

/* the prototypes are in <linux/batch.h>, whose macros differ from those of <ferry/batch.h> */
long batch_compat_run(long *rets, void *calls, unsigned long ncall);
long batch_compat_emulate(long *rets, void *calls, unsigned long ncall);

#pragma GCC visibility push(default)

long batch_compat_run(long *rets, void *calls, unsigned long ncall)
{
	pthread_once(&once, choose);
	return run(chosen, rets, calls, ncall);
}

long batch_compat_emulate(long *rets, void *calls, unsigned long ncall)
{
	return run(&batch_executor_loop, rets, calls, ncall);
}

#pragma GCC visibility pop
