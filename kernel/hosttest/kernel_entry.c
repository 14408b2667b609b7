// SPDX-License-Identifier: GPL-2.0-only
/*
 * The entry of libferry's kernel executor (src/batch/exec/kernel.h), leading to the core in this process instead of a
 * kernel: so every vector runs on the core, and the executor's way of going on with a batch that was handed back too.
 *
 * HOSTTEST_HAND_BACK in the environment has each run handed back after every slot, as if signals came in that often.
 * HOSTTEST_INTERRUPT=restart has each call interrupted once before it is made, and the run begun again as the kernel's
 * entry code does where there is no handler; =result has restart_syscall() make the call, as it does with nanosleep.
 * HOSTTEST_FILTER has a filter asked about each call, one that refuses every other one: it is then made by the library.
 */
#include <stdlib.h>
#include <string.h>

#include <ferry/batch.h>

#include "batch/exec/kernel.h"
#include "batch/syscall.h"
#include "kernel.h"

long batch_core_run(struct batch_slot *slots, long *rets, u64 count, u64 flags,
		    struct batch_resume *resume);

/* how calls are interrupted */
enum interrupt { NEVER, ONCE, FOR_RESTART_SYSCALL };

static bool hand_back, filtered;
static enum interrupt interrupt;

/* a call that was interrupted, for restart_syscall(), and whether the next one has been interrupted before */
static _Thread_local struct {
	unsigned int nr;
	struct pt_regs regs;
	bool taken_up;
} kept;

static long system_call(unsigned int nr, const struct pt_regs *regs)
{
	return batch__syscall6(nr, (long)regs->di, (long)regs->si, (long)regs->dx, (long)regs->r10,
			       (long)regs->r8, (long)regs->r9);
}

static long make_call(unsigned int nr, const struct pt_regs *regs)
{
	if (interrupt && !kept.taken_up) {
		host.thread.flags |= _TIF_SIGPENDING;
		kept.nr = nr;
		kept.regs = *regs;
		return interrupt == ONCE ? -ERESTARTSYS : -ERESTART_RESTARTBLOCK;
	}
	kept.taken_up = false;
	if (hand_back)
		host.thread.flags |= _TIF_SIGPENDING;
	return system_call(nr, regs);
}

static bool allows_every_other(unsigned int nr, const struct pt_regs *regs)
{
	(void)nr;
	(void)regs;
	return host.asked % 2;
}

void batch__kernel_find(struct batch_kernel_executor *kernel)
{
	const char *how = getenv("HOSTTEST_INTERRUPT");

	kernel->way = BATCH_KERNEL_SYSCALL;
	hand_back = getenv("HOSTTEST_HAND_BACK");
	filtered = getenv("HOSTTEST_FILTER");
	interrupt = how ? strcmp(how, "result") ? ONCE : FOR_RESTART_SYSCALL : NEVER;
}

/* What the entry code of a kernel does with the codes, when there is no handler. */
long batch__kernel_enter(const struct batch_kernel_executor *kernel, struct batch_slot *slots,
			 long *rets, size_t count, struct batch_resume *resume)
{
	long result;

	(void)kernel;
	kept.taken_up = false;
	do {
		host = (struct host){ .call = make_call, .asked = host.asked };
		if (filtered) {
			host.thread.syscall_work = HOST_FILTER;
			host.allows = allows_every_other;
		}
		result = batch_core_run(slots, rets, count, 0, resume);
		kept.taken_up = result == -ERESTARTSYS;
	} while (kept.taken_up);
	return result == -ERESTART_RESTARTBLOCK ? system_call(kept.nr, &kept.regs) : result;
}

void batch__kernel_leave(struct batch_kernel_executor *kernel)
{
	(void)kernel;
}
