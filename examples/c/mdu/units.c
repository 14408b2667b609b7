/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes on the command line and in lines, as GNU's tools read and write them: 10, 10K, KiB, 5MB; printed sizes are
 * rounded up, so that no file seems to take less than it does.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdu.h"

/* the letters of powers of 1000 or 1024; with one beyond E any number but 0 is too large */
static const char powers[] = "KMGTPEZY";

#define POWERS_MAX ((int)sizeof(powers) - 1)

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* The exponent of a unit's letter, or 0 for any other character. `accepted` has the letters that may be small. */
static int exponent_of(char letter, const char *accepted)
{
	const char *at = letter ? strchr(powers, toupper((unsigned char)letter)) : NULL;

	return at && (isupper((unsigned char)letter) || strchr(accepted, letter)) ? (int)(at - powers) + 1 : 0;
}

/* Read what follows a unit's letter: nothing, "iB", "B" or "D". Returns the position after it, and *base. */
static const char *read_base(const char *text, unsigned int *base)
{
	*base = 1024;
	if (text[0] == 'i' && text[1] == 'B')
		return text + 2;
	if (text[0] != 'B' && text[0] != 'D')
		return text;
	*base = 1000;
	return text + 1;
}

enum mdu_size_error mdu_read_size(const char *text, const char *small_letters, uint64_t max, uint64_t *size)
{
	unsigned int base;
	bool is_large;
	char *end;
	int exponent;

	errno = 0;
	*size = strtoumax(text, &end, 0);
	is_large = errno == ERANGE || *size > max;
	if (end == text) {
		if (!exponent_of(*text, small_letters))
			return MDU_SIZE_INVALID;
		*size = 1;
	}
	exponent = exponent_of(*end, small_letters);
	if (*end && !exponent)
		return MDU_SIZE_SUFFIX;
	if (exponent && *read_base(end + 1, &base))
		return MDU_SIZE_SUFFIX;
	for (; exponent && *size && !is_large; exponent--) {
		is_large = *size > max / base;
		*size *= base;
	}
	return is_large ? MDU_SIZE_LARGE : MDU_SIZE_OK;
}

/* Whether text is a word, or an abbreviation of it. */
static bool abbreviates(const char *text, const char *word)
{
	return *text && strncmp(text, word, strlen(text)) == 0;
}

enum mdu_size_error mdu_read_unit(const char *text, struct mdu_unit *unit)
{
	enum mdu_size_error error;
	size_t length;

	*unit = (struct mdu_unit){ .block_bytes = 1, .base = 1024 };
	if (*text == '\'') {
		unit->groups = true;
		text++;
	}
	if (abbreviates(text, "human-readable") || abbreviates(text, "si")) {
		unit->base = *text == 's' ? 1000 : 1024;
		unit->scales = unit->shows_letter = true;
		return MDU_SIZE_OK;
	}
	if (text[strspn(text, " \t\n\v\f\r")] == '-')
		return MDU_SIZE_INVALID;
	error = mdu_read_size(text, "gkmt", UINT64_MAX, &unit->block_bytes);
	if (error == MDU_SIZE_OK && unit->block_bytes == 0)
		error = MDU_SIZE_INVALID;
	length = strlen(text);
	if (error || strpbrk(text, "0123456789"))
		return error;
	/* a letter alone is shown behind each number */
	unit->shows_letter = true;
	unit->shows_b = text[length - 1] == 'B';
	unit->base = unit->shows_b && text[length - 2] != 'i' ? 1000 : 1024;
	return MDU_SIZE_OK;
}

struct mdu_unit mdu_default_unit(void)
{
	const char *const names[] = { "DU_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE" };
	struct mdu_unit unit;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = getenv(names[i]);

		if (text && mdu_read_unit(text, &unit) == MDU_SIZE_OK)
			return unit;
		/* a variable that cannot be read counts as not set, but the variables after it are not looked at */
		if (text)
			break;
	}
	return (struct mdu_unit){ .block_bytes = getenv("POSIXLY_CORRECT") ? 512 : 1024, .base = 1024 };
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* The letters behind a number in units of base^exponent. */
static void format_letters(const struct mdu_unit *unit, int exponent, char text[4])
{
	if (unit->base == 1000 && exponent == 1)
		*text++ = 'k';
	else if (exponent)
		*text++ = powers[exponent - 1];
	if (unit->shows_b && exponent && unit->base == 1024)
		*text++ = 'i';
	if (unit->shows_b)
		*text++ = 'B';
	*text = '\0';
}

static void format_whole(const struct mdu_unit *unit, uint64_t number, const char *letters, char text[MDU_NUMBER_BYTES])
{
	snprintf(text, MDU_NUMBER_BYTES, unit->groups ? "%'" PRIu64 "%s" : "%" PRIu64 "%s", number, letters);
}

/* 1.5K, 12M: the largest unit that leaves at least 1, with one decimal below 10. */
static void format_scaled(const struct mdu_unit *unit, uint64_t amount, char text[MDU_NUMBER_BYTES])
{
	unsigned __int128 size = 1, tenths;
	char letters[4];
	int exponent = 0;

	/* take the next unit when rounding up would print 1024 (1000) of this one */
	while (exponent < POWERS_MAX && (amount + size - 1) / size >= unit->base) {
		size *= unit->base;
		exponent++;
	}
	format_letters(unit, exponent, letters);
	tenths = ((unsigned __int128)amount * 10 + size - 1) / size;
	if (exponent && tenths < 100)
		snprintf(text, MDU_NUMBER_BYTES, "%u%s%u%s", (unsigned int)(tenths / 10), localeconv()->decimal_point,
			 (unsigned int)(tenths % 10), letters);
	else
		format_whole(unit, (uint64_t)((amount + size - 1) / size), letters, text);
}

void mdu_format(const struct mdu_unit *unit, uint64_t amount, char text[MDU_NUMBER_BYTES])
{
	uint64_t block = unit->block_bytes;
	char letters[4] = "";
	int exponent = 0;

	if (amount == UINT64_MAX) {
		snprintf(text, MDU_NUMBER_BYTES, "Infinity");
		return;
	}
	if (unit->scales) {
		format_scaled(unit, amount, text);
		return;
	}
	for (uint64_t power = 1; unit->shows_letter && power < block && exponent < POWERS_MAX; power *= unit->base)
		exponent++;
	if (unit->shows_letter)
		format_letters(unit, exponent, letters);
	format_whole(unit, amount / block + (amount % block != 0), letters, text);
}
