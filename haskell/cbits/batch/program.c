/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which Haskell lays out a program and prepares it. Ferry.Internal.C imports them, and says of each
 * whether it may be called `unsafe`, and why.
 */
#include <string.h>

#include "batch/program.h"

size_t ferry_program_bytes(void)
{
	return sizeof(struct ferry_program);
}

void ferry_program_begin(struct ferry_program *program, struct batch_slot *slots, long *rets, size_t capacity)
{
	batch_builder_init(&program->builder, slots, rets, capacity);
	program->fed_mask = 0;
}

long ferry_program_call(struct ferry_program *program, int nr, unsigned int argc, const long *words, int may_block)
{
	struct batch_argument arguments[BATCH_ARGS_MAX];
	struct batch_value value;

	for (unsigned int k = 0; k < argc && k < BATCH_ARGS_MAX; k++)
		arguments[k] = program->fed_mask >> k & 1 ? program->fed[k] : batch_argument_of(words[k]);
	program->fed_mask = 0;
	value = batch_builder_add_arguments(&program->builder, nr, argc, arguments);
	/* The builder keeps the error of a call that it refused; there is no slot to mark then. */
	if (may_block)
		batch_builder_may_block(&program->builder, value);
	return batch_value_slot(value);
}

/*
 * Argument `argument` of the next call shall be the word at `from` when the call runs. A program without jumps is taken
 * to run whole (Ferry.Internal.Plan), so a load does not end it.
 */
long ferry_program_feed_word(struct ferry_program *program, unsigned int argument, const void *from)
{
	struct batch_value word = batch_builder_load_word(&program->builder, from);

	if (word.slot < 0)
		return word.slot;
	program->builder.slots[word.slot].jump_fail = 0;
	program->fed[argument] = batch_argument_of(word);
	program->fed_mask |= 1U << argument;
	return word.slot;
}

/* The same for the result of slot `from`. */
long ferry_program_feed(struct ferry_program *program, unsigned int argument, long from)
{
	struct batch_value value = batch_builder_value(&program->builder, from);

	if (value.slot < 0)
		return value.slot;
	return ferry_program_feed_word(program, argument, &program->builder.rets[from]);
}

int ferry_program_jump(struct ferry_program *program, long index, int outcome, struct batch_label *label)
{
	struct batch_value value = batch_builder_value(&program->builder, index);
	enum batch_outcome on = (enum batch_outcome)outcome;

	if (!label)
		return batch_builder_stop(&program->builder, value, on);
	return batch_builder_jump(&program->builder, value, on, label);
}

int ferry_program_label(struct ferry_program *program, struct batch_label *label)
{
	return batch_builder_label(&program->builder, label);
}

size_t ferry_label_bytes(void)
{
	return sizeof(struct batch_label);
}

void ferry_label_init(struct batch_label *label)
{
	*label = (struct batch_label)BATCH_LABEL_INIT;
}

size_t ferry_auto_bytes(void)
{
	return sizeof(struct batch_auto_executor);
}

size_t ferry_function_bytes(void)
{
	return sizeof(struct batch_function);
}

void ferry_function_init(struct batch_function *function, void (*address)(void), unsigned char argc,
			 unsigned char double_mask, unsigned char result)
{
	*function = (struct batch_function){
		.address = address, .argc = argc, .double_mask = double_mask, .result = result
	};
}

/* Close the program and verify it, as a batch of the functions[function_count]. Returns 0, or -errno. */
int ferry_program_prepare_functions(struct ferry_program *program, const struct batch_function *functions,
				    size_t function_count)
{
	long count = batch_builder_finish(&program->builder, &program->error);
	int code;

	if (count < 0)
		return (int)count;
	code = batch_call_executor_init(&program->call, functions, function_count);
	if (code)
		return code;
	return batch_prepare(&program->prepared, &program->call.executor, program->builder.rets, program->builder.slots,
			     (size_t)count, 0, &program->error);
}

/* Close the program and verify it, as a batch of system calls. Returns 0, or -errno. */
int ferry_program_prepare_system_calls(struct ferry_program *program, const struct batch_executor *executor)
{
	long count = batch_builder_finish(&program->builder, &program->error);

	if (count < 0)
		return (int)count;
	return batch_prepare(&program->prepared, executor, program->builder.rets, program->builder.slots, (size_t)count,
			     0, &program->error);
}

/* What was wrong with the last call that failed: the slot, or -1. */
long ferry_program_error_slot(const struct ferry_program *program)
{
	return program->error.code ? program->error.slot : program->builder.error.slot;
}

/* The builder's sentences speak of C; these are for the author of a Haskell program. NULL: the builder's will do. */
static const char *haskell_text(enum batch_reason reason)
{
	switch (reason) {
	case BATCH_REASON_EMPTY:
		return "a program has at least one call: add one";
	case BATCH_REASON_TOO_LONG:
		return "too many calls: split the program; a batch has at most 1048576 slots, word copies counted";
	case BATCH_REASON_VALUE:
		return "the value is not the result of a call added before: use values of the same program only";
	case BATCH_REASON_LABEL_BACKWARD:
		return "a jump may only go forward: place the label once, after every call that jumps to it";
	case BATCH_REASON_LABEL_UNPLACED:
		return "a jump goes to a label that is nowhere: add place for it after the call";
	case BATCH_REASON_LABEL_FAR:
		return "a jump skips more than 32767 slots: place the label nearer";
	case BATCH_REASON_JUMP_SET:
		return "this outcome of the call goes somewhere already: set each outcome once";
	default:
		return NULL;
	}
}

/* What was wrong with the last call that failed, as a sentence in static storage. */
const char *ferry_program_error_text(const struct ferry_program *program)
{
	enum batch_reason reason = program->error.code ? program->error.reason : program->builder.error.reason;
	const char *text = haskell_text(reason);

	return text ? text : batch_reason_text(reason);
}

/*
 * The word whose sign says which way slot `index` went. For a double that is not its result word: a NaN is a failure
 * and -0.0 is zero (rule R20), so batch_result_next cannot be asked. Programs of system calls have no functions.
 */
static long outcome(const struct ferry_program *program, long index)
{
	const struct batch_prepared *prepared = &program->prepared;
	const struct batch_call_executor *call = &program->call;
	long nr = prepared->slots[index].nr;
	double value;

	if (nr < 0 || (size_t)nr >= call->function_count || call->functions[nr].result != BATCH_RESULT_DOUBLE)
		return prepared->rets[index];
	memcpy(&value, &prepared->rets[index], sizeof(value));
	return value > 0 ? 1 : -(value != 0);
}

/* After a run that ended at slot `last`: ran[i] = 1 for each slot that ran, 0 for the others. */
void ferry_program_ran(const struct ferry_program *program, long last, unsigned char *ran)
{
	const struct batch_prepared *prepared = &program->prepared;
	long index = 0;

	memset(ran, 0, prepared->count);
	while (index <= last) {
		const struct batch_slot *slot = &prepared->slots[index];
		long went = outcome(program, index);
		long jump = went < 0 ? slot->jump_fail : went ? slot->jump_positive : slot->jump_zero;

		ran[index] = 1;
		index = jump < 0 ? last + 1 : index + 1 + jump;
	}
}
