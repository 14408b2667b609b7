/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a team: how many, and which workers start, go on and end. For the primary, between regions. */
#ifndef OMP_MEMBERS_H
#define OMP_MEMBERS_H

struct omp__team;
struct omp__thread;

/* The size a region opened now would get. */
unsigned omp__team_size(struct omp__thread *thread, unsigned threads, void (*code)(void *));
/*
 * The caller's hot team, with *size members; fewer when the system or thread-limit-var gives no more. NULL when only
 * the caller is left.
 */
struct omp__team *omp__team_take(struct omp__thread *thread, unsigned *size, unsigned flags);
/* Give back what omp__team_take counted against thread-limit-var. */
void omp__group_give(struct omp__thread *thread, unsigned size);
/* Wake idle members that take part in the region. */
void omp__members_unpark(struct omp__team *team);
/* Make all members equal again after cancellation or a change of size; none is in a region. */
void omp__members_reset(struct omp__team *team);

#endif
