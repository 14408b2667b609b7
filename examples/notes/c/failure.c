/* SPDX-License-Identifier: BSD-3-Clause */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char no_memory[] = "no memory";

char *(failure)(const char *format, ...)
{
	va_list arguments;
	char *made;
	int length;

	va_start(arguments, format);
	length = vasprintf(&made, format, arguments);
	va_end(arguments);
	return length < 0 ? no_memory : made;
}

void failure_free(char *failed)
{
	if (failed != no_memory)
		free(failed);
}
