/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A directory being walked: its memory, what a visitor may ask of it, and when it is left.
 *
 * `pending` decides the post-order. It starts at 1 for the directory's own scan, which adds its children before any
 * other thread can see them. Whoever takes it to 0 leaves the directory, frees it, and goes on with the parent: so a
 * directory is left exactly once, after everything below it, by the thread that finished last. There is no recursion:
 * a chain of 60,000 directories is left in one loop.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct walk_directory *walk__directory_new(const struct walk *walk, struct walk_directory *parent, const char *name)
{
	size_t name_bytes = strlen(name) + 1;
	size_t data_bytes = walk->options.data_bytes;
	struct walk_directory *directory = malloc(sizeof(*directory) + data_bytes + name_bytes);

	if (!directory)
		return NULL;
	memset(directory, 0, sizeof(*directory) + data_bytes);
	directory->parent = parent;
	directory->depth = parent ? parent->depth + 1 : 0;
	directory->link = parent ? parent->link : NULL;
	directory->fd = -1;
	directory->name = memcpy((char *)directory->data + data_bytes, name, name_bytes);
	atomic_init(&directory->pending, 1);
	atomic_init(&directory->unopened, 1);
	atomic_init(&directory->pins, WALK__CLOSED);
	return directory;
}

void walk__stop_on(struct walk *walk, int code)
{
	int running = 0;

	/* relaxed: see struct walk; the first code wins */
	if (code < 0)
		atomic_compare_exchange_strong_explicit(&walk->stop, &running, code, memory_order_relaxed,
							memory_order_relaxed);
}

static void leave(struct walk__thread *thread, struct walk_directory *directory)
{
	const struct walk_visitor *visitor = thread->walk->visitor;

	if (directory->entered && visitor->leave && !walk__stopped(thread->walk))
		walk__stop_on(thread->walk, visitor->leave(thread->walk->context, thread->index, directory));
}

void walk__directory_finish(struct walk__thread *thread, struct walk_directory *directory)
{
	/*
	 * Release: what this thread did below the directory comes before its `leave`, on whatever thread; acquire: so
	 * does what the other threads did, for the one that takes the count to 0.
	 */
	while (directory && atomic_fetch_sub_explicit(&directory->pending, 1, memory_order_acq_rel) == 1) {
		struct walk_directory *parent = directory->parent;

		leave(thread, directory);
		walk__close(directory);
		free(directory);
		if (!parent)
			walk__queue_finish(thread->walk);
		directory = parent;
	}
}

/* ---- what a visitor may ask ------------------------------------------------------------------------------------ */

struct walk_directory *walk_directory_parent(const struct walk_directory *directory)
{
	return directory->parent;
}

const char *walk_directory_name(const struct walk_directory *directory)
{
	return directory->name;
}

size_t walk_directory_depth(const struct walk_directory *directory)
{
	return directory->depth;
}

void *walk_directory_data(const struct walk_directory *directory)
{
	return (void *)directory->data;
}

int walk_directory_descriptor(const struct walk_directory *directory)
{
	return directory->fd;
}

/* Put text before what is at path[*end…], as far as it lies in path[bytes]. */
static void prepend(char *path, size_t bytes, size_t *end, const char *text, size_t text_bytes)
{
	*end -= text_bytes;
	for (size_t i = 0; i < text_bytes && *end + i < bytes; i++)
		path[*end + i] = text[i];
}

static bool needs_slash(const struct walk_directory *directory)
{
	/* only the path given to walk_run can end in one */
	return directory->parent || directory->name[strlen(directory->name) - 1] != '/';
}

size_t walk_path(const struct walk_directory *directory, const char *name, char *path, size_t bytes)
{
	const struct walk_directory *first = name ? directory : directory->parent;
	size_t length, end;

	name = name ? name : directory->name;
	length = strlen(name);
	for (const struct walk_directory *d = first; d; d = d->parent)
		length += strlen(d->name) + needs_slash(d);
	end = length;
	/* the last byte is the terminator's */
	prepend(path, bytes ? bytes - 1 : 0, &end, name, strlen(name));
	for (const struct walk_directory *d = first; d; d = d->parent) {
		prepend(path, bytes ? bytes - 1 : 0, &end, "/", needs_slash(d));
		prepend(path, bytes ? bytes - 1 : 0, &end, d->name, strlen(d->name));
	}
	if (bytes)
		path[length < bytes ? length : bytes - 1] = '\0';
	return length;
}
