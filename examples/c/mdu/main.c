/* SPDX-License-Identifier: BSD-3-Clause */
/* mdu: the operands, one after the other, and the exit status. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mdu.h"

/* Of several slashes at the end du prints one. "//" alone stays, since it may have a meaning of its own. */
static void trim_slashes(char *operand)
{
	size_t length = strlen(operand);

	while (length > 2 && operand[length - 1] == '/' && operand[length - 2] == '/')
		operand[--length] = '\0';
}

static int count_operand(struct mdu *mdu, char *operand)
{
	bool nothing_below = mdu->options->max_depth == 0;

	if (!*operand) {
		mdu_complain(mdu, "cannot access", operand, -ENOENT);
		return 0;
	}
	trim_slashes(operand);
	return nothing_below ? mdu_summary(mdu, operand) : mdu_listing(mdu, operand);
}

/* Whether a name from a file may be an operand; says why not. */
static bool check_name(struct mdu *mdu, const char *name, size_t number)
{
	const char *file = mdu->options->files0_from;
	bool is_stdin = strcmp(file, "-") == 0 && strcmp(name, "-") == 0;

	if (is_stdin)
		mdu_fail(mdu, "when reading file names from stdin, no file name of '-' allowed");
	else if (!*name)
		mdu_fail(mdu, "%s:%zu: invalid zero-length file name", file, number);
	return *name && !is_stdin;
}

/* Count the operands in a file, in which a NUL ends each. */
static int count_operands_of(struct mdu *mdu)
{
	const char *file = mdu->options->files0_from;
	FILE *stream = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
	size_t number = 0, room = 0;
	char *name = NULL;
	int code = 0;

	if (!stream) {
		mdu_fail(mdu, "cannot open '%s' for reading: %s", file, strerror(errno));
		return 0;
	}
	while (code == 0 && getdelim(&name, &room, '\0', stream) >= 0)
		if (check_name(mdu, name, ++number))
			code = count_operand(mdu, name);
	if (code == 0 && ferror(stream))
		mdu_fail(mdu, "%s: read error: %s", file, strerror(errno));
	free(name);
	if (stream != stdin)
		fclose(stream);
	return code;
}

static int run(const struct mdu_options *options, char *const *operands, size_t operand_count)
{
	struct mdu mdu;
	int code = mdu_init(&mdu, options, operand_count == 1);
	bool failed;

	if (code)
		fputs("mdu: out of memory; try fewer threads: -j 1\n", stderr);
	for (size_t i = 0; i < operand_count && code == 0; i++)
		code = count_operand(&mdu, operands[i]);
	if (options->files0_from && code == 0)
		code = count_operands_of(&mdu);
	if (options->total && code == 0)
		mdu_print_total(options, &mdu.total);
	/* relaxed: the threads were joined */
	failed = code || atomic_load_explicit(&mdu.failed, memory_order_relaxed);
	mdu_free(&mdu);
	if (!mdu_close_output())
		failed = true;
	return failed ? MDU_EXIT_FILES : 0;
}

int main(int argc, char **argv)
{
	static char dot[] = ".";
	static char *const here[] = { dot };
	static struct mdu_options options = { .terminator = '\n', .max_depth = MDU_DEPTH_ALL };

	/* the locale says what a letter is, what [a-z] matches, how numbers and times look; messages stay English */
	setlocale(LC_CTYPE, "");
	setlocale(LC_NUMERIC, "");
	setlocale(LC_TIME, "");
	setlocale(LC_COLLATE, "");
	options.unit = mdu_default_unit();
	mdu_parse_options(&options, argc, argv);
	if (options.threads == 0)
		options.threads = (unsigned int)walk_threads(NULL);
	options.progress = isatty(STDERR_FILENO);
	if (optind == argc)
		return run(&options, here, options.files0_from ? 0 : 1);
	return run(&options, argv + optind, (size_t)(argc - optind));
}
