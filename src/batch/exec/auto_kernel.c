/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The auto executor without io_uring: a batch of enough calls goes into the kernel where that is possible
 * (docs/kernel.md), everything else is made as system calls.
 *
 * Where the kernel refuses a batch as a whole, because something watches this thread's system calls, it is spared the
 * next ones. Where it is not even reached, because a filter has come to forbid the entry or the program has closed the
 * descriptor, it is given up: the descriptor may be another file's by now. The batch that found out is run otherwise,
 * as nothing of it ran.
 *
 * Threads may share an instance without a ring. What a run changes is a hint, written and read relaxed: two threads
 * that spare the kernel at once may count one batch instead of two, and the first that gives it up says so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../syscall.h"
#include "auto.h"
#include "word_copy.h"

void batch__auto_give_up(const struct batch_auto_executor *automatic, enum batch_reason *noted, const char *what,
			 enum batch_reason why)
{
	char text[256];
	int length;

	if (__atomic_exchange_n(noted, why, __ATOMIC_RELAXED) == why || !automatic->verbose)
		return;
	length = snprintf(text, sizeof(text), "ferry: auto: %s: %s\n", what, batch_reason_text(why));
	(void)batch__syscall6(__NR_write, STDERR_FILENO, (long)text, length, 0, 0, 0);
}

/* Whether the slot is an entry of its own on `loop`: a word copy between words of the batch is none. */
static int makes_call(const struct batch__memory *memory, const struct batch_slot *slot)
{
	return slot->nr != BATCH_WORD_COPY || !batch__word_owned(memory, (uintptr_t)slot->arg[0]) ||
	       !batch__word_owned(memory, (uintptr_t)slot->arg[1]);
}

/* Whether so many slots of the batch make calls that one entry costs no more than theirs. */
static int is_long_enough(const struct batch__memory *memory, size_t calls_min)
{
	size_t calls = 0;

	if (memory->count < calls_min)
		return 0;
	for (size_t i = 0; i < memory->count; i++) {
		calls += (size_t)makes_call(memory, &memory->slots[i]);
		if (calls >= calls_min)
			return 1;
	}
	return 0;
}

/* Note what became of a batch that the kernel has not run. */
static void note_refusal(struct batch_auto_executor *automatic, long answer)
{
	if (answer == -EOPNOTSUPP) {
		__atomic_store_n(&automatic->kernel_rest, BATCH__REST_BATCHES, __ATOMIC_RELAXED);
		batch__auto_give_up(automatic, &automatic->kernel_reason, "kernel", BATCH_REASON_WATCHED);
		return;
	}
	__atomic_store_n(&automatic->kernel, NULL, __ATOMIC_RELAXED);
	batch__auto_give_up(automatic, &automatic->kernel_reason, "kernel", BATCH_REASON_NO_ENTRY);
}

long batch__auto_run_kernel(struct batch_auto_executor *automatic, long *rets, struct batch_slot *slots, size_t count)
{
	const struct batch_executor *kernel = __atomic_load_n(&automatic->kernel, __ATOMIC_RELAXED);
	const struct batch__memory memory = { slots, rets, count };
	unsigned int rest;
	long last;

	if (!kernel || !is_long_enough(&memory, automatic->kernel_slots_min))
		return -EOPNOTSUPP;
	if (kernel->check && kernel->check(kernel, slots, rets, count, NULL))
		return -EOPNOTSUPP;
	rest = __atomic_load_n(&automatic->kernel_rest, __ATOMIC_RELAXED);
	if (rest) {
		__atomic_store_n(&automatic->kernel_rest, rest - 1, __ATOMIC_RELAXED);
		return -EOPNOTSUPP;
	}
	last = kernel->run(kernel, rets, slots, count);
	if (last >= 0 || last == -EFAULT)
		return last;
	note_refusal(automatic, last);
	return -EOPNOTSUPP;
}

void batch__auto_say(const struct batch_auto_executor *automatic)
{
	char text[80];
	int length;

	if (!automatic->verbose)
		return;
	length = snprintf(text, sizeof(text), "ferry: auto: %s%s%s%sloop\n", automatic->kernel ? "kernel (" : "",
			  automatic->kernel ? batch_kernel_way_text(&automatic->in_kernel) : "",
			  automatic->kernel ? "), " : "", automatic->uring.state ? "uring, " : "");
	(void)batch__syscall6(__NR_write, STDERR_FILENO, (long)text, length, 0, 0, 0);
}

void batch__auto_init(struct batch_auto_executor *automatic,
		      long (*run)(const struct batch_executor *executor, long *rets, struct batch_slot *slots,
				  size_t count))
{
	*automatic = (struct batch_auto_executor){
		.executor = { "auto", NULL, run },
		.kernel_reason = BATCH_REASON_UNAVAILABLE,
		.uring_reason = BATCH_REASON_UNAVAILABLE,
		.verbose = getenv("BATCH_VERBOSE") != NULL,
	};
	/*
	 * with BATCH_EMUL, neither the kernel nor a ring, every batch goes to loop; a module under which a call that
	 * is stopped and continued would fail is left alone
	 */
	if (batch_kernel_open(&automatic->in_kernel, NULL) < 0 || automatic->in_kernel.way == BATCH_KERNEL_FIRST_DEVICE)
		return;
	automatic->kernel = &automatic->in_kernel.executor;
	automatic->kernel_reason = BATCH_REASON_NONE;
	automatic->kernel_slots_min = automatic->in_kernel.way == BATCH_KERNEL_SYSCALL ? BATCH_KERNEL_SYSCALL_SLOTS_MIN
										       : BATCH_KERNEL_DEVICE_SLOTS_MIN;
}

static long run_without_uring(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	long last = batch__auto_run_kernel((struct batch_auto_executor *)executor, rets, slots, count);

	return last != -EOPNOTSUPP ? last : batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
}

int batch_auto_open_without_uring(struct batch_auto_executor *automatic)
{
	batch__auto_init(automatic, run_without_uring);
	batch__auto_say(automatic);
	return 0;
}
