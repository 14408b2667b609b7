/* SPDX-License-Identifier: BSD-3-Clause */
/* mdu: the options, the operands, the exit status. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mdu.h"

enum { EXIT_FILES = 1, EXIT_USAGE = 2 };
enum { OPTION_APPARENT = 256, OPTION_EXCLUDE, OPTION_HELP, OPTION_VERSION };

static const struct option long_options[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "apparent-size", no_argument, NULL, OPTION_APPARENT },
	{ "bytes", no_argument, NULL, 'b' },
	{ "count-links", no_argument, NULL, 'l' },
	{ "exclude", required_argument, NULL, OPTION_EXCLUDE },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "human-readable", no_argument, NULL, 'h' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "max-depth", required_argument, NULL, 'd' },
	{ "null", no_argument, NULL, '0' },
	{ "one-file-system", no_argument, NULL, 'x' },
	{ "summarize", no_argument, NULL, 's' },
	{ "total", no_argument, NULL, 'c' },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: mdu [OPTION]... [FILE]...\n"
	"\n"
	"Print the disk usage of each FILE (default: .), and of the directories below it, as GNU du does.\n"
	"\n"
	"  -0, --null             end each line with a NUL instead of a newline\n"
	"  -a, --all              print files too, not only directories\n"
	"      --apparent-size    sizes, not the blocks they take\n"
	"  -b, --bytes            --apparent-size, in bytes\n"
	"  -c, --total            print the sum of all FILEs last\n"
	"  -d, --max-depth=N      print nothing that is more than N levels below its FILE\n"
	"      --exclude=PATTERN  leave out what matches the shell pattern, and all below it\n"
	"  -h, --human-readable   1.5K, 234M, 2.1G\n"
	"  -j, --jobs=N           use N threads (default: one for each online core)\n"
	"  -k                     in units of 1024 bytes (the default)\n"
	"  -l, --count-links      count hard links as often as they are met\n"
	"  -m                     in units of 1048576 bytes\n"
	"  -s, --summarize        print each FILE's total only\n"
	"  -x, --one-file-system  leave out directories on other file systems than their FILE\n"
	"      --help             print this\n"
	"      --version          print the version\n"
	"\n"
	"Exit status: 0; 1 when something could not be read; 2 for wrong options.\n";

static void set_unit(struct mdu_options *options, enum mdu_unit unit, uint64_t block_bytes)
{
	options->unit = unit;
	options->block_bytes = block_bytes;
}

static void __attribute__((noreturn)) fail_usage(const char *message, const char *value)
{
	fprintf(stderr, "mdu: %s%s%s%s\nTry 'mdu --help'.\n", message, value ? " '" : "", value ? value : "",
		value ? "'" : "");
	exit(EXIT_USAGE);
}

/* A whole number from min to max, or the end of the program. */
static unsigned long parse_number(const char *flag, const char *text, unsigned long min, unsigned long max)
{
	unsigned long number;
	char *end, message[120];

	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || end == text || text[0] < '0' || text[0] > '9' || number < min || number > max) {
		snprintf(message, sizeof(message), "%s takes a whole number from %lu to %lu, not", flag, min, max);
		fail_usage(message, text);
	}
	return number;
}

/* Write out what is left. Returns whether everything was written. */
static bool close_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	fprintf(stderr, "mdu: cannot write to standard output: %s\n", strerror(errno));
	return false;
}

static void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(close_output() ? 0 : EXIT_FILES);
}

static void add_exclude(struct mdu_options *options, const char *pattern)
{
	if (options->exclude_count == MDU_EXCLUDES_MAX)
		fail_usage("too many --exclude; at most 1024 are taken, the last is", pattern);
	options->excludes[options->exclude_count++] = pattern;
}

