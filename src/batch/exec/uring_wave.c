/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run one wave: in each round every chain submits its next call, one crossing takes them all, and the results say where
 * each chain goes next.
 *
 *	round 1		open A		open B		open C
 *	round 2		read A		(B failed)	read C
 *	round 3		close A				close C
 *
 * Requests are not linked. A linked request is handed to the task as deferred work, which was measured to cost more
 * than the two extra crossings of a wave, and a link can only say "stop on failure", where a slot has three jumps.
 *
 * Nearly always every request of a round has completed when its crossing returns. A read that has not may be waiting
 * for the writer of an empty FIFO, where read(2) says -EAGAIN; it is cancelled, and `loop` runs the chain. A read that
 * waits for a disk is not stopped by that.
 *
 * Files are opened as direct descriptors, entry k of the ring's table for chain k: no other thread sees them. Results
 * stay in the chain until it has ended, so a chain can still be given to `loop` without a trace: when the kernel says
 * -EAGAIN to a read that read(2) would have made, and when the chain ends with its file open, so that the caller gets
 * a real descriptor. The direct descriptor is kept until then: a FIFO's writer sees a reader all the time.
 */
#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "../syscall.h"
#include "uring.h"

/* user_data of a request that cancels another one, or closes at the end of a wave */
#define NO_CHAIN UINT64_MAX
/* how long a failed ring may take to finish what it has begun */
#define DRAIN_MS_MAX 1000
/* entries in a row of which the kernel takes no request, before the ring counts as failed */
#define IDLE_ENTRIES_MAX 1000

static struct batch_slot *slot_of(const struct batch__uring_batch *batch, const struct batch__uring_chain *chain)
{
	return &batch->slots[chain->first + chain->next];
}

/* Store the result of the chain's current slot and go on. */
static void step(const struct batch__uring_batch *batch, struct batch__uring_chain *chain, long result)
{
	unsigned int index = chain->next;

	chain->results[index] = result;
	chain->ran |= (unsigned short)(1u << index);
	/* a jump beyond the chain fits: the plan let only the last chain have one, and length is what it is cut to */
	index = (unsigned int)batch__next(slot_of(batch, chain), index, chain->length, result);
	chain->next = index < chain->length ? (unsigned char)index : chain->length;
}

static void prepare_open(struct io_uring_sqe *sqe, const struct batch_slot *slot, unsigned int entry)
{
	int at = slot->nr == __NR_openat;
	int directory = at ? (int)slot->arg[0] : AT_FDCWD;
	/* close on exec is what a direct descriptor does anyway; the flag would be refused */
	int flags = (int)slot->arg[at + 1] & ~O_CLOEXEC;

	io_uring_prep_openat_direct(sqe, directory, (const char *)(uintptr_t)slot->arg[at], flags, 0, entry);
}

static void prepare(struct io_uring_sqe *sqe, const struct batch_slot *slot, unsigned int entry)
{
	const struct iovec *vector = (const struct iovec *)(uintptr_t)slot->arg[1];

	switch (slot->nr) {
	case __NR_read:
		io_uring_prep_read(sqe, (int)entry, (void *)(uintptr_t)slot->arg[1], (unsigned int)slot->arg[2], -1ULL);
		sqe->flags |= IOSQE_FIXED_FILE;
		break;
	case __NR_preadv2:
		io_uring_prep_read(sqe, (int)entry, vector->iov_base, (unsigned int)vector->iov_len, -1ULL);
		sqe->rw_flags = (int)slot->arg[5];
		sqe->flags |= IOSQE_FIXED_FILE;
		break;
	case __NR_close:
		io_uring_prep_close_direct(sqe, entry);
		break;
	default:
		prepare_open(sqe, slot, entry);
	}
	sqe->user_data = entry;
}

/* Run what needs no kernel, then prepare the next call. Returns how many requests it prepared: 0 when it has ended. */
static unsigned int advance(struct batch_uring_state *state, const struct batch__uring_batch *batch, unsigned int entry)
{
	struct batch__uring_chain *chain = &state->chains[entry];

	while (chain->next < chain->length) {
		const struct batch_slot *slot = slot_of(batch, chain);

		if (slot->nr == BATCH_WORD_COPY) {
			step(batch, chain, 0);
		} else if (chain->descriptor < 0 && chain->next > 0) {
			/* what any call gives for the negative number of an open that failed */
			step(batch, chain, -EBADF);
		} else {
			prepare(io_uring_get_sqe(&state->ring), slot, entry);
			chain->pending = 1;
			return 1;
		}
	}
	return 0;
}

static void complete_open(struct batch__uring_chain *chain, unsigned int entry, long *result)
{
	chain->open = *result >= 0;
	if (chain->open)
		*result = BATCH_URING_DESCRIPTOR_BASE + (long)entry;
	chain->descriptor = *result;
}

