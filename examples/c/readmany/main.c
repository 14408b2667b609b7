/* SPDX-License-Identifier: BSD-3-Clause */
/* readmany: the contents of many small files, in order, as cat(1) gives them. See readmany(1). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readmany.h"

struct options {
	size_t files;
	enum readmany_executor executor;
	const char *list;
};

static const char help[] = "Usage: readmany [OPTION]... [FILE]...\n"
			   "   or: readmany [OPTION]... --files0-from=F\n"
			   "Write the contents of many small files to standard output, in order, as cat does,\n"
			   "opening, reading and closing many of them in one crossing into the kernel.\n"
			   "With no FILE, or when FILE is -, read standard input.\n"
			   "\n"
			   "      --files0-from=F   read the files named in F, each name ended by a NUL byte;\n"
			   "                        with F -, read the names from standard input\n"
			   "      --batch=N         files in one batch, 1 to 1024 (default 64)\n"
			   "      --executor=NAME   what runs the batches: auto (default), loop, uring or kernel\n"
			   "      --help            show this and exit\n"
			   "      --version         show the version and exit\n"
			   "\n"
			   "Exit status: 0 if every file was read, 1 if one was not, 2 if an option is wrong.\n"
			   "\n"
			   "  find /etc -type f -print0 | readmany --files0-from=- | wc -c\n";

static int fail_usage(const char *option, const char *value, const char *wanted)
{
	fprintf(stderr, "readmany: --%s=%s: %s\n", option, value, wanted);
	return CLI_USAGE;
}

static int parse_files(struct options *options, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > READMANY_FILES_MAX)
		return fail_usage("batch", text, "give a number of files from 1 to 1024");
	options->files = (size_t)value;
	return 0;
}

static int parse_executor(struct options *options, const char *text)
{
	if (strcmp(text, "auto") == 0)
		options->executor = READMANY_AUTO;
	else if (strcmp(text, "loop") == 0)
		options->executor = READMANY_LOOP;
	else if (strcmp(text, "uring") == 0)
		options->executor = READMANY_URING;
	else if (strcmp(text, "kernel") == 0)
		options->executor = READMANY_KERNEL;
	else
		return fail_usage("executor", text, "give auto, loop, uring or kernel");
	return 0;
}

/* Returns 0, or the exit status; help and version end the program. */
static int parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{ "files0-from", required_argument, NULL, 'f' }, { "batch", required_argument, NULL, 'b' },
		{ "executor", required_argument, NULL, 'e' },	 { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },		 { NULL, 0, NULL, 0 },
	};
	int option, code = 0;

	while (code == 0 && (option = getopt_long(argc, argv, "", known, NULL)) >= 0) {
		switch (option) {
		case 'f':
			options->list = optarg;
			break;
		case 'b':
			code = parse_files(options, optarg);
			break;
		case 'e':
			code = parse_executor(options, optarg);
			break;
		case 'h':
			fputs(help, stdout);
			exit(cli_finish("readmany", CLI_OK));
		case 'v':
			cli_version("readmany");
			exit(cli_finish("readmany", CLI_OK));
		default:
			fputs("Try 'readmany --help'; names that begin with - go after --.\n", stderr);
			return CLI_USAGE;
		}
	}
	return code;
}

/* Add every name to a batch; standard input is copied where it is named. Returns whether all was read. */
static bool read_all(struct names *names, const struct options *options)
{
	struct reader *reader = reader_open(options->files, options->executor);
	bool fine = true;
	const char *name;

	while ((name = names_next(names, reader_storage(reader)))) {
		if (strcmp(name, "-") != 0) {
			reader_add(reader, name);
			continue;
		}
		reader_flush(reader);
		fine = plain_stdin() && fine;
	}
	return reader_close(reader) && fine && !names->failed;
}

int main(int argc, char **argv)
{
	struct options options = { .files = READMANY_FILES_DEFAULT };
	static char *const standard_input[] = { "-" };
	struct names names;
	int code = parse(&options, argc, argv);
	bool fine;

	if (code)
		return code;
	if (options.list && optind < argc) {
		fprintf(stderr, "readmany: %s: files cannot be named both here and by --files0-from; use one of them\n",
			argv[optind]);
		return CLI_USAGE;
	}
	output_start();
	if (options.list)
		code = names_from_list(&names, options.list);
	else if (optind < argc)
		code = names_from_operands(&names, argv + optind, (size_t)(argc - optind));
	else
		code = names_from_operands(&names, standard_input, 1);
	if (code < 0) {
		report(options.list, -code);
		return CLI_FAILED;
	}
	fine = read_all(&names, &options);
	names_end(&names);
	return fine ? CLI_OK : CLI_FAILED;
}
