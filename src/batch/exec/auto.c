/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The auto executor: carries everything, each batch on the executor that costs least for its kind.
 *
 * The kernel comes first (auto_kernel.c). Else, what was measured (docs/decisions/0005-auto.md): through io_uring,
 * chains that open, read and close cost no more from 16 in one wave on, and more below. Everything else is cheaper as
 * system calls. Files that io_uring cannot read without a thread (/proc, /sys) make it run a chain twice, so after a
 * batch with many of them it is left alone a while.
 */
#include <errno.h>
#include <stdlib.h>

#include "auto.h"
#include "uring.h"

/* Whether io_uring was measured to be better for a batch of this shape. */
static int is_worth_it(const struct batch__uring_shape *shape)
{
	return shape->reading == shape->chains && shape->chains >= shape->waves * BATCH_AUTO_CHAINS_MIN;
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
	/* more than half of the chains ran twice */
	if (state->reruns > shape.chains / 2)
		automatic->rest = BATCH__REST_BATCHES;
	if (state->broken)
		batch__auto_give_up(automatic, &automatic->uring_reason, "uring", BATCH_REASON_NO_ENTRY);
	return last;
}

static long auto_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	struct batch_auto_executor *automatic = (struct batch_auto_executor *)executor;
	const struct batch__uring_batch batch = { slots, rets, count };
	long last;

	/* so few are dearer anywhere else, and looking for where costs most for them */
	if (count < BATCH_KERNEL_SYSCALL_SLOTS_MIN)
		return batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
	last = batch__auto_run_kernel(automatic, rets, slots, count);
	if (last != -EOPNOTSUPP)
		return last;
	last = run_uring(automatic, &batch);
	return last >= 0 ? last : batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
}

int batch_auto_open(struct batch_auto_executor *automatic)
{
	batch__auto_init(automatic, auto_run);
	if (!getenv("BATCH_EMUL") && batch_uring_open(&automatic->uring, 0, NULL) == 0)
		automatic->uring_reason = BATCH_REASON_NONE;
	batch__auto_say(automatic);
	return 0;
}

void batch_auto_close(struct batch_auto_executor *automatic)
{
	batch_uring_close(&automatic->uring);
	batch_kernel_close(&automatic->in_kernel);
}