/*
 * Whether the result says nothing about the file: io_uring answers -EAGAIN for some files that read(2) reads, and a
 * cancelled read has not been made. Nothing was taken before it: the plan sees to that.
 */
static int is_refused_read(const struct batch_slot *slot, long result)
{
	return (result == -EAGAIN || result == -ECANCELED) && batch__uring_may_wait(slot);
}

static void complete(struct batch_uring_state *state, const struct batch__uring_batch *batch, unsigned int entry,
		     long result)
{
	struct batch__uring_chain *chain = &state->chains[entry];
	const struct batch_slot *slot = slot_of(batch, chain);

	chain->pending = 0;
	if (is_refused_read(slot, result)) {
		chain->again = 1;
		chain->next = chain->length;
		return;
	}
	if (slot->nr == __NR_close)
		chain->open = 0;
	else if (slot->nr != __NR_read && slot->nr != __NR_preadv2)
		complete_open(chain, entry, &result);
	step(batch, chain, result);
}

/*
 * A kernel that is short of memory answers -EAGAIN, and takes requests when it is asked again. A filter may answer the
 * same, or 0, for as long as the process lives; so entries that take nothing are counted.
 */
int batch__uring_await(struct io_uring *ring, unsigned int expected)
{
	unsigned int left = io_uring_sq_ready(ring), idle = 0;

	while (io_uring_sq_ready(ring) || io_uring_cq_ready(ring) < expected) {
		int code = io_uring_submit_and_wait(ring, expected);

		if (code < 0 && code != -EINTR && code != -EAGAIN && code != -EBUSY)
			return code;
		idle = left && io_uring_sq_ready(ring) == left ? idle + 1 : 0;
		left = io_uring_sq_ready(ring);
		if (idle == IDLE_ENTRIES_MAX)
			return code < 0 ? code : -EIO;
	}
	return 0;
}

/*
 * The ring failed under way: the kernel no longer lets this process enter it. What it took before may still be on its
 * way into the caller's buffers; give it time. What has not come then waits for a FIFO's writer, and ends with the
 * ring.
 */
static void drain(struct io_uring *ring, unsigned int prepared)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	unsigned int taken = prepared - io_uring_sq_ready(ring);

	for (int waited_ms = 0; io_uring_cq_ready(ring) < taken && waited_ms < DRAIN_MS_MAX; waited_ms++)
		batch__syscall6(__NR_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
}

/* Take the completions that are there. Returns how many of them were a chain's. */
static unsigned int reap(struct batch_uring_state *state, const struct batch__uring_batch *batch)
{
	struct io_uring_cqe *cqe;
	unsigned int head, seen = 0, completed = 0;

	io_uring_for_each_cqe(&state->ring, head, cqe)
	{
		seen++;
		if (cqe->user_data == NO_CHAIN)
			continue;
		complete(state, batch, (unsigned int)cqe->user_data, cqe->res);
		completed++;
	}
	io_uring_cq_advance(&state->ring, seen);
	return completed;
}

/* Ask for the reads that have not completed to be cancelled. Returns how many requests that takes. */
static unsigned int cancel_reads(struct batch_uring_state *state, const struct batch__uring_batch *batch)
{
	unsigned int prepared = 0;

	for (unsigned int k = 0; k < state->count; k++) {
		struct batch__uring_chain *chain = &state->chains[k];
		struct io_uring_sqe *sqe;

		if (!chain->pending || !batch__uring_may_wait(slot_of(batch, chain)))
			continue;
		sqe = io_uring_get_sqe(&state->ring);
		io_uring_prep_cancel64(sqe, k, 0);
		sqe->user_data = NO_CHAIN;
		prepared++;
	}
	return prepared;
}

/* Submit one round and take its results. Returns 0, or -errno when the ring failed. */
static int round_trip(struct batch_uring_state *state, const struct batch__uring_batch *batch, unsigned int prepared)
{
	unsigned int cancels;
	int code = batch__uring_await(&state->ring, 0);

	prepared -= reap(state, batch);
	if (code < 0 || !prepared)
		goto out_drain;
	cancels = cancel_reads(state, batch);
	prepared += cancels;
	code = batch__uring_await(&state->ring, prepared);
	if (code == 0)
		reap(state, batch);

out_drain:
	if (code < 0) {
		drain(&state->ring, prepared);
		reap(state, batch);
	}
	return code;
}

/* Write down what an ended chain did: its results, and the words its copies copied. */
static void publish(const struct batch__uring_batch *batch, const struct batch__uring_chain *chain)
{
	for (unsigned int left = chain->ran; left; left &= left - 1) {
		unsigned int index = (unsigned int)__builtin_ctz(left);
		struct batch_slot *slot = &batch->slots[chain->first + index];

		batch->rets[chain->first + index] = chain->results[index];
		if (slot->nr == BATCH_WORD_COPY)
			*(__s64 *)(uintptr_t)slot->arg[0] = chain->descriptor;
	}
}

