/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line: du's options, and -j. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdu.h"

enum {
	OPTION_APPARENT = 256,
	OPTION_EXCLUDE,
	OPTION_EXECUTOR,
	OPTION_FILES0_FROM,
	OPTION_HELP,
	OPTION_INODES,
	OPTION_SI,
	OPTION_TIME,
	OPTION_TIME_STYLE,
	OPTION_VERSION
};

static const char short_options[] = "0abB:cd:DhHj:klLmPsSt:xX:";

static const struct option long_options[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "apparent-size", no_argument, NULL, OPTION_APPARENT },
	{ "block-size", required_argument, NULL, 'B' },
	{ "bytes", no_argument, NULL, 'b' },
	{ "count-links", no_argument, NULL, 'l' },
	{ "dereference", no_argument, NULL, 'L' },
	{ "dereference-args", no_argument, NULL, 'D' },
	{ "exclude", required_argument, NULL, OPTION_EXCLUDE },
	{ "exclude-from", required_argument, NULL, 'X' },
	{ "executor", required_argument, NULL, OPTION_EXECUTOR },
	{ "files0-from", required_argument, NULL, OPTION_FILES0_FROM },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "human-readable", no_argument, NULL, 'h' },
	{ "inodes", no_argument, NULL, OPTION_INODES },
	{ "jobs", required_argument, NULL, 'j' },
	{ "max-depth", required_argument, NULL, 'd' },
	{ "no-dereference", no_argument, NULL, 'P' },
	{ "null", no_argument, NULL, '0' },
	{ "one-file-system", no_argument, NULL, 'x' },
	{ "separate-dirs", no_argument, NULL, 'S' },
	{ "si", no_argument, NULL, OPTION_SI },
	{ "summarize", no_argument, NULL, 's' },
	{ "threshold", required_argument, NULL, 't' },
	{ "time", optional_argument, NULL, OPTION_TIME },
	{ "time-style", required_argument, NULL, OPTION_TIME_STYLE },
	{ "total", no_argument, NULL, 'c' },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: mdu [OPTION]... [FILE]...\n"
	"       mdu [OPTION]... --files0-from=FILE\n"
	"\n"
	"Print the disk usage of each FILE (default: .), and of the directories below it, as GNU du does.\n"
	"\n"
	"What is counted:\n"
	"      --apparent-size    count the sizes of files, not the blocks that they take\n"
	"  -D, -H, --dereference-args  follow FILEs that are symbolic links\n"
	"      --exclude=PATTERN  leave out names that match the shell pattern, and all below them\n"
	"      --files0-from=FILE take the FILEs from FILE, each ended by a NUL; -: from standard input\n"
	"      --inodes           count files, not how large they are\n"
	"  -l, --count-links      count hard links as often as they are met\n"
	"  -L, --dereference      follow every symbolic link\n"
	"  -P, --no-dereference   follow no symbolic link (the default)\n"
	"  -S, --separate-dirs    count directories without their subdirectories\n"
	"  -x, --one-file-system  leave out directories on other file systems than their FILE\n"
	"  -X, --exclude-from=FILE  leave out names that match a line of FILE; -: of standard input\n"
	"\n"
	"What is printed:\n"
	"  -a, --all              files too, not only directories\n"
	"  -c, --total            the sum of all FILEs last\n"
	"  -d, --max-depth=N      nothing that is more than N levels below its FILE\n"
	"  -s, --summarize        each FILE's total only\n"
	"  -t, --threshold=SIZE   nothing smaller than SIZE; -SIZE: nothing larger\n"
	"      --time[=WORD]      the newest time of change of any file below; WORD: atime (access, use),\n"
	"                         ctime (status)\n"
	"\n"
	"How it is printed:\n"
	"  -0, --null             end each line with a NUL instead of a newline\n"
	"  -b, --bytes            --apparent-size, in bytes\n"
	"  -B, --block-size=SIZE  in units of SIZE: 512, 4K, M, MiB, MB (powers of 1000), human-readable, si\n"
	"  -h, --human-readable   1.5K, 234M, 2.1G\n"
	"  -k                     in units of 1024 bytes (the default)\n"
	"  -m                     in units of 1048576 bytes\n"
	"      --si               as -h, in powers of 1000\n"
	"      --time-style=STYLE full-iso, long-iso, iso or +FORMAT, as of date(1)\n"
	"\n"
	"      --executor=NAME    what makes the system calls: auto (default), loop or kernel\n"
	"  -j, --jobs=N           use N threads (default: one for each online core)\n"
	"      --help             print this\n"
	"      --version          print the version\n"
	"\n"
	"Exit status: 0; 1 when something could not be read; 2 for wrong options.\n";

