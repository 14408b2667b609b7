/* SPDX-License-Identifier: BSD-3-Clause */
/* How sizes are printed: always rounded up, so that no file seems to take less than it does. */
#include <inttypes.h>
#include <stdio.h>

#include "mdu.h"

/* 1.5K, 12M: the largest unit that leaves at least 1, with one decimal below 10. */
static void format_human(uint64_t bytes, char text[MDU_NUMBER_BYTES])
{
	const char units[] = "KMGTPE";
	unsigned __int128 unit = 1;
	unsigned __int128 tenths;
	int i = -1;

	if (bytes < 1024) {
		snprintf(text, MDU_NUMBER_BYTES, "%" PRIu64, bytes);
		return;
	}
	/* the next unit as soon as rounding up would print 1024 of this one */
	while (i < 5 && (bytes + unit - 1) / unit >= 1024) {
		unit *= 1024;
		i++;
	}
	tenths = ((unsigned __int128)bytes * 10 + unit - 1) / unit;
	if (tenths < 100)
		snprintf(text, MDU_NUMBER_BYTES, "%u.%u%c", (unsigned int)(tenths / 10), (unsigned int)(tenths % 10),
			 units[i]);
	else
		snprintf(text, MDU_NUMBER_BYTES, "%u%c", (unsigned int)((bytes + unit - 1) / unit), units[i]);
}

void mdu_format(const struct mdu_options *options, uint64_t bytes, char text[MDU_NUMBER_BYTES])
{
	uint64_t block = options->block_bytes;

	if (options->unit == MDU_HUMAN)
		format_human(bytes, text);
	else
		snprintf(text, MDU_NUMBER_BYTES, "%" PRIu64, bytes / block + (bytes % block != 0));
}

void mdu_print(const struct mdu_options *options, uint64_t bytes, const char *path)
{
	char text[MDU_NUMBER_BYTES];

	mdu_format(options, bytes, text);
	printf("%s\t%s%c", text, path, options->terminator);
}
