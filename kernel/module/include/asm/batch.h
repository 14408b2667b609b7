/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the batch core needs of x86-64 when it is part of the module: kernel/core/batch_core.h. */
#ifndef _ASM_X86_BATCH_H
#define _ASM_X86_BATCH_H

#include <linux/ptrace.h>
#include <linux/static_call.h>

/*
 * The dispatcher, set once before the device exists. A static call is a direct call instruction that is
 * patched: it needs no ENDBR at its target, and the kernel removes that of x64_sys_call() at boot, which
 * nothing in the kernel calls by address.
 */
long batch_call_nothing(const struct pt_regs *regs, unsigned int nr);
DECLARE_STATIC_CALL(batch_dispatch, batch_call_nothing);

static __always_inline long arch_batch_call(const struct pt_regs *regs, unsigned int nr)
{
	return static_call(batch_dispatch)(regs, nr);
}

#define arch_batch_load_args(regs, slot, label)                                                    \
	do {                                                                                       \
		unsafe_get_user((regs)->di, (unsigned long __user *)&(slot)->arg[0], label);       \
		unsafe_get_user((regs)->si, (unsigned long __user *)&(slot)->arg[1], label);       \
		unsafe_get_user((regs)->dx, (unsigned long __user *)&(slot)->arg[2], label);       \
		unsafe_get_user((regs)->r10, (unsigned long __user *)&(slot)->arg[3], label);      \
		unsafe_get_user((regs)->r8, (unsigned long __user *)&(slot)->arg[4], label);       \
		unsafe_get_user((regs)->r9, (unsigned long __user *)&(slot)->arg[5], label);       \
	} while (0)

/* task_work_run() is not for modules: the run ends, and the entry code does it. */
static __always_inline bool arch_batch_user_work(void)
{
	return false;
}

#endif /* _ASM_X86_BATCH_H */
