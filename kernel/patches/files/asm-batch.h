/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* A direct call, which Indirect Branch Tracking does not look at. */
static __always_inline long arch_batch_call(const struct batch_frame *frame, unsigned int nr)
{
	return x64_sys_call(&frame->regs, nr);
}

static __always_inline bool arch_batch_user_work(void)
{
	resume_user_mode_work(current_pt_regs());
	return true;
}
