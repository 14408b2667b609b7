/* SPDX-License-Identifier: BSD-3-Clause */
/* What texts are made of, in ASCII whatever the locale is. */
#ifndef NOTES_TEXT_H
#define NOTES_TEXT_H

#include <stdbool.h>

static inline bool is_space(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static inline bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

#endif
