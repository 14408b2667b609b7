/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of a team: how many there are, and which workers start, stay and end. The primary calls these functions
 * between regions.
 */
#ifndef OMP_MEMBERS_H
#define OMP_MEMBERS_H

struct omp__team;
struct omp__thread;

/* How many threads a region would get if it were opened now. */
unsigned omp__team_size(struct omp__thread *thread, unsigned threads, void (*code)(void *));
/*
 * The caller's hot team, with *size members or, where the system or thread-limit-var does not allow as many, with fewer
 * (*size says how many). NULL when only the caller is left.
 */
struct omp__team *omp__team_take(struct omp__thread *thread, unsigned *size, unsigned flags);
/* Undo what omp__team_take counted against thread-limit-var. */
void omp__group_give(struct omp__thread *thread, unsigned size);
/* Wake the idle members that take part in the region. */
void omp__members_unpark(struct omp__team *team);
/* Make all members equal again after cancellation or a change of size; none is in a region. */
void omp__members_reset(struct omp__team *team);

#endif
