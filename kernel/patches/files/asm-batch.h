/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Whether the entry code gives each system call a stack offset of its own. */
static __always_inline bool arch_batch_has_offsets(void)
{
#ifdef CONFIG_RANDOMIZE_KSTACK_OFFSET
	return static_branch_maybe(CONFIG_RANDOMIZE_KSTACK_OFFSET_DEFAULT,
				   &randomize_kstack_offset);
#else
	return false;
#endif
}

/* A call with such an offset, which lies in the frame of this function, and so ends with it. */
static noinline __no_stack_protector long arch_batch_call_at_offset(const struct batch_frame *frame,
								    unsigned int nr)
{
	long result;

	add_random_kstack_offset();
	result = x64_sys_call(&frame->regs, nr);
	choose_random_kstack_offset(rdtsc());
	return result;
}

/* Direct calls, which Indirect Branch Tracking does not look at. */
static __always_inline long arch_batch_call(const struct batch_frame *frame, unsigned int nr)
{
	if (arch_batch_has_offsets())
		return arch_batch_call_at_offset(frame, nr);
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
