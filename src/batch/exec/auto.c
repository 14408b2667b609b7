/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The auto executor: carries everything, each batch on the executor that costs least for its kind.
 *
 * A batch that is long enough goes into the kernel where that is possible: docs/kernel.md. Where the kernel refuses one
 * as a whole, because something watches this thread's system calls, it is spared the next ones. Where it is not even
 * reached, because a filter has come to forbid the entry or the program has closed the descriptor, it is given up: the
 * descriptor may be another file's by now. The batch that found out is run otherwise, as nothing of it ran.
 *
 * Else, what was measured (docs/decisions/0005-auto.md): through io_uring, chains that open, read and close cost less
 * CPU from 8 in one wave on, and more below. Everything else is cheaper as system calls. Files that io_uring cannot
 * read without a thread (/proc, /sys) make it run a chain twice, so after a batch with many of them it is left alone a
 * while.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../syscall.h"
#include "uring.h"

/* batches to spare io_uring after one of which more than half the chains ran twice, or the kernel after one it refused
 */
#define REST_BATCHES 16

/* Whether io_uring was measured to be better for a batch of this shape. */
static int is_worth_it(const struct batch__uring_shape *shape)
{
	return shape->reading == shape->chains && shape->chains >= shape->waves * BATCH_AUTO_CHAINS_MIN;
}

/* Note why batches no longer go where they went, and say it once: "ferry: auto: kernel: a filter, …". */
static void give_way(const struct batch_auto_executor *automatic, enum batch_reason *noted, const char *what,
		     enum batch_reason why)
{
	char text[256];
	int length;

	if (*noted == why)
		return;
	*noted = why;
	if (!automatic->verbose)
		return;
	length = snprintf(text, sizeof(text), "ferry: auto: %s: %s\n", what, batch_reason_text(why));
	(void)batch__syscall6(__NR_write, STDERR_FILENO, (long)text, length, 0, 0, 0);
}

/* Run on io_uring if that is possible and better. Returns as batch_run does, or -EOPNOTSUPP: nothing ran. */
static long run_uring(struct batch_auto_executor *automatic, const struct batch__uring_batch *batch)
{
	struct batch_uring_state *state = automatic->uring.state;
	struct batch__uring_shape shape;
	long last;

	if (!state || state->broken || batch->count < BATCH_AUTO_CHAINS_MIN)
		return -EOPNOTSUPP;
	if (batch__uring_plan(state, batch, &shape) < 0 || !is_worth_it(&shape))
		return -EOPNOTSUPP;
	if (automatic->rest) {
		automatic->rest--;
		return -EOPNOTSUPP;
	}
	last = batch__uring_execute(state, batch, &shape);
	if (state->reruns > shape.chains / 2)
		automatic->rest = REST_BATCHES;
	if (state->broken)
		give_way(automatic, &automatic->uring_reason, "uring", BATCH_REASON_NO_ENTRY);
	return last;
}

/*
 * Run in the kernel if that is possible and better. Returns as batch_run does, or -EOPNOTSUPP: nothing ran. -EFAULT is
 * handed on: calls may have been made, and are not made twice.
 */
static long run_kernel(struct batch_auto_executor *automatic, const struct batch__uring_batch *batch)
{
	const struct batch_executor *kernel = automatic->kernel;
	long last;

	if (!kernel || batch->count < automatic->kernel_slots_min)
		return -EOPNOTSUPP;
	if (kernel->check && kernel->check(kernel, batch->slots, batch->rets, batch->count, NULL))
		return -EOPNOTSUPP;
	if (automatic->kernel_rest) {
		automatic->kernel_rest--;
		return -EOPNOTSUPP;
	}
	last = kernel->run(kernel, batch->rets, batch->slots, batch->count);
	if (last >= 0 || last == -EFAULT)
		return last;
	if (last == -EOPNOTSUPP) {
		automatic->kernel_rest = REST_BATCHES;
		give_way(automatic, &automatic->kernel_reason, "kernel", BATCH_REASON_WATCHED);
	} else {
		automatic->kernel = NULL;
		give_way(automatic, &automatic->kernel_reason, "kernel", BATCH_REASON_NO_ENTRY);
	}
	return -EOPNOTSUPP;
}

static long auto_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	struct batch_auto_executor *automatic = (struct batch_auto_executor *)executor;
	const struct batch__uring_batch batch = { slots, rets, count };
	long last = run_kernel(automatic, &batch);

	if (last != -EOPNOTSUPP)
		return last;
	last = run_uring(automatic, &batch);
	return last >= 0 ? last : batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
}

/* Say what was chosen, in one write: "ferry: auto: kernel (/dev/batch), uring, loop". */
static void say(const struct batch_auto_executor *automatic)
{
	char text[80];
	int length = snprintf(text, sizeof(text), "ferry: auto: %s%s%s%sloop\n", automatic->kernel ? "kernel (" : "",
			      automatic->kernel ? batch_kernel_way_text(&automatic->in_kernel) : "",
			      automatic->kernel ? "), " : "", automatic->uring.state ? "uring, " : "");

	(void)batch__syscall6(__NR_write, STDERR_FILENO, (long)text, length, 0, 0, 0);
}

int batch_auto_open(struct batch_auto_executor *automatic)
{
	*automatic = (struct batch_auto_executor){
		.executor = { "auto", NULL, auto_run },
		.kernel_reason = BATCH_REASON_UNAVAILABLE,
		.uring_reason = BATCH_REASON_UNAVAILABLE,
		.verbose = getenv("BATCH_VERBOSE") != NULL,
	};
	/*
	 * with BATCH_EMUL, neither the kernel nor a ring, every batch goes to loop; a module under which a call that
	 * is stopped and continued would fail is left alone
	 */
	if (batch_kernel_open(&automatic->in_kernel, NULL) == 0 &&
	    automatic->in_kernel.way != BATCH_KERNEL_FIRST_DEVICE) {
		automatic->kernel = &automatic->in_kernel.executor;
		automatic->kernel_reason = BATCH_REASON_NONE;
		automatic->kernel_slots_min = automatic->in_kernel.way == BATCH_KERNEL_SYSCALL
						      ? BATCH_KERNEL_SYSCALL_SLOTS_MIN
						      : BATCH_KERNEL_DEVICE_SLOTS_MIN;
	}
	if (!getenv("BATCH_EMUL") && batch_uring_open(&automatic->uring, 0, NULL) == 0)
		automatic->uring_reason = BATCH_REASON_NONE;
	if (automatic->verbose)
		say(automatic);
	return 0;
}

void batch_auto_close(struct batch_auto_executor *automatic)
{
	batch_uring_close(&automatic->uring);
	batch_kernel_close(&automatic->in_kernel);
}
