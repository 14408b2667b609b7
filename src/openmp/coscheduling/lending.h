/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial threads that are lent to OS threads.
 *
 * A co-scheduler's threads come and go, and any of them may open the next region. So an initial thread, with its hot
 * team, is lent: it belongs to an OS thread while that OS thread is in a region, and is free for the next OS thread
 * when the outermost region has ended.
 *
 *	OS thread A		initial thread 1	OS thread B
 *	omp__lent_take		free -> A, taken
 *	region			taken			omp__lent_take: 1 is taken, takes or makes another
 *	omp__lent_give_back	free
 *							omp__lent_take: free -> B, its workers still awake
 *
 * Initial threads are never freed while there is a co-scheduler: a worker tells its primary that it has arrived at the
 * join, and then looks at the primary's parker; by that time the primary may already have left the region.
 */
#ifndef OMP_LENDING_H
#define OMP_LENDING_H

#include <stdbool.h>

struct omp__thread;

/*
 * How many initial threads can be lent; an OS thread that finds all of them taken makes one and keeps it until it ends.
 */
#define OMP__LENT_MAX 64

/* As initial_take, initial_add and initial_give_back in system/coscheduler.h. */
struct omp__thread *omp__lent_take(void);
void omp__lent_add(struct omp__thread *initial);
void omp__lent_give_back(struct omp__thread *initial);
/* Take this initial thread if no OS thread has it; whether that worked. */
bool omp__lent_try_take(struct omp__thread *initial);
/* In the child of a fork: only the initial thread of the forking thread is left (`survivor`, or NULL). */
void omp__lent_forked(struct omp__thread *survivor);

#endif
