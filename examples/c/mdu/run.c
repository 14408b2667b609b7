/* SPDX-License-Identifier: BSD-3-Clause */
/* What both ways of counting share: set-up, paths, messages, the walk with the options' flags. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdu.h"

int mdu_init(struct mdu *mdu, const struct mdu_options *options, bool is_alone)
{
	*mdu = (struct mdu){ .options = options };
	/* du counts nothing twice when it has several operands, or follows links */
	mdu->add_all = (!is_alone || options->follow == WALK_FOLLOW_ALL) && !options->count_links;
	mdu->links = mdu_links_new();
	mdu->thread_count = options->threads;
	mdu->threads = aligned_alloc(64, mdu->thread_count * sizeof(*mdu->threads));
	if (!mdu->links || !mdu->threads)
		return -ENOMEM;
	memset(mdu->threads, 0, mdu->thread_count * sizeof(*mdu->threads));
	return 0;
}

void mdu_free(struct mdu *mdu)
{
	for (unsigned int i = 0; mdu->threads && i < mdu->thread_count; i++)
		free(mdu->threads[i].path);
	free(mdu->threads);
	mdu_links_free(mdu->links);
}

/* Room for bytes in the thread's scratch space. */
static bool reserve(struct mdu_thread *own, size_t bytes)
{
	char *grown;

	if (bytes <= own->path_bytes)
		return true;
	grown = realloc(own->path, 2 * bytes);
	if (!grown)
		return false;
	own->path = grown;
	own->path_bytes = 2 * bytes;
	return true;
}

char *mdu_path(struct mdu *mdu, unsigned int thread, const struct walk_directory *parent, const char *name)
{
	struct mdu_thread *own = &mdu->threads[thread];
	size_t length = walk_path(parent, name, own->path, own->path_bytes);

	if (length < own->path_bytes)
		return own->path;
	if (!reserve(own, length + 1))
		return NULL;
	walk_path(parent, name, own->path, own->path_bytes);
	return own->path;
}

void mdu_fail(struct mdu *mdu, const char *format, ...)
{
	va_list arguments;

	mdu_progress_erase(mdu);
	fflush(stdout);
	/* one line, whatever other threads say */
	flockfile(stderr);
	fputs("mdu: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	putc('\n', stderr);
	funlockfile(stderr);
	/* relaxed: read after the threads were joined */
	atomic_store_explicit(&mdu->failed, true, memory_order_relaxed);
}

void mdu_complain(struct mdu *mdu, const char *what, const char *path, int code)
{
	char *quoted = mdu_quote(path);

	mdu_fail(mdu, "%s%s%s: %s", what, *what ? " " : "", quoted ? quoted : path, strerror(-code));
	free(quoted);
}

int mdu_filter(void *context, unsigned int thread, struct walk_directory *parent, const char *name, unsigned char type)
{
	struct mdu *mdu = ((struct mdu_context *)context)->mdu;
	const char *path = mdu_path(mdu, thread, parent, name);

	(void)type;
	if (!path)
		return -ENOMEM;
	return mdu_excluded(&mdu->options->excludes, path) ? WALK_SKIP : WALK_CONTINUE;
}

int mdu_error(void *context, unsigned int thread, const struct walk_error *error)
{
	struct mdu *mdu = ((struct mdu_context *)context)->mdu;
	const char *path;

	/* a mount inside itself, and a link to where it is, are passed over in silence, as by du */
	if (error->failure == WALK_LOOP)
		return 0;
	path = mdu_path(mdu, thread, error->parent, error->name);
	if (!path)
		return -ENOMEM;
	mdu_complain(mdu, error->failure == WALK_CANNOT_STAT ? "cannot access" : "cannot read directory", path,
		     error->code);
	return 0;
}

/*
 * Where links are followed, several paths lead to a directory, and the first in du's order counts. Its lines have that
 * path, and that path decides what a pattern leaves out; so one thread goes in that order and looks into each directory
 * once. Threads would look into them by every path there is, which can be as many as the factorial of their number.
 */
static unsigned int threads_for(const struct mdu_options *options)
{
	bool order_matters = options->max_depth > 0 || options->excludes.count;

	return options->follow == WALK_FOLLOW_ALL && !options->count_links && order_matters ? 1 : options->threads;
}

int mdu_walk(struct mdu *mdu, const char *operand, const struct walk_visitor *visitor, void *context, size_t data_bytes)
{
	const struct walk_options options = {
		.threads = threads_for(mdu->options),
		.mask = STATX_TYPE | STATX_NLINK | STATX_INO | STATX_SIZE | STATX_BLOCKS |
			(mdu->options->time ? STATX_ATIME | STATX_MTIME | STATX_CTIME : 0),
		.one_device = mdu->options->one_device,
		.follow = mdu->options->follow,
		.data_bytes = data_bytes,
		.executor = mdu->options->executor,
	};
	int code = walk_run(operand, &options, visitor, context);

	if (code)
		mdu_complain(mdu, "", operand, code);
	return code;
}
