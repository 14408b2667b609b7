/* SPDX-License-Identifier: BSD-3-Clause */
/* The parser of vector.h: lines into slots, memory and directives. The format is in spec/vectors/README.md. */
#include <errno.h>
#include <string.h>

#include "cursor.h"

/* ---- slots ----------------------------------------------------------------------------------------------------- */

static void slot_number(struct cursor *cursor, struct vector_slot *slot)
{
	const struct vector *vector = cursor->vector;
	char name[VECTOR_NAME_BYTES];
	long nr = 0;

	if (cursor_take(cursor, '#')) {
		nr = cursor_integer(cursor, "the call number", INT16_MIN, INT16_MAX);
	} else if (!cursor_name(cursor, name)) {
		cursor_fail(cursor, "expected a call, a memory item or a comment");
	} else if (!(vector->functions ? vector_function_number : vector_call_number)(name, &nr)) {
		cursor_fail(cursor, "unknown %s '%s'", vector->functions ? "function" : "call", name);
	}
	slot->nr = (int)nr;
}

static void slot_arguments(struct cursor *cursor, struct vector_slot *slot)
{
	cursor_expect(cursor, '(');
	while (!cursor->failed && !cursor_take(cursor, ')')) {
		if (slot->words)
			cursor_expect(cursor, ',');
		if (slot->words == BATCH_ARGS_MAX) {
			cursor_fail(cursor, "a slot has at most %d arguments", BATCH_ARGS_MAX);
			return;
		}
		cursor_word(cursor, &slot->arg[slot->words++]);
		cursor_blanks(cursor);
	}
	slot->argc = slot->words;
}

/* fail= zero= positive= argc= slot_flags= reserved= times= */
static void slot_setting(struct cursor *cursor, struct vector_slot *slot, const char *name)
{
	short *jump = NULL;

	if (strcmp(name, "fail") == 0)
		jump = &slot->jump_fail;
	else if (strcmp(name, "zero") == 0)
		jump = &slot->jump_zero;
	else if (strcmp(name, "positive") == 0)
		jump = &slot->jump_positive;

	if (jump)
		*jump = (short)cursor_integer(cursor, name, INT16_MIN, INT16_MAX);
	else if (strcmp(name, "argc") == 0)
		slot->argc = (unsigned char)cursor_integer(cursor, name, 0, 255);
	else if (strcmp(name, "slot_flags") == 0)
		slot->slot_flags = (unsigned char)cursor_integer(cursor, name, 0, 255);
	else if (strcmp(name, "reserved") == 0)
		slot->reserved = (unsigned char)cursor_integer(cursor, name, 0, 255);
	else if (strcmp(name, "times") == 0)
		slot->times = (unsigned int)cursor_integer(cursor, name, 1, VECTOR_SLOTS_MAX);
	else
		cursor_fail(cursor, "unknown setting '%s': fail, zero, positive, argc, slot_flags, reserved or times",
			    name);
}

