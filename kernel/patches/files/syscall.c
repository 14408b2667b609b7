/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
SYSCALL_DEFINE5(batch, struct batch_slot __user *, slots, long __user *, rets,
		unsigned long, count, unsigned long, flags,
		struct batch_resume __user *, resume)
{
	return batch_core_run(slots, rets, count, flags, resume);
}
