/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers of cursor.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"

int cursor_fail(struct cursor *cursor, const char *format, ...)
{
	va_list arguments;

	if (cursor->failed)
		return -EINVAL;
	cursor->failed = true;
	cursor->at = cursor->end;
	cursor->error->line = cursor->line;
	va_start(arguments, format);
	vsnprintf(cursor->error->text, sizeof(cursor->error->text), format, arguments);
	va_end(arguments);
	return -EINVAL;
}

int cursor_peek(const struct cursor *cursor)
{
	return cursor->at < cursor->end ? (unsigned char)*cursor->at : -1;
}

bool cursor_take(struct cursor *cursor, char c)
{
	if (cursor_peek(cursor) != (unsigned char)c)
		return false;
	cursor->at++;
	return true;
}

void cursor_expect(struct cursor *cursor, char c)
{
	cursor_blanks(cursor);
	if (!cursor_take(cursor, c))
		cursor_fail(cursor, "expected '%c'", c);
	cursor_blanks(cursor);
}

void cursor_blanks(struct cursor *cursor)
{
	while (cursor_take(cursor, ' ') || cursor_take(cursor, '\t'))
		;
}

bool cursor_line_ends(struct cursor *cursor)
{
	cursor_blanks(cursor);
	return cursor_peek(cursor) < 0 || cursor_peek(cursor) == '\n';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

bool cursor_name(struct cursor *cursor, char name[VECTOR_NAME_BYTES])
{
	size_t length = 0;

	name[0] = '\0';
	if (!is_name(cursor_peek(cursor)) || is_digit(cursor_peek(cursor)))
		return false;
	while (is_name(cursor_peek(cursor))) {
		if (length == VECTOR_NAME_BYTES - 1) {
			cursor_fail(cursor, "a name has at most %d characters", VECTOR_NAME_BYTES - 1);
			return false;
		}
		name[length++] = *cursor->at++;
	}
	name[length] = '\0';
	return true;
}

/* The digits, letters, signs and dots of a number, as a C string that strtol and strtod can read. */
static void number_text(struct cursor *cursor, char text[64])
{
	size_t length = 0;

	while (is_name(cursor_peek(cursor)) || cursor_peek(cursor) == '.') {
		if (length == 63) {
			cursor_fail(cursor, "a number has at most 63 characters");
			break;
		}
		text[length++] = *cursor->at++;
	}
	text[length] = '\0';
}

/* Whole numbers are decimal or 0x…; a hexadecimal one may use all 64 bits. */
static long whole_number(struct cursor *cursor, const char *text)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;
	long value;

	errno = 0;
	value = is_hex ? (long)strtoul(text, &end, 16) : strtol(text, &end, 10);
	if (errno)
		cursor_fail(cursor, "%s does not fit 64 bits", text);
	else if (end == text || *end)
		cursor_fail(cursor, "'%s' is not a number: write 12, 0x1f or 1.5", text);
	return value;
}

