/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From what Haskell noted of a program to a verified batch, in two calls: ferry_notes_plan says how much memory it
 * takes, ferry_program_lay_out fills it. Nothing here allocates.
 *
 * A call's slot is known since it was noted: the slots are as many as the calls, the arguments that are fed and the
 * copies before it. So a label is a number, and a jump needs no list of those that wait for it. Jumps are set when all
 * slots are there, in a second pass over the tape, which a program without jumps does not need.
 *
 * Equal functions share an entry of the program's table. They are found by a hash table with linear probing in scratch
 * memory, at most half full. Which functions are equal decides how fast the batch runs (src/batch/exec/call.c).
 */
#include <errno.h>
#include <string.h>

#include "batch/notes.h"
#include "batch/program.h"

_Static_assert(sizeof(struct ferry_notes) == 160, "Ferry.Internal.Notes says how many bytes the counts take");

#define FUNCTIONS_MAX 32767 /* a slot's number is 16 bits, and negative ones call nothing */

static long align(long bytes, long to)
{
	return (bytes + to - 1) / to * to;
}

/* Where the parts of the program lie, and how much memory and scratch memory it takes. */
void ferry_notes_plan(struct ferry_notes *notes)
{
	notes->slots_at = align(sizeof(struct ferry_program), 64);
	notes->rets_at = notes->slots_at + notes->slot_count * (long)sizeof(struct batch_slot);
	notes->parameters_at = notes->rets_at + notes->slot_count * (long)sizeof(long);
	notes->uses_at = notes->parameters_at + notes->parameter_count * (long)sizeof(long);
	notes->ran_at = notes->uses_at + notes->extra_uses * (long)sizeof(struct ferry_use);
	notes->functions_at = align(notes->ran_at + (notes->jump_count ? notes->slot_count : 0), 8);
	notes->cells_at = notes->functions_at + notes->functions_at_most * (long)sizeof(struct batch_function);
	notes->cells_at = align(notes->cells_at, 64);
	/* a word copy of a narrow cell at the end reads up to seven bytes behind it */
	notes->bytes = notes->cells_at + notes->cell_bytes + 8;
	notes->hash_slots = 0;
	if (notes->functions_at_most > 1)
		for (notes->hash_slots = 4; notes->hash_slots < 2 * notes->functions_at_most;)
			notes->hash_slots *= 2;
}

/* What the passes over the tape share. */
struct layout {
	struct ferry_program *program;
	const struct ferry_notes *notes;
	const long *tape;
	char *start; /* of the program's memory */
	struct batch_slot *slots;
	long *rets;
	char *cells;
	unsigned char *set; /* while jumps are set: which outcomes of each slot go somewhere; ran[] later */
	struct batch_function *functions;
	long function_count;
	unsigned int *hash; /* entries of functions[], counted from 1; 0: free */
	long next;	    /* slot */
};

static int fail(struct ferry_program *program, int code, enum batch_reason reason, long slot)
{
	program->error = (struct batch_error){ code, reason, slot };
	return code;
}

static int same_function(const struct batch_function *a, const struct batch_function *b)
{
	return a->address == b->address && a->argc == b->argc && a->double_mask == b->double_mask &&
	       a->result == b->result;
}

/* The entry of the table for the function of a call. */
static long function_number(struct layout *at, const long *note)
{
	const struct batch_function function = { .address = (void (*)(void))note[1],
						 .argc = (unsigned char)FERRY_NOTE_ARGC(note[0]),
						 .double_mask = (unsigned char)FERRY_NOTE_DOUBLES(note[0]),
						 .result = (unsigned char)FERRY_NOTE_RESULT(note[0]) };
	unsigned long mask = (unsigned long)at->notes->hash_slots - 1;
	unsigned long index = 0;

	/* most calls are of the function that the call before them is of, or of the one that was noted last */
	if (at->function_count && same_function(&at->functions[at->function_count - 1], &function))
		return at->function_count - 1;
	if (at->notes->hash_slots) {
		index = ((unsigned long)note[1] >> 4) * 0x9e3779b97f4a7c15UL >> 32 & mask;
		while (at->hash[index]) {
			if (same_function(&at->functions[at->hash[index] - 1], &function))
				return at->hash[index] - 1;
			index = (index + 1) & mask;
		}
		at->hash[index] = (unsigned int)at->function_count + 1;
	}
	at->functions[at->function_count] = function;
	return at->function_count++;
}

