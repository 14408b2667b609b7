/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial threads that are lent to OS threads.
 *
 * A co-scheduler's threads come and go, and any of them may open the next region. So an initial thread, with its hot
 * team, is lent: it belongs to the OS thread that is in a region, and at the end of the outermost one lies where the
 * next OS thread takes it.
 *
 *	OS thread A		initial thread 1	OS thread B
 *	omp__lent_take		free -> A, taken
 *	region			taken			omp__lent_take: 1 is taken, takes or makes another
 *	omp__lent_give_back	free
 *							omp__lent_take: free -> B, its workers still awake
 *
 * Initial threads are never freed while there is a co-scheduler: a worker looks at its primary's parker after it has
 * told it that it arrived, when the primary may already have left.
 */
#ifndef OMP_LENDING_H
#define OMP_LENDING_H

#include <stdbool.h>

struct omp__thread;

/* Initial threads that can be lent; OS threads that find all taken have one of their own until they end. */
#define OMP__LENT_MAX 64

/* As initial_take, initial_add and initial_give_back in system/coscheduler.h. */
struct omp__thread *omp__lent_take(void);
void omp__lent_add(struct omp__thread *initial);
void omp__lent_give_back(struct omp__thread *initial);
/* Take this one, when nobody has it. */
bool omp__lent_try_take(struct omp__thread *initial);
/* After a fork, in the child: only the survivor is left, or NULL. */
void omp__lent_forked(struct omp__thread *survivor);

#endif