/* The options that say how sizes are shown. Returns whether it was one. */
static bool parse_unit(struct mdu_options *options, int option)
{
	switch (option) {
	case OPTION_APPARENT:
		options->apparent = true;
		return true;
	case 'b':
		options->apparent = true;
		set_unit(options, MDU_BLOCKS, 1);
		return true;
	case 'h':
		set_unit(options, MDU_HUMAN, 1);
		return true;
	case 'k':
		set_unit(options, MDU_BLOCKS, 1024);
		return true;
	case 'm':
		set_unit(options, MDU_BLOCKS, 1048576);
		return true;
	default:
		return false;
	}
}

/* The options that take nothing and do not say how sizes are shown. Returns whether it was one. */
static bool parse_flag(struct mdu_options *options, int option)
{
	switch (option) {
	case '0':
		options->terminator = '\0';
		return true;
	case 'a':
		options->all = true;
		return true;
	case 'c':
		options->total = true;
		return true;
	case 'l':
		options->count_links = true;
		return true;
	case 's':
		options->summarize = true;
		return true;
	case 'x':
		options->one_device = true;
		return true;
	default:
		return false;
	}
}

static void check_combination(struct mdu_options *options, bool depth_given)
{
	if (options->summarize && options->all)
		fail_usage("-s prints totals only and -a prints every file; give one of them", NULL);
	if (options->summarize && depth_given && options->max_depth != 0)
		fail_usage("-s is the same as -d 0; give no other -d with it", NULL);
	if (options->summarize)
		options->max_depth = 0;
}

static void parse_options(struct mdu_options *options, int argc, char **argv)
{
	bool depth_given = false;
	int option;

	while ((option = getopt_long(argc, argv, "0abcd:hj:klmsx", long_options, NULL)) != -1) {
		if (parse_unit(options, option) || parse_flag(options, option))
			continue;
		switch (option) {
		case 'd':
			options->max_depth = parse_number("-d", optarg, 0, SIZE_MAX);
			depth_given = true;
			break;
		case 'j':
			options->threads = (unsigned int)parse_number("-j", optarg, 1, WALK_THREADS_MAX);
			break;
		case OPTION_EXCLUDE:
			add_exclude(options, optarg);
			break;
		case OPTION_HELP:
			print_and_exit(help_text);
			break;
		case OPTION_VERSION:
			print_and_exit("mdu (Ferry) " FERRY_VERSION "\n");
			break;
		default:
			/* getopt_long has said what was wrong */
			fputs("Try 'mdu --help'.\n", stderr);
			exit(EXIT_USAGE);
		}
	}
	check_combination(options, depth_given);
}

/* Of several slashes at the end du prints one; but "//" may be something of its own. */
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

static int run(const struct mdu_options *options, char *const *operands, size_t operand_count)
{
	struct mdu mdu;
	int code = mdu_init(&mdu, options, operand_count);
	bool failed;

	if (code)
		fputs("mdu: out of memory; try fewer threads: -j 1\n", stderr);
	for (size_t i = 0; i < operand_count && code == 0; i++)
		code = count_operand(&mdu, operands[i]);
	if (options->total && code == 0)
		mdu_print(options, mdu.total, "total");
	/* relaxed: the threads were joined */
	failed = code || atomic_load_explicit(&mdu.failed, memory_order_relaxed);
	mdu_free(&mdu);
	if (!close_output())
		failed = true;
	return failed ? EXIT_FILES : 0;
}

int main(int argc, char **argv)
{
	static char dot[] = ".";
	static char *const here[] = { dot };
	static struct mdu_options options = {
		.terminator = '\n', .unit = MDU_BLOCKS, .block_bytes = 1024, .max_depth = MDU_DEPTH_ALL
	};

	setlocale(LC_CTYPE, "");
	parse_options(&options, argc, argv);
	if (options.threads == 0)
		options.threads = (unsigned int)walk_threads(NULL);
	options.progress = isatty(STDERR_FILENO);
	if (optind == argc)
		return run(&options, here, 1);
	return run(&options, argv + optind, (size_t)(argc - optind));
}