/* Give the chain to `loop`: nothing of it shows yet, and it has read nothing. */
static void run_again(const struct batch__uring_batch *batch, struct batch__uring_chain *chain)
{
	const struct batch_executor *loop = &batch_executor_loop;
	long last = loop->run(loop, batch->rets + chain->first, batch->slots + chain->first, chain->length);

	chain->ran = (unsigned short)(1u << last);
}

/* Whether the chain has read: a FIFO's bytes are gone from it then, and a second read would take the next ones. */
static int has_read(const struct batch__uring_batch *batch, const struct batch__uring_chain *chain)
{
	for (unsigned int left = chain->ran; left; left &= left - 1) {
		const struct batch_slot *slot = &batch->slots[chain->first + (unsigned int)__builtin_ctz(left)];

		if (slot->nr == __NR_read || slot->nr == __NR_preadv2)
			return 1;
	}
	return 0;
}

/*
 * The chain has read and the ring is gone: what is left of it is run without one. Behind a read the plan lets only word
 * copies, the close, which the end of the ring has done, and reads that need not wait: these say that they would have.
 */
static void finish_without_ring(const struct batch__uring_batch *batch, struct batch__uring_chain *chain)
{
	while (chain->next < chain->length) {
		const struct batch_slot *slot = slot_of(batch, chain);
		long result = slot->nr == __NR_preadv2 ? -EAGAIN : 0;

		step(batch, chain, slot->nr != BATCH_WORD_COPY && chain->descriptor < 0 ? -EBADF : result);
	}
	chain->open = 0;
}

/*
 * The ring has failed: it is gone from now on. What its chains have read is kept, and what they have not begun, or have
 * only opened, `loop` begins anew:
 *
 *	open A, read A, (close A not taken)	the results of A stand; the ring's end has closed its file
 *	open B, (read B not taken)		`loop` opens B again
 */
static void lose_ring(struct batch_uring_state *state, const struct batch__uring_batch *batch, int code)
{
	io_uring_queue_exit(&state->ring);
	state->broken = code;
	for (unsigned int k = 0; k < state->count; k++) {
		struct batch__uring_chain *chain = &state->chains[k];

		if (chain->next >= chain->length)
			continue;
		if (has_read(batch, chain))
			finish_without_ring(batch, chain);
		else
			chain->again = 1;
	}
}

static int close_direct(struct batch_uring_state *state)
{
	unsigned int prepared = 0;
	int code;

	for (unsigned int k = 0; k < state->count; k++) {
		struct io_uring_sqe *sqe;

		if (!state->chains[k].open)
			continue;
		sqe = io_uring_get_sqe(&state->ring);
		io_uring_prep_close_direct(sqe, k);
		sqe->user_data = NO_CHAIN;
		prepared++;
	}
	if (!prepared)
		return 0;
	code = batch__uring_await(&state->ring, prepared);
	if (code < 0)
		drain(&state->ring, prepared);
	else
		io_uring_cq_advance(&state->ring, prepared);
	return code;
}

/* Run every chain to its end, round by round. Returns 0, or -errno when the ring failed. */
static int run_rounds(struct batch_uring_state *state, const struct batch__uring_batch *batch)
{
	unsigned int prepared;
	int code;

	do {
		prepared = 0;
		for (unsigned int k = 0; k < state->count; k++)
			prepared += advance(state, batch, k);
		code = prepared ? round_trip(state, batch, prepared) : 0;
	} while (prepared && code == 0);
	return code;
}

void batch__uring_wave_run(struct batch_uring_state *state, const struct batch__uring_batch *batch)
{
	int code;

	for (unsigned int k = 0; k < state->count; k++) {
		struct batch__uring_chain *chain = &state->chains[k];

		chain->descriptor = 0;
		chain->next = chain->open = chain->pending = chain->again = 0;
		chain->ran = 0;
	}
	code = run_rounds(state, batch);
	if (code < 0)
		lose_ring(state, batch, code);
	for (unsigned int k = 0; k < state->count; k++) {
		struct batch__uring_chain *chain = &state->chains[k];

		if (chain->again || chain->open) {
			run_again(batch, chain);
			state->reruns++;
		} else {
			publish(batch, chain);
		}
	}
	if (state->broken)
		return;
	code = close_direct(state);
	if (code < 0)
		lose_ring(state, batch, code);
}

size_t batch__uring_wave_last(const struct batch_uring_state *state)
{
	const struct batch__uring_chain *chain = &state->chains[state->count - 1];

	return chain->first + 31 - (size_t)__builtin_clz(chain->ran);
}
