/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* A direct call, which Indirect Branch Tracking does not look at. */
static __always_inline long arch_batch_call(const struct batch_frame *frame, unsigned int nr)
{
	return x64_sys_call(&frame->regs, nr);
}

/* The registers of a task that makes the call of a frame by itself. */
static inline void arch_batch_show(const struct batch_frame *frame, unsigned int nr,
				   struct pt_regs *to)
{
	*to = *current_pt_regs();
	to->orig_ax = nr;
	to->ax = -ENOSYS;
	to->di = frame->regs.di;
	to->si = frame->regs.si;
	to->dx = frame->regs.dx;
	to->r10 = frame->regs.r10;
	to->r8 = frame->regs.r8;
	to->r9 = frame->regs.r9;
}

static __always_inline bool arch_batch_user_work(void)
{
	resume_user_mode_work(current_pt_regs());
	return true;
}