static void write_copy(struct layout *at, void *to, const void *from)
{
	at->slots[at->next++] =
		(struct batch_slot){ .nr = BATCH_WORD_COPY, .argc = 2, .arg = { (long)to, (long)from } };
}

/* The argument word at `word` is the parameter's. */
static void use_parameter(struct layout *at, long parameter, const __s64 *word)
{
	struct ferry_program *program = at->program;
	long *first = &program->parameters[parameter];
	long offset = (const char *)word - at->start;

	if (*first < 0) {
		*first = offset;
		program->parameters_used++;
		return;
	}
	*first |= FERRY_MORE_USES;
	program->uses[program->use_count++] = (struct ferry_use){ parameter, offset };
}

/* A call behind the copies that feed it. Returns where the next note is, or NULL. */
static const long *lay_call(struct layout *at, const long *note)
{
	const long head = note[0];
	const unsigned int argc = (unsigned int)FERRY_NOTE_ARGC(head);
	const long *words = note + 2;
	struct batch_slot *slot;
	long nr = note[1], fed = 0;

	if (FERRY_NOTE_KIND(head) == FERRY_NOTE_FUNCTION) {
		nr = function_number(at, note);
		if (nr > FUNCTIONS_MAX)
			return NULL;
	}
	for (unsigned int k = 0; k < argc; k++) {
		long source = FERRY_NOTE_SOURCE(head, k);

		fed += source == FERRY_SOURCE_RESULT || source == FERRY_SOURCE_CONTENTS ||
		       source == FERRY_SOURCE_RESULT_PART;
	}
	slot = &at->slots[at->next + fed];
	*slot = (struct batch_slot){ .nr = (__s16)nr,
				     .argc = (__u8)argc,
				     .flags = FERRY_NOTE_MAY_BLOCK(head) ? BATCH_SLOT_MAY_BLOCK : 0 };
	for (unsigned int k = 0; k < argc; k++) {
		switch ((enum ferry_source)FERRY_NOTE_SOURCE(head, k)) {
		case FERRY_SOURCE_LITERAL:
			slot->arg[k] = words[k];
			break;
		case FERRY_SOURCE_RESULT:
			write_copy(at, &slot->arg[k], &at->rets[words[k]]);
			break;
		case FERRY_SOURCE_PARAMETER:
			use_parameter(at, words[k], &slot->arg[k]);
			break;
		case FERRY_SOURCE_ADDRESS:
			slot->arg[k] = (long)(at->cells + words[k]);
			break;
		case FERRY_SOURCE_CONTENTS:
			write_copy(at, &slot->arg[k], at->cells + words[k]);
			break;
		case FERRY_SOURCE_RESULT_AT:
			slot->arg[k] = (long)((char *)at->rets + words[k]);
			break;
		case FERRY_SOURCE_RESULT_PART:
			write_copy(at, &slot->arg[k], (char *)at->rets + words[k]);
			break;
		}
	}
	at->next++;
	return words + argc;
}

static __s16 *jump_field(struct batch_slot *slot, long outcome)
{
	switch ((enum batch_outcome)outcome) {
	case BATCH_ON_FAIL:
		return &slot->jump_fail;
	case BATCH_ON_ZERO:
		return &slot->jump_zero;
	default:
		return &slot->jump_positive;
	}
}

/* Set the jump that this note is of. Returns 0, or -errno. */
static int lay_jump(struct layout *at, const long *note)
{
	const long outcome = FERRY_NOTE_OUTCOME(note[0]), slot = note[1];
	__s16 *field = jump_field(&at->slots[slot], outcome);
	long distance = BATCH_STOP;

	if (at->set[slot] >> outcome & 1)
		return fail(at->program, -EINVAL, BATCH_REASON_JUMP_SET, slot);
	at->set[slot] |= (unsigned char)(1U << outcome);
	if (note[2] >= 0) {
		long target = at->tape[note[2]];

		if (target < 0)
			return fail(at->program, -EINVAL, BATCH_REASON_LABEL_UNPLACED, -1);
		if (target <= slot)
			return fail(at->program, -EINVAL, BATCH_REASON_LABEL_BACKWARD, slot);
		distance = target - slot - 1;
		if (distance > BATCH_JUMP_MAX)
			return fail(at->program, -EINVAL, BATCH_REASON_LABEL_FAR, slot);
	}
	*field = (__s16)distance;
	return 0;
}

