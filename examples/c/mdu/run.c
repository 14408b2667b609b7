/* SPDX-License-Identifier: BSD-3-Clause */
/* What both ways of counting share: set-up, paths, messages, the walk with the options' flags. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdu.h"

int mdu_init(struct mdu *mdu, const struct mdu_options *options, size_t operand_count)
{
	*mdu = (struct mdu){ .options = options };
	/* du counts nothing twice when it has several operands */
	mdu->add_all = operand_count > 1 && !options->count_links;
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

void mdu_complain(struct mdu *mdu, const char *what, const char *path, int code)
{
	char *quoted = mdu_quote(path);

	mdu_progress_erase(mdu);
	fflush(stdout);
	if (what)
		fprintf(stderr, "mdu: %s %s: %s\n", what, quoted ? quoted : path, strerror(-code));
	else
		fprintf(stderr, "mdu: %s: %s\n", quoted ? quoted : path, strerror(-code));
	free(quoted);
	/* relaxed: read after the threads were joined */
	atomic_store_explicit(&mdu->failed, true, memory_order_relaxed);
}

int mdu_filter(void *context, unsigned int thread, struct walk_directory *parent, const char *name, unsigned char type)
{
	struct mdu *mdu = ((struct mdu_context *)context)->mdu;
	const char *path = mdu_path(mdu, thread, parent, name);

	(void)type;
	if (!path)
		return -ENOMEM;
	return mdu_excluded(mdu->options->excludes, mdu->options->exclude_count, path) ? WALK_SKIP : WALK_CONTINUE;
}

int mdu_error(void *context, unsigned int thread, const struct walk_error *error)
{
	struct mdu *mdu = ((struct mdu_context *)context)->mdu;
	const char *path;

	/* a mount inside itself is passed over in silence, as by du */
	if (error->failure == WALK_LOOP)
		return 0;
	path = mdu_path(mdu, thread, error->parent, error->name);
	if (!path)
		return -ENOMEM;
	mdu_complain(mdu, error->failure == WALK_CANNOT_STAT ? "cannot access" : "cannot read directory", path,
		     error->code);
	return 0;
}

int mdu_walk(struct mdu *mdu, const char *operand, const struct walk_visitor *visitor, void *context, size_t data_bytes)
{
	const struct walk_options options = {
		.threads = mdu->thread_count,
		.mask = STATX_TYPE | STATX_NLINK | STATX_INO | STATX_SIZE | STATX_BLOCKS,
		.one_device = mdu->options->one_device,
		.data_bytes = data_bytes,
	};
	int code = walk_run(operand, &options, visitor, context);

	if (code)
		mdu_complain(mdu, NULL, operand, code);
	return code;
}
