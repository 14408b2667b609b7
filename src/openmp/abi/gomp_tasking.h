/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points that GCC compiles tasks to; see gomp.h. */
#ifndef OMP_ABI_GOMP_TASK_H
#define OMP_ABI_GOMP_TASK_H

#include "openmp/abi/gomp.h"

void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, bool if_clause,
	       unsigned flags, void **depend, int priority, void *detach);
void GOMP_taskloop(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, unsigned flags,
		   unsigned long tasks, int priority, long start, long end, long step);
void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
		       unsigned flags, unsigned long tasks, int priority, gomp_ull start, gomp_ull end, gomp_ull step);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend_nowait(void **depend);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_taskgroup_reduction_register(uintptr_t *data);
void GOMP_taskgroup_reduction_unregister(uintptr_t *data);
void GOMP_task_reduction_remap(size_t count, size_t originals, void **addresses);
void GOMP_workshare_task_reduction_unregister(bool cancelled);

#endif
