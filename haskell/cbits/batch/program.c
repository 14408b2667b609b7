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

size_t ferry_auto_bytes(void)
{
	return sizeof(struct batch_auto_executor);
}

/* ---- parameters ------------------------------------------------------------------------------------------------ */

/* Set the further argument words of a parameter. */
void ferry_program_set_more(const struct ferry_program *program, long parameter, long word)
{
	for (size_t k = 0; k < program->use_count; k++)
		if (program->uses[k].parameter == parameter)
			*(long *)((char *)program + program->uses[k].offset) = word;
}

/* Set parameters from this one on. */
void ferry_program_set_words(struct ferry_program *program, long first, long count, const long *words)
{
	const long *offsets = program->parameters + first;
	char *start = (char *)program;

	/* no look at what each offset says: to set the arguments of a cheap call takes as long as to make it */
	if (__builtin_expect(program->one_word_each, 1)) {
#pragma GCC unroll 4
		for (long k = 0; k < count; k++)
			*(long *)(start + offsets[k]) = words[k];
		return;
	}
	for (long k = 0; k < count; k++) {
		long offset = offsets[k];

		if (__builtin_expect(!(offset & FERRY_MORE_USES), 1)) {
			*(long *)(start + offset) = words[k];
		} else if (offset >= 0) {
			*(long *)(start + (offset & ~FERRY_MORE_USES)) = words[k];
			ferry_program_set_more(program, first + k, words[k]);
		}
	}
}

/* ---- functions that programs call by themselves ---------------------------------------------------------------- */

/* A number in memory that is narrower than a word, as C extends it. */
#define LOAD(name, type)                                                                                               \
	long ferry_load_##name(const type *from)                                                                       \
	{                                                                                                              \
		return *from;                                                                                          \
	}

LOAD(s8, int8_t)
LOAD(u8, uint8_t)
LOAD(s16, int16_t)
LOAD(u16, uint16_t)
LOAD(s32, int32_t)
LOAD(u32, uint32_t)

/* 0 where the two are equal, else 1: a jump on a value is one on the result of this. */
long ferry_differs(long a, long b)
{
	return a != b;
}

long ferry_differs_double(double a, double b)
{
	return !(a == b);
}

/* ---- errors and outcomes --------------------------------------------------------------------------------------- */

/* What was wrong with the last call that failed: the slot, or -1. */
long ferry_program_error_slot(const struct ferry_program *program)
{
	return program->error.slot;
}

/* The reasons' own sentences speak of C; these are for the author of a Haskell program. NULL: the reason's will do. */
static const char *haskell_text(enum batch_reason reason)
{
	switch (reason) {
	case BATCH_REASON_NONE:
		return "too many different functions: split the program; a batch calls at most 32768 of them";
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
	const char *text = haskell_text(program->error.reason);

	return text ? text : batch_reason_text(program->error.reason);
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
