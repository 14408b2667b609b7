/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word copy's slow path: one process_vm_readv(2) from the process to itself. Its local side is written and its
 * remote side read by the kernel, so both ends are fault-safe in one system call.
 *
 * The kernel copies bytes, and a word is more than one. Where the two words overlap it would read bytes it has already
 * written; where the source crosses from a good page into a bad one it would write a part and then fail. So unless the
 * source is aligned and clear of the destination, the word is first read into one of our own. A destination that
 * crosses from a good page into a bad one may be written in part; the slot still says -EFAULT.
 */
#include <errno.h>
#include <sys/uio.h>

#include "../syscall.h"
#include "word_copy.h"

/* One copy by the kernel. pid is not cached: a cached one is the parent's after fork. */
static long copy(long to, long from)
{
	const struct iovec local = { (void *)to, sizeof(long) };
	const struct iovec remote = { (void *)from, sizeof(long) };
	long pid = batch__syscall6(__NR_getpid, 0, 0, 0, 0, 0, 0);
	long copied = batch__syscall6(__NR_process_vm_readv, pid, (long)&local, 1, (long)&remote, 1, 0);

	if (copied < 0)
		return copied;
	return copied == (long)sizeof(long) ? 0 : -EFAULT;
}

long batch__word_copy_checked(long to, long from)
{
	unsigned long apart =
		to > from ? (unsigned long)to - (unsigned long)from : (unsigned long)from - (unsigned long)to;
	long word, code;

	if (apart >= sizeof(long) && from % (long)sizeof(long) == 0)
		return copy(to, from);
	code = copy((long)&word, from);
	return code ? code : copy(to, (long)&word);
}
