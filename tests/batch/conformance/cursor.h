/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading a vector's text from left to right: blanks, names, numbers, strings, sums.
 *
 * The first error sticks: it empties the rest of the text, so that every reader after it sees the end and stops.
 */
#ifndef FERRY_TESTS_CONFORMANCE_CURSOR_H
#define FERRY_TESTS_CONFORMANCE_CURSOR_H

#include "vector.h"

struct cursor {
	const char *at, *end;
	unsigned int line;
	struct vector *vector;
	struct vector_error *error;
	bool failed;
};

/* Note an error at the current line. Returns -EINVAL. */
int cursor_fail(struct cursor *cursor, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The character at the cursor, or -1 at the end of the text. */
int cursor_peek(const struct cursor *cursor);

/* Go over `c` if it is next. Returns whether it was. */
bool cursor_take(struct cursor *cursor, char c);

/* Go over `c`, or fail saying that it was expected. */
void cursor_expect(struct cursor *cursor, char c);

/* Go over blanks, not over the end of a line. */
void cursor_blanks(struct cursor *cursor);

/* Whether the line, but for blanks, ends here. */
bool cursor_line_ends(struct cursor *cursor);

/* Read a name (letter or _, then letters, digits, _). Returns whether there was one; a name too long fails. */
bool cursor_name(struct cursor *cursor, char name[VECTOR_NAME_BYTES]);

/* Read a whole number between minimum and maximum, or fail naming `what`. */
long cursor_integer(struct cursor *cursor, const char *what, long minimum, long maximum);

/* Read "…" into the vector's strings, without a NUL. */
void cursor_string(struct cursor *cursor, unsigned int *start, unsigned int *bytes);

/* Read a sum of numbers, constants, doubles and addresses. */
void cursor_word(struct cursor *cursor, struct vector_word *word);

#endif /* FERRY_TESTS_CONFORMANCE_CURSOR_H */