/* How many words a note takes that is no call. */
static long note_words(long head)
{
	switch ((enum ferry_note)FERRY_NOTE_KIND(head)) {
	case FERRY_NOTE_LABEL:
		return 2;
	case FERRY_NOTE_PARAMETERS:
		return 1 + FERRY_NOTE_PARAMETERS_COUNT(head);
	case FERRY_NOTE_JUMP:
	case FERRY_NOTE_COPY:
		return 3;
	default:
		return 2 + FERRY_NOTE_ARGC(head);
	}
}

static int lay_calls(struct layout *at)
{
	const long *note = at->tape, *end = note + at->notes->tape_words;

	while (note < end) {
		switch ((enum ferry_note)FERRY_NOTE_KIND(note[0])) {
		case FERRY_NOTE_FUNCTION:
		case FERRY_NOTE_SYSTEM_CALL:
			note = lay_call(at, note);
			/* the only reason without one of its own; ferry_program_error_text has the sentence */
			if (!note)
				return fail(at->program, -E2BIG, BATCH_REASON_NONE, -1);
			break;
		case FERRY_NOTE_COPY:
			write_copy(at, at->cells + note[1], at->cells + note[2]);
			note += 3;
			break;
		default:
			note += note_words(note[0]);
		}
	}
	return 0;
}

static int lay_jumps(struct layout *at)
{
	const long *note = at->tape, *end = note + at->notes->tape_words;
	int code = 0;

	for (; note < end && !code; note += note_words(note[0]))
		if (FERRY_NOTE_KIND(note[0]) == FERRY_NOTE_JUMP)
			code = lay_jump(at, note);
	memset(at->set, 0, (size_t)at->notes->slot_count);
	return code;
}

/* Verify what was laid out, on the executor of its kind. */
static int verify(struct layout *at, const struct batch_executor *executor)
{
	struct ferry_program *program = at->program;

	if (at->function_count) {
		int code = batch_call_executor_init(&program->call, at->functions, (size_t)at->function_count);

		if (code)
			return code;
		executor = &program->call.executor;
	}
	return batch_prepare(&program->prepared, executor, at->rets, at->slots, (size_t)at->notes->slot_count, 0,
			     &program->error);
}

/*
 * Lay the program out in its memory, of notes->bytes, and verify it for this executor, or as a batch of functions. The
 * scratch memory has notes->hash_slots entries. Returns 0, or -errno: ferry_program_error_slot and _text say why.
 */
int ferry_program_lay_out(struct ferry_program *program, const struct ferry_notes *notes, const long *tape,
			  unsigned int *scratch, const struct batch_executor *executor)
{
	char *start = (char *)program;
	struct layout at = { .program = program,
			     .notes = notes,
			     .tape = tape,
			     .start = start,
			     .slots = (struct batch_slot *)(start + notes->slots_at),
			     .rets = (long *)(start + notes->rets_at),
			     .cells = start + notes->cells_at,
			     .set = (unsigned char *)start + notes->ran_at,
			     .functions = (struct batch_function *)(start + notes->functions_at),
			     .hash = scratch };
	int code;

	memset(program, 0, sizeof(*program));
	/* results are zero until their slot runs; slots and functions are written whole */
	memset(at.rets, 0, (size_t)(notes->parameters_at - notes->rets_at));
	memset(start + notes->parameters_at, 0xff, (size_t)(notes->uses_at - notes->parameters_at));
	memset(at.set, 0, (size_t)(notes->functions_at - notes->ran_at));
	memset(scratch, 0, (size_t)notes->hash_slots * sizeof(*scratch));
	program->parameters = (long *)(start + notes->parameters_at);
	program->uses = (struct ferry_use *)(start + notes->uses_at);
	code = lay_calls(&at);
	program->one_word_each =
		!program->use_count && program->parameters_used == (unsigned long)notes->parameter_count;
	if (!code && notes->jump_count)
		code = lay_jumps(&at);
	return code ? code : verify(&at, executor);
}
