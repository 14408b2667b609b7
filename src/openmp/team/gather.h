/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of teams that sleep where they meet gather on one processor (thread/gather.h). */
#ifndef OMP_GATHER_H
#define OMP_GATHER_H

#include "openmp/state/team_state.h"

/* Whether the members of this team gather at all: they sleep where they meet, at least beside neighbours. */
static inline bool omp__team_gathers(const struct omp__team *team)
{
	return team->oversubscribed || omp__wait_is_passive();
}

/* A worker has met the other members of such a team. */
void omp__member_gather(struct omp__member *member);

#endif
