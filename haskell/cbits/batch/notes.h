/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Haskell notes of a program while it is described: counts, and words on a tape (Ferry.Internal.Notes). lay_out.c
 * makes a batch of them.
 */
#ifndef FERRY_HASKELL_NOTES_H
#define FERRY_HASKELL_NOTES_H

#include <stddef.h>

/* All long: Haskell writes the first by their place, and C the others. */
struct ferry_notes {
	long tape_words;
	long slot_count;
	long parameter_count;
	long extra_uses; /* argument words of parameters that have one already */
	long cell_bytes;
	long marking; /* for Haskell alone, as are the last_* */
	long jump_count;
	long functions_at_most; /* 0 in a program of system calls */
	long last_address, last_shape;

	/* where each part lies, in bytes from the start of the program's memory */
	long slots_at, rets_at, parameters_at, uses_at, ran_at, functions_at, cells_at;
	long bytes;	 /* of the memory */
	long hash_slots; /* entries of the scratch memory that finds functions again, a power of two, or 0 */
	long reserved;
};

/* What stands on the tape. Each note begins with a word that has its kind in the low byte. */
enum ferry_note {
	/*
	 * A call: the head, the function's address or the system call's number, the argument words. In the head are
	 * the number of arguments, the mark that the call may block, three bits for each argument that say where it
	 * comes from (enum ferry_source), and of a function which arguments are doubles and the kind of its result.
	 */
	FERRY_NOTE_FUNCTION = 1,
	FERRY_NOTE_SYSTEM_CALL = 2,
	/* the outcome in the head, the slot that jumps, the tape's word with the label's slot or -1 for the end */
	FERRY_NOTE_JUMP = 3,
	/* the slot that the label is before, or -1 while it is nowhere */
	FERRY_NOTE_LABEL = 4,
	/* how many in the head, then how many argument words each has: for Haskell alone */
	FERRY_NOTE_PARAMETERS = 5,
	/* a word copy inside the cells: to, from */
	FERRY_NOTE_COPY = 6,
};

#define FERRY_NOTE_KIND(head) ((head)&0xff)
#define FERRY_NOTE_OUTCOME(head) ((head) >> 8 & 3)
#define FERRY_NOTE_PARAMETERS_COUNT(head) ((head) >> 8)
#define FERRY_NOTE_ARGC(head) ((head) >> 8 & 0xf)
#define FERRY_NOTE_MAY_BLOCK(head) ((head) >> 12 & 1)
#define FERRY_NOTE_SOURCE(head, argument) ((head) >> (16 + 3 * (argument)) & 7)
#define FERRY_NOTE_DOUBLES(head) ((head) >> 40 & 0xff)
#define FERRY_NOTE_RESULT(head) ((head) >> 48 & 0xff)

/* Where an argument comes from, and what its word on the tape is. */
enum ferry_source {
	FERRY_SOURCE_LITERAL,	  /* the argument itself */
	FERRY_SOURCE_RESULT,	  /* the slot whose result is fed */
	FERRY_SOURCE_PARAMETER,	  /* the parameter's number */
	FERRY_SOURCE_ADDRESS,	  /* an offset in the cells */
	FERRY_SOURCE_CONTENTS,	  /* the offset of the word that is fed */
	FERRY_SOURCE_RESULT_AT,	  /* an offset in the results, whose address is the argument */
	FERRY_SOURCE_RESULT_PART, /* an offset in the results, of the word that is fed */
};

#endif /* FERRY_HASKELL_NOTES_H */
