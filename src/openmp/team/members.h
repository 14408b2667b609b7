/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is in a team: making, growing, shrinking and ending teams. For team.c. */
#ifndef OMP_MEMBERS_H
#define OMP_MEMBERS_H

#include "openmp/team/team.h"

/* Wake members that were told to sleep and now take part. */
void omp__members_recall(struct omp__team *team);
/* Make all members equal again after cancellation or a change of size; none is in a region. */
void omp__members_reset(struct omp__team *team);
/* What a worker runs. */
void omp__member_main(void *argument);
/* A worker's last words. */
void omp__member_ended(struct omp__member *member);

#endif
