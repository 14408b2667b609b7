/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a task, and ending it. */
#ifndef OMP_TASK_H
#define OMP_TASK_H

#include <stdbool.h>

struct omp__crew;
struct omp__deferred;
struct omp__member;
struct omp__task;
struct omp__taskgroup;
struct omp__thread;

/* Called when a member is made and before it is freed. */
void omp__task_member_start(struct omp__member *member);
void omp__task_member_end(struct omp__member *member);
/* The first task construct that an implicit task meets. */
struct omp__crew *omp__task_attach(struct omp__thread *thread, struct omp__task *task);
/* Run the task now, on this thread. */
void omp__task_execute(struct omp__thread *thread, struct omp__deferred *deferred);
/*
 * A deferred task has ended: release the tasks that wait for it, and free it. `crew` is NULL in a thread that did not
 * run it.
 */
void omp__task_complete(struct omp__thread *thread, struct omp__crew *crew, struct omp__deferred *deferred);
/* Free what is left of a task's family and of its control variables, when the task ends. */
void omp__task_leave(struct omp__thread *thread, struct omp__task *task);

#endif
