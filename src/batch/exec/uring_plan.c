/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which batches io_uring can carry with the results `loop` gives, and how they fall into chains and waves.
 *
 * Chains of one wave overlap in time, so a chain may neither change nor see anything that another chain's calls touch.
 * What is carried is therefore a short list, and each entry has a reason:
 *
 *	open, openat	read-only, without O_CREAT, O_TRUNC and the like, and with O_NONBLOCK. io_uring opens what is
 *			cached as if O_NONBLOCK were set: without the flag, opening a FIFO waits on `loop` and does not
 * here read, preadv2	at the file's own position. With an offset, io_uring does not give -ESPIPE for a pipe. preadv2
 * with one buffer, whose struct iovec lies in the batch's own slots: an executor must not read memory that may fault
 *	close		once on every way through the chain
 *	word copy	of the opening slot's result to the descriptor argument of a later slot of the chain
 *
 * Writes are not carried: a signal that one raises (SIGPIPE, SIGXFSZ) could go to a kernel worker.
 *
 * A batch may get other arguments between runs, so everything here is looked at again before every run. Nothing is
 * read through an address that came from the caller, except inside slots[].
 *
 * Not seen here: one page mapped at two addresses, and files whose reading changes them (spec/program.md, R14, and
 * batch_uring_open(3) say what that means).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/uio.h>

#include "uring.h"

/* what read(2) moves at most; the kernel's MAX_RW_COUNT for pages of 4 KiB */
#define READ_BYTES_MAX 0x7ffff000L
#define OPEN_FLAGS (O_CLOEXEC | O_DIRECTORY | O_NOATIME | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK)

/* What is known when control reaches a slot, whichever way it came. */
struct knowledge {
	unsigned short fed;	 /* bit s: the descriptor was copied to slot s, on every way here */
	unsigned char reachable; /* on some way */
	unsigned char open;	 /* the file may be open */
	unsigned char closed;	 /* the file may have been closed */
	unsigned char taken;	 /* a read may have moved bytes */
};

struct survey {
	const struct batch__uring_batch *batch;
	struct batch__uring_chain *chain;
	struct batch_error *error;
	struct knowledge at[BATCH_URING_CHAIN_SLOTS_MAX];
};

static int is_open(long nr)
{
#ifdef __NR_open
	if (nr == __NR_open)
		return 1;
#endif
	return nr == __NR_openat;
}

static int overlaps(uintptr_t low, uintptr_t high, const void *start, size_t bytes)
{
	return low < high && low < (uintptr_t)start + bytes && (uintptr_t)start < high;
}

/* Note that the chain writes memory. Returns 0, or a reason: a later slot must not depend on what was read. */
static enum batch_reason note_buffer(struct survey *survey, uintptr_t base, size_t bytes)
{
	const struct batch__uring_batch *batch = survey->batch;
	struct batch__uring_chain *chain = survey->chain;
	uintptr_t end = base + bytes < base ? UINTPTR_MAX : base + bytes;

	if (bytes > READ_BYTES_MAX)
		return BATCH_REASON_NOT_CARRIED;
	if (overlaps(base, end, batch->slots, batch->count * sizeof(*batch->slots)) ||
	    overlaps(base, end, batch->rets, batch->count * sizeof(*batch->rets)))
		return BATCH_REASON_DATA_FLOW;
	chain->reads++;
	if (base < end) {
		chain->low = base < chain->low ? base : chain->low;
		chain->high = end > chain->high ? end : chain->high;
	}
	return BATCH_REASON_NONE;
}

/* The path must not be a string that running the batch writes. */
static enum batch_reason survey_open(struct survey *survey, const struct batch_slot *slot)
{
	const struct batch__uring_batch *batch = survey->batch;
	int path_argument = slot->nr == __NR_openat;
	int flags = (int)slot->arg[path_argument + 1];
	uintptr_t path = (uintptr_t)slot->arg[path_argument];

