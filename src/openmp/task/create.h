/* SPDX-License-Identifier: BSD-3-Clause */
/* The task construct. */
#ifndef OMP_CREATE_H
#define OMP_CREATE_H

struct omp__deferred;
struct omp__family;
struct omp__task_order;
struct omp__thread;

void omp__task_create(struct omp__thread *thread, const struct omp__task_order *order);
/*
 * Defer a task as a sibling of the caller's current one, ready now: `of` is the family of their common parent, which
 * the current task keeps. In a team of several threads only.
 */
void omp__task_defer_beside(struct omp__thread *thread, const struct omp__task_order *order, struct omp__family *of);

#endif