void mdu_fail_usage(const char *message, const char *value)
{
	fprintf(stderr, "mdu: %s%s%s%s\nTry 'mdu --help'.\n", message, value ? " '" : "", value ? value : "",
		value ? "'" : "");
	exit(MDU_EXIT_USAGE);
}

bool mdu_close_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	fprintf(stderr, "mdu: cannot write to standard output: %s\n", strerror(errno));
	return false;
}

static void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(mdu_close_output() ? 0 : MDU_EXIT_FILES);
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
		mdu_fail_usage(message, text);
	}
	return number;
}

/* Report a size that could not be read. limit: the text of the limit below which sizes have to be. */
static void check_size(const char *flag, const char *text, const char *limit, enum mdu_size_error error)
{
	char message[120];

	if (error == MDU_SIZE_OK)
		return;
	snprintf(message, sizeof(message), "%s takes a number and a unit (4096, 4K, MiB, 5MB)%s, not", flag,
		 error == MDU_SIZE_LARGE ? limit : "");
	mdu_fail_usage(message, text);
}

static void parse_threshold(struct mdu_options *options, const char *text)
{
	bool is_most = *text == '-';
	uint64_t size;

	check_size("-t", text, " below 2^63", mdu_read_size(text + is_most, "km", INT64_MAX, &size));
	if (is_most && (size == 0 || text[1] == '-' || text[1] == '+'))
		mdu_fail_usage(
			"-t takes a size to print what is as large, or a negative one to print what is no larger, not",
			text);
	options->threshold = is_most ? -(int64_t)size : (int64_t)size;
}

static void add_exclude(struct mdu_options *options, const char *pattern)
{
	if (mdu_exclude(&options->excludes, pattern))
		mdu_fail_usage("out of memory for", pattern);
}

static void add_excludes_from(struct mdu_options *options, const char *file)
{
	int code = mdu_exclude_from(&options->excludes, file);

	if (code) {
		fprintf(stderr, "mdu: cannot read patterns from '%s': %s\n", file, strerror(-code));
		exit(MDU_EXIT_FILES);
	}
}

/* The options that say how sizes are shown. Returns whether `option` is one of them. */
static bool parse_unit(struct mdu_options *options, int option)
{
	struct mdu_unit unit = { .block_bytes = 1, .base = 1024 };

	switch (option) {
	case OPTION_APPARENT:
		options->apparent = true;
		return true;
	case 'b':
		options->apparent = true;
		break;
	case 'B':
		check_size("-B", optarg, " below 2^64", mdu_read_unit(optarg, &unit));
		break;
	case 'h':
		unit.scales = unit.shows_letter = true;
		break;
	case OPTION_SI:
		unit.scales = unit.shows_letter = true;
		unit.base = 1000;
		break;
	case 'k':
		unit.block_bytes = 1024;
		break;
	case 'm':
		unit.block_bytes = 1048576;
		break;
	default:
		return false;
	}
	options->unit = unit;
	return true;
}

/* The options that say which links are followed. Returns whether `option` is one of them. */
static bool parse_follow(struct mdu_options *options, int option)
{
	switch (option) {
	case 'D':
	case 'H':
		options->follow = WALK_FOLLOW_PATH;
		return true;
	case 'L':
		options->follow = WALK_FOLLOW_ALL;
		return true;
	case 'P':
		options->follow = WALK_FOLLOW_NONE;
		return true;
	default:
		return false;
	}
}

