/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The uring executor: many chains (open, read, close) per crossing, with the results `loop` gives.
 *
 * uring_plan.c says what is carried and why; docs/decisions/0004-uring-order.md why the order of chains does not show.
 * The ring belongs to the process that opened it. Memory is allocated in batch_uring_open alone.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../syscall.h"
#include "uring.h"

static struct batch_uring_state *state_of(const struct batch_executor *executor)
{
	return ((const struct batch_uring_executor *)executor)->state;
}

/* Why there is no ring to run on, or BATCH_REASON_NONE. */
static enum batch_reason missing(const struct batch_uring_state *state)
{
	if (!state)
		return BATCH_REASON_UNAVAILABLE;
	return state->broken ? BATCH_REASON_NO_ENTRY : BATCH_REASON_NONE;
}

static int uring_check(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
		       size_t count, struct batch_error *error)
{
	/* the plan only looks; the type is shared with running, which writes */
	const struct batch__uring_batch batch = { (struct batch_slot *)slots, (long *)rets, count };
	enum batch_reason reason = missing(state_of(executor));
	struct batch__uring_chain chains[2];

	if (reason)
		return batch__refuse(error, reason, -1);
	for (size_t first = 0, k = 0; first < count; k++) {
		int code =
			batch__uring_plan_chain(&batch, first, k ? &chains[(k - 1) % 2] : NULL, &chains[k % 2], error);

		if (code)
			return code;
		first += chains[k % 2].length;
	}
	return 0;
}

long batch__uring_execute(struct batch_uring_state *state, const struct batch__uring_batch *batch,
			  const struct batch__uring_shape *shape)
{
	const struct batch_executor *loop = &batch_executor_loop;
	struct batch__uring_shape again = { 0 };
	size_t first = 0;

	state->reruns = 0;
	for (size_t wave = 0; wave < shape->waves; wave++) {
		/* the ring failed in the wave before: `loop` runs the rest of this batch */
		if (state->broken)
			return (long)first +
			       loop->run(loop, batch->rets + first, batch->slots + first, batch->count - first);
		/* the plan of a single wave is still there */
		if (shape->waves > 1)
			batch__uring_plan_wave(state, batch, first, &again);
		batch__uring_wave_run(state, batch);
		first = state->chains[state->count - 1].first + state->chains[state->count - 1].length;
	}
	return (long)batch__uring_wave_last(state);
}

static long uring_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	const struct batch__uring_batch batch = { slots, rets, count };
	struct batch_uring_state *state = state_of(executor);
	struct batch__uring_shape shape;
	int code;

	if (missing(state))
		return batch__refuse(NULL, missing(state), -1);
	code = batch__uring_plan(state, &batch, &shape);
	return code ? code : batch__uring_execute(state, &batch, &shape);
}

/* Completions run when the task enters the kernel anyway, where the kernel knows that (5.19). */
static int set_up(struct io_uring *ring, unsigned int entries)
{
	struct io_uring_params params = { .flags = IORING_SETUP_COOP_TASKRUN };
	int code = io_uring_queue_init_params(entries, ring, &params);

	if (code == -EINVAL) {
		params = (struct io_uring_params){ 0 };
		code = io_uring_queue_init_params(entries, ring, &params);
	}
	if (code < 0)
		return code;
	/* direct descriptors came with 5.15; this feature with 5.17, and there is no nearer sign of them */
	if (params.features & IORING_FEAT_LINKED_FILE)
		return 0;
	io_uring_queue_exit(ring);
	return -EOPNOTSUPP;
}

/* A table of `entries` direct descriptors, all free. */
static int add_table(struct io_uring *ring, unsigned int entries)
{
	int *files = malloc(entries * sizeof(*files));
	int code;

	if (!files)
		return -ENOMEM;
	for (unsigned int k = 0; k < entries; k++)
		files[k] = -1;
	code = io_uring_register_files(ring, files, entries);
	free(files);
	return code;
}

/* A sandbox may let a ring be made and not be entered: make one round trip before anything depends on it. */
static int try_ring(struct io_uring *ring)
{
	int code;

	io_uring_prep_nop(io_uring_get_sqe(ring));
	code = batch__uring_await(ring, 1);
	if (code == 0)
		io_uring_cq_advance(ring, 1);
	return code;
}

/* The kernel lets a table have as many entries as the process may have descriptors. */
static unsigned int fit(unsigned int chains)
{
	struct rlimit limit = { 0 };

	if (chains == 0)
		chains = BATCH_URING_CHAINS_DEFAULT;
	if (chains > BATCH_URING_CHAINS_MAX)
		chains = BATCH_URING_CHAINS_MAX;
	if (batch__syscall6(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit, 0, 0) == 0 && limit.rlim_cur < chains)
		chains = limit.rlim_cur > 0 ? (unsigned int)limit.rlim_cur : 1;
	return chains;
}

static int open_state(struct batch_uring_state **made, unsigned int chains)
{
	struct batch_uring_state *state = malloc(sizeof(*state) + chains * sizeof(state->chains[0]));
	int code;

	if (!state)
		return -ENOMEM;
	*state = (struct batch_uring_state){ .capacity = chains };
	code = set_up(&state->ring, chains);
	if (code < 0)
		goto out_state;
	code = add_table(&state->ring, chains);
	if (code < 0)
		goto out_ring;
	code = try_ring(&state->ring);
	if (code < 0)
		goto out_ring;
	*made = state;
	return 0;

out_ring:
	io_uring_queue_exit(&state->ring);
out_state:
	free(state);
	return code;
}

int batch_uring_open(struct batch_uring_executor *uring, unsigned int chains, struct batch_error *error)
{
	int code;

	*uring = (struct batch_uring_executor){ .executor = { "uring", uring_check, uring_run } };
	code = open_state(&uring->state, fit(chains));
	if (code < 0 && error)
		*error = (struct batch_error){ code, BATCH_REASON_UNAVAILABLE, -1 };
	return code;
}

void batch_uring_close(struct batch_uring_executor *uring)
{
	if (uring->state && !uring->state->broken)
		io_uring_queue_exit(&uring->state->ring);
	free(uring->state);
	uring->state = NULL;
}
