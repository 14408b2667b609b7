/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fill a slot array in order, with labels instead of counted jumps and values instead of addresses.
 *
 * Jumps to a label that is not placed yet need a list of the slots to patch, without memory of its own. The list is
 * kept in the jump fields themselves: the label knows the last slot that waits for it, and that slot's field holds
 * -1 - the distance back to the one before, which is 0 at the first. A distance always fits: if it did not, the jump
 * would not either. So a field that is not 0 is in use, and setting it again would cut somebody's list; and one that is
 * positive is a jump whose target is known.
 *
 * A value is good for an argument if its call has run whenever that argument is needed, so if no jump from before the
 * call leads beyond it to where the argument is. Which jumps do is read off the slots; passed_by() says how seldom.
 */
#include <errno.h>
#include <stdbool.h>

#include "internal.h"

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

/*
 * A number for a batch, so that a value of another is told from its own. Each thread counts for itself, since a counter
 * that all of them write would cost more than a slot; the address of its counter tells threads apart. Two batches have
 * one number by a chance of 2^-32, and then a value is mistaken for the other batch's, as every index would be.
 */
static unsigned int number_of_a_batch(void)
{
	static __thread unsigned int batches __attribute__((tls_model("initial-exec")));

	return (unsigned int)((uintptr_t)&batches >> 4) + ++batches * 0x9e3779b1U;
}

