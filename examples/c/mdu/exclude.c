/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --exclude and -X, as du has them: a shell pattern that matches the path as du would print it, or the part after any
 * slash; the wildcards match slashes too. A file has one pattern in each line; white space at a line's end is dropped.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdu.h"

static bool matches(const char *pattern, const char *path)
{
	while (fnmatch(pattern, path, 0) != 0) {
		path = strchr(path, '/');
		if (!path)
			return false;
		path += strspn(path, "/");
		if (!*path)
			return false;
	}
	return true;
}

bool mdu_excluded(const struct mdu_patterns *patterns, const char *path)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (matches(patterns->at[i], path))
			return true;
	return false;
}

int mdu_exclude(struct mdu_patterns *patterns, const char *pattern)
{
	if (patterns->count == patterns->capacity) {
		size_t capacity = patterns->capacity ? 2 * patterns->capacity : 16;
		const char **grown = realloc(patterns->at, capacity * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		patterns->at = grown;
		patterns->capacity = capacity;
	}
	patterns->at[patterns->count++] = pattern;
	return 0;
}

static int exclude_line(struct mdu_patterns *patterns, const char *line, size_t bytes)
{
	char *pattern;
	int code;

	while (bytes && isspace((unsigned char)line[bytes - 1]))
		bytes--;
	if (!bytes)
		return 0;
	pattern = strndup(line, bytes);
	code = pattern ? mdu_exclude(patterns, pattern) : -ENOMEM;
	if (code)
		free(pattern);
	return code;
}

int mdu_exclude_from(struct mdu_patterns *patterns, const char *file)
{
	FILE *stream = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
	size_t room = 0;
	char *line = NULL;
	ssize_t bytes = 0;
	int code = stream ? 0 : -errno;

	while (code == 0 && (bytes = getline(&line, &room, stream)) >= 0)
		code = exclude_line(patterns, line, (size_t)bytes);
	if (code == 0 && ferror(stream))
		code = -errno;
	free(line);
	if (stream && stream != stdin)
		fclose(stream);
	return code;
}
