/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskloops: a loop cut into tasks. Iteration i is first + i * step, modulo 2^64, for signed and unsigned loops alike.
 */
#ifndef OMP_TASKLOOP_H
#define OMP_TASKLOOP_H

#include <stdint.h>

struct omp__task_order;
struct omp__thread;

struct omp__taskloop {
	uint64_t first;
	uint64_t end;
	uint64_t step;
	uint64_t count;
};

/* `tasks` is the clause's value: num_tasks (0 without one), or grainsize when the flags say so. */
void omp__taskloop(struct omp__thread *thread, const struct omp__task_order *order, const struct omp__taskloop *loop,
		   unsigned long tasks);

#endif
