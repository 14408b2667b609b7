/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams and their members: made and freed. */
#ifndef OMP_TEAM_LIFE_H
#define OMP_TEAM_LIFE_H

struct omp__member;
struct omp__team;
struct omp__thread;

/* NULL without memory. */
struct omp__member *omp__member_make(struct omp__team *team, struct omp__thread *thread, unsigned num);
void omp__member_free(struct omp__member *member);
/* Free those that were told to end and have ended. */
void omp__members_free_gone(struct omp__team *team);
/* A team of one, the thread its primary; NULL without memory. */
struct omp__team *omp__team_make(struct omp__thread *thread);
/* The team of the caller's region; a region of one thread gets one when it first asks. NULL without memory. */
struct omp__team *omp__team_of(struct omp__thread *thread);
/* Free the hot teams of a thread that ends; their workers end too. */
void omp__team_dismiss(struct omp__team *team);

#endif
