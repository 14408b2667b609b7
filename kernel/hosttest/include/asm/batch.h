/* SPDX-License-Identifier: GPL-2.0-only */
/* What the batch core needs of its machine, in user space: see batch_core.h. */
#ifndef HOSTTEST_ASM_BATCH_H
#define HOSTTEST_ASM_BATCH_H

#include "kernel.h"

#include <uapi/linux/batch.h>

struct batch_frame {
	struct pt_regs regs;
	u64 head;
};

/* Each word by itself, as hardware would: another thread may write between two of them. */
static inline bool arch_batch_load_slot(struct batch_frame *to, const struct batch_slot *from)
{
	unsigned long *const words[BATCH_ARGS_MAX] = { &to->regs.di,  &to->regs.si, &to->regs.dx,
						       &to->regs.r10, &to->regs.r8, &to->regs.r9 };

	host.loads++;
	if (host.loaded)
		host.loaded((unsigned long)from);
	if (host_read(&to->head, from, sizeof(to->head)))
		return false;
	for (int i = 0; i < BATCH_ARGS_MAX; i++)
		if (host_read(words[i], &from->arg[i], sizeof(long)))
			return false;
	return true;
}

static inline int arch_batch_check_argc(const struct batch_slot *slot)
{
	u8 argc;

	host.checks++;
	if (host.checked)
		host.checked((unsigned long)slot);
	if (host_read(&argc, &slot->argc, sizeof(argc)))
		return -EFAULT;
	return argc > BATCH_ARGS_MAX ? -EINVAL : 0;
}

/* The slot that a frame was loaded from. What is not passed to a call is 0. */
static inline void arch_batch_save_slot(const struct batch_frame *from, struct batch_slot *to)
{
	const struct pt_regs *regs = &from->regs;

	*to = (struct batch_slot){
		.nr = from->head,
		.jump_fail = from->head >> 16,
		.jump_zero = from->head >> 32,
		.jump_positive = from->head >> 48,
		.arg = { regs->di, regs->si, regs->dx, regs->r10, regs->r8, regs->r9 },
	};
}

static inline int arch_batch_check_resume(const struct batch_resume *resume)
{
	u32 slot;

	if (host_read(&slot, &resume->slot, sizeof(slot)))
		return -EFAULT;
	return slot != 0;
}

static inline unsigned long arch_batch_arg0(const struct batch_frame *frame)
{
	return frame->regs.di;
}

static inline unsigned long arch_batch_arg1(const struct batch_frame *frame)
{
	return frame->regs.si;
}

static inline long arch_batch_call(const struct batch_frame *frame, unsigned int nr)
{
	host_may_sleep();
	return host.call(nr, &frame->regs);
}

static inline bool arch_batch_user_work(void)
{
	host_may_sleep();
	return host.user_work && host.user_work();
}

#endif /* HOSTTEST_ASM_BATCH_H */
