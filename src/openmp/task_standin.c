/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that are run at once by the thread that meets them: correct, and sequential. */
#include "abi_gomp.h"
#include "task.h"
#include "team.h"

#include <stdalign.h>
#include <string.h>

void omp__task_member_start(struct omp__member *member)
{
	(void)member;
}

void omp__task_member_end(struct omp__member *member)
{
	(void)member;
}

bool omp__tasks_help(struct omp__thread *thread)
{
	(void)thread;
	return false;
}

void omp__tasks_drain(struct omp__thread *thread)
{
	(void)thread;
}

bool omp__taskgroup_cancelled(struct omp__thread *thread)
{
	(void)thread;
	return false;
}

bool omp__taskgroup_cancel(struct omp__thread *thread)
{
	(void)thread;
	return false;
}

struct omp__taskgroup *omp__reductions_parallel(uintptr_t *data, unsigned threads)
{
	(void)data;
	(void)threads;
	return NULL;
}

void omp__reductions_parallel_end(struct omp__taskgroup *taskgroup)
{
	(void)taskgroup;
}

void omp__reductions_workshare(struct omp__thread *thread, uintptr_t *data, uintptr_t *first)
{
	(void)thread;
	(void)data;
	(void)first;
}

void GOMP_taskwait(void);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

OMP__EXPORT void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
			   bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	(void)if_clause;
	(void)flags;
	(void)depend;
	(void)priority;
	(void)detach;
	if (copy) {
		char memory[size + align];
		char *aligned = memory + (align - (long)((uintptr_t)memory % (uintptr_t)align));

		copy(aligned, data);
		fn(aligned);
	} else {
		fn(data);
	}
}

OMP__EXPORT void GOMP_taskwait(void)
{
}

OMP__EXPORT void GOMP_taskyield(void)
{
}

OMP__EXPORT void GOMP_taskgroup_start(void)
{
}

OMP__EXPORT void GOMP_taskgroup_end(void)
{
}

OMP__EXPORT void GOMP_taskwait_depend(void **depend)
{
	(void)depend;
}

#include <omp.h>

OMP__EXPORT void omp_fulfill_event(omp_event_handle_t event)
{
	(void)event;
}
