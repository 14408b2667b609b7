/* SPDX-License-Identifier: BSD-3-Clause */
/* Climbing from a family to those above it; family.c says how long these stay. */
#ifndef OMP_CLIMB_H
#define OMP_CLIMB_H

#include "openmp/state/team_state.h"

#include <stddef.h>

static inline struct omp__task_team *omp__family_team(const struct omp__family *family)
{
	/* The root family lies in the crew of its member. */
	const struct omp__crew *crew =
		(const struct omp__crew *)((const char *)family->root - offsetof(struct omp__crew, root));

	return &crew->team->tasks;
}

/*
 * Begin to climb through families that this thread does not keep: from here on no family that it can reach is freed.
 *
 *	climbs				takes a family out of the tree
 *	climbers += 1	(seq_cst)	parent of the one below = the one above	(seq_cst)
 *	load(parent)	(seq_cst)	climbers == 0	(seq_cst): frees it
 *	climbers -= 1	(release)
 *
 * Either the second thread sees the climber, and frees the family at a later time; or the first begins to climb after
 * the family was taken out, and does not meet it.
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
