/* SPDX-License-Identifier: BSD-3-Clause */
/* Task reductions. */
#ifndef OMP_REDUCTION_H
#define OMP_REDUCTION_H

#include "openmp/tool/tool.h"

#include <stdint.h>

struct omp__taskgroup;
struct omp__thread;

void omp__reductions_register(struct omp__thread *thread, uintptr_t *data);

/*
 * Task reductions of constructs that are not tasks. `data` is what the compiler passes.
 * parallel: make the taskgroup that each implicit task of the coming region starts with; end it after the join.
 * workshare: the caller enters a taskgroup of its own; `first` is the data of the thread that came first, and NULL for
 * that thread itself.
 */
struct omp__taskgroup *omp__reductions_parallel(uintptr_t *data, unsigned threads);
void omp__reductions_parallel_end(struct omp__taskgroup *taskgroup);
void omp__reductions_workshare(struct omp__thread *thread, uintptr_t *data, uintptr_t *first);

/* As omp__team_run, for a region with task reductions over its implicit tasks. Returns how many threads it had. */
unsigned omp__team_run_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags,
				  struct omp__tool_call call);

#endif
