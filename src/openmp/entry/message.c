/* SPDX-License-Identifier: BSD-3-Clause */
/* The error directive, when it acts at execution time. */
#include "openmp/abi/gomp.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Write the message. A length of (size_t)-1 says that the text ends with a null byte. It begins with libgomp's name,
 * since test suites look for that.
 */
static void say(const char *severity, const char *text, size_t length)
{
	fprintf(stderr, "\nlibgomp: %serror directive encountered", severity);
	if (text)
		fprintf(stderr, ": %.*s", length == (size_t)-1 ? -1 : (int)length, text);
	fputc('\n', stderr);
}

OMP__EXPORT void GOMP_warning(const char *text, size_t length)
{
	say("", text, length);
}

OMP__EXPORT void GOMP_error(const char *text, size_t length)
{
	say("fatal error: ", text, length);
	exit(EXIT_FAILURE);
}
