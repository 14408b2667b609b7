// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Verify and run a batch of system calls for the current task.
 *
 * Invariants
 * - User memory is hostile at all times: another thread may write it while the batch runs. Every word of
 *   a slot is read once, when the slot is about to run. The pass that checks argc before the first slot
 *   runs reads what nothing here uses again.
 * - Only calls of the allow list are made, by the entry code's own dispatcher, with the caller's own
 *   credentials, limits and memory.
 * - Control only goes forward, at most count steps: 1 <= count <= BATCH_SLOTS_MAX, and a jump is added
 *   to an index below count only after it was seen not to be negative.
 * - Nothing is allocated and no lock is held between slots.
 * - Whatever a loop of system calls in user space would have had done for it between two calls happens
 *   between two slots, or the run ends there and user space goes on with the rest: rescheduling, signals,
 *   task work (the last reference to a file that was closed), memory limits, and everything that watches
 *   system calls (seccomp, ptrace, audit, system call tracepoints and user dispatch).
 *
 * Non-goal: restarting a call that a signal interrupted. Calls before it have been made, so the batch
 * cannot be begun again; the slot gives -EINTR, as a request of io_uring does.
 */
#include <linux/compat.h>
#include <linux/entry-common.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>

#include <asm/batch.h>
#include <asm/syscall.h>

#include "batch_calls.h"
#include "batch_core.h"

/* slots whose argc is checked between two looks at what else this task has to do */
#define BATCH_CHECK_SLOTS 4096

#ifdef _TIF_NEED_RESCHED_LAZY
#define BATCH_RESCHED (_TIF_NEED_RESCHED | _TIF_NEED_RESCHED_LAZY)
#else
#define BATCH_RESCHED _TIF_NEED_RESCHED
#endif

/* not between slots: restartable sequences are user space's, which does not run */
#ifdef _TIF_RSEQ
#define BATCH_WORK (EXIT_TO_USER_MODE_WORK & ~_TIF_RSEQ)
#else
#define BATCH_WORK EXIT_TO_USER_MODE_WORK
#endif

/* Whether anything is to see each system call of this task, and so must not miss those of a batch. */
static __always_inline bool batch_is_watched(void)
{
	return unlikely(READ_ONCE(current_thread_info()->syscall_work));
}

