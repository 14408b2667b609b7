/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --time: which time of a file is shown, and how. A format is one of strftime(3), with what date(1) adds to these: %N
 * for nanoseconds, %:z, %::z and %:::z for the zone, %q for the quarter.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mdu.h"

/* The style's format, or NULL when there is no such style. */
const char *mdu_time_format(const char *style)
{
	static const char *const styles[][2] = { { "full-iso", "%Y-%m-%d %H:%M:%S.%N %z" },
						 { "long-iso", "%Y-%m-%d %H:%M" },
						 { "iso", "%Y-%m-%d" } };

	if (*style == '+')
		return style + 1;
	for (size_t i = 0; *style && i < sizeof(styles) / sizeof(styles[0]); i++)
		if (strncmp(style, styles[i][0], strlen(style)) == 0)
			return styles[i][1];
	return NULL;
}

const char *mdu_default_time_style(void)
{
	static const char prefix[] = "posix-";
	char *style = getenv("TIME_STYLE"), *line_end;

	/* the variable may name styles that only ls knows; they are ignored, as du ignores them */
	if (!style || strcmp(style, "locale") == 0)
		return "long-iso";
	line_end = *style == '+' ? strchr(style, '\n') : NULL;
	if (line_end)
		*line_end = '\0';
	while (strncmp(style, prefix, strlen(prefix)) == 0)
		style += strlen(prefix);
	return style;
}

bool mdu_time_kind(const char *word, enum mdu_time *kind)
{
	static const struct {
		const char *word;
		enum mdu_time kind;
	} words[] = { { "atime", MDU_ATIME },
		      { "access", MDU_ATIME },
		      { "use", MDU_ATIME },
		      { "ctime", MDU_CTIME },
		      { "status", MDU_CTIME } };

	for (size_t i = 0; *word && i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(word, words[i].word, strlen(word)) == 0) {
			*kind = words[i].kind;
			return true;
		}
	return false;
}

/* ---- one conversion of a format -------------------------------------------------------------------------------- */

/* A conversion of the form %[flags][width][:…][E|O]letter. */
struct conversion {
	char pad;    /* the last of _ - 0 +, or 0 */
	char change; /* the last of ^ #, or 0 */
	int width;   /* -1: none */
	int colons;
	char modifier; /* E, O or 0 */
	char letter;
	const char *end; /* the first character behind it */
};

static int read_width(const char **at)
{
	int width = isdigit((unsigned char)**at) ? 0 : -1;

	for (; isdigit((unsigned char)**at); ++*at)
		if (width < MDU_TIME_WIDTH_MAX)
			width = width * 10 + (**at - '0');
	return width < MDU_TIME_WIDTH_MAX ? width : MDU_TIME_WIDTH_MAX;
}

static struct conversion read_conversion(const char *at)
{
	struct conversion read = { 0 };

	for (at++; *at && strchr("_-0+^#", *at); at++)
		if (strchr("^#", *at))
			read.change = *at;
		else
			read.pad = *at;
	read.width = read_width(&at);
	for (; *at == ':'; at++)
		read.colons++;
	if (*at == 'E' || *at == 'O')
		read.modifier = *at++;
	read.letter = *at;
	read.end = at + (*at != '\0');
	return read;
}

static void fill(FILE *to, char byte, int count)
{
	while (count-- > 0)
		putc(byte, to);
}

/* %N: as many digits as the width says, at most 9. The flag - without a width leaves out zeros at the end. */
static void print_nanoseconds(FILE *to, const struct conversion *how, uint32_t nanoseconds)
{
	int width = how->width > 0 ? how->width : 9, digits = 9;

	while (digits > 1 && (width < digits || nanoseconds % 10 == 0)) {
		digits--;
		nanoseconds /= 10;
	}
	fprintf(to, "%0*" PRIu32, digits, nanoseconds);
	if (how->pad != '-')
		fill(to, how->pad == '_' ? ' ' : '0', width - digits);
}