static long double_bits(struct cursor *cursor, const char *text, bool negative)
{
	char *end;
	double value = strtod(text, &end);
	long bits;

	if (end == text || *end)
		cursor_fail(cursor, "'%s' is not a number: write 12, 0x1f or 1.5", text);
	if (negative)
		value = -value;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

long cursor_integer(struct cursor *cursor, const char *what, long minimum, long maximum)
{
	bool negative = cursor_take(cursor, '-');
	char text[64];
	long value;

	if (!is_digit(cursor_peek(cursor))) {
		cursor_fail(cursor, "expected a number for %s", what);
		return 0;
	}
	number_text(cursor, text);
	value = whole_number(cursor, text);
	value = negative ? (long)(0 - (unsigned long)value) : value;
	if (value < minimum || value > maximum)
		cursor_fail(cursor, "%s is from %ld to %ld, not %ld", what, minimum, maximum, value);
	return cursor->failed ? 0 : value;
}

static int hex_digit(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* The byte after a backslash. */
static int escape(struct cursor *cursor)
{
	int c = cursor_peek(cursor), high, low;

	if (c < 0)
		return -1;
	cursor->at++;
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '0':
		return '\0';
	case '\\':
	case '"':
		return c;
	case 'x':
		high = hex_digit(cursor_peek(cursor));
		cursor->at += high >= 0;
		low = hex_digit(cursor_peek(cursor));
		cursor->at += high >= 0 && low >= 0;
		return high >= 0 && low >= 0 ? high * 16 + low : -1;
	default:
		return -1;
	}
}

void cursor_string(struct cursor *cursor, unsigned int *start, unsigned int *bytes)
{
	struct vector *vector = cursor->vector;

	*start = vector->string_bytes;
	*bytes = 0;
	cursor_blanks(cursor);
	if (!cursor_take(cursor, '"'))
		cursor_fail(cursor, "expected a string in double quotes");
	while (!cursor->failed && !cursor_take(cursor, '"')) {
		int c = cursor_peek(cursor);

		if (c < 0 || c == '\n') {
			cursor_fail(cursor, "the string has no closing '\"'");
			return;
		}
		cursor->at++;
		if (c == '\\' && (c = escape(cursor)) < 0) {
			cursor_fail(cursor, "unknown escape: use \\n \\t \\0 \\\\ \\\" or \\xhh in lower case");
			return;
		}
		if (vector->string_bytes == VECTOR_STRING_BYTES_MAX) {
			cursor_fail(cursor, "the strings of a vector have at most %d bytes together",
				    VECTOR_STRING_BYTES_MAX);
			return;
		}
		vector->strings[vector->string_bytes++] = (char)c;
		(*bytes)++;
	}
}

static void memory_term(struct cursor *cursor, struct vector_term *term)
{
	char name[VECTOR_NAME_BYTES];

	term->kind = VECTOR_MEMORY;
	cursor_name(cursor, name);
	for (term->index = 0; term->index < cursor->vector->memory_count; term->index++)
		if (strcmp(cursor->vector->memory[term->index].name, name) == 0)
			return;
	cursor_fail(cursor, "no memory is named '%s': name it above with data, page, file or missing", name);
}

/* $ret[i], $arg[i][k], $slot[i]; that slot i exists is checked when all slots are known. */
static void array_term(struct cursor *cursor, struct vector_term *term)
{
	char name[VECTOR_NAME_BYTES];

	cursor_name(cursor, name);
	if (strcmp(name, "ret") == 0)
		term->kind = VECTOR_RET;
	else if (strcmp(name, "arg") == 0)
		term->kind = VECTOR_ARG;
	else if (strcmp(name, "slot") == 0)
		term->kind = VECTOR_SLOT;
	else
		cursor_fail(cursor, "'$%s' is not an address: use $ret[i], $arg[i][k] or $slot[i]", name);
	cursor_expect(cursor, '[');
	term->index = (unsigned int)cursor_integer(cursor, "the slot's index", 0, VECTOR_SLOTS_MAX - 1);
	cursor_expect(cursor, ']');
	if (term->kind == VECTOR_ARG) {
		cursor_expect(cursor, '[');
		term->argument = (unsigned int)cursor_integer(cursor, "the argument's index", 0, BATCH_ARGS_MAX - 1);
		cursor_expect(cursor, ']');
	}
}

static void constant_term(struct cursor *cursor, struct vector_term *term)
{
	char name[VECTOR_NAME_BYTES];

	if (!cursor_name(cursor, name)) {
		cursor_fail(cursor, "expected a number, a constant, &name, $ret[i], $arg[i][k] or $slot[i]");
		return;
	}
	if (strcmp(name, "PAGE") == 0)
		term->kind = VECTOR_PAGE_BYTES;
	else if (!vector_constant(name, &term->value))
		cursor_fail(cursor, "unknown constant '%s': add it to tests/batch/conformance/names.c", name);
}

static void number_term(struct cursor *cursor, struct vector_term *term)
{
	char text[64];

	number_text(cursor, text);
	if (cursor->failed)
		return;
	if (strchr(text, '.')) {
		term->value = double_bits(cursor, text, term->negative);
		term->negative = false;
	} else {
		term->value = whole_number(cursor, text);
	}
}

void cursor_word(struct cursor *cursor, struct vector_word *word)
{
	bool negative = cursor_take(cursor, '-');

	word->count = 0;
	do {
		struct vector_term *term;

		if (word->count == VECTOR_TERMS_MAX) {
			cursor_fail(cursor, "a sum has at most %d terms", VECTOR_TERMS_MAX);
			return;
		}
		term = &word->terms[word->count++];
		*term = (struct vector_term){ VECTOR_NUMBER, negative, 0, 0, 0 };
		if (cursor_take(cursor, '&'))
			memory_term(cursor, term);
		else if (cursor_take(cursor, '$'))
			array_term(cursor, term);
		else if (is_digit(cursor_peek(cursor)))
			number_term(cursor, term);
		else
			constant_term(cursor, term);
		negative = cursor_peek(cursor) == '-';
	} while (!cursor->failed && (cursor_take(cursor, '+') || cursor_take(cursor, '-')));
}
