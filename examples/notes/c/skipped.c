/* SPDX-License-Identifier: BSD-3-Clause */
#include "skipped.h"

#include <stdlib.h>
#include <string.h>

/* Where a path is, or would be; *is_there says which. */
static size_t place_of(const struct skipped *skipped, const char *path, bool *is_there)
{
	size_t low = 0, high = skipped->count;

	*is_there = false;
	while (low < high && !*is_there) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(skipped->items[middle].key.data, path);

		*is_there = order == 0;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return high;
}

static void free_pair(struct notes_map_string_string_pair pair)
{
	free((void *)pair.key.data);
	free((void *)pair.value.data);
}

void skipped_remove(struct skipped *skipped, const char *path)
{
	bool is_there;
	size_t at = place_of(skipped, path, &is_there);

	if (!is_there)
		return;
	free_pair(skipped->items[at]);
	skipped->count--;
	memmove(skipped->items + at, skipped->items + at + 1, (skipped->count - at) * sizeof(*skipped->items));
}

void skipped_set(struct skipped *skipped, const char *path, const char *why)
{
	struct notes_map_string_string_pair *more = reallocarray(skipped->items, skipped->count + 1, sizeof(*more));
	char *key = strdup(path), *value = strdup(why);
	bool is_there;
	size_t at;

	skipped->items = more ? more : skipped->items;
	if (!more || !key || !value) {
		free(key);
		free(value);
		return;
	}
	skipped_remove(skipped, path);
	at = place_of(skipped, path, &is_there);
	memmove(more + at + 1, more + at, (skipped->count - at) * sizeof(*more));
	more[at] = (struct notes_map_string_string_pair){ ferry_string(key), ferry_string(value) };
	skipped->count++;
}

void skipped_clear(struct skipped *skipped)
{
	for (size_t k = 0; k < skipped->count; k++)
		free_pair(skipped->items[k]);
	free(skipped->items);
	*skipped = (struct skipped){ 0 };
}
