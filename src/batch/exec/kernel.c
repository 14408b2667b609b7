/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel executor: the batch is run inside the kernel, in one entry or a few.
 *
 * The kernel may hand a batch back after any slot, so that a signal handler runs where it would have run between two
 * system calls; the rest is then entered again. When it no longer takes the batch, because a slot or another thread has
 * had this thread's calls watched (seccomp, ptrace), the rest is run by `loop`: what the watcher forbids is refused
 * there, and never made.
 *
 * A call that a signal interrupts is gone on with as the kernel does with any call, and the kernel comes back to us
 * with it only when that gave the slot's result (a handler ran, and it is -EINTR) or when it could not be asked again.
 *
 * A call whose result could not be stored has been made. The kernel hands the result back; a whole run ends there with
 * -EFAULT, and a run in parts stores it itself, where the program gets the signal that it gets on `loop`.
 *
 * A call that the thread's seccomp filter does not just allow is handed back too, and made by itself: what the filter
 * says (an error, a signal, a tracer, a supervisor, death) then happens to it as to any call of user space.
 *
 * A part of a batch is a batch of its own: the slots up to where it may have to pause. Where control goes behind them
 * is computed here, from the result of the last, since the kernel sees a jump over their end as the end.
 */
#include <errno.h>
#include <stdlib.h>

#include "../syscall.h"
#include "kernel.h"

static int kernel_check(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
			size_t count, struct batch_error *error)
{
	const struct batch_kernel_executor *kernel = (const struct batch_kernel_executor *)executor;

	(void)slots;
	(void)rets;
	(void)count;
	return kernel->way == BATCH_KERNEL_NONE ? batch__refuse(error, BATCH_REASON_UNAVAILABLE, -1) : 0;
}

/*
 * In a reserved byte of a slot that is given to be taken up. The kernel takes it up or, when its call is interrupted,
 * writes another there, whose reserved bytes are 0: where this stands still, the kernel's batch core was not reached.
 */
#define NOT_TAKEN_UP 1