/* The other options without an argument. Returns whether `option` is one of them. */
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
	case 'S':
		options->separate = true;
		return true;
	case 'x':
		options->one_device = true;
		return true;
	case OPTION_INODES:
		options->inodes = true;
		return true;
	default:
		return false;
	}
}

static void parse_time(struct mdu_options *options, const char *word)
{
	options->time = MDU_MTIME;
	if (word && !mdu_time_kind(word, &options->time))
		mdu_fail_usage("--time takes atime, access, use, ctime or status, not", word);
}

static void parse_executor(struct mdu_options *options, const char *name)
{
	static struct batch_kernel_executor kernel; /* open until the program ends */

	if (strcmp(name, "auto") == 0)
		options->executor = NULL;
	else if (strcmp(name, "loop") == 0)
		options->executor = &batch_executor_loop;
	else if (strcmp(name, "kernel") == 0)
		options->executor = &kernel.executor;
	else
		mdu_fail_usage("--executor takes auto, loop or kernel, not", name);
	if (options->executor != &kernel.executor || kernel.way != BATCH_KERNEL_NONE ||
	    batch_kernel_open(&kernel, NULL) == 0)
		return;
	fputs("mdu: --executor=kernel: this kernel runs no batches, or not for this process; use --executor=auto\n",
	      stderr);
	exit(MDU_EXIT_FILES);
}

/* The options with an argument, and those that end the program. */
static void parse_other(struct mdu_options *options, int option, const char **time_style)
{
	switch (option) {
	case 'j':
		options->threads = (unsigned int)parse_number("-j", optarg, 1, WALK_THREADS_MAX);
		break;
	case 't':
		parse_threshold(options, optarg);
		break;
	case 'X':
		add_excludes_from(options, optarg);
		break;
	case OPTION_EXCLUDE:
		add_exclude(options, optarg);
		break;
	case OPTION_EXECUTOR:
		parse_executor(options, optarg);
		break;
	case OPTION_FILES0_FROM:
		options->files0_from = optarg;
		break;
	case OPTION_TIME:
		parse_time(options, optarg);
		break;
	case OPTION_TIME_STYLE:
		*time_style = optarg;
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
		exit(MDU_EXIT_USAGE);
	}
}

static void check_combination(struct mdu_options *options, bool depth_given, const char *operand)
{
	if (options->files0_from && operand)
		mdu_fail_usage("--files0-from names the file that has all FILEs; take it away, or", operand);
	if (options->summarize && options->all)
		mdu_fail_usage("-s prints totals only and -a prints every file; give one of them", NULL);
	if (options->summarize && depth_given && options->max_depth != 0)
		mdu_fail_usage("-s is the same as -d 0; give no other -d with it", NULL);
	if (options->summarize && depth_given)
		fputs("mdu: warning: summarizing is the same as using --max-depth=0\n", stderr);
	if (options->summarize)
		options->max_depth = 0;
	if (options->inodes && options->apparent)
		fputs("mdu: warning: options --apparent-size and -b are ineffective with --inodes\n", stderr);
	if (options->inodes)
		options->unit.block_bytes = 1;
}

static void choose_time_format(struct mdu_options *options, const char *style)
{
	if (!options->time)
		return;
	if (!style)
		style = mdu_default_time_style();
	options->time_format = mdu_time_format(style);
	if (!options->time_format)
		mdu_fail_usage("--time-style (or TIME_STYLE) takes full-iso, long-iso, iso or +FORMAT, not", style);
}

void mdu_parse_options(struct mdu_options *options, int argc, char **argv)
{
	const char *time_style = NULL;
	bool depth_given = false;
	int option;

	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (parse_unit(options, option) || parse_follow(options, option) || parse_flag(options, option))
			continue;
		if (option == 'd') {
			options->max_depth = parse_number("-d", optarg, 0, SIZE_MAX);
			depth_given = true;
		} else {
			parse_other(options, option, &time_style);
		}
	}
	check_combination(options, depth_given, argv[optind]);
	choose_time_format(options, time_style);
}