static int batch_check_argc(struct batch_slot __user *slot, unsigned long count)
{
	while (count) {
		unsigned long part = min_t(unsigned long, count, BATCH_CHECK_SLOTS);
		struct batch_slot __user *end = slot + part;

		if (!user_read_access_begin(slot, part * sizeof(*slot)))
			return -EFAULT;
		do {
			u8 argc;

			unsafe_get_user(argc, &slot->argc, out_fault);
			if (unlikely(argc > BATCH_ARGS_MAX))
				goto out_argc;
		} while (++slot < end);
		user_read_access_end();
		count -= part;
		if (likely(!count))
			break;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
out_argc:
	user_read_access_end();
	return -EINVAL;
out_fault:
	user_read_access_end();
	return -EFAULT;
}

/* The refusals of R17, in its order, behind those that do not depend on the batch. */
static int batch_accept(struct batch_slot __user *slots, long __user *rets, u64 count, u64 flags)
{
	if (batch_is_watched() || in_compat_syscall())
		return -EOPNOTSUPP;
	if (flags & ~(u64)BATCH_FLAGS_KNOWN)
		return -EINVAL;
	if (count == 0)
		return -EINVAL;
	if (count > BATCH_SLOTS_MAX)
		return -E2BIG;
	if (!slots || !rets)
		return -EFAULT;
	if (((unsigned long)slots | (unsigned long)rets) % sizeof(long))
		return -EINVAL;
	if (!access_ok(slots, count * sizeof(*slots)) || !access_ok(rets, count * sizeof(*rets)))
		return -EFAULT;
	return batch_check_argc(slots, count);
}

static long batch_copy_word(const struct pt_regs *regs)
{
	unsigned long args[6], word;

	syscall_get_arguments(current, (struct pt_regs *)regs, args);
	if (get_user(word, (unsigned long __user *)args[1]))
		return -EFAULT;
	return put_user(word, (unsigned long __user *)args[0]) ? -EFAULT : 0;
}

/* Whether this ioctl would run a batch inside the batch, on whatever file: it could nest without end. */
static bool batch_is_nested(const struct pt_regs *regs)
{
	unsigned long args[6];
	u32 command;

	syscall_get_arguments(current, (struct pt_regs *)regs, args);
	command = args[1];
	return _IOC_TYPE(command) == BATCH_IOC_MAGIC && _IOC_NR(command) == _IOC_NR(BATCH_IOC_RUN);
}

/* Run the slot whose number and arguments are these. */
static __always_inline long batch_run_slot(const struct pt_regs *regs, s16 number)
{
	unsigned int nr = (u16)number;

	if (likely(nr < BATCH_CALL_LIMIT)) {
		nr = array_index_nospec(nr, BATCH_CALL_LIMIT);
		if (unlikely(!(batch_calls_allowed[nr / 64] >> (nr % 64) & 1)))
			return -ENOSYS;
		if (unlikely(nr == __NR_ioctl && batch_is_nested(regs)))
			return -ENOSYS;
		return arch_batch_call(regs, nr);
	}
	return number == BATCH_WORD_COPY ? batch_copy_word(regs) : -ENOSYS;
}

/* A code that says how the entry code is to begin a call again becomes what user space may see. */
static __always_inline long batch_visible(long result)
{
	if (likely(result > -ERESTARTSYS || result < -ERESTART_RESTARTBLOCK))
		return result;
	return result == -ENOIOCTLCMD ? result : -EINTR;
}

/* Do what is due between two slots. Returns whether the next one may run. */
static noinline bool batch_may_go_on(void)
{
	unsigned long work;

	/* as exit_to_user_mode_loop() does; cond_resched() would leave lazy rescheduling for later */
	if (read_thread_flags() & BATCH_RESCHED)
		schedule();
	work = read_thread_flags() & BATCH_WORK & ~BATCH_RESCHED;
	if (work == _TIF_NOTIFY_RESUME && arch_batch_user_work())
		work = read_thread_flags() & BATCH_WORK & ~BATCH_RESCHED;
	return !work && !batch_is_watched();
}

static __always_inline bool batch_has_work(void)
{
	return unlikely(read_thread_flags() & BATCH_WORK) || batch_is_watched();
}

/* Where control goes after slot index: an index, or count when the batch ends. */
static __always_inline unsigned long batch_next(u64 head, long result, unsigned long index,
						unsigned long count)
{
	s16 jump;

	if (likely(!(head >> 16)))
		return index + 1;
	jump = result > 0 ? head >> 48 : result < 0 ? head >> 16 : head >> 32;
	return jump < 0 ? count : min(index + 1 + jump, count);
}

static __always_inline long batch_returns(unsigned long last, unsigned long next)
{
	return last | next << 32;
}

long batch_core_run(struct batch_slot __user *slots, long __user *rets, u64 count, u64 flags)
{
	unsigned long index = 0, last = 0, next;
	struct pt_regs regs;
	long result;
	u64 head;

	result = batch_accept(slots, rets, count, flags);
	if (result)
		return result;
	/* for those who look at the frame of a call: it is the caller's but for the arguments */
	regs = *current_pt_regs();

	if (!user_access_begin(slots, sizeof(*slots)))
		return -EFAULT;
	for (;;) {
		unsafe_get_user(head, (u64 __user *)&slots[index], out_unread);
		arch_batch_load_args(&regs, &slots[index], out_unread);
		user_access_end();

		result = batch_visible(batch_run_slot(&regs, head));
		next = batch_next(head, result, index, count);
		if (next == count || (batch_has_work() && !batch_may_go_on()))
			break;
		/* one window for two things: store this result, then load the slot that comes next */
		if (!user_access_begin(&slots[next], sizeof(*slots)))
			return -EFAULT;
		unsafe_put_user(result, &rets[index], out_unstored);
		last = index;
		index = next;
	}
	if (put_user(result, &rets[index]))
		return -EFAULT;
	return batch_returns(index, next == count ? 0 : next);

out_unread:
	user_access_end();
	return index ? batch_returns(last, index) : -EFAULT;
out_unstored:
	user_access_end();
	return -EFAULT;
}
