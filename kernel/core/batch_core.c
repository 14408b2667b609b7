// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Verify and run a batch of system calls for the current task.
 *
 * Invariants
 * - User memory is hostile at all times: another thread may write it while the batch runs. Every
 *   word of a slot is read once, when the slot is about to run. The pass that checks argc before
 *   the first slot runs reads what nothing here uses again.
 * - Only calls of the allow list are made, by the entry code's own dispatcher, with the caller's
 *   own credentials, limits and memory.
 * - What another thread may change is looked at behind the last thing that sleeps before the call,
 *   the load of its slot: see batch_is_watched(). All else that was checked is in registers and in
 *   the frame, which no one else can reach, or is checked again by the call itself (credentials,
 *   descriptors, limits) or by each access (addresses).
 * - Control only goes forward, at most count steps: 1 <= count <= BATCH_SLOTS_MAX, and a jump is
 *   added to an index below count only after it was seen not to be negative.
 * - Nothing is allocated and no lock is held between slots.
 * - Whatever a loop of system calls in user space would have had done for it between two calls
 *   happens between two slots, or the run ends there and user space goes on with the rest:
 *   rescheduling, signals, task work (the last reference to a file that was closed), memory
 *   limits, and everything that watches system calls (seccomp, ptrace, audit, system call
 *   tracepoints and user dispatch).
 *
 * Non-goal: restarting a call that a signal interrupted. Calls before it have been made, so the
 * batch cannot be begun again; the slot gives -EINTR, as a request of io_uring does.
 */
#include <linux/build_bug.h>
#include <linux/compat.h>
#include <linux/entry-common.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>

#include <asm/batch.h>

#include "batch_calls.h"
#include "batch_core.h"

/* slots whose argc is checked between two looks at what else this task has to do */
#define BATCH_CHECK_SLOTS 4096

/* the first word of a slot whose jumps are all 0 has nothing but a number, in its low bits */
#define BATCH_HEAD_WITHOUT_JUMPS U16_MAX

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

/*
 * Whether anything is to see each system call of this task, and so must not miss those of a
 * batch. It is looked at behind the load of each slot, since to read user memory may sleep for as
 * long as another thread likes (userfaultfd, a file system in user space), and that thread may
 * have the calls of this one watched meanwhile:
 *
 *	this task				another thread of the process
 *	---------				-----------------------------
 *	looks: not watched
 *	loads a slot, sleeps in a fault
 *						a filter for all threads: syscall_work
 *						writes a forbidden call to the slot
 *						has the fault answered
 *	loads the forbidden call
 *	looks again: watched, ends the run
 *
 * Nothing sleeps between the look and the call. A filter that comes behind the look does not see
 * this call, as it does not see one whose entry code has looked. The slot is read before the flag
 * (arch_batch_load_slot() orders the two), and the flag was set before whatever the other thread
 * did behind it: who reads a slot that was written behind the filter reads the flag, too.
 */
static __always_inline bool batch_is_watched(void)
{
	return unlikely(READ_ONCE(current_thread_info()->syscall_work));
}

