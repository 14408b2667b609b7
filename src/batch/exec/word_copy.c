/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word copy's slow path: one process_vm_readv(2) from the process to itself. Its local side is written and its
 * remote side read by the kernel, so both ends are fault-safe in one system call. A word that crosses from a good page
 * into a bad one may be copied in part; the slot still says -EFAULT.
 */
#include <errno.h>
#include <sys/uio.h>

#include "../syscall.h"
#include "word_copy.h"

long batch__word_copy_checked(long to, long from)
{
	const struct iovec local = { (void *)to, sizeof(long) };
	const struct iovec remote = { (void *)from, sizeof(long) };
	/* not cached: a cached pid is the parent's after fork */
	long pid = batch__syscall6(__NR_getpid, 0, 0, 0, 0, 0, 0);
	long copied = batch__syscall6(__NR_process_vm_readv, pid, (long)&local, 1, (long)&remote, 1, 0);

	if (copied < 0)
		return copied;
	return copied == (long)sizeof(long) ? 0 : -EFAULT;
}