	if (flags & ~OPEN_FLAGS)
		return BATCH_REASON_NOT_CARRIED;
	if (!(flags & O_NONBLOCK))
		return BATCH_REASON_NONBLOCK;
	if (overlaps(path, path + 1, batch->slots, batch->count * sizeof(*batch->slots)) ||
	    overlaps(path, path + 1, batch->rets, batch->count * sizeof(*batch->rets)))
		return BATCH_REASON_DATA_FLOW;
	survey->chain->path = path;
	return BATCH_REASON_NONE;
}

static enum batch_reason survey_preadv2(struct survey *survey, const struct batch_slot *slot)
{
	const struct batch__uring_batch *batch = survey->batch;
	uintptr_t offset = (uintptr_t)slot->arg[1] - (uintptr_t)batch->slots;
	size_t inside = offset % sizeof(struct batch_slot);
	const struct iovec *vector = (const struct iovec *)(uintptr_t)slot->arg[1];

	/* arg[0] is left out: a word copy may write it */
	if (offset >= batch->count * sizeof(struct batch_slot) || inside % sizeof(long) ||
	    inside < offsetof(struct batch_slot, arg[1]) || inside > sizeof(struct batch_slot) - sizeof(*vector))
		return BATCH_REASON_NOT_CARRIED;
	if (slot->arg[2] != 1 || slot->arg[3] != -1 || ((int)slot->arg[5] & ~RWF_NOWAIT))
		return BATCH_REASON_NOT_CARRIED;
	return note_buffer(survey, (uintptr_t)vector->iov_base, vector->iov_len);
}

/* A word copy may only feed the chain's own descriptor to a later slot of the chain. */
static enum batch_reason survey_copy(struct survey *survey, size_t index, struct knowledge *known)
{
	const struct batch__uring_batch *batch = survey->batch;
	const struct batch__uring_chain *chain = survey->chain;
	const struct batch_slot *slots = batch->slots + chain->first;

	if ((uintptr_t)slots[index].arg[1] != (uintptr_t)&batch->rets[chain->first])
		return BATCH_REASON_DATA_FLOW;
	for (size_t to = index + 1; to < chain->length; to++) {
		if ((uintptr_t)slots[index].arg[0] != (uintptr_t)&slots[to].arg[0])
			continue;
		if (slots[to].nr == BATCH_WORD_COPY)
			return BATCH_REASON_DATA_FLOW;
		known->fed |= (unsigned short)(1u << to);
		return BATCH_REASON_NONE;
	}
	return BATCH_REASON_DATA_FLOW;
}

/* Judge one slot by itself, given what is known there. */
static enum batch_reason survey_slot(struct survey *survey, size_t index, struct knowledge *known)
{
	const struct batch_slot *slot = &survey->batch->slots[survey->chain->first + index];

	if (slot->nr == BATCH_WORD_COPY)
		return survey_copy(survey, index, known);
	if (is_open(slot->nr))
		return survey_open(survey, slot);
	if (slot->nr != __NR_read && slot->nr != __NR_preadv2 && slot->nr != __NR_close)
		return BATCH_REASON_NOT_CARRIED;
	if (!(known->fed >> index & 1) || known->closed)
		return BATCH_REASON_DATA_FLOW;
	if (known->taken && batch__uring_may_wait(slot))
		return BATCH_REASON_NOT_CARRIED;
	if (slot->nr == __NR_read)
		return note_buffer(survey, (uintptr_t)slot->arg[1], (size_t)slot->arg[2]);
	if (slot->nr == __NR_preadv2)
		return survey_preadv2(survey, slot);
	return BATCH_REASON_NONE;
}

/*
 * Follow one jump of slot `index`. Every way must end at the next chain, with the file closed: only a failure may leave
 * it open, and only while nothing was read, because then loop can run the chain instead.
 */