static long make_directly(const struct batch_slot *slot)
{
	const __s64 *arg = slot->arg;

	return batch__syscall6(slot->nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/*
 * A slot's call has ended an entry that answered `answer`.
 *
 * - A signal interrupted it: store its result, if it has one by that. Returns what the entry would have returned: the
 *   slot if the batch has ended with it, or BATCH_RUN_MORE and the slot to go on with, the same slot when nobody
 *   took up its call: something has come that watches this thread's calls, or the device has been closed. If that is
 *   slot 0, nothing has run: -EOPNOTSUPP or -EPERM, as enter().
 * - The thread's filter is to be asked about it by the kernel's entry: make it, store its result, and return the same.
 * - Its result could not be stored: -EFAULT. The result stays in *resume.
 */
static __attribute__((noinline)) long interrupted(const struct batch_resume *resume, long answer, long *rets,
						  size_t count)
{
	const long slot = (long)resume->slot - 1;
	long next = slot;

	if (resume->how & BATCH_RESUME_UNSTORED)
		return -EFAULT;
	if (resume->how & BATCH_RESUME_DIRECT)
		answer = make_directly(&resume->call);
	if (resume->how & (BATCH_RESUME_RESULT | BATCH_RESUME_DIRECT) || answer == -EINTR) {
		const long jump = batch__jump(batch__head(&resume->call), answer);

		rets[slot] = answer;
		next = slot + 1 + jump;
		if (jump < 0 || next >= (long)count)
			return slot;
	}
	if (next)
		return BATCH_RUN_MORE | next;
	return answer == -EOPNOTSUPP ? answer : -EPERM;
}

/*
 * One entry, and what a call that ended it made of it: *resume says which slot that was, if there was one; before, it
 * says whether the first slot is to be taken up, as one that was verified. Returns as
 * batch__kernel_enter does, but of errors only these:
 *
 *	-EFAULT		memory of the batch is not there; nothing ran, or *resume has the slot whose result has no place
 *	-EOPNOTSUPP	the kernel refused: this thread's calls are watched; nothing ran
 *	-EPERM		the kernel's batch core was not reached; nothing ran
 *
 * The core answers nothing else to a batch that was verified. What else comes was answered before it: by a seccomp
 * filter or a security module, with any errno they like, or because the descriptor is closed or another file's.
 *
 * A filter may even answer 0, as if the call had been made, and a supervisor (seccomp_unotify(2)) any number. 0 would
 * say that the batch has ended with its first slot; where the jumps of that slot say otherwise, nothing ran.
 */
static inline long enter(const struct batch_kernel_executor *kernel, struct batch_slot *slots, long *rets, size_t count,
			 struct batch_resume *resume)
{
	__u64 head = batch__head(slots);
	long result, jump;

	result = batch__kernel_enter(kernel, slots, rets, count, resume);
	if (batch__unlikely(resume->slot)) {
		if (resume->call.reserved[0] == NOT_TAKEN_UP)
			return result == -EFAULT || result == -EOPNOTSUPP ? result : -EPERM;
		return interrupted(resume, result, rets, count);
	}
	/* 1 to count - 1, the last slot or the one to go on with */
	if (batch__likely((size_t)(result & ~(long)BATCH_RUN_MORE) - 1 < count - 1))
		return result;
	if (result)
		return result == -EFAULT || result == -EOPNOTSUPP ? result : -EPERM;
	jump = batch__jump(head, rets[0]);
	return jump < 0 || (size_t)jump + 1 >= count ? 0 : -EPERM;
}

static long kernel_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	const struct batch_kernel_executor *kernel = (const struct batch_kernel_executor *)executor;
	struct batch_resume resume;
	size_t from = 0;
	long result;

	if (kernel->way == BATCH_KERNEL_NONE)
		return -EOPNOTSUPP;
	resume.slot = 0;
	for (;;) {
		result = enter(kernel, slots + from, rets + from, count - from, &resume);
		if (result < 0)
			break;
		if (!BATCH_RUN_NEXT(result))
			return (long)from + result;
		from += (size_t)BATCH_RUN_NEXT(result);
		/*
		 * The rest has been verified with the batch and need not be again: its first slot is taken up as one
		 * that was interrupted. Else, where signals come as often as the kernel makes its pass over argc
		 * (milliseconds for a million slots), the batch would be handed back behind each slot.
		 */
		resume = (struct batch_resume){ .slot = 1, .call = slots[from] };
		resume.call.reserved[0] = NOT_TAKEN_UP;
	}
	/* -EFAULT: memory of the batch is not there, and a call whose result could not be stored is not made twice */
	if (from == 0 || result == -EFAULT)
		return result;
	return (long)from + batch_executor_loop.run(&batch_executor_loop, rets + from, slots + from, count - from);
}

/* The slots of one entry of a part, and what their heads were before. */
struct part {
	size_t from, end;
	__u64 heads[BATCH_KERNEL_PART_SLOTS];
};

/*
 * The part that begins with slot `from` and has room for `room` slots: it ends before a slot that may block or, with
 * `behind`, behind it.
 */
static void make_part(struct part *part, const struct batch_prepared *prepared, size_t from, size_t room, size_t behind)
{
	size_t left = prepared->count - from, end;

	room = room < left ? room : left;
	end = from + (room < BATCH_KERNEL_PART_SLOTS ? room : BATCH_KERNEL_PART_SLOTS);
	part->from = from;
	part->end = end;
	for (size_t i = from; i < end; i++) {
		part->heads[i - from] = batch__head(&prepared->slots[i]);
		if (prepared->slots[i].flags & BATCH_SLOT_MAY_BLOCK) {
			part->end = i + behind;
			return;
		}
	}
}

/*
 * The head of slot `last` as it was when the slot was read (R13). It may have been written since: by a slot of the
 * entry before it, which it is read behind, or by its own call, which it is read before. Only a word copy is looked
 * at to tell; a slot that is written by both, or has a call like read(2) write its own jumps, is taken for the former.
 */
static __u64 head_of_last(const struct part *part, const struct batch_slot *slots, size_t last)
{
	__u64 then = part->heads[last - part->from], now = batch__head(&slots[last]);
	__u64 target = (__u64)slots[last].arg[0] - (__u64)&slots[last];

	if (last == part->from || ((__s16)then == BATCH_WORD_COPY && target + sizeof(long) - 1 < 2 * sizeof(long) - 1))
		return then;
	return now;
}

/*
 * A module of the first version found memory of a part missing, and does not say whether that was a slot, so that
 * nothing ran, or the place of a result, whose call has been made. Touch all of it, as `loop` would on its way: the
 * program gets its signal here, where no call is made a second time.
 *
 * If none comes, the memory is there again: another thread has put it back, or the signal's handler, or the kernel may
 * not wait for it (UFFD_USER_MODE_ONLY). Only then may calls of the part be made twice.
 */
static __attribute__((noinline)) void touch_part(const struct batch_prepared *prepared, const struct part *part)
{
	for (size_t i = part->from; i < part->end; i++) {
		const volatile __s64 *last_word = &prepared->slots[i].arg[BATCH_ARGS_MAX - 1];
		volatile long *ret = &prepared->rets[i];

		(void)*last_word;
		*ret = *ret;
	}
}

/*
 * One entry. Sets *last, the last slot that ran. Returns the slot to go on with, the slot count when the batch has
 * ended, or part->from when the kernel does not take it and nothing ran.
 */
static size_t enter_part(const struct batch_prepared *prepared, const struct part *part, size_t *last)
{
	const struct batch_kernel_executor *kernel = (const struct batch_kernel_executor *)prepared->executor;
	size_t from = part->from;
	struct batch_resume resume;
	long result, jump;
	__u64 head;

	if (kernel->way == BATCH_KERNEL_NONE)
		return from;
	resume.slot = 0;
	result = enter(kernel, prepared->slots + from, prepared->rets + from, part->end - from, &resume);
	if (result == -EFAULT && resume.slot) {
		/* as `loop`: a handler of the signal may put the memory back, and the program goes on behind this */
		*last = from + resume.slot - 1;
		prepared->rets[*last] = resume.result;
	} else if (result < 0) {
		if (result == -EFAULT && kernel->way == BATCH_KERNEL_FIRST_DEVICE)
			touch_part(prepared, part);
		return from;
	} else if (BATCH_RUN_NEXT(result)) {
		*last = from + (size_t)BATCH_RUN_NEXT(result) - 1;
		return *last + 1;
	} else {
		*last = from + (size_t)result;
	}
	head = resume.slot ? batch__head(&resume.call) : head_of_last(part, prepared->slots, *last);
	jump = batch__jump(head, prepared->rets[*last]);
	return jump < 0 ? prepared->count : *last + 1 + (size_t)jump;
}

/*
 * Jumps are not counted: of the slots between the first and the last of an entry each takes room, so that never more
 * than at_most run. Where the kernel does not take a part, `loop` runs it. -EFAULT has no place among what a part
 * returns: where memory of the batch is not there, the program gets the signal that it gets in a run by `loop`.
 */
static long kernel_run_part(const struct batch_prepared *prepared, size_t from, const unsigned long *go, size_t at_most)
{
	struct part part;
	size_t last = from, next;

	for (;;) {
		if (go ? !__atomic_load_n(go, __ATOMIC_RELAXED) : !at_most)
			return ~(long)from;
		make_part(&part, prepared, from, go ? BATCH_KERNEL_PART_SLOTS : at_most, !go);
		if (part.end <= from)
			return ~(long)from;
		next = enter_part(prepared, &part, &last);
		if (next == from)
			return batch_executor_loop.run_part(prepared, from, go, at_most);
		if (next >= prepared->count)
			return (long)last;
		if (!go && prepared->slots[last].flags & BATCH_SLOT_MAY_BLOCK)
			return ~(long)next;
		at_most -= last - from + 1;
		from = next;
	}
}

int batch_kernel_open(struct batch_kernel_executor *kernel, struct batch_error *error)
{
	*kernel = (struct batch_kernel_executor){
		.executor = { "kernel", kernel_check, kernel_run, kernel_run_part },
		.fd = -1,
	};
	if (!getenv("BATCH_EMUL"))
		batch__kernel_find(kernel);
	return kernel->way == BATCH_KERNEL_NONE ? batch__refuse(error, BATCH_REASON_UNAVAILABLE, -1) : 0;
}

void batch_kernel_close(struct batch_kernel_executor *kernel)
{
	batch__kernel_leave(kernel);
	kernel->way = BATCH_KERNEL_NONE;
	kernel->fd = -1;
}

const char *batch_kernel_way_text(const struct batch_kernel_executor *kernel)
{
	switch (kernel->way) {
	case BATCH_KERNEL_SYSCALL:
		return "batch(2)";
	case BATCH_KERNEL_DEVICE:
	case BATCH_KERNEL_FIRST_DEVICE:
		return "/dev/batch";
	default:
		return "not in the kernel";
	}
}
