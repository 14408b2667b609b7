/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * total: the sum of all bytes of files. It shows how each file is mapped whole by one batch (map_file.c); the sum
 * stands for what a program would do with the file.
 */
#include <getopt.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "cli/cli.h"
#include "map_file.h"
#include "sum.h"

static const char help[] =
	"Usage: total [OPTION]... FILE...\n"
	"Print the sum of all bytes of FILEs, each byte taken as -128 to 127.\n"
	"Each FILE is mapped whole by one batch: open, fstat, mmap and close in one crossing.\n"
	"\n"
	"  -l, --list       print the sum of each FILE and its name first\n"
	"  -0, --null       with --list, end each line with a NUL byte\n"
	"      --help       print this help and exit\n"
	"      --version    print the version and exit\n"
	"\n"
	"Exit status: 0 if every FILE was read, 1 if some could not be, 2 if the command line is wrong.\n";

static const struct option options[] = {
	{ "list", no_argument, NULL, 'l' },
	{ "null", no_argument, NULL, '0' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* A fault in a mapping jumps here: the file became shorter while it was read. One thread needs only one of these. */
static sigjmp_buf shrunk;

static void on_bus_error(int signal)
{
	(void)signal;
	siglongjmp(shrunk, 1);
}

/* The sum of the file at `path` in *sum. Returns 0, or -errno; -ESTALE when the file shrank meanwhile. */
static int sum_file(struct map_file *file, const char *path, long *sum)
{
	struct mapping mapping;
	int code = map_file_run(file, path, &mapping);

	if (code || mapping.bytes == 0)
		return code;
	if (sigsetjmp(shrunk, 0) == 0)
		*sum = sum_bytes(mapping.start, mapping.bytes);
	else
		code = -ESTALE;
	munmap((void *)mapping.start, mapping.bytes);
	return code;
}

static const char *reason(int code)
{
	switch (code) {
	case -ESTALE:
		return "the file became shorter while it was read";
	case -ENODEV:
		return "not a regular file";
	default:
		return strerror(-code);
	}
}

static int total(char **paths, int count, bool list, char end)
{
	/* SA_NODEFER: leaving by siglongjmp restores no mask, so there must be none to restore */
	struct sigaction action = { .sa_handler = on_bus_error, .sa_flags = SA_NODEFER };
	struct batch_error error;
	struct map_file file;
	int status = CLI_OK;
	long grand = 0;
	char text[200];

	if (map_file_init(&file, &error) < 0) {
		batch_error_format(&error, text, sizeof(text));
		return cli_error("total", "cannot build the batch: %s", text);
	}
	sigaction(SIGBUS, &action, NULL);
	for (int k = 0; k < count; k++) {
		long sum = 0;
		int code = sum_file(&file, paths[k], &sum);

		if (code) {
			status = cli_error("total", "%s: %s", paths[k], reason(code));
			continue;
		}
		grand += sum;
		if (list)
			printf("%ld\t%s%c", sum, paths[k], end);
	}
	printf("grand total: %ld\n", grand);
	return status;
}

int main(int argc, char **argv)
{
	bool list = false;
	char end = '\n';
	int option;

	while ((option = getopt_long(argc, argv, "l0", options, NULL)) != -1) {
		switch (option) {
		case 'l':
			list = true;
			break;
		case '0':
			end = '\0';
			break;
		case 'h':
			fputs(help, stdout);
			return cli_finish("total", CLI_OK);
		case 'V':
			cli_version("total");
			return cli_finish("total", CLI_OK);
		default:
			return cli_usage("total");
		}
	}
	if (optind == argc) {
		cli_error("total", "no file named; give at least one FILE");
		return cli_usage("total");
	}
	return cli_finish("total", total(argv + optind, argc - optind, list, end));
}
