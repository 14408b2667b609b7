/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fill a slot array in order, with labels instead of counted jumps and results fed to later arguments.
 *
 * Jumps to a label that is not placed yet need a list of the slots to patch, without memory of its own. The list is
 * kept in the jump fields themselves: the label knows the last slot that waits for it, and that slot's field holds the
 * distance back to the one before, CHAIN_END at the first. A distance always fits: if it did not, the jump would not
 * either. So a field that is not 0 is in use, and setting it again would cut somebody's list.
 */
#include "internal.h"

#define CHAIN_END (-BATCH_JUMP_MAX - 1)

static int fail(struct batch_builder *builder, enum batch_reason reason, long slot)
{
	return batch__refuse(&builder->error, reason, slot);
}

static __s16 *jump_field(struct batch_slot *slot, enum batch_outcome outcome)
{
	switch (outcome) {
	case BATCH_ON_FAIL:
		return &slot->jump_fail;
	case BATCH_ON_ZERO:
		return &slot->jump_zero;
	default:
		return &slot->jump_positive;
	}
}

void batch_builder_init(struct batch_builder *builder, struct batch_slot *slots, long *rets, size_t capacity)
{
	*builder = (struct batch_builder){ .slots = slots, .rets = rets, .capacity = capacity };
}

static long append(struct batch_builder *builder, int nr, unsigned int argc, const long *words)
{
	struct batch_slot *slot;

	if (builder->error.code)
		return builder->error.code;
	if (argc > BATCH_ARGS_MAX)
		return fail(builder, BATCH_REASON_ARGC, (long)builder->count);
	if (builder->count >= builder->capacity)
		return fail(builder, BATCH_REASON_CAPACITY, (long)builder->count);
	slot = &builder->slots[builder->count];
	*slot = (struct batch_slot){ .nr = (__s16)nr, .argc = (__u8)argc };
	for (unsigned int k = 0; k < argc; k++)
		slot->arg[k] = words[k];
	return (long)builder->count++;
}

/* A waiting feed keeps the argument's number in arg[0]; its call turns that into the argument's address. */
static int settle_feeds(struct batch_builder *builder, long index, unsigned int argc)
{
	for (size_t k = 1; k <= builder->feeds; k++) {
		struct batch_slot *copy = &builder->slots[(size_t)index - k];

		if (copy->arg[0] >= argc)
			return fail(builder, BATCH_REASON_FEED, index);
		copy->arg[0] = (long)&builder->slots[index].arg[copy->arg[0]];
	}
	builder->feeds = 0;
	return 0;
}

long batch_builder_call(struct batch_builder *builder, int nr, unsigned int argc, const long *words)
{
	long index = append(builder, nr, argc, words);
	int code;

	if (index < 0)
		return index;
	code = settle_feeds(builder, index, argc);
	return code ? code : index;
}

long batch_builder_copy(struct batch_builder *builder, void *to, const void *from)
{
	const long words[] = { (long)to, (long)from };

	return batch_builder_call(builder, BATCH_WORD_COPY, 2, words);
}

long batch_builder_feed_word(struct batch_builder *builder, unsigned int argument, const void *from)
{
	const long words[] = { argument, (long)from };
	long index;

	if (!builder->error.code && argument >= BATCH_ARGS_MAX)
		return fail(builder, BATCH_REASON_FEED, (long)builder->count);
	index = append(builder, BATCH_WORD_COPY, 2, words);
	if (index >= 0)
		builder->feeds++;
	return index;
}

long batch_builder_feed(struct batch_builder *builder, unsigned int argument, long from)
{
	if (!builder->error.code && (from < 0 || (size_t)from >= builder->count))
		return fail(builder, BATCH_REASON_NO_SUCH_SLOT, (long)builder->count);
	return batch_builder_feed_word(builder, argument, &builder->rets[from]);
}

int batch_builder_may_block(struct batch_builder *builder, long index)
{
	if (builder->error.code)
		return builder->error.code;
	if (index < 0 || (size_t)index >= builder->count)
		return fail(builder, BATCH_REASON_NO_SUCH_SLOT, index);
	builder->slots[index].flags |= BATCH_SLOT_MAY_BLOCK;
	return 0;
}

/* The jump of a slot that is there and has none on this outcome yet; NULL, with the builder's error set, otherwise. */
static __s16 *unset_jump(struct batch_builder *builder, long index, enum batch_outcome outcome)
{
	__s16 *field;

	if (builder->error.code)
		return NULL;
	if (index < 0 || (size_t)index >= builder->count) {
		fail(builder, BATCH_REASON_NO_SUCH_SLOT, index);
		return NULL;
	}
	field = jump_field(&builder->slots[index], outcome);
	if (*field) {
		fail(builder, BATCH_REASON_JUMP_SET, index);
		return NULL;
	}
	return field;
}

int batch_builder_jump(struct batch_builder *builder, long index, enum batch_outcome outcome, struct batch_label *label)
{
	long previous = label->pending[outcome];
	long distance = previous < 0 ? CHAIN_END : index - previous;
	__s16 *field = unset_jump(builder, index, outcome);

	if (!field)
		return builder->error.code;
	if (label->target >= 0 || index < previous)
		return fail(builder, BATCH_REASON_LABEL_BACKWARD, index);
	if (distance > BATCH_JUMP_MAX)
		return fail(builder, BATCH_REASON_LABEL_FAR, previous);
	*field = (__s16)distance;
	label->pending[outcome] = index;
	builder->unresolved++;
	return 0;
}

int batch_builder_stop(struct batch_builder *builder, long index, enum batch_outcome outcome)
{
	__s16 *field = unset_jump(builder, index, outcome);

	if (!field)
		return builder->error.code;
	*field = BATCH_STOP;
	return 0;
}

/* Point every slot that waits for the label on this outcome at `target`. */
static int resolve(struct batch_builder *builder, struct batch_label *label, enum batch_outcome outcome, long target)
{
	long index = label->pending[outcome];

	while (index >= 0) {
		__s16 *field = jump_field(&builder->slots[index], outcome);
		long back = *field;
		long jump = target - index - 1;

		if (jump > BATCH_JUMP_MAX)
			return fail(builder, BATCH_REASON_LABEL_FAR, index);
		*field = (__s16)jump;
		builder->unresolved--;
		index = back == CHAIN_END ? -1 : index - back;
	}
	label->pending[outcome] = -1;
	return 0;
}

int batch_builder_label(struct batch_builder *builder, struct batch_label *label)
{
	if (builder->error.code)
		return builder->error.code;
	if (label->target >= 0)
		return fail(builder, BATCH_REASON_LABEL_BACKWARD, (long)builder->count);
	label->target = (long)builder->count;
	for (enum batch_outcome outcome = BATCH_ON_FAIL; outcome <= BATCH_ON_POSITIVE; outcome++) {
		int code = resolve(builder, label, outcome, label->target);

		if (code)
			return code;
	}
	return 0;
}

long batch_builder_finish(struct batch_builder *builder, struct batch_error *error)
{
	if (!builder->error.code && builder->feeds)
		fail(builder, BATCH_REASON_FEED, (long)builder->count - 1);
	if (!builder->error.code && builder->unresolved)
		fail(builder, BATCH_REASON_LABEL_UNPLACED, -1);
	if (!builder->error.code && builder->count == 0)
		fail(builder, BATCH_REASON_EMPTY, -1);
	if (!builder->error.code)
		return (long)builder->count;
	if (error)
		*error = builder->error;
	return builder->error.code;
}
