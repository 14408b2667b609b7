/* SPDX-License-Identifier: BSD-3-Clause */
/* Adding up what files take, and printing the lines. */
#include <stdio.h>

#include "mdu.h"

static bool is_newer(const struct mdu_stamp *a, const struct mdu_stamp *b)
{
	return a->seconds != b->seconds ? a->seconds > b->seconds : a->nanoseconds > b->nanoseconds;
}

void mdu_add(struct mdu_usage *to, const struct mdu_usage *more)
{
	if (__builtin_add_overflow(to->amount, more->amount, &to->amount))
		to->amount = UINT64_MAX;
	if (is_newer(&more->newest, &to->newest))
		to->newest = more->newest;
}

static void print_line(const struct mdu_options *options, const struct mdu_usage *usage, const char *path)
{
	char text[MDU_NUMBER_BYTES];

	mdu_format(&options->unit, usage->amount, text);
	fputs(text, stdout);
	if (options->time) {
		putchar('\t');
		mdu_print_time(stdout, options->time_format, &usage->newest);
	}
	printf("\t%s%c", path, options->terminator);
}

void mdu_print(const struct mdu_options *options, const struct mdu_usage *usage, const char *path)
{
	int64_t threshold = options->threshold;

	if (threshold < 0 ? usage->amount <= -(uint64_t)threshold : usage->amount >= (uint64_t)threshold)
		print_line(options, usage, path);
}

void mdu_print_total(const struct mdu_options *options, const struct mdu_usage *usage)
{
	print_line(options, usage, "total");
}
