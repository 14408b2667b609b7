/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The original <linux/batch.h> by its own names, as a thin skin over libferry: programs written for it compile and run
 * unchanged when they link with -lferry. New programs use <ferry/batch.h>, with checked building and verifying.
 *
 * What a batch means here is what it means everywhere in Ferry (spec/program.md, batch(7)). Two things are kept of the
 * original: batch() with ncall = 0 returns 0, and `flags` and `size` are ignored. A batch that is refused as a whole
 * gives -errno and leaves errno alone.
 *
 * BATCH_EMUL in the environment asks for emulation even where the kernel can run batches; BATCH_VERBOSE has the first
 * batch() print "sys_batch Emul" or "sys_batch Real" on standard error. Programs rely on the three headers included
 * here, as the original included them.
 */
#ifndef LINUX_BATCH_H
#define LINUX_BATCH_H

#ifdef FERRY_BATCH_H
#error "<ferry/batch.h> and <linux/batch.h> both define scall0 to scall6: include one of them in each source file"
#endif

#include <asm/unistd.h>
#include <errno.h>
#include <unistd.h>

/* the call number the original took over; inside a batch it is denied */
#ifdef __NR_afs_syscall
#define __NR_batch __NR_afs_syscall
#endif
#define __NR_wdcpy (-2)

/* One call: the layout of struct batch_slot, the original's names. The bytes between argc and arg change nothing. */
typedef struct syscall {
	short nr;	/* call number, or __NR_wdcpy */
	short jumpFail; /* slots to skip when the result is < 0; negative ends the batch */
	short jump0;	/* slots to skip when the result is 0 */
	short jumpPos;	/* slots to skip when the result is > 0 */
	char argc;	/* how many of arg[] mean something, 0 to 6 */
	long arg[6];
} syscall_t;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What batch() and batchE() are made of, so that libferry exports no name as short as theirs. */
long batch_compat_run(long *rets, void *calls, unsigned long ncall);
long batch_compat_emulate(long *rets, void *calls, unsigned long ncall);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* Run a batch by emulation, one system call per slot. Returns the index of the last slot that ran, or -errno. */
static __inline__ long batchE(long rets[], struct syscall calls[], unsigned long ncall, long flags, long size)
{
	(void)flags;
	(void)size;
	return batch_compat_emulate(rets, calls, ncall);
}

/* Run a batch by the kernel if it can and BATCH_EMUL does not forbid it, else by emulation. Returns as batchE does. */
static __inline__ long batch(long rets[], struct syscall calls[], unsigned long ncall, long flags, long size)
{
	(void)flags;
	(void)size;
	return batch_compat_run(rets, calls, ncall);
}

/* A slot by the call's name: FL, Z and P are the jumps when the result is < 0, = 0 and > 0. */
#define scall0(N, FL, Z, P) ((syscall_t){ __NR_##N, FL, Z, P, 0, { 0 } })
#define scall1(N, FL, Z, P, A) ((syscall_t){ __NR_##N, FL, Z, P, 1, { (long)(A) } })
#define scall2(N, FL, Z, P, A, B) ((syscall_t){ __NR_##N, FL, Z, P, 2, { (long)(A), (long)(B) } })
#define scall3(N, FL, Z, P, A, B, C) ((syscall_t){ __NR_##N, FL, Z, P, 3, { (long)(A), (long)(B), (long)(C) } })
#define scall4(N, FL, Z, P, A, B, C, D)                                                                                \
	((syscall_t){ __NR_##N, FL, Z, P, 4, { (long)(A), (long)(B), (long)(C), (long)(D) } })
#define scall5(N, FL, Z, P, A, B, C, D, E)                                                                             \
	((syscall_t){ __NR_##N, FL, Z, P, 5, { (long)(A), (long)(B), (long)(C), (long)(D), (long)(E) } })
#define scall6(N, FL, Z, P, A, B, C, D, E, F)                                                                          \
	((syscall_t){ __NR_##N, FL, Z, P, 6, { (long)(A), (long)(B), (long)(C), (long)(D), (long)(E), (long)(F) } })

#endif /* LINUX_BATCH_H */
