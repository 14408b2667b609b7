/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences between sibling tasks. Only the parent's thread calls these; any thread may call omp__depend_leave. */
#ifndef OMP_DEPEND_H
#define OMP_DEPEND_H

#include <stdbool.h>
#include <stdint.h>

struct omp__crew;
struct omp__deferred;
struct omp__depend_node;
struct omp__family;
struct omp__thread;

/* Whether a task with these dependences would have to wait for a sibling. */
bool omp__depend_blocked(struct omp__family *family, void **depend);
/* Put the task among its siblings; true when it is ready now. The parent's thread calls it. */
bool omp__depend_enter(struct omp__thread *thread, struct omp__family *family, struct omp__deferred *deferred,
		       void **depend);
/*
 * The caller waits for the siblings that a task with these dependences would wait for: true when there are some, and
 * then *pending becomes 0 when they have ended. The caller keeps `node` until then.
 */
bool omp__depend_await(struct omp__thread *thread, struct omp__family *family, void **depend,
		       struct omp__depend_node *node, _Atomic uint64_t *pending);
/* The task has ended: what waited only for it is ready. */
void omp__depend_leave(struct omp__thread *thread, struct omp__crew *crew, struct omp__depend_node *node);

#endif
