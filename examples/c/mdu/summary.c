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

/* Where a thread adds what lies in `parent`, NULL for the operand: with -S the line has only files right in that. */
static inline struct mdu_usage *sum_of(struct mdu *mdu, unsigned int thread, const struct walk_directory *parent,
				       bool is_directory)
{
	struct mdu_thread *own = &mdu->threads[thread];

	if (!mdu->options->separate || !parent)
		return &own->usage;
	return is_directory || walk_directory_depth(parent) > 0 ? &own->below : &own->usage;
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
	mdu_add_file(mdu, sum_of(mdu, thread, walk_directory_parent(directory), true), stat);
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
		mdu_add_file(mdu, sum_of(mdu, thread, file->parent, false), file->stat);
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