/*
 * %z with up to three colons: +hhmm, +hh:mm, +hh:mm:ss, and with three the shortest of these that is exact. date(1)
 * takes the digits as one number with colons in between, and applies widths and flags to that.
 */
static void print_zone(FILE *to, const struct conversion *how, long offset_s)
{
	long size = labs(offset_s);
	int hours = (int)(size / 3600), minutes = (int)(size / 60 % 60), seconds = (int)(size % 60);
	int parts = how->colons == 2 || seconds ? 3 : how->colons < 3 || minutes ? 2 : 1;
	char digits[32];
	int width, written;

	if (how->colons < 2)
		parts = 2;
	if (parts == 3)
		written = snprintf(digits, sizeof(digits), "%d:%02d:%02d", hours, minutes, seconds);
	else if (parts == 1 || (how->colons == 0 && !hours))
		written = snprintf(digits, sizeof(digits), "%d", parts == 1 ? hours : minutes);
	else
		written = snprintf(digits, sizeof(digits), "%d%s%02d", hours, how->colons ? ":" : "", minutes);
	/* without a given width, as wide as with hours of two digits; the sign is included */
	width = how->width >= 0 ? how->width : 3 * parts - (how->colons == 0);
	width = how->pad == '-' ? 0 : width - 1;
	fill(to, ' ', how->pad == '_' ? width - written : 0);
	putc(offset_s < 0 ? '-' : '+', to);
	fill(to, '0', how->pad == '_' ? 0 : width - written);
	fputs(digits, to);
}

/* A conversion of strftime's. strftime does not know the flag +, which gives a year beyond 9999 a sign. */
static void print_by_strftime(FILE *to, const struct conversion *how, const struct tm *time)
{
	char directive[32], text[4 * MDU_TIME_WIDTH_MAX], *at = directive;
	size_t written;

	*at++ = '%';
	if (how->pad && how->pad != '+')
		*at++ = how->pad;
	if (how->change)
		*at++ = how->change;
	if (how->width >= 0)
		at += sprintf(at, "%d", how->width);
	if (how->modifier)
		*at++ = how->modifier;
	*at++ = how->letter;
	/* another byte behind the conversion, so that an empty result differs from one that does not fit */
	*at++ = '.';
	*at = '\0';
	written = strftime(text, sizeof(text), directive, time);
	if (written)
		fwrite(text, 1, written - 1, to);
}

static void print_quarter(FILE *to, const struct conversion *how, int quarter)
{
	int filled = how->pad == '-' ? 0 : how->width - 1;

	fill(to, how->pad == '_' ? ' ' : '0', filled);
	fprintf(to, "%d", quarter);
}

static void print_conversion(FILE *to, const char *from, const struct conversion *how, const struct tm *time,
			     const struct mdu_stamp *stamp)
{
	if (how->letter == 'N' && !how->colons)
		print_nanoseconds(to, how, stamp->nanoseconds);
	else if (how->letter == 'z' && how->colons <= 3)
		print_zone(to, how, time->tm_gmtoff);
	else if (how->letter == 'q' && !how->colons)
		print_quarter(to, how, time->tm_mon / 3 + 1);
	else if (how->letter && !how->colons)
		print_by_strftime(to, how, time);
	else
		fwrite(from, 1, (size_t)(how->end - from), to);
}

void mdu_print_time(FILE *to, const char *format, const struct mdu_stamp *stamp)
{
	time_t seconds = stamp->seconds;
	struct tm time;

	if (!localtime_r(&seconds, &time)) {
		fprintf(to, "%" PRId64, stamp->seconds);
		return;
	}
	while (*format) {
		struct conversion how;

		if (*format != '%') {
			putc(*format++, to);
			continue;
		}
		how = read_conversion(format);
		print_conversion(to, format, &how, &time, stamp);
		format = how.end;
	}
}
