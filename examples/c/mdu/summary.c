/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The total of one operand, where nothing below it is printed: each thread adds to a sum of its own. In which order
 * files come does not matter: of several links to a file any may be the one that counts.
 */
#include "mdu.h"

/* One operand. Begins as every context of a visitor here does. */
struct summary {
	struct mdu_context context;
	bool counted; /* the operand itself: written by the one thread that visits it, read after the walk */
};

/* Add what a file takes, which lies at that depth: with -S the line has only files right in the operand. */
static void add(struct mdu *mdu, unsigned int thread, const struct statx *stat, bool is_below)
{
	struct mdu_thread *own = &mdu->threads[thread];
	const struct mdu_usage usage = mdu_usage(mdu, stat);

	mdu_add(mdu->options->separate && is_below ? &own->below : &own->usage, &usage);
}

/* Whether a file counts: 1, 0 when it was counted before, -ENOMEM. */
static int counts(struct mdu *mdu, const struct statx *stat, bool is_directory)
{
	if (mdu->options->count_links || (!mdu->add_all && (is_directory || stat->stx_nlink < 2)))
		return 1;
	return mdu_links_add(mdu->links, mdu_identity(stat));
}

static int add_directory(void *context, unsigned int thread, struct walk_directory *directory, const struct statx *stat)
{
	struct mdu *mdu = ((struct mdu_context *)context)->mdu;
	int counted = counts(mdu, stat, true);

	if (counted < 0)
		return counted;
	if (counted == 0)
		return WALK_SKIP;
	if (walk_directory_depth(directory) == 0)
		((struct summary *)context)->counted = true;
	add(mdu, thread, stat, walk_directory_depth(directory) > 0);
	mdu_count(mdu, thread);
	mdu_progress(mdu);
	return WALK_CONTINUE;
}

static int add_file(void *context, unsigned int thread, const struct walk_file *file)
{
	struct mdu *mdu = ((struct mdu_context *)context)->mdu;
	int counted = counts(mdu, file->stat, false);

	if (counted < 0)
		return counted;
	if (counted && !file->parent)
		((struct summary *)context)->counted = true;
	if (counted)
		add(mdu, thread, file->stat, file->parent && walk_directory_depth(file->parent) > 0);
	mdu_count(mdu, thread);
	return 0;
}

int mdu_summary(struct mdu *mdu, const char *operand)
{
	struct walk_visitor visitor = { .enter = add_directory, .file = add_file, .error = mdu_error };
	struct summary summary = { .context = { mdu } };
	struct mdu_usage usage = MDU_NOTHING;
	int code;

	if (mdu->options->excludes.count)
		visitor.filter = mdu_filter;
	for (unsigned int i = 0; i < mdu->thread_count; i++)
		mdu->threads[i].usage = mdu->threads[i].below = MDU_NOTHING;
	code = mdu_walk(mdu, operand, &visitor, &summary, 0);
	for (unsigned int i = 0; i < mdu->thread_count; i++) {
		mdu_add(&usage, &mdu->threads[i].usage);
		mdu_add(&mdu->total, &mdu->threads[i].below);
	}
	mdu_add(&mdu->total, &usage);
	mdu_progress_erase(mdu);
	if (summary.counted)
		mdu_print(mdu->options, &usage, operand);
	return code;
}
