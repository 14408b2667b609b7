/* SPDX-License-Identifier: BSD-3-Clause */
/* Giving a task its own copy of its control variables. */
#include "openmp/state/task_icv.h"
#include "openmp/state/thread_state.h"
#include "openmp/system/no_memory.h"

#include <stdlib.h>

struct omp__icv *omp__icv_write(struct omp__thread *thread)
{
	struct omp__task *task = thread->task;
	struct omp__icv *copy;

	if (thread->region == &thread->initial)
		thread->icv_changed = true;
	if (task->icv_owned)
		return task->icv;
	copy = malloc(sizeof(*copy));
	if (!copy)
		omp__no_memory("the control variables of a task");
	*copy = *task->icv;
	task->icv = copy;
	task->icv_owned = true;
	task->icv_allocated = true;
	return copy;
}
