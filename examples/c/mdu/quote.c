/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names in messages, as GNU's tools write them: in single quotes; in double quotes when the name has a single quote and
 * nothing else that a shell would touch there; and what cannot be printed as $'\ooo' between two quoted parts.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "mdu.h"

/* What is safe in double quotes, besides letters and digits. */
static bool is_plain(const char *at, size_t bytes, bool first, bool only)
{
	if (bytes > 1 || isalnum((unsigned char)*at) || strchr("%+,-./:@]_ '", *at))
		return true;
	if (strchr("{}", *at))
		return only;
	return strchr("#~", *at) && first;
}

/* Bytes of the printable character at name, or 0 when it is none. */
static size_t printable_bytes(const char *name)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t bytes = mbrtowc(&wide, name, strlen(name), &state);

	if (bytes == (size_t)-1 || bytes == (size_t)-2 || bytes == 0)
		return 0;
	return iswprint((wint_t)wide) ? bytes : 0;
}

static bool fits_double_quotes(const char *name)
{
	size_t bytes;

	if (!strchr(name, '\''))
		return false;
	for (const char *at = name; *at; at += bytes) {
		bytes = printable_bytes(at);
		if (bytes == 0 || !is_plain(at, bytes, at == name, name[1] == '\0'))
			return false;
	}
	return true;
}

/* The escape of a byte that cannot be printed. */
static int escape(char *to, unsigned char byte)
{
	const char *named = "\a\b\f\n\r\t\v", *letters = "abfnrtv", *at = strchr(named, byte);

	return at && byte ? sprintf(to, "\\%c", letters[at - named]) : sprintf(to, "\\%03o", byte);
}

static char *quote_single(char *to, const char *name)
{
	bool escaping = false;
	size_t bytes;

	*to++ = '\'';
	for (; *name; name += bytes) {
		bytes = printable_bytes(name);
		if (bytes == 0 && !escaping)
			to = stpcpy(to, "'$'");
		else if (bytes && escaping && *name != '\'')
			to = stpcpy(to, "''");
		escaping = bytes == 0;
		if (bytes == 0) {
			to += escape(to, (unsigned char)*name);
			bytes = 1;
		} else if (*name == '\'') {
			to = stpcpy(to, "'\\''");
		} else {
			to = mempcpy(to, name, bytes);
		}
	}
	*to++ = '\'';
	return to;
}

char *mdu_quote(const char *name)
{
	char *quoted = malloc(MDU_QUOTED_BYTES_MAX * strlen(name) + 3), *end = quoted;

	if (!quoted)
		return NULL;
	if (fits_double_quotes(name)) {
		*end++ = '"';
		end = stpcpy(end, name);
		*end++ = '"';
	} else {
		end = quote_single(end, name);
	}
	*end = '\0';
	return quoted;
}
