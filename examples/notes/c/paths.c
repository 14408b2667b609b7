/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths.h"

#include "failure.h"

#include <stdlib.h>
#include <string.h>

char *paths_add(struct paths *paths, const struct note_file *file)
{
	if (paths->count == paths->capacity) {
		size_t capacity = paths->capacity ? 2 * paths->capacity : 16;
		struct note_file *more = reallocarray(paths->items, capacity, sizeof(*more));

		if (!more)
			return failure("no memory");
		paths->items = more;
		paths->capacity = capacity;
	}
	paths->items[paths->count] = *file;
	paths->items[paths->count].path = strdup(file->path);
	if (!paths->items[paths->count].path)
		return failure("no memory");
	paths->count++;
	return NULL;
}

static int compare(const void *left, const void *right)
{
	return strcmp(((const struct note_file *)left)->path, ((const struct note_file *)right)->path);
}

void paths_sort(struct paths *paths)
{
	size_t kept = 0;

	if (paths->count)
		qsort(paths->items, paths->count, sizeof(*paths->items), compare);
	for (size_t k = 0; k < paths->count; k++) {
		if (kept && !compare(&paths->items[k], &paths->items[kept - 1]))
			free(paths->items[k].path);
		else
			paths->items[kept++] = paths->items[k];
	}
	paths->count = kept;
}

void paths_clear(struct paths *paths)
{
	for (size_t k = 0; k < paths->count; k++)
		free(paths->items[k].path);
	free(paths->items);
	*paths = (struct paths){ 0 };
}
