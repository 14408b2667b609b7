/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a node: its task has ended, and then no reference is left. */
#include "openmp/scheduler/depend_node.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"

struct omp__depend_waiter omp__depend_closed;

bool omp__depend_ended(const struct omp__depend_node *node)
{
	/* acquire: the caller may take the task's end as the reason not to wait for it */
	return atomic_load_explicit(&node->waiters, memory_order_acquire) == OMP__DEPEND_CLOSED;
}

void omp__depend_drop(struct omp__thread *thread, struct omp__depend_node *node)
{
	/* acq_rel: the last reference to be dropped comes after all that the others did with the node */
	if (atomic_fetch_sub_explicit(&node->references, 1, memory_order_acq_rel) != 1)
		return;
	if (__builtin_expect(node->tool != NULL, 0))
		omp__memory_put(thread, node->tool);
	omp__memory_put(thread, node);
}