/* NAME(arguments) setting=value… Returns the index of its first slot. */
static long parse_slot(struct cursor *cursor)
{
	struct vector *vector = cursor->vector;
	char name[VECTOR_NAME_BYTES];
	struct vector_slot *slot;

	if (vector->line_count == VECTOR_SLOT_LINES_MAX)
		return cursor_fail(cursor, "a vector has at most %d slot lines", VECTOR_SLOT_LINES_MAX);
	slot = &vector->slots[vector->line_count++];
	*slot = (struct vector_slot){ .line = cursor->line, .first = vector->slot_count, .times = 1 };
	slot_number(cursor, slot);
	slot_arguments(cursor, slot);
	cursor_blanks(cursor);
	while (cursor_name(cursor, name)) {
		cursor_expect(cursor, '=');
		slot_setting(cursor, slot, name);
		cursor_blanks(cursor);
	}
	vector->slot_count += slot->times;
	if (vector->slot_count > VECTOR_SLOTS_MAX)
		return cursor_fail(cursor, "a vector has at most %d slots", VECTOR_SLOTS_MAX);
	return (long)slot->first;
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static void data_value(struct cursor *cursor, struct vector_memory *memory)
{
	if (cursor_peek(cursor) == '"') {
		cursor_string(cursor, &memory->string, &memory->string_bytes);
		memory->bytes = memory->string_bytes + 1;
	} else {
		memory->bytes = (unsigned int)cursor_integer(cursor, "bytes", 1, VECTOR_MEMORY_BYTES_MAX);
	}
}

static void page_value(struct cursor *cursor, struct vector_memory *memory)
{
	char protection[VECTOR_NAME_BYTES];

	cursor_name(cursor, protection);
	if (strcmp(protection, "none") == 0)
		memory->kind = VECTOR_PAGE_NONE;
	else if (strcmp(protection, "read") == 0)
		memory->kind = VECTOR_PAGE_READ;
	else if (strcmp(protection, "write") == 0)
		memory->kind = VECTOR_PAGE_WRITE;
	else
		cursor_fail(cursor, "a page is none, read or write");
}

/* data NAME = …, page NAME = …, file NAME = …, missing NAME. Returns whether the line was one of them. */
static bool parse_memory(struct cursor *cursor)
{
	static const char *const keywords[] = { "data", "page", "file", "missing" };
	struct vector *vector = cursor->vector;
	const char *start = cursor->at;
	char word[VECTOR_NAME_BYTES];
	struct vector_memory memory = { 0 };
	size_t keyword = 0;

	cursor_name(cursor, word);
	while (keyword < 4 && strcmp(word, keywords[keyword]) != 0)
		keyword++;
	if (keyword == 4 || (cursor_peek(cursor) != ' ' && cursor_peek(cursor) != '\t')) {
		cursor->at = cursor->failed ? cursor->end : start;
		return cursor->failed;
	}
	cursor_blanks(cursor);
	if (!cursor_name(cursor, memory.name))
		cursor_fail(cursor, "expected a name after %s", word);
	for (unsigned int i = 0; i < vector->memory_count; i++)
		if (strcmp(vector->memory[i].name, memory.name) == 0)
			cursor_fail(cursor, "'%s' is named twice", memory.name);
	if (keyword < 3)
		cursor_expect(cursor, '=');
	if (keyword == 0)
		data_value(cursor, &memory);
	else if (keyword == 1)
		page_value(cursor, &memory);
	else if (keyword == 2)
		cursor_string(cursor, &memory.string, &memory.string_bytes);
	if (keyword >= 2)
		memory.kind = keyword == 2 ? VECTOR_FILE : VECTOR_MISSING;
	if (vector->memory_count == VECTOR_MEMORY_MAX)
		cursor_fail(cursor, "a vector has at most %d memory items", VECTOR_MEMORY_MAX);
	else
		vector->memory[vector->memory_count++] = memory;
	return true;
}

/* ---- directives ------------------------------------------------------------------------------------------------ */

static void rules_directive(struct cursor *cursor)
{
	while (!cursor_line_ends(cursor)) {
		cursor_expect(cursor, 'R');
		cursor->vector->rules |= 1UL << cursor_integer(cursor, "a rule", 1, VECTOR_RULE_MAX);
	}
}

static void expected_item(struct cursor *cursor, struct vector_expected *item)
{
	bool is_minus = cursor_peek(cursor) == '-' &&
			(cursor->at + 1 == cursor->end || strchr(" \t\n*", cursor->at[1]) != NULL);

	*item = (struct vector_expected){ .kind = VECTOR_WORD, .times = 1 };
	if (is_minus) {
		cursor_take(cursor, '-');
		item->kind = VECTOR_UNTOUCHED;
	} else if (cursor_take(cursor, '>')) {
		item->kind = cursor_take(cursor, '=') ? VECTOR_NOT_NEGATIVE : VECTOR_POSITIVE;
		cursor_expect(cursor, '0');
	} else if (cursor->end - cursor->at >= 3 && memcmp(cursor->at, "nan", 3) == 0) {
		cursor->at += 3;
		item->kind = VECTOR_NAN;
	} else {
		cursor_word(cursor, &item->word);
	}
	if (cursor_take(cursor, '*'))
		item->times = (unsigned int)cursor_integer(cursor, "times", 1, VECTOR_SLOTS_MAX);
}

/* run: RESULT… last INDEX */
static void run_directive(struct cursor *cursor, const char *executor)
{
	struct vector *vector = cursor->vector;
	struct vector_run *run;

	if (vector->run_count == VECTOR_RUNS_MAX) {
		cursor_fail(cursor, "a vector has at most %d run lines", VECTOR_RUNS_MAX);
		return;
	}
	run = &vector->runs[vector->run_count++];
	*run = (struct vector_run){ .line = cursor->line };
	memcpy(run->executor, executor, sizeof(run->executor));
	while (!cursor->failed && cursor_peek(cursor) != 'l') {
		if (run->expected_count == VECTOR_EXPECTED_MAX) {
			cursor_fail(cursor, "a run line has at most %d results: use RESULT*TIMES", VECTOR_EXPECTED_MAX);
			return;
		}
		if (cursor_line_ends(cursor))
			cursor_fail(cursor, "a run line ends with 'last INDEX'");
		else
			expected_item(cursor, &run->expected[run->expected_count++]);
		cursor_blanks(cursor);
	}
	for (const char *c = "last"; *c; c++)
		if (!cursor_take(cursor, *c))
			cursor_fail(cursor, "a run line ends with 'last INDEX'");
	cursor_blanks(cursor);
	run->last = (unsigned int)cursor_integer(cursor, "the last slot", 0, VECTOR_SLOTS_MAX - 1);
}

/* error: -ERRNO REASON */
static void error_directive(struct cursor *cursor, const char *executor, long slot)
{
	struct vector *vector = cursor->vector;
	struct vector_refusal *refusal;
	char name[VECTOR_NAME_BYTES];
	long code = 0, reason = 0;

	if (vector->refusal_count == VECTOR_ERRORS_MAX) {
		cursor_fail(cursor, "a vector has at most %d error lines", VECTOR_ERRORS_MAX);
		return;
	}
	cursor_expect(cursor, '-');
	if (!cursor_name(cursor, name) || !vector_constant(name, &code))
		cursor_fail(cursor, "expected an error number by name, as in 'error: -EINVAL ARGC'");
	cursor_blanks(cursor);
	if (!cursor_name(cursor, name) || !vector_reason(name, &reason))
		cursor_fail(cursor, "expected a reason of spec/batch.toml without BATCH_REASON_");
	refusal = &vector->refusals[vector->refusal_count++];
	*refusal = (struct vector_refusal){ .code = (int)-code, .reason = (enum batch_reason)reason, .slot = slot };
	memcpy(refusal->executor, executor, sizeof(refusal->executor));
}

/* after: ADDRESS = WORD, or = "bytes" */
static void after_directive(struct cursor *cursor)
{
	struct vector *vector = cursor->vector;
	struct vector_after *after;

	if (vector->after_count == VECTOR_AFTERS_MAX) {
		cursor_fail(cursor, "a vector has at most %d after lines", VECTOR_AFTERS_MAX);
		return;
	}
	after = &vector->afters[vector->after_count++];
	*after = (struct vector_after){ .line = cursor->line };
	cursor_word(cursor, &after->address);
	cursor_expect(cursor, '=');
	after->is_string = cursor_peek(cursor) == '"';
	if (after->is_string)
		cursor_string(cursor, &after->string, &after->string_bytes);
	else
		cursor_word(cursor, &after->word);
}

static enum vector_array array_directive(struct cursor *cursor)
{
	char name[VECTOR_NAME_BYTES];

	cursor_name(cursor, name);
	if (strcmp(name, "null") == 0)
		return VECTOR_ARRAY_NULL;
	if (strcmp(name, "misaligned") != 0)
		cursor_fail(cursor, "an array is null or misaligned");
	return VECTOR_ARRAY_MISALIGNED;
}

static void table_directive(struct cursor *cursor)
{
	char name[VECTOR_NAME_BYTES];

	if (!cursor_name(cursor, name) || strcmp(name, "functions") != 0)
		cursor_fail(cursor, "the one table is 'functions'");
	if (cursor->vector->line_count)
		cursor_fail(cursor, "'table:' stands before the first slot");
	cursor->vector->functions = true;
}

static void directive(struct cursor *cursor, const char *name, const char *executor, long slot)
{
	struct vector *vector = cursor->vector;

	if (*executor && strcmp(name, "run") != 0 && strcmp(name, "error") != 0)
		cursor_fail(cursor, "only run and error are for one executor");
	if (slot >= 0 && strcmp(name, "error") != 0)
		cursor_fail(cursor, "only error stands beside a slot; put '%s:' on a line of its own", name);
	cursor_blanks(cursor);
	if (strcmp(name, "rules") == 0) {
		rules_directive(cursor);
	} else if (strcmp(name, "run") == 0) {
		run_directive(cursor, executor);
	} else if (strcmp(name, "error") == 0) {
		error_directive(cursor, executor, slot);
	} else if (strcmp(name, "after") == 0) {
		after_directive(cursor);
	} else if (strcmp(name, "flags") == 0) {
		vector->flags = (unsigned long)cursor_integer(cursor, name, INT64_MIN, INT64_MAX);
	} else if (strcmp(name, "count") == 0) {
		vector->has_count = true;
		vector->count = (unsigned long)cursor_integer(cursor, name, 0, INT64_MAX);
	} else if (strcmp(name, "slots") == 0) {
		vector->slots_array = array_directive(cursor);
	} else if (strcmp(name, "rets") == 0) {
		vector->rets_array = array_directive(cursor);
	} else if (strcmp(name, "table") == 0) {
		table_directive(cursor);
	} else {
		cursor_fail(cursor,
			    "unknown directive '%s:': rules, table, run, error, after, flags, count, slots or rets",
			    name);
	}
	if (!cursor_line_ends(cursor))
		cursor_fail(cursor, "unexpected text after '%s:'", name);
}

/* A comment that starts NAME: or NAME(EXECUTOR): is a directive; any other is prose. */
static void parse_comment(struct cursor *cursor, long slot)
{
	char name[VECTOR_NAME_BYTES] = "", executor[VECTOR_NAME_BYTES] = "";
	const char *start;

	cursor_blanks(cursor);
	start = cursor->at;
	while (cursor->at < cursor->end && strchr("abcdefghijklmnopqrstuvwxyz", *cursor->at) && *cursor->at)
		cursor->at++;
	if (cursor->at - start < VECTOR_NAME_BYTES)
		memcpy(name, start, (size_t)(cursor->at - start));
	if (cursor_take(cursor, '(')) {
		cursor_name(cursor, executor);
		if (!cursor_take(cursor, ')')) {
			if (cursor_peek(cursor) == ':')
				cursor_fail(cursor, "expected ')' before ':'");
			name[0] = '\0';
		}
	}
	if (name[0] && cursor_take(cursor, ':'))
		directive(cursor, name, executor, slot);
	else
		while (cursor_peek(cursor) >= 0 && cursor_peek(cursor) != '\n')
			cursor->at++;
}

static void parse_line(struct cursor *cursor)
{
	long slot = -1;

	if (cursor_line_ends(cursor))
		return;
	if (cursor_peek(cursor) != ';' && !parse_memory(cursor))
		slot = parse_slot(cursor);
	cursor_blanks(cursor);
	if (cursor_take(cursor, ';'))
		parse_comment(cursor, slot);
	if (!cursor_line_ends(cursor))
		cursor_fail(cursor, "unexpected text; a comment starts with ';'");
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static void check_word(struct cursor *cursor, const struct vector_word *word, unsigned int line)
{
	cursor->line = line;
	for (unsigned int i = 0; i < word->count; i++)
		if (word->terms[i].kind >= VECTOR_RET && word->terms[i].index >= cursor->vector->slot_count)
			cursor_fail(cursor, "there is no slot %u", word->terms[i].index);
}

static void check_run(struct cursor *cursor, const struct vector_run *run)
{
	const struct vector *vector = cursor->vector;
	size_t results = 0;

	for (unsigned int i = 0; i < run->expected_count; i++) {
		check_word(cursor, &run->expected[i].word, run->line);
		results += run->expected[i].times;
	}
	cursor->line = run->line;
	if (results != vector->slot_count)
		cursor_fail(cursor, "%zu results for %u slots: give one for each", results, vector->slot_count);
	if (run->last >= vector->slot_count)
		cursor_fail(cursor, "there is no slot %u to be the last", run->last);
}

/* One expectation per executor, and one for the rest. */
static void check_twice(struct cursor *cursor)
{
	const struct vector *vector = cursor->vector;
	unsigned int count = vector->run_count + vector->refusal_count;

	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int k = 0; k < i; k++) {
			const char *one = i < vector->run_count ? vector->runs[i].executor
								: vector->refusals[i - vector->run_count].executor;
			const char *other = k < vector->run_count ? vector->runs[k].executor
								  : vector->refusals[k - vector->run_count].executor;

			if (strcmp(one, other) == 0)
				cursor_fail(cursor, "two run or error lines for %s", *one ? one : "every executor");
		}
	}
}