void batch_builder_init(struct batch_builder *builder, struct batch_slot *slots, long *rets, size_t capacity)
{
	/* one by one: gcc clears a whole struct of this size with `rep stos`, which takes as long as two slots */
	builder->slots = slots;
	builder->rets = rets;
	builder->capacity = capacity;
	builder->count = 0;
	builder->unresolved = 0;
	builder->joined = 0;
	builder->settled = 0;
	builder->proven = -1;
	builder->batch = number_of_a_batch();
	builder->error = (struct batch_error){ 0, BATCH_REASON_NONE, 0 };
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static struct batch_value result_of(const struct batch_builder *builder, long index)
{
	return (struct batch_value){ index, builder->batch, BATCH__RESULT };
}

/* What stands for a value once the builder is in error. */
static struct batch_value no_value(const struct batch_builder *builder)
{
	return (struct batch_value){ builder->error.code, builder->batch, BATCH__RESULT };
}

/* Whether a slot of this batch is meant: by a value, or by an argument that is one. */
static bool is_own(const struct batch_builder *builder, long slot, unsigned int batch, unsigned int kind)
{
	return batch == builder->batch && (kind == BATCH__RESULT || kind == BATCH__LOADED) && slot >= 0 &&
	       (size_t)slot < builder->count;
}

struct batch_value batch_builder_value(struct batch_builder *builder, long index)
{
	if (!builder->error.code && (index < 0 || (size_t)index >= builder->count))
		fail(builder, BATCH_REASON_VALUE, index);
	return builder->error.code ? no_value(builder) : result_of(builder, index);
}

static bool jumps_beyond(const struct batch_slot *slot, long distance)
{
	return slot->jump_fail >= distance || slot->jump_zero >= distance || slot->jump_positive >= distance;
}

/*
 * Whether a jump leads from before slot `index` to behind it and not beyond the next slot to be added.
 *
 * Three bounds keep this from looking at the whole batch. No jump comes in behind `index` if the last label that a slot
 * jumps to is not behind it. None from before `settled` leads beyond that slot, since no label was awaited when it was
 * added: so only jumps inside the part of the program that is being built are looked at, the chain of one file for
 * instance. For a slot before `settled` all are that can reach it; the answer is kept, since what is used in every part
 * is often one descriptor, and holds until a jump is added to a slot before `settled`.
 */
static bool passed_by(struct batch_builder *builder, long index)
{
	long first = index >= builder->settled ? builder->settled : 0;

	if (index >= builder->joined || index == builder->proven)
		return false;
	if (first < index - BATCH_JUMP_MAX)
		first = index - BATCH_JUMP_MAX;
	for (long i = index - 1; i >= first; i--)
		if (jumps_beyond(&builder->slots[i], index - i))
			return true;
	if (index < builder->settled)
		builder->proven = index;
	return false;
}

/* ---- adding ---------------------------------------------------------------------------------------------------- */

/* Room for `more` slots; the index of the first, or -errno. */
static long grow(struct batch_builder *builder, size_t more)
{
	size_t index = builder->count;

	if (builder->capacity - index < more)
		return fail(builder, BATCH_REASON_CAPACITY, (long)builder->capacity);
	if (!builder->unresolved)
		builder->settled = (long)index;
	builder->count += more;
	return (long)index;
}

static bool is_unused_load(const struct batch_slot *slot)
{
	return slot->arg[0] == (long)&slot->arg[2];
}

/*
 * Check the arguments, and say how many word copies they need ahead of their call, or -errno. A word that was loaded
 * goes to its first argument directly, which is noted in *direct, and from there to others: that argument keeps it.
 */
static long plan(struct batch_builder *builder, unsigned int argc, const struct batch_argument *arguments,
		 unsigned int *direct)
{
	long copies = 0;

	for (unsigned int k = 0; k < argc; k++) {
		const struct batch_argument *argument = &arguments[k];
		struct batch_slot *from;

		if (argument->kind == BATCH__WORD)
			continue;
		if (!is_own(builder, argument->word, argument->batch, argument->kind))
			return fail(builder, BATCH_REASON_VALUE, (long)builder->count);
		if (passed_by(builder, argument->word))
			return fail(builder, BATCH_REASON_SKIPPED, argument->word);
		from = &builder->slots[argument->word];
		if (argument->kind == BATCH__LOADED && is_unused_load(from)) {
			from->arg[0] = 0; /* a second argument of this call is not the first */
			*direct |= 1U << k;
		} else {
			copies++;
		}
	}
	return copies;
}

static void write_copy(struct batch_slot *slot, const void *to, const void *from)
{
	*slot = (struct batch_slot){ .nr = BATCH_WORD_COPY, .argc = 2, .arg = { (long)to, (long)from } };
}

struct batch_value batch_builder_add_arguments(struct batch_builder *builder, int nr, unsigned int argc,
					       const struct batch_argument *arguments)
{
	unsigned int direct = 0;
	struct batch_slot *call;
	long copies, at;

	if (!builder->error.code && argc > BATCH_ARGS_MAX)
		fail(builder, BATCH_REASON_ARGC, (long)builder->count);
	if (builder->error.code)
		return no_value(builder);
	copies = plan(builder, argc, arguments, &direct);
	at = copies < 0 ? copies : grow(builder, (size_t)copies + 1);
	if (at < 0)
		return no_value(builder);
	call = &builder->slots[at + copies];
	*call = (struct batch_slot){ .nr = (__s16)nr, .argc = (__u8)argc };
	for (unsigned int k = 0; k < argc; k++) {
		const struct batch_argument *argument = &arguments[k];

		if (argument->kind == BATCH__WORD)
			call->arg[k] = argument->word;
		else if (direct >> k & 1)
			builder->slots[argument->word].arg[0] = (long)&call->arg[k];
		else if (argument->kind == BATCH__LOADED)
			write_copy(&builder->slots[at++], &call->arg[k],
				   (const void *)builder->slots[argument->word].arg[0]);
		else
			write_copy(&builder->slots[at++], &call->arg[k], &builder->rets[argument->word]);
	}
	return result_of(builder, call - builder->slots);
}

struct batch_value batch_builder_call(struct batch_builder *builder, int nr, unsigned int argc, const long *words)
{
	struct batch_slot *slot;
	long index;

	if (!builder->error.code && argc > BATCH_ARGS_MAX)
		fail(builder, BATCH_REASON_ARGC, (long)builder->count);
	if (builder->error.code)
		return no_value(builder);
	index = grow(builder, 1);
	if (index < 0)
		return no_value(builder);
	slot = &builder->slots[index];
	*slot = (struct batch_slot){ .nr = (__s16)nr, .argc = (__u8)argc };
	for (unsigned int k = 0; k < argc; k++)
		slot->arg[k] = words[k];
	return result_of(builder, index);
}

struct batch_value batch_builder_copy(struct batch_builder *builder, void *to, const void *from)
{
	const long words[] = { (long)to, (long)from };

	return batch_builder_call(builder, BATCH_WORD_COPY, 2, words);
}

struct batch_value batch_builder_load_word(struct batch_builder *builder, const void *from)
{
	struct batch_value value = batch_builder_copy(builder, NULL, from);
	struct batch_slot *slot;

	if (value.slot < 0)
		return value;
	slot = &builder->slots[value.slot];
	/* until an argument takes it, to a word of the slot that nothing reads */
	slot->arg[0] = (long)&slot->arg[2];
	slot->jump_fail = BATCH_STOP;
	value.kind = BATCH__LOADED;
	return value;
}

int batch_builder_may_block(struct batch_builder *builder, struct batch_value value)
{
	if (builder->error.code)
		return builder->error.code;
	if (!is_own(builder, value.slot, value.batch, value.kind))
		return fail(builder, BATCH_REASON_VALUE, (long)builder->count - 1);
	builder->slots[value.slot].flags |= BATCH_SLOT_MAY_BLOCK;
	return 0;
}

/* ---- jumps ----------------------------------------------------------------------------------------------------- */

/* The jump of a call that has none on this outcome yet; NULL, with the builder's error set, otherwise. */
static __s16 *unset_jump(struct batch_builder *builder, struct batch_value value, enum batch_outcome outcome)
{
	__s16 *field;

	if (builder->error.code)
		return NULL;
	if (!is_own(builder, value.slot, value.batch, value.kind)) {
		fail(builder, BATCH_REASON_VALUE, (long)builder->count - 1);
		return NULL;
	}
	field = jump_field(&builder->slots[value.slot], outcome);
	/* the stop that a load has from the start may be replaced */
	if (value.kind == BATCH__LOADED && outcome == BATCH_ON_FAIL && *field == BATCH_STOP)
		return field;
	if (*field) {
		fail(builder, BATCH_REASON_JUMP_SET, value.slot);
		return NULL;
	}
	return field;
}

int batch_builder_jump(struct batch_builder *builder, struct batch_value value, enum batch_outcome outcome,
		       struct batch_label *label)
{
	long previous = label->pending[outcome];
	long distance = previous < 0 ? 0 : value.slot - previous;
	__s16 *field = unset_jump(builder, value, outcome);

	if (!field)
		return builder->error.code;
	if (label->target >= 0 || value.slot < previous)
		return fail(builder, BATCH_REASON_LABEL_BACKWARD, value.slot);
	if (distance > BATCH_JUMP_MAX)
		return fail(builder, BATCH_REASON_LABEL_FAR, previous);
	if (value.slot < builder->settled) {
		builder->settled = 0;
		builder->proven = -1;
	}
	*field = (__s16)(-1 - distance);
	label->pending[outcome] = value.slot;
	builder->unresolved++;
	return 0;
}

int batch_builder_stop(struct batch_builder *builder, struct batch_value value, enum batch_outcome outcome)
{
	__s16 *field = unset_jump(builder, value, outcome);

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
		long back = -1 - *field;
		long jump = target - index - 1;

		if (jump > BATCH_JUMP_MAX)
			return fail(builder, BATCH_REASON_LABEL_FAR, index);
		*field = (__s16)jump;
		builder->unresolved--;
		builder->joined = target;
		index = back ? index - back : -1;
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

/* ---- finishing ------------------------------------------------------------------------------------------------- */

long batch_builder_finish(struct batch_builder *builder, struct batch_error *error)
{
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

long batch_builder_run(struct batch_builder *builder, const struct batch_executor *executor, struct batch_error *error)
{
	long count = batch_builder_finish(builder, error);

	for (size_t k = 0; builder->rets && k < builder->count; k++)
		builder->rets[k] = -ECANCELED;
	return count < 0 ? count : batch_run(executor, builder->rets, builder->slots, builder->count, 0, error);
}

int batch_builder_prepare(struct batch_builder *builder, struct batch_prepared *prepared,
			  const struct batch_executor *executor, struct batch_error *error)
{
	long count = batch_builder_finish(builder, error);

	return count < 0 ? (int)count
			 : batch_prepare(prepared, executor, builder->rets, builder->slots, builder->count, 0, error);
}
