// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Verify and run a batch of system calls for the current task.
 * long: it is one file of the kernel, and the compiler has to see a run whole
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
 *   rescheduling, signals, task work (the last reference to a file that was closed) and memory
 *   limits.
 * - Everything that watches system calls (seccomp, ptrace, audit, system call tracepoints and user
 *   dispatch) sees each call of a batch as one that was made by itself, or the batch is refused.
 *
 * A task whose calls are watched
 * The watchers of BATCH_SHOWN can be shown a call that user space has not made by itself, so their
 * task's batches run, in a copy of the run that other tasks do not pay for. Tracepoints and audit
 * are told of each call. A seccomp filter is asked about each call, and if it answers anything but
 * "allow" (an error, a signal, a tracer, a supervisor, death), nothing is done about that answer
 * here: the run ends, and user space makes the call by itself (BATCH_RESUME_DIRECT). So the filter
 * is asked again by the entry code, and what it answers does what it always does, with the
 * registers of the call. All other watchers stop the task at its call, or have it make another, so
 * their task's batches are refused.
 *
 * A call that a signal interrupts
 * A call then gives a code that says how the entry code is to go on with it: as if it had never
 * been made, or by restart_syscall(), or with -EINTR where a handler does not want it again.
 * Which of these it will be is known when the signal is dequeued, on the way to user space. So the
 * run ends with that code, and it keeps in user memory (struct batch_resume) which slot it was:
 *
 *	the code		the entry code			and so
 *	--------		--------------			------
 *	of a restart		begins the run again, with	batch_take_up() finds the slot and
 *				 the same arguments		 makes its call again
 *				gives -EINTR to user space	the caller takes that for the slot's
 *								 result, and goes on behind it
 *	RESTARTBLOCK		has restart_syscall() go on	the caller takes what comes for the
 *				 with the call; or -EINTR	 slot's result
 *
 * So each call is interrupted, restarted and given up as it would be by itself. Without a struct
 * batch_resume, the result is -EINTR and the run goes on behind it.
 *
 * A result that cannot be stored
 * The call has been made, and must not be made again when its place is there again. So the slot and
 * its result are kept in struct batch_resume, too: user space stores the result, or gets the signal
 * that a loop of calls gets there, and goes on behind the slot. Where none is kept, -EFAULT tells
 * that no call has been made.
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
#include "batch_watch.h"

/* instead of 0 or -errno: the batch has run before, up to a call that a signal interrupted */
#define BATCH_INTERRUPTED 1

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
 * A run. Beside the frame is what is seldom looked at: calls are given the frame, so the compiler
 * keeps all of this in memory, and the few registers are for what each slot needs.
 */
struct batch_state {
	/*
	 * Only arguments are written: a system call reads nothing else of the frame it is given.
	 * What looks at other registers of the caller looks at current_pt_regs().
	 */
	struct batch_frame frame;
	struct batch_slot __user *slots;
	struct batch_resume __user *resume;
};

/*
 * Whether anything but the watchers in `shown` is to see each system call of this task, and so
 * must not miss those of a batch. It is looked at behind the load of each slot, since to read
 * user memory may sleep for as long as another thread likes (userfaultfd, a file system in user
 * space), and that thread may have the calls of this one watched meanwhile:
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
static __always_inline bool batch_is_watched(unsigned long shown)
{
	return unlikely(READ_ONCE(current_thread_info()->syscall_work) & ~shown);
}

/*
 * Whether the slots may be run. Returns BATCH_INTERRUPTED, and has not looked at all of them, when
 * they were before: a call was interrupted.
 */
