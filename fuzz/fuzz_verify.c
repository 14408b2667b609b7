/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a batch. batch_verify answers as R17 says, written here a second time. What it accepts runs on `null` as
 * R2 to R16 say, interpreted here a second time: same results, same last slot, same memory.
 *
 * An input is a header of 8 bytes (flags, how the arrays are passed, a count), then 64 bytes per slot. A word copy may
 * only reach memory that the target owns, or none at all: its words are offsets into an arena that holds slots, results
 * and some more; high bits turn one into an address that is never mapped.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ferry/batch.h>

#include "batch/calls.h"

#define SLOTS_MAX 64
#define HEADER_BYTES 8
#define SPARE_BYTES 64
#define BAD_ADDRESS 0x10 /* below vm.mmap_min_addr */

struct arena {
	struct batch_slot slots[SLOTS_MAX];
	long rets[SLOTS_MAX];
	char spare[SPARE_BYTES];
};

struct input {
	uint8_t flags, arrays;
	uint16_t count; /* what is passed to verify */
	uint32_t reserved;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(int holds)
{
	if (!holds)
		abort();
}

/* Turn a word of the input into an offset of the arena, or into a bad address, encoded as -1. */
static long arena_offset(long word)
{
	return word >> 40 & 1 ? -1 : (long)((unsigned long)word % (sizeof(struct arena) - sizeof(long) + 1));
}

static long arena_address(const struct arena *arena, long word)
{
	long offset = arena_offset(word);

	return offset < 0 ? BAD_ADDRESS : (long)((const char *)arena + offset);
}

/* R17, in the order of its table. */
static enum batch_reason expected_reason(const struct batch_slot *slots, const long *rets, unsigned long count,
					 unsigned long flags, long *slot)
{
	*slot = -1;
	if (flags)
		return BATCH_REASON_FLAGS;
	if (count == 0)
		return BATCH_REASON_EMPTY;
	if (count > BATCH_SLOTS_MAX)
		return BATCH_REASON_TOO_LONG;
	if (!slots || !rets)
		return BATCH_REASON_NULL;
	if ((uintptr_t)slots % 8 || (uintptr_t)rets % 8)
		return BATCH_REASON_MISALIGNED;
	for (*slot = 0; *slot < (long)count; ++*slot)
		if (slots[*slot].argc > 6)
			return BATCH_REASON_ARGC;
	*slot = -1;
	return BATCH_REASON_NONE;
}

static int inside(const struct arena *real, long address)
{
	return address >= (long)real && address <= (long)(real + 1) - (long)sizeof(long);
}

/*
 * A word copy of the model, on addresses in `real`. Returns 1 when it is one that must not be tried: a copy may have
 * made it, with an address that is neither the arena's nor known to be bad.
 */
static int model_copy(struct arena *model, const struct arena *real, long to, long from, long *result)
{
	long word;

	*result = -EFAULT;
	if ((!inside(real, to) && to != BAD_ADDRESS) || (!inside(real, from) && from != BAD_ADDRESS))
		return 1;
	if (to == BAD_ADDRESS || from == BAD_ADDRESS)
		return 0;
	memcpy(&word, (char *)model + (from - (long)real), sizeof(word));
	memcpy((char *)model + (to - (long)real), &word, sizeof(word));
	*result = 0;
	return 0;
}

/* Returns the last slot, or -1 for a batch that must not be run. */
static long model_run(struct arena *model, const struct arena *real, long count)
{
	long last = 0;

	for (long next = 0; next < count;) {
		struct batch_slot slot = model->slots[next];
		long result = -ENOSYS, jump;

		last = next;
		if (slot.nr == -2) {
			if (model_copy(model, real, slot.arg[0], slot.arg[1], &result))
				return -1;
		} else if (batch__call_allowed(slot.nr)) {
			result = 0;
		}
		model->rets[last] = result;
		jump = result < 0 ? slot.jump_fail : slot.jump_zero;
		next = jump < 0 ? count : next + 1 + jump;
	}
	return last;
}

/* Slots as the input has them; the two words of each word copy become addresses. */
static void fill_slots(struct arena *arena, const uint8_t *data, long count)
{
	memset(arena, 0xa5, sizeof(*arena));
	for (long i = 0; i < count; i++)
		memcpy(&arena->slots[i], data + (size_t)i * sizeof(struct batch_slot), sizeof(struct batch_slot));
	for (long i = 0; i < count; i++) {
		struct batch_slot *slot = &arena->slots[i];

		if (slot->nr != BATCH_WORD_COPY)
			continue;
		slot->arg[0] = arena_address(arena, slot->arg[0]);
		slot->arg[1] = arena_address(arena, slot->arg[1]);
	}
}

/* How the batch is passed: the arrays may be null or misaligned, and then the count may be more than there is. */
static void pass(const struct input *input, struct arena *arena, const struct batch_slot **slots, const long **rets,
		 unsigned long *count, unsigned long present)
{
	size_t off = input->arrays >> 5;

	*slots = arena->slots;
	*rets = arena->rets;
	if (input->arrays & 1)
		*slots = NULL;
	else if (input->arrays & 2)
		*slots = (const struct batch_slot *)((const char *)arena->slots + off);
	if (input->arrays & 4)
		*rets = NULL;
	else if (input->arrays & 8)
		*rets = (const long *)((const char *)arena->rets + off);
	*count = present;
	if (input->arrays & 16)
		*count =
			(input->arrays & 1) && (input->arrays & 4) ? input->count * 17UL : input->count % (present + 1);
}

static void check_run(struct arena *real, unsigned long count)
{
	static struct arena model;
	long last;

	memcpy(&model, real, sizeof(model));
	last = model_run(&model, real, (long)count);
	if (last < 0)
		return;
	require(batch_run(&batch_executor_null, real->rets, real->slots, count, 0, NULL) == last);
	require(memcmp(&model, real, sizeof(model)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct arena real;
	struct input input;
	struct batch_error error = { 0 };
	enum batch_reason reason;
	const struct batch_slot *slots;
	const long *rets;
	unsigned long present, count;
	long slot;
	int code;

	if (bytes < HEADER_BYTES)
		return 0;
	memcpy(&input, data, sizeof(input));
	present = (bytes - HEADER_BYTES) / sizeof(struct batch_slot);
	present = present > SLOTS_MAX ? SLOTS_MAX : present;
	fill_slots(&real, data + HEADER_BYTES, (long)present);
	pass(&input, &real, &slots, &rets, &count, present);

	reason = expected_reason(slots, rets, count, input.flags, &slot);
	code = batch_verify(slots, rets, count, input.flags, &error);
	require(error.reason == reason && (reason == BATCH_REASON_NONE) == (code == 0) && error.code == code);
	require(reason == BATCH_REASON_NONE || error.slot == slot);
	if (code == 0 && slots == real.slots && rets == real.rets)
		check_run(&real, count);
	return 0;
}
