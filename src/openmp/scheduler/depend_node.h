/* SPDX-License-Identifier: BSD-3-Clause */
/* A task that others may have to wait for; depend.c says how. */
#ifndef OMP_DEPEND_NODE_H
#define OMP_DEPEND_NODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct omp__deferred;
struct omp__depend_node;
struct omp__team;
struct omp__tool_task;
struct omp__thread;

struct omp__depend_waiter {
	struct omp__depend_waiter *next;
	struct omp__depend_node *node;
};

/* What a node has in place of its list of waiters once its task has ended. */
extern struct omp__depend_waiter omp__depend_closed;
#define OMP__DEPEND_CLOSED (&omp__depend_closed)

struct omp__depend_node {
	/* How many refer to the node: its task, until that has ended, and each set that holds the node. */
	_Atomic uint32_t references;
	_Atomic uint32_t waits;
	_Atomic(struct omp__depend_waiter *) waiters;
	/* NULL: a thread waits, for `pending` to become 0. */
	struct omp__deferred *deferred;
	struct omp__team *team;
	_Atomic uint64_t *pending;
	/* What a tool knows of the task or of the wait; NULL: nothing. The node keeps it for a task. */
	struct omp__tool_task *tool;
};

bool omp__depend_ended(const struct omp__depend_node *node);
void omp__depend_drop(struct omp__thread *thread, struct omp__depend_node *node);

#endif