static enum batch_reason follow(struct survey *survey, size_t index, long jump, const struct knowledge *known,
				int failed)
{
	const struct batch__uring_chain *chain = survey->chain;
	int is_last = chain->first + chain->length == survey->batch->count;
	size_t target = index + 1 + (size_t)jump;
	struct knowledge *to;

	if (jump >= 0 && target < chain->length) {
		to = &survey->at[target];
		to->fed &= known->fed;
		to->reachable = 1;
		to->open |= known->open;
		to->closed |= known->closed;
		to->taken |= known->taken;
		return BATCH_REASON_NONE;
	}
	if (!is_last && (jump < 0 || target > chain->length))
		return BATCH_REASON_JUMP;
	return known->open && (!failed || known->taken) ? BATCH_REASON_JUMP : BATCH_REASON_NONE;
}

/* Follow every way a slot can go, with what each of them tells. */
static enum batch_reason follow_all(struct survey *survey, size_t index, struct knowledge known)
{
	const struct batch_slot *slot = &survey->batch->slots[survey->chain->first + index];
	int reads = slot->nr == __NR_read || slot->nr == __NR_preadv2;
	enum batch_reason reason;

	if (slot->nr == BATCH_WORD_COPY)
		return follow(survey, index, slot->jump_zero, &known, 0);
	if (slot->nr == __NR_close) {
		known.open = 0;
		known.closed = 1;
	}
	reason = follow(survey, index, slot->jump_fail, &known, 1);
	if (!reason && !is_open(slot->nr))
		reason = follow(survey, index, slot->jump_zero, &known, 0);
	/* an open gives BATCH_URING_DESCRIPTOR_BASE or more, a close gives 0 or an error */
	known.open |= (unsigned char)is_open(slot->nr);
	known.taken |= (unsigned char)reads;
	if (!reason && slot->nr != __NR_close)
		reason = follow(survey, index, slot->jump_positive, &known, 0);
	return reason;
}

/* The chain goes up to the next opening slot. Returns 0, or a refusal. */
static int measure(struct survey *survey, size_t first)
{
	const struct batch__uring_batch *batch = survey->batch;
	const struct batch_slot *slots = batch->slots;
	size_t end = first + 1;

	if (!is_open(slots[first].nr))
		return batch__refuse(survey->error,
				     slots[first].nr == BATCH_WORD_COPY ? BATCH_REASON_DATA_FLOW
									: BATCH_REASON_NOT_CARRIED,
				     (long)first);
	while (end < batch->count && !is_open(slots[end].nr)) {
		if (end - first == BATCH_URING_CHAIN_SLOTS_MAX)
			return batch__refuse(survey->error, BATCH_REASON_NOT_CARRIED, (long)end);
		end++;
	}
	survey->chain->length = (unsigned char)(end - first);
	return 0;
}

/* Follow every way through a chain whose length is known. */
static int plan_ways(struct survey *survey)
{
	struct batch__uring_chain *chain = survey->chain;

	for (size_t s = 1; s < chain->length; s++)
		survey->at[s] = (struct knowledge){ .fed = USHRT_MAX };
	survey->at[0] = (struct knowledge){ .reachable = 1 };
	chain->reached = 0;
	for (size_t s = 0; s < chain->length; s++) {
		struct knowledge known = survey->at[s];
		enum batch_reason reason;

		if (!known.reachable)
			continue;
		chain->reached |= (unsigned short)(1u << s);
		reason = survey_slot(survey, s, &known);
		if (!reason)
			reason = follow_all(survey, s, known);
		if (reason)
			return batch__refuse(survey->error, reason, (long)(chain->first + s));
	}
	return 0;
}

/* A slot's number and jumps: what decides, with the targets of word copies, which ways there are through a chain. */
static uint64_t header_of(const struct batch_slot *slot)
{
	uint64_t header;

	_Static_assert(offsetof(struct batch_slot, argc) == sizeof(header), "nr and the jumps are the first word");
	__builtin_memcpy(&header, slot, sizeof(header));
	return header;
}

/* Whether what the plan of slot `was` relied on holds for slot `now` too, `distance` slots further on. */
static int is_alike(const struct batch_slot *was, const struct batch_slot *now, size_t distance)
{
	if (header_of(was) != header_of(now))
		return 0;
	if (now->nr == BATCH_WORD_COPY)
		return now->arg[0] == was->arg[0] + (__s64)(distance * sizeof(*now)) &&
		       now->arg[1] == was->arg[1] + (__s64)(distance * sizeof(long));
	return now->nr != __NR_preadv2 || now->arg[5] == was->arg[5];
}

