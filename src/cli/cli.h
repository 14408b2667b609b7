/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the command line programs say in the same words: help, version, errors and exit status. Header only, so that a
 * program stays its own source files and libferry.
 */
#ifndef FERRY_CLI_CLI_H
#define FERRY_CLI_CLI_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <ferry/batch.h>

/* Exit status of every program. */
enum cli_status {
	CLI_OK = 0,
	CLI_FAILED = 1, /* some operand failed; the others were worked on */
	CLI_USAGE = 2	/* the command line was not understood; nothing was done */
};

/* "NAME: message" on standard error. Returns CLI_FAILED. */
static inline __attribute__((format(printf, 2, 3))) int cli_error(const char *name, const char *format, ...)
{
	va_list arguments;

	/* what was printed before the error comes before it on a shared terminal too */
	fflush(stdout);
	fprintf(stderr, "%s: ", name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return CLI_FAILED;
}

/* Say where the options are explained, after the message that something was wrong with them. Returns CLI_USAGE. */
static inline int cli_usage(const char *name)
{
	fprintf(stderr, "Try '%s --help' for more information.\n", name);
	return CLI_USAGE;
}

static inline void cli_version(const char *name)
{
	printf("%s (Ferry) %s\n", name, ferry_version());
}

/* Flush standard output: a full disk or a closed pipe is a failure. Returns the status to exit with. */
static inline int cli_finish(const char *name, int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	return cli_error(name, "cannot write standard output: %s", strerror(errno ? errno : EIO));
}

#endif /* FERRY_CLI_CLI_H */
