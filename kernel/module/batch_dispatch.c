// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the module reaches the kernel's system calls: through x64_sys_call() where the kernel has
 * it, else through sys_call_table[]. Which of the two is a question of the symbol, never of the
 * version: the former was backported to kernels as old as 6.1, where the table is no longer what
 * the entry code uses.
 *
 * Neither is exported. A kprobe finds a function by name; one that is registered disabled
 * changes no instruction. Where functions begin with ENDBR it reports the address behind it
 * (symbol+4), because that is where it would put its breakpoint; so the offset that kallsyms has
 * for the address is taken off again.
 *
 * Neither function is called by address anywhere in the kernel, so on hardware with Indirect
 * Branch Tracking their ENDBR is removed at boot, and a call through a pointer would be a
 * control protection fault at any address. Both are called by static calls, which are direct
 * calls once they are patched. The entries of sys_call_table[] are called by address by the
 * kernel itself, and keep their ENDBR.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/nospec.h>
#include <linux/printk.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/unistd.h>

#include <asm/batch.h>
#include <asm/syscall.h>

#include "batch_dispatch.h"

static const sys_call_ptr_t *batch_table;

/* what is called before batch_dispatch_init(); gives the static call its type */
long batch_call_nothing(const struct pt_regs *regs, unsigned int nr)
{
	return -ENOSYS;
}

static long batch_call_table(const struct pt_regs *regs, unsigned int nr)
{
	if (unlikely(nr >= NR_syscalls))
		return -ENOSYS;
	return batch_table[array_index_nospec(nr, NR_syscalls)](regs);
}

static unsigned long batch_lookup_nothing(const char *name)
{
	return 0;
}

DEFINE_STATIC_CALL(batch_dispatch, batch_call_nothing);
DEFINE_STATIC_CALL(batch_lookup, batch_lookup_nothing);

/* Where the kernel function of that name begins, or 0. */
static unsigned long batch_function(const char *name)
{
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	char text[KSYM_SYMBOL_LEN], *offset;
	unsigned long address, behind;

	if (register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);

	/* "name+0xoffset/0xsize" */
	sprint_symbol(text, address);
	offset = strrchr(text, '+');
	if (!offset || sscanf(offset, "+0x%lx/", &behind) != 1)
		return 0;
	return address - behind;
}

int batch_dispatch_init(void)
{
	unsigned long address = batch_function("x64_sys_call");

	if (address) {
		static_call_update(batch_dispatch,
				   (long (*)(const struct pt_regs *, unsigned int))address);
		pr_info("calls go through x64_sys_call\n");
		return 0;
	}
	address = batch_function("kallsyms_lookup_name");
	if (address) {
		static_call_update(batch_lookup, (unsigned long (*)(const char *))address);
		batch_table = (const sys_call_ptr_t *)static_call(batch_lookup)("sys_call_table");
	}
	if (!batch_table) {
		pr_err("this kernel has neither x64_sys_call nor sys_call_table in kallsyms\n");
		return -ENOENT;
	}
	static_call_update(batch_dispatch, batch_call_table);
	pr_info("calls go through sys_call_table\n");
	return 0;
}