/*
 * Most batches are one chain over and over. When this one has the shape of the model, which was accepted and is not the
 * last, its ways are known to be good, and only the arguments are left to look at.
 */
static int plan_alike(struct survey *survey, const struct batch__uring_chain *model)
{
	const struct batch__uring_batch *batch = survey->batch;
	struct batch__uring_chain *chain = survey->chain;
	size_t distance = chain->first - model->first;
	size_t end = chain->first + model->length;

	if (end > batch->count || (end < batch->count && !is_open(batch->slots[end].nr)))
		return 0;
	for (size_t s = 0; s < model->length; s++) {
		const struct batch_slot *slot = &batch->slots[chain->first + s];
		enum batch_reason reason = BATCH_REASON_NONE;

		if (!is_alike(&batch->slots[model->first + s], slot, distance))
			return 0;
		if (!(model->reached >> s & 1))
			continue;
		if (s == 0)
			reason = survey_open(survey, slot);
		else if (slot->nr == __NR_read)
			reason = note_buffer(survey, (uintptr_t)slot->arg[1], (size_t)slot->arg[2]);
		else if (slot->nr == __NR_preadv2)
			reason = survey_preadv2(survey, slot);
		if (reason)
			return 0;
	}
	chain->length = model->length;
	chain->reached = model->reached;
	return 1;
}

static void forget_buffers(struct batch__uring_chain *chain)
{
	chain->low = UINTPTR_MAX;
	chain->high = 0;
	chain->reads = 0;
}

int batch__uring_plan_chain(const struct batch__uring_batch *batch, size_t first,
			    const struct batch__uring_chain *model, struct batch__uring_chain *chain,
			    struct batch_error *error)
{
	struct survey survey;
	int code;

	survey.batch = batch;
	survey.chain = chain;
	survey.error = error;
	chain->first = first;
	forget_buffers(chain);
	if (model && plan_alike(&survey, model))
		return 0;
	forget_buffers(chain);
	code = measure(&survey, first);
	return code ? code : plan_ways(&survey);
}

/*
 * Whether the chain may be in flight together with the wave, which writes [low, high): its buffers lie wholly above or
 * below, and its path, of which only the start is known, cannot be a string that the wave is about to read in.
 */
static int joins(const struct batch__uring_chain *chain, uintptr_t low, uintptr_t high)
{
	if (low >= high)
		return 1;
	if (chain->low < chain->high && chain->low < high && low < chain->high)
		return 0;
	return chain->path >= high || (chain->path < low && low - chain->path >= PATH_MAX);
}

long batch__uring_plan_wave(struct batch_uring_state *state, const struct batch__uring_batch *batch, size_t first,
			    struct batch__uring_shape *shape)
{
	uintptr_t low = UINTPTR_MAX, high = 0;

	state->count = 0;
	while (first < batch->count && state->count < state->capacity) {
		struct batch__uring_chain *chain = &state->chains[state->count];
		int code = batch__uring_plan_chain(batch, first, state->count ? chain - 1 : NULL, chain, NULL);

		if (code)
			return code;
		if (!joins(chain, low, high))
			break;
		low = chain->low < low ? chain->low : low;
		high = chain->high > high ? chain->high : high;
		shape->chains++;
		shape->reading += chain->reads > 0;
		state->count++;
		first += chain->length;
	}
	shape->waves++;
	return (long)first;
}

int batch__uring_plan(struct batch_uring_state *state, const struct batch__uring_batch *batch,
		      struct batch__uring_shape *shape)
{
	*shape = (struct batch__uring_shape){ 0 };
	for (size_t first = 0; first < batch->count;) {
		long next = batch__uring_plan_wave(state, batch, first, shape);

		if (next < 0)
			return (int)next;
		first = (size_t)next;
	}
	return 0;
}
