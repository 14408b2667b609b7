/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --exclude, as du has it: a shell pattern that matches the path as du would print it, or the part after any slash; the
 * wildcards match slashes too.
 */
#include <fnmatch.h>
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

bool mdu_excluded(const char *const *patterns, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (matches(patterns[i], path))
			return true;
	return false;
}
