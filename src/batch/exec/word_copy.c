/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word copy's slow path: one process_vm_readv(2) from the process to itself. Its local side is written and its
 * remote side read by the kernel, so both ends are fault-safe in one system call.
 *
 * The kernel copies bytes, and a word is more than one. Where the two words overlap it would read bytes it has already
 * written; where the source crosses from a good page into a bad one it would write a part and then fail. So unless the
 * source is aligned and clear of the destination, the word is first read into one of our own. A destination that
 * crosses from a good page into a bad one may be written in part; the slot still says -EFAULT.
 *
 * Podman's default seccomp profile forbids process_vm_readv, and a kernel may be built without it. Then the kernel is
 * asked about either word by rt_sigprocmask(2), which every profile allows: it reads a mask of a word from the source
 * before it refuses `how`, and writes the thread's mask to the destination, which the word then replaces. The thread's
 * mask stays. What this gives up: memory that another thread unmaps between the question and the copy is a signal.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "../syscall.h"
#include "word_copy.h"

/* neither SIG_BLOCK, SIG_UNBLOCK nor SIG_SETMASK: nothing is changed */
#define HOW_REFUSED (-1)

/* Whether the kernel can read the word. Returns 0, -EFAULT, or what a sandbox answers. */
static long ask_to_read(long from)
{
	long code = batch__syscall6(__NR_rt_sigprocmask, HOW_REFUSED, from, 0, sizeof(long), 0, 0);

	return code == -EINVAL ? 0 : code;
}

/* Have the kernel write a word. Returns 0, -EFAULT, or what a sandbox answers. */
static long ask_to_write(long to)
{
	return batch__syscall6(__NR_rt_sigprocmask, HOW_REFUSED, 0, to, sizeof(long), 0, 0);
}

static long copy_asking(long to, long from)
{
	long word, code;

	/* rt_sigprocmask takes a null address for a mask that is not given */
	if (!from || !to)
		return -EFAULT;
	code = ask_to_read(from);
	if (code)
		return code;
	__builtin_memcpy(&word, (const void *)from, sizeof(word));
	code = ask_to_write(to);
	if (code)
		return code;
	__builtin_memcpy((void *)to, &word, sizeof(word));
	return 0;
}

/* Whether process_vm_readv was not carried out, for a reason that is not an address. */
static bool is_refused(long code)
{
	return code < 0 && code != -EFAULT;
}

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

static long copy_whole(long to, long from)
{
	unsigned long apart =
		to > from ? (unsigned long)to - (unsigned long)from : (unsigned long)from - (unsigned long)to;
	long word, code;

	if (apart >= sizeof(long) && from % (long)sizeof(long) == 0)
		return copy(to, from);
	code = copy((long)&word, from);
	return code ? code : copy(to, (long)&word);
}

long batch__word_copy_checked(long to, long from)
{
	long code = copy_whole(to, from);

	return is_refused(code) ? copy_asking(to, from) : code;
}