static int batch_check_argc(const struct batch_slot __user *slot, unsigned long count,
			    const struct batch_resume __user *resume)
{
	int code;

	while (count) {
		unsigned long part = min_t(unsigned long, count, BATCH_CHECK_SLOTS);
		const struct batch_slot __user *end;

		/* the first and the last, so all: cheaper than a range that is no constant */
		if (!access_ok(slot, sizeof(*slot)))
			return -EFAULT;
		end = slot + part;
		if (!user_read_access_begin(end - 1, sizeof(*slot)))
			return -EFAULT;
		/* here, since to open a window for it would be a tenth of what a batch costs */
		if (resume) {
			code = arch_batch_check_resume(resume);
			if (unlikely(code))
				goto out_code;
		}
		do {
			code = arch_batch_check_argc(slot);
			if (unlikely(code))
				goto out_code;
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

out_code:
	user_read_access_end();
	return code;
}

/*
 * The refusals of R17, in its order, behind those that do not depend on the batch. Returns 0 or
 * -errno, or BATCH_INTERRUPTED when the batch was accepted before and a call was interrupted.
 */
static __always_inline int batch_accept(struct batch_slot __user *slots, long __user *rets,
					u64 count, u64 flags, struct batch_resume __user *resume)
{
	if (batch_is_watched(BATCH_SHOWN) || unlikely(in_compat_syscall()))
		return -EOPNOTSUPP;
	if (unlikely(flags & ~(u64)BATCH_FLAGS_KNOWN))
		return -EINVAL;
	if (unlikely(count - 1 >= BATCH_SLOTS_MAX))
		return count ? -E2BIG : -EINVAL;
	if (unlikely(!slots || !rets))
		return -EFAULT;
	if (unlikely(((unsigned long)slots | (unsigned long)rets | (unsigned long)resume) %
		     sizeof(long)))
		return -EINVAL;
	/* those of the slots are looked at with argc */
	if (unlikely(!access_ok(rets, sizeof(*rets)) ||
		     !access_ok(rets + count - 1, sizeof(*rets)) ||
		     !access_ok(resume, sizeof(*resume))))
		return -EFAULT;
	return batch_check_argc(slots, count, resume);
}

/*
 * Take up the call that was interrupted, as it was when it began: its slot may have been written
 * since. Returns the slot, or less than 0.
 */
static noinline long batch_take_up(struct batch_frame *frame, struct batch_resume __user *resume,
				   u64 count)
{
	bool loaded;
	u32 slot, how;

	if (get_user(slot, &resume->slot) || get_user(how, &resume->how))
		return -EFAULT;
	if (how || !slot || slot > count)
		return -EINVAL;
	if (!user_read_access_begin(&resume->call, sizeof(resume->call)))
		return -EFAULT;
	loaded = arch_batch_load_slot(frame, &resume->call);
	user_read_access_end();
	return loaded && !put_user(0, &resume->slot) ? (long)slot - 1 : -EFAULT;
}

/*
 * Keep a slot whose call ends the run. Returns whether it is kept. Its number is written last:
 * without it, nothing is there.
 */
static noinline bool batch_keep(const struct batch_state *run, const struct batch_slot __user *slot,
				u32 how, long result)
{
	struct batch_resume __user *resume = run->resume;
	struct batch_resume kept = { .how = how, .result = result };

	if (!resume)
		return false;
	arch_batch_save_slot(&run->frame, &kept.call);
	return !copy_to_user(resume, &kept, sizeof(kept)) &&
	       !put_user((u32)(slot - run->slots) + 1, &resume->slot);
}

/*
 * A call ended with a code of the entry code's. Returns whether the run is to end with that code,
 * and what is to be gone on with is kept.
 */
static noinline bool batch_interrupted(const struct batch_state *run,
				       const struct batch_slot __user *slot, long code)
{
	/* without a signal the entry code would do nothing, and user space see the code */
	if (code == -ENOIOCTLCMD || !signal_pending(current))
		return false;
	return batch_keep(run, slot, code == -ERESTART_RESTARTBLOCK ? BATCH_RESUME_RESULT : 0, 0);
}

/* A result could not be stored: what the run returns. */
static noinline long batch_unstored(const struct batch_state *run,
				    const struct batch_slot __user *slot, long result)
{
	batch_keep(run, slot, BATCH_RESUME_UNSTORED, result);
	return -EFAULT;
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

/* Whether a number is that of a call the list has; the ioctl is not. */
static __always_inline bool batch_is_listed(u64 head)
{
	/* a mask, which speculation cannot step over */
	unsigned int nr = head % BATCH_CALL_LIMIT;

	BUILD_BUG_ON(!is_power_of_2(BATCH_CALL_LIMIT));
	return likely((u16)head < BATCH_CALL_LIMIT) &&
	       likely(batch_calls_allowed[nr / 64] >> (nr % 64) & 1);
}

static __always_inline long batch_call(const struct batch_frame *frame, unsigned int nr, bool shown)
{
	return shown ? batch_watch_call(frame, nr) : arch_batch_call(frame, nr);
}

/* A slot whose number is not that of a call the list has. */
static noinline long batch_run_other(const struct batch_frame *frame, bool shown)
{
	s16 nr = frame->head;

	if (nr == BATCH_WORD_COPY)
		return batch_copy_word(frame);
	if (nr == __NR_ioctl && !batch_is_nested(frame))
		return batch_call(frame, nr, shown);
	return -ENOSYS;
}

/* Run the slot that was loaded. */
static __always_inline long batch_run_slot(const struct batch_frame *frame, bool shown)
{
	if (batch_is_listed(frame->head))
		return batch_call(frame, frame->head % BATCH_CALL_LIMIT, shown);
	return batch_run_other(frame, shown);
}

/* Whether the slot that was loaded is a call that its caller has to make by itself. */
static __always_inline bool batch_is_direct(const struct batch_frame *frame)
{
	if (batch_is_listed(frame->head))
		return !batch_watch_allows(frame, frame->head % BATCH_CALL_LIMIT);
	if ((s16)frame->head == __NR_ioctl && !batch_is_nested(frame))
		return !batch_watch_allows(frame, __NR_ioctl);
	return false;
}

/* Whether a result may be a code that says how the entry code is to go on with a call. */
static __always_inline bool batch_is_code(long result)
{
	return unlikely(result <= -ERESTARTSYS && result >= -ERESTART_RESTARTBLOCK);
}

/* What user space may see of such a code. */
static __always_inline long batch_visible(long code)
{
	return code == -ENOIOCTLCMD ? code : -EINTR;
}

/*
 * Do what is due before a slot that was loaded. Returns whether it may run.
 *
 * It is behind the load for the reason that batch_is_watched() has: what comes while the load or
 * the store before it sleeps then comes before the slot's call, as it would between two system
 * calls. A handler runs before that call, and a task that is to stop or is traced makes no further
 * one. Only the first slot of a run is made whatever has come: a run without a call would have to
 * be begun again, and where each of its passes over argc takes longer than it is until the next
 * signal it would never get on.
 */
static noinline bool batch_may_go_on(bool first, unsigned long shown)
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
	return (!work || first) && !batch_is_watched(shown);
}

static __always_inline bool batch_has_work(unsigned long shown)
{
	return unlikely(read_thread_flags() & BATCH_WORK) || batch_is_watched(shown);
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
static noinline long batch_more(const struct batch_state *run, struct batch_slot __user *next)
{
	BUILD_BUG_ON(BATCH_SLOTS_MAX > BATCH_RUN_MORE);
	return BATCH_RUN_MORE | (next - run->slots);
}

static long batch_run_shown(struct batch_slot __user *slots, long __user *rets, u64 count,
			    struct batch_resume __user *resume, bool take_up);

/*
 * A run ends before a slot, for what is to be done or for a watcher that has come. If nothing has
 * run, the watcher may be one that the calls are to be shown to: then the first slot is read anew.
 */
static noinline long batch_early(const struct batch_state *run, struct batch_slot __user *slot,
				 long __user *ret, u64 count, bool may_show)
{
	if (slot != run->slots)
		return batch_more(run, slot);
	return may_show ? batch_run_shown(slot, ret, count, run->resume, false) : -EOPNOTSUPP;
}

/* A run ends before a slot whose call its caller has to make by itself. */
static noinline long batch_direct(const struct batch_state *run, struct batch_slot __user *slot)
{
	if (batch_keep(run, slot, BATCH_RESUME_DIRECT, 0) || slot == run->slots)
		return -EOPNOTSUPP;
	return batch_more(run, slot);
}

/*
 * Run slots, from the first one on or, to take up, from the one that was interrupted; `shown`
 * are the watchers that each call is shown to. Each of the three is a copy of its own, so that
 * what only one of them needs costs the others no register.
 */
static __always_inline long batch_run_from(struct batch_slot __user *slots, long __user *rets,
					   u64 count, struct batch_resume __user *resume,
					   bool take_up, unsigned long shown)
{
	struct batch_slot __user *slot = slots, *next, *const end = slots + count;
	long __user *ret = rets, *next_ret;
	struct batch_state run __uninitialized;
	long result;

	run.slots = slots;
	run.resume = resume;
	if (take_up) {
		result = batch_take_up(&run.frame, resume, count);
		if (result < 0)
			return result;
		slot += result;
		ret += result;
	} else {
		if (!user_access_begin(slot, sizeof(*slot)))
			return -EFAULT;
		if (!arch_batch_load_slot(&run.frame, slot))
			goto out_unread;
		user_access_end();
	}
	for (;;) {
		if (batch_has_work(shown) && !batch_may_go_on(slot == run.slots, shown))
			goto out_early;
		if (shown && batch_is_direct(&run.frame))
			goto out_direct;

		result = batch_run_slot(&run.frame, shown);
		if (batch_is_code(result)) {
			if (batch_interrupted(&run, slot, result))
				return result;
			result = batch_visible(result);
		}
		next = slot + 1;
		next_ret = ret + 1;
		if (unlikely(run.frame.head > BATCH_HEAD_WITHOUT_JUMPS)) {
			s16 jump = batch_jump(run.frame.head, result);

			next = jump < 0 ? end : next + jump;
			next_ret += jump;
		}
		if (next >= end)
			goto out_ended;
		/* one window for two: store this result, then load the slot that comes next */
		if (!user_access_begin(next, sizeof(*next)))
			return batch_unstored(&run, slot, result);
		unsafe_put_user(result, ret, out_unstored);
		slot = next;
		ret = next_ret;
		if (!arch_batch_load_slot(&run.frame, slot))
			goto out_unread;
		user_access_end();
	}

out_ended:
	if (batch_store(ret, result))
		return slot - run.slots;
	return batch_unstored(&run, slot, result);
out_unread:
	user_access_end();
	return slot == run.slots ? -EFAULT : batch_more(&run, slot);
out_early:
	return batch_early(&run, slot, ret, end - slot, BATCH_SHOWN && !shown && !take_up);
out_direct:
	return batch_direct(&run, slot);
out_unstored:
	user_access_end();
	return batch_unstored(&run, slot, result);
}

static noinline long batch_run_shown(struct batch_slot __user *slots, long __user *rets, u64 count,
				     struct batch_resume __user *resume, bool take_up)
{
	long result;

	if (batch_is_watched(BATCH_SHOWN))
		return -EOPNOTSUPP;
	batch_watch_begin();
	result = batch_run_from(slots, rets, count, resume, take_up, BATCH_SHOWN);
	batch_watch_end();
	return result;
}

static noinline long batch_run_again(struct batch_slot __user *slots, long __user *rets, u64 count,
				     struct batch_resume __user *resume)
{
	if (BATCH_SHOWN && batch_is_watched(0))
		return batch_run_shown(slots, rets, count, resume, true);
	return batch_run_from(slots, rets, count, resume, true, 0);
}

long batch_core_run(struct batch_slot __user *slots, long __user *rets, u64 count, u64 flags,
		    struct batch_resume __user *resume)
{
	int code = batch_accept(slots, rets, count, flags, resume);

	if (likely(!code))
		return batch_run_from(slots, rets, count, resume, false, 0);
	return code == BATCH_INTERRUPTED ? batch_run_again(slots, rets, count, resume) : code;
}
