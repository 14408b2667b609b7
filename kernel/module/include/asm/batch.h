/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the batch core needs of x86-64 when it is part of the module: see batch_core.h.
 *
 * User memory is read by assembly because compilers whose asm goto cannot have outputs (no
 * CC_HAS_ASM_GOTO_OUTPUT, as Debian 12's) test for a fault behind each unsafe_get_user(), which
 * would be a fifth of what a slot costs.
 */
#ifndef _ASM_X86_BATCH_H
#define _ASM_X86_BATCH_H

#include <linux/errno.h>
#include <linux/ptrace.h>
#include <linux/static_call.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <asm/asm.h>

#include <uapi/linux/batch.h>

/* A slot in kernel memory. */
struct batch_frame {
	struct pt_regs regs;
	u64 head;
};

/* clang-format off */

/* Where a load of user memory goes on when it faults: a label of its function. */
#define BATCH_FAULT(load) _ASM_EXTABLE_UA(load, %l[fault])

/* Load a slot, each word once, in a user access window. Returns false if it cannot be read. */
static __always_inline bool arch_batch_load_slot(struct batch_frame *to,
						 const struct batch_slot __user *from)
{
	asm goto("1:\tmovq 0(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[head](%[to])\n"
		 "2:\tmovq 16(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[di](%[to])\n"
		 "3:\tmovq 24(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[si](%[to])\n"
		 "4:\tmovq 32(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[dx](%[to])\n"
		 "5:\tmovq 40(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[r10](%[to])\n"
		 "6:\tmovq 48(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[r8](%[to])\n"
		 "7:\tmovq 56(%[from]), %%rax\n"
		 "\tmovq %%rax, %c[r9](%[to])\n"
		 BATCH_FAULT(1b)
		 BATCH_FAULT(2b)
		 BATCH_FAULT(3b)
		 BATCH_FAULT(4b)
		 BATCH_FAULT(5b)
		 BATCH_FAULT(6b)
		 BATCH_FAULT(7b)
		 : /* what is written is memory */
		 : [from] "r" (from), [to] "r" (to),
		   [head] "i" (offsetof(struct batch_frame, head)),
		   [di] "i" (offsetof(struct batch_frame, regs.di)),
		   [si] "i" (offsetof(struct batch_frame, regs.si)),
		   [dx] "i" (offsetof(struct batch_frame, regs.dx)),
		   [r10] "i" (offsetof(struct batch_frame, regs.r10)),
		   [r8] "i" (offsetof(struct batch_frame, regs.r8)),
		   [r9] "i" (offsetof(struct batch_frame, regs.r9))
		 : "rax", "memory"
		 : fault);
	return true;
fault:
	return false;
}

/* Returns 0, -EINVAL when argc is over BATCH_ARGS_MAX, or -EFAULT. Inside a user access window. */
static __always_inline int arch_batch_check_argc(const struct batch_slot __user *slot)
{
	asm goto("1:\tcmpb %[max], %c[argc](%[slot])\n"
		 "\tja %l[over]\n"
		 BATCH_FAULT(1b)
		 :
		 : [slot] "r" (slot), [argc] "i" (offsetof(struct batch_slot, argc)),
		   [max] "i" (BATCH_ARGS_MAX)
		 : "cc"
		 : over, fault);
	return 0;
over:
	return -EINVAL;
fault:
	return -EFAULT;
}

/* Whether a call was interrupted: 0 or 1, or -EFAULT. Inside a user access window. */
static __always_inline int arch_batch_check_resume(const struct batch_resume __user *resume)
{
	asm goto("1:\tcmpl $0, %c[slot](%[resume])\n"
		 "\tjne %l[interrupted]\n"
		 BATCH_FAULT(1b)
		 :
		 : [resume] "r" (resume), [slot] "i" (offsetof(struct batch_resume, slot))
		 : "cc"
		 : interrupted, fault);
	return 0;
interrupted:
	return 1;
fault:
	return -EFAULT;
}

/* clang-format on */

/* The slot that a frame was loaded from. What is not passed to a call is 0. */
static __always_inline void arch_batch_save_slot(const struct batch_frame *from,
						 struct batch_slot *to)
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

static __always_inline unsigned long arch_batch_arg0(const struct batch_frame *frame)
{
	return frame->regs.di;
}

static __always_inline unsigned long arch_batch_arg1(const struct batch_frame *frame)
{
	return frame->regs.si;
}

/*
 * The dispatcher, set once before the device exists. A static call is a direct call instruction
 * that is patched: it needs no ENDBR at its target, and the kernel removes that of
 * x64_sys_call() at boot, which nothing in the kernel calls by address.
 */
long batch_call_nothing(const struct pt_regs *regs, unsigned int nr);
DECLARE_STATIC_CALL(batch_dispatch, batch_call_nothing);

static __always_inline long arch_batch_call(const struct batch_frame *frame, unsigned int nr)
{
	return static_call(batch_dispatch)(&frame->regs, nr);
}

/* task_work_run() is not for modules: the run ends, and the entry code does it. */
static __always_inline bool arch_batch_user_work(void)
{
	return false;
}

#endif /* _ASM_X86_BATCH_H */
