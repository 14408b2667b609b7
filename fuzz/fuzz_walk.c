/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a file system in user space, or whoever names files, can put before the walk and mdu.
 *
 * The first byte of an input chooses: 0 takes the rest as a getdents64 buffer; every record that is found lies inside
 * it, in order, and reading all names reads nothing outside. 1 takes it as a name to quote: what comes out is one shell
 * word of printable characters. 2 takes it as a pattern, a NUL and a path: matching
 * ends, and a path without wildcards matches itself.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/c/mdu/mdu.h"
#include "walk/dents.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* A terminated copy of exactly its size. */
static char *copy_text(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);

	require(text != NULL);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	return text;
}

static void try_dents(const uint8_t *data, size_t bytes)
{
	char *buffer = copy_text(data, bytes);
	const struct walk__dent *dent;
	size_t offset = 0, before = 0;

	while ((dent = walk__dents_next(buffer, bytes, &offset))) {
		require((const char *)dent == buffer + before && offset > before && offset <= bytes);
		require(dent->name + strlen(dent->name) <= buffer + bytes);
		require(!walk__dent_is_dot(dent) || strlen(dent->name) <= 2);
		before = offset;
	}
	require(offset == before && offset <= bytes);
	free(buffer);
}

static void try_quote(const uint8_t *data, size_t bytes)
{
	char *name = copy_text(data, bytes), *quoted = mdu_quote(name);
	size_t length;

	require(quoted != NULL);
	length = strlen(quoted);
	require(length >= strlen(name) + 2 && length <= MDU_QUOTED_BYTES_MAX * strlen(name) + 2);
	require((quoted[0] == '\'' || quoted[0] == '"') && quoted[length - 1] == quoted[0]);
	for (size_t i = 0; i < length; i++)
		require((unsigned char)quoted[i] >= 0x20 && quoted[i] != 0x7f);
	free(quoted);
	free(name);
}

static void try_exclude(const uint8_t *data, size_t bytes)
{
	char *text = copy_text(data, bytes);
	const char *pattern = text, *path = strlen(text) < bytes ? text + strlen(text) + 1 : "";

	mdu_excluded(&(struct mdu_patterns){ .at = &pattern, .count = 1 }, path);
	/* bytes that are no characters match by themselves too, in the C locale that a target runs in */
	if (!strpbrk(path, "*?[\\"))
		require(mdu_excluded(&(struct mdu_patterns){ .at = &path, .count = 1 }, path));
	free(text);
}

static void try_unit(const uint8_t *data, size_t bytes)
{
	char *text = copy_text(data, bytes), number[MDU_NUMBER_BYTES];
	struct mdu_unit unit;

	if (mdu_read_unit(text, &unit) == MDU_SIZE_OK) {
		require(unit.block_bytes > 0 && (unit.base == 1000 || unit.base == 1024));
		mdu_format(&unit, bytes && data[0] ? UINT64_MAX / data[0] : bytes, number);
		require(strlen(number) < sizeof(number) && *number);
	}
	free(text);
}

static void try_time(const uint8_t *data, size_t bytes)
{
	char *format = copy_text(data, bytes);
	const struct mdu_stamp stamp = { .seconds = (int64_t)bytes << 30, .nanoseconds = 999999999 };
	FILE *nowhere = fopen("/dev/null", "w");

	require(nowhere != NULL);
	mdu_print_time(nowhere, format, &stamp);
	fclose(nowhere);
	free(format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	/* longer names do not exist, and matching may take time exponential in the number of wildcards */
	const size_t text_bytes_max = 64;

	if (bytes == 0)
		return 0;
	if (data[0] == 0)
		try_dents(data + 1, bytes - 1);
	else if (data[0] == 1 && bytes <= 512)
		try_quote(data + 1, bytes - 1);
	else if (data[0] == 2 && bytes <= text_bytes_max)
		try_exclude(data + 1, bytes - 1);
	else if (data[0] == 3 && bytes <= text_bytes_max)
		try_unit(data + 1, bytes - 1);
	else if (data[0] == 4 && bytes <= text_bytes_max)
		try_time(data + 1, bytes - 1);
	return 0;
}
