/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a thread struct, adopting it by the thread that it is for, freeing it. */
#include "openmp/state/thread.h"
#include "openmp/state/stack.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"

#include <stdlib.h>
#include <string.h>

__thread struct omp__thread *omp__tls;

struct omp__thread *omp__thread_make(void)
{
	struct omp__thread *thread = aligned_alloc(OMP__LINE_BYTES, sizeof(*thread));

	if (!thread)
		return NULL;
	memset(thread, 0, sizeof(*thread));
	thread->hot = &thread->hot_first;
	return thread;
}

void omp__thread_free(struct omp__thread *thread)
{
	omp__memory_leave(thread);
	free(thread);
}

void omp__thread_adopt(struct omp__thread *thread)
{
	thread__runner_start(&thread->parker.runner);
	omp__tls = thread;
	if (!thread->is_initial)
		omp__stack_start(omp__globals.stack_bytes);
}
