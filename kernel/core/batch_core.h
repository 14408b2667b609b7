/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The batch core: verify and run a batch of system calls for the current task. Its front ends
 * are the ioctl of /dev/batch and the system call batch(2); both call batch_core_run() and
 * nothing else.
 *
 * What the core needs of its machine and its front end is in <asm/batch.h>:
 *
 *   struct batch_frame           a slot in kernel memory: its first 8 bytes as head, and its
 *                                arguments where system calls look for them
 *   arch_batch_load_slot()       load a slot, each word once; false when it cannot be read. What
 *                                is loaded behind it is loaded later (smp_rmb(), where the
 *                                processor does not do so by itself, as x86 does)
 *   arch_batch_save_slot()       the same slot again, from the frame
 *   arch_batch_check_argc()      0, -EINVAL when argc is over BATCH_ARGS_MAX, or -EFAULT
 *   arch_batch_check_resume()    whether the slot of a struct batch_resume is not 0, or -EFAULT
 *   arch_batch_arg0(), arg1()    an argument of a frame
 *   arch_batch_call()            make a system call that the allow list has; may sleep
 *   arch_batch_user_work()       do what waits for the return to user space (task work), or return
 *                                false: then the run ends and the entry code does it
 *
 * The loads are used inside a user access window.
 *
 * What it needs of its front end to have those who watch system calls see the calls of a batch
 * is in "batch_watch.h":
 *
 *   BATCH_SHOWN                  the flags of thread_info's syscall_work of watchers that a call can
 *                                be shown to; with any other, batches are refused
 *   batch_watch_begin(), end()   called around a run that has a watcher
 *   batch_watch_allows()         whether a filter, if there is one, allows a call; nothing is done
 *                                about what else it says
 *   batch_watch_call()           arch_batch_call(), shown to those who are to see it
 */
#ifndef _BATCH_CORE_H
#define _BATCH_CORE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <uapi/linux/batch.h>

/**
 * batch_core_run() - verify a batch and run it
 * @slots: the slots, in user memory
 * @rets: where the results go, in user memory
 * @count: how many of each
 * @flags: flags of the batch
 * @resume: where a slot is kept that a signal interrupted, or whose result could not be stored, in
 *          user memory, or NULL
 *
 * Context: Process context, called from a system call of the current task, without locks. May
 * sleep. Return: as BATCH_RUN_MORE and BATCH_RUN_NEXT() say, or -errno: -EOPNOTSUPP when system
 * calls of this task are watched or it is not a native caller; -EINVAL, -E2BIG and -EFAULT when
 * the batch is refused; -EFAULT when its slots cannot be read, or a result cannot be stored, which
 * is then kept in @resume; -EINTR when the task is being killed; or, with @resume, a code that has
 * the entry code go on with the slot that is kept there.
 */
long batch_core_run(struct batch_slot __user *slots, long __user *rets, u64 count, u64 flags,
		    struct batch_resume __user *resume);

#endif /* _BATCH_CORE_H */
