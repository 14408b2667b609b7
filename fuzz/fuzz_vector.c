/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as the text of a vector: the parser gives a vector that keeps every bound it promises, or an error with a
 * line number and a message. What it gives is the same for the same bytes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/batch/conformance/vector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_word(const struct vector *vector, const struct vector_word *word)
{
	require(word->count <= VECTOR_TERMS_MAX);
	for (unsigned int i = 0; i < word->count; i++) {
		const struct vector_term *term = &word->terms[i];

		require(term->kind <= VECTOR_SLOT);
		require(term->kind != VECTOR_MEMORY || term->index < vector->memory_count);
		require(term->kind < VECTOR_RET || term->index < vector->slot_count);
		require(term->argument < BATCH_ARGS_MAX);
	}
}

static void check_string(const struct vector *vector, unsigned int start, unsigned int bytes)
{
	require(start + bytes <= vector->string_bytes && vector->string_bytes <= VECTOR_STRING_BYTES_MAX);
}

static void check_slots(const struct vector *vector)
{
	unsigned int slots = 0;

	require(vector->line_count <= VECTOR_SLOT_LINES_MAX && vector->slot_count <= VECTOR_SLOTS_MAX);
	for (unsigned int i = 0; i < vector->line_count; i++) {
		const struct vector_slot *slot = &vector->slots[i];

		require(slot->first == slots && slot->times >= 1 && slot->words <= BATCH_ARGS_MAX);
		require(slot->nr >= INT16_MIN && slot->nr <= INT16_MAX);
		slots += slot->times;
		for (unsigned int k = 0; k < slot->words; k++)
			check_word(vector, &slot->arg[k]);
	}
	require(slots == vector->slot_count);
}

static void check_memory(const struct vector *vector)
{
	require(vector->memory_count <= VECTOR_MEMORY_MAX);
	for (unsigned int i = 0; i < vector->memory_count; i++) {
		const struct vector_memory *item = &vector->memory[i];

		check_string(vector, item->string, item->string_bytes);
		require(item->name[0] && memchr(item->name, '\0', sizeof(item->name)));
		require(item->kind != VECTOR_DATA || (item->bytes >= 1 && item->bytes <= VECTOR_MEMORY_BYTES_MAX));
		require(item->kind != VECTOR_DATA || item->bytes >= item->string_bytes);
	}
}

static void check_expectations(const struct vector *vector)
{
	require(vector->run_count <= VECTOR_RUNS_MAX && vector->refusal_count <= VECTOR_ERRORS_MAX);
	require(vector->run_count + vector->refusal_count >= 1 && vector->after_count <= VECTOR_AFTERS_MAX);
	require(!vector->has_count || !vector->run_count);
	for (unsigned int i = 0; i < vector->run_count; i++) {
		const struct vector_run *run = &vector->runs[i];
		size_t results = 0;

		for (unsigned int k = 0; k < run->expected_count; k++) {
			check_word(vector, &run->expected[k].word);
			results += run->expected[k].times;
		}
		require(results == vector->slot_count && run->last < vector->slot_count);
	}
	for (unsigned int i = 0; i < vector->refusal_count; i++)
		require(vector->refusals[i].code < 0 && vector->refusals[i].slot < (long)vector->slot_count);
	for (unsigned int i = 0; i < vector->after_count; i++) {
		check_word(vector, &vector->afters[i].address);
		check_word(vector, &vector->afters[i].word);
		check_string(vector, vector->afters[i].string, vector->afters[i].string_bytes);
	}
}

/* For each executor there is something to expect, or nothing; never both. */
static void check_lookup(const struct vector *vector)
{
	static const char *const names[] = { "null", "loop", "call", "uring", "auto", "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		require(!vector_run_for(vector, names[i]) || !vector_refusal_for(vector, names[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct vector vector, again;
	struct vector_error error = { 0 }, error_again = { 0 };
	int code = vector_parse(&vector, (const char *)data, bytes, &error);

	require(vector_parse(&again, (const char *)data, bytes, &error_again) == code);
	if (code) {
		require(error.line >= 1 && error.text[0] && memchr(error.text, '\0', sizeof(error.text)));
		require(error.line == error_again.line && strcmp(error.text, error_again.text) == 0);
		return 0;
	}
	require(vector.rules && again.slot_count == vector.slot_count && again.string_bytes == vector.string_bytes);
	check_slots(&vector);
	check_memory(&vector);
	check_expectations(&vector);
	check_lookup(&vector);
	return 0;
}
