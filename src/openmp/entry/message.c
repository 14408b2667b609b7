/* SPDX-License-Identifier: BSD-3-Clause */
/* The error directive, when it acts at execution time. */
#include "openmp/abi/gomp.h"
#include "openmp/tool/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void tell(ompt_severity_t severity, const char *text, size_t length, const void *code)
{
	if (length == (size_t)-1)
		length = text ? strlen(text) : 0;
	omp__tool_error(severity, text, length, code);
}

OMP__EXPORT void GOMP_warning(const char *text, size_t length)
{
	if (omp__tool_is_on())
		tell(ompt_warning, text, length, __builtin_return_address(0));
	say("", text, length);
}

OMP__EXPORT void GOMP_error(const char *text, size_t length)
{
	if (omp__tool_is_on())
		tell(ompt_fatal, text, length, __builtin_return_address(0));
	say("fatal error: ", text, length);
	exit(EXIT_FAILURE);
}
