/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families: which task descends from which. family.c says how they are kept and freed.
 */
#ifndef OMP_FAMILY_H
#define OMP_FAMILY_H

#include "openmp/state/team_state.h"

#include <stddef.h>

/* The task's family; it is made when the task defers its first child. */
struct omp__family *omp__family_of(struct omp__thread *thread, struct omp__task *task);
/* `left` is the family's count after a decrement: free what nobody keeps any more. The thread may be NULL. */
void omp__family_left(struct omp__thread *thread, struct omp__family *family, uint64_t left);
/* The task of the family does not keep it any more. The thread may be NULL. */
void omp__family_drop(struct omp__thread *thread, struct omp__family *family);
/* The same when that task has ended and left its parent's family. `crew` is the thread's. */
void omp__family_end(struct omp__thread *thread, struct omp__crew *crew, struct omp__family *family);
/* Whether the task, whose parent's family is `of`, descends from `task`. The caller has that task: nobody else can run
 * it meanwhile.
 */
bool omp__family_descends(const struct omp__family *of, const struct omp__task *task);
/* The crew's thread has ended or takes no part in regions any more: free what it has taken out of the tree. */
void omp__family_crew_end(struct omp__crew *crew);

static inline struct omp__task_team *omp__family_team(const struct omp__family *family)
{
	/* The root lies in the crew of its member. */
	const struct omp__crew *crew =
		(const struct omp__crew *)((const char *)family->root - offsetof(struct omp__crew, root));

	return &crew->team->tasks;
}

/*
 * A thread looks through families that it does not keep: from here on none that it can reach is freed.
 *
 *	climbs				takes a family out of the tree
 *	climbers += 1	(seq_cst)	parent of the one below = the one above	(seq_cst)
 *	load(parent)	(seq_cst)	climbers == 0	(seq_cst): frees it
 *	climbers -= 1	(release)
 *
 * Either the second thread sees that one climbs, and frees the family another time, or the first climbs when the family
 * has been taken out, and does not meet it.
 */
static inline void omp__family_climb_begin(struct omp__task_team *tasks)
{
	atomic_fetch_add_explicit(&tasks->climbers, 1, memory_order_seq_cst);
}

static inline void omp__family_climb_end(struct omp__task_team *tasks)
{
	atomic_fetch_sub_explicit(&tasks->climbers, 1, memory_order_release);
}

static inline struct omp__family *omp__family_parent(const struct omp__family *family)
{
	return atomic_load_explicit(&family->parent, memory_order_seq_cst);
}

#endif