/* What can only be checked when every line has been read. */
static void check_whole(struct cursor *cursor)
{
	const struct vector *vector = cursor->vector;

	for (unsigned int i = 0; i < vector->line_count; i++)
		for (unsigned int k = 0; k < vector->slots[i].words; k++)
			check_word(cursor, &vector->slots[i].arg[k], vector->slots[i].line);
	for (unsigned int i = 0; i < vector->run_count; i++)
		check_run(cursor, &vector->runs[i]);
	for (unsigned int i = 0; i < vector->after_count; i++) {
		check_word(cursor, &vector->afters[i].address, vector->afters[i].line);
		check_word(cursor, &vector->afters[i].word, vector->afters[i].line);
	}
	cursor->line = 1;
	if (!vector->rules)
		cursor_fail(cursor, "name the rules that the vector is for: '; rules: R2 R3'");
	if (!vector->run_count && !vector->refusal_count)
		cursor_fail(cursor, "say what is expected: '; run: …' or '; error: …'");
	check_twice(cursor);
	if (vector->has_count && vector->run_count)
		cursor_fail(cursor, "'count:' is for batches that are refused; such a vector has no run line");
}

int vector_parse(struct vector *vector, const char *text, size_t bytes, struct vector_error *error)
{
	struct cursor cursor = { text, text + bytes, 0, vector, error, false };

	memset(vector, 0, sizeof(*vector));
	do {
		cursor.line++;
		parse_line(&cursor);
	} while (cursor_take(&cursor, '\n'));
	if (!cursor.failed)
		check_whole(&cursor);
	return cursor.failed ? -EINVAL : 0;
}

static const struct vector_run *run_line(const struct vector *vector, const char *executor)
{
	for (unsigned int i = 0; i < vector->run_count; i++)
		if (strcmp(vector->runs[i].executor, executor) == 0)
			return &vector->runs[i];
	return NULL;
}

static const struct vector_refusal *refusal_line(const struct vector *vector, const char *executor)
{
	for (unsigned int i = 0; i < vector->refusal_count; i++)
		if (strcmp(vector->refusals[i].executor, executor) == 0)
			return &vector->refusals[i];
	return NULL;
}

/* A line for one executor goes before the line for all; the parser saw to it that there is one of each at most. */
const struct vector_run *vector_run_for(const struct vector *vector, const char *executor)
{
	const struct vector_run *own = run_line(vector, executor);

	return own || refusal_line(vector, executor) ? own : run_line(vector, "");
}

const struct vector_refusal *vector_refusal_for(const struct vector *vector, const char *executor)
{
	const struct vector_refusal *own = refusal_line(vector, executor);

	return own || run_line(vector, executor) ? own : refusal_line(vector, "");
}
