/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing teams and their members. */
#ifndef OMP_TEAM_LIFE_H
#define OMP_TEAM_LIFE_H

struct omp__member;
struct omp__team;
struct omp__thread;

/* NULL without memory. */
struct omp__member *omp__member_make(struct omp__team *team, struct omp__thread *thread, unsigned num);
void omp__member_free(struct omp__member *member);
/* Free the members that were told to end and have ended. */
void omp__members_free_gone(struct omp__team *team);
/* Make a team of one member, whose primary is `thread`. NULL without memory. */
struct omp__team *omp__team_make(struct omp__thread *thread);
/*
 * The team of the caller's region. A region of one thread gets a team when this is first called. NULL without memory.
 */
struct omp__team *omp__team_of(struct omp__thread *thread);
/* End the workers of a team that is not needed any more, and of the teams nested in it, and free all these teams. */
void omp__team_dismiss(struct omp__team *team);

#endif