static int batch_check_argc(const struct batch_slot __user *slot, unsigned long count)
{
	while (count) {
		unsigned long part = min_t(unsigned long, count, BATCH_CHECK_SLOTS);
		const struct batch_slot __user *end;
		int code;

		if (!user_read_access_begin(slot, part * sizeof(*slot)))
			return -EFAULT;
		end = slot + part;
		do {
			code = arch_batch_check_argc(slot);
		} while (likely(!code) && ++slot < end);
		user_read_access_end();
		if (code)
			return code;
		count -= part;
		if (likely(!count))
			break;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

/* The refusals of R17, in its order, behind those that do not depend on the batch. */
static __always_inline int batch_accept(struct batch_slot __user *slots, long __user *rets,
					u64 count, u64 flags)
{
	if (batch_is_watched() || unlikely(in_compat_syscall()))
		return -EOPNOTSUPP;
	if (unlikely(flags & ~(u64)BATCH_FLAGS_KNOWN))
		return -EINVAL;
	if (unlikely(count - 1 >= BATCH_SLOTS_MAX))
		return count ? -E2BIG : -EINVAL;
	if (unlikely(!slots || !rets))
		return -EFAULT;
	if (unlikely(((unsigned long)slots | (unsigned long)rets) % sizeof(long)))
		return -EINVAL;
	/* those of the slots are looked at with argc */
	if (unlikely(!access_ok(rets, count * sizeof(*rets))))
		return -EFAULT;
	return batch_check_argc(slots, count);
}

static noinline long batch_copy_word(const struct batch_frame *frame)
{
	unsigned long word;

	if (get_user(word, (unsigned long __user *)arch_batch_arg1(frame)))
		return -EFAULT;
	return put_user(word, (unsigned long __user *)arch_batch_arg0(frame)) ? -EFAULT : 0;
}

/*
 * Whether this ioctl would run a batch inside the batch, on whatever file: it could nest without
 * end.
 */
static bool batch_is_nested(const struct batch_frame *frame)
{
	u32 command = arch_batch_arg1(frame);

	return _IOC_TYPE(command) == BATCH_IOC_MAGIC && _IOC_NR(command) == _IOC_NR(BATCH_IOC_RUN);
}

/* A slot whose number is not that of a call the list has. */
static noinline long batch_run_other(const struct batch_frame *frame)
{
	s16 nr = frame->head;

	if (nr == BATCH_WORD_COPY)
		return batch_copy_word(frame);
	if (nr == __NR_ioctl && !batch_is_nested(frame))
		return arch_batch_call(frame, nr);
	return -ENOSYS;
}

/* Run the slot that was loaded. */
static __always_inline long batch_run_slot(const struct batch_frame *frame)
{
	/* a mask, which speculation cannot step over */
	unsigned int nr = frame->head % BATCH_CALL_LIMIT;

	BUILD_BUG_ON(!is_power_of_2(BATCH_CALL_LIMIT));
	if (likely((u16)frame->head < BATCH_CALL_LIMIT) &&
	    likely(batch_calls_allowed[nr / 64] >> (nr % 64) & 1))
		return arch_batch_call(frame, nr);
	return batch_run_other(frame);
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

	/*
	 * as exit_to_user_mode_loop() does; cond_resched() would leave lazy rescheduling for
	 * later
	 */
	if (read_thread_flags() & BATCH_RESCHED)
		schedule();
	work = read_thread_flags() & BATCH_WORK & ~BATCH_RESCHED;
	if (work == _TIF_NOTIFY_RESUME && arch_batch_user_work())
		work = read_thread_flags() & BATCH_WORK & ~BATCH_RESCHED;
	return !work;
}

/* How many slots the one with this head and result skips, or less than 0. */
static __always_inline s16 batch_jump(u64 head, long result)
{
	if (result > 0)
		return head >> 48;
	return result < 0 ? head >> 16 : head >> 32;
}

static __always_inline bool batch_store(long __user *ret, long result)
{
	if (!user_write_access_begin(ret, sizeof(*ret)))
		return false;
	unsafe_put_user(result, ret, out_fault);
	user_write_access_end();
	return true;
out_fault:
	user_write_access_end();
	return false;
}

/* The run has not ended: what it returns, see BATCH_RUN_MORE. */
static noinline long batch_more(struct batch_slot __user *slots, struct batch_slot __user *next)
{
	BUILD_BUG_ON(BATCH_SLOTS_MAX > BATCH_RUN_MORE);
	return BATCH_RUN_MORE | (next - slots);
}

long batch_core_run(struct batch_slot __user *slots, long __user *rets, u64 count, u64 flags)
{
	struct batch_slot __user *slot = slots, *next, *end;
	/*
	 * Only arguments are written: a system call reads nothing else of the frame it is given.
	 * What looks at other registers of the caller looks at current_pt_regs().
	 */
	struct batch_frame frame __uninitialized;
	long __user *ret = rets, *next_ret;
	long result;

	result = batch_accept(slots, rets, count, flags);
	if (result)
		return result;
	end = slots + count;

	if (!user_access_begin(slot, sizeof(*slot)))
		return -EFAULT;
	for (;;) {
		if (!arch_batch_load_slot(&frame, slot))
			goto out_unread;
		user_access_end();
		if (batch_is_watched())
			goto out_watched;

		result = batch_visible(batch_run_slot(&frame));
		next = slot + 1;
		next_ret = ret + 1;
		if (unlikely(frame.head > BATCH_HEAD_WITHOUT_JUMPS)) {
			s16 jump = batch_jump(frame.head, result);

			next = jump < 0 ? end : next + jump;
			next_ret += jump;
		}
		if (next >= end)
			goto out_ended;
		if (unlikely(read_thread_flags() & BATCH_WORK) && !batch_may_go_on())
			break;
		/* one window for two: store this result, then load the slot that comes next */
		if (!user_access_begin(next, sizeof(*next)))
			return -EFAULT;
		unsafe_put_user(result, ret, out_unstored);
		slot = next;
		ret = next_ret;
	}
	return batch_store(ret, result) ? batch_more(slots, next) : -EFAULT;

out_ended:
	return batch_store(ret, result) ? slot - slots : -EFAULT;
out_unread:
	user_access_end();
	return slot == slots ? -EFAULT : batch_more(slots, slot);
out_watched:
	return slot == slots ? -EOPNOTSUPP : batch_more(slots, slot);
out_unstored:
	user_access_end();
	return -EFAULT;
}
