/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences between sibling tasks. Only the parent's thread calls these; any thread may call omp__depend_leave. */
#ifndef OMP_DEPEND_H
#define OMP_DEPEND_H

#include "compat/omp-tools.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct omp__crew;
struct omp__deferred;
struct omp__depend_node;
struct omp__family;
struct omp__thread;
struct omp__tool_task;

/* Whether a task with these dependences would have to wait for a sibling. */
bool omp__depend_blocked(struct omp__family *family, void **depend);
/*
 * Enter the task's dependences among those of its siblings. True: the task is ready now. The parent's thread calls it.
 */
bool omp__depend_enter(struct omp__thread *thread, struct omp__family *family, struct omp__deferred *deferred,
		       void **depend);
/*
 * Let the caller wait for the siblings that a task with these dependences would wait for. True: there are some, and
 * *pending becomes 0 when they have ended; the caller keeps `node` until then. `tool` is what a tool knows of the wait,
 * or NULL.
 */
bool omp__depend_await(struct omp__thread *thread, struct omp__family *family, void **depend,
		       struct omp__depend_node *node, _Atomic uint64_t *pending, struct omp__tool_task *tool);
/* What a tool is told of a list of dependences: how many there are, and each of them. */
size_t omp__depend_count(void **depend);
void omp__depend_list(void **depend, ompt_dependence_t *to);
/* The task has ended: tasks that waited only for it become ready. */
void omp__depend_leave(struct omp__thread *thread, struct omp__crew *crew, struct omp__depend_node *node);

#endif
