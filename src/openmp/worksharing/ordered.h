/* SPDX-License-Identifier: BSD-3-Clause */
/* The ordered regions of a loop. */
#ifndef OMP_ORDERED_H
#define OMP_ORDERED_H

#include "openmp/state/workshares.h"
#include "openmp/tool/event.h"

struct omp__thread;

/* Around an ordered region of the chunk that the thread runs. */
void omp__ordered_start(struct omp__thread *thread);
void omp__ordered_end(struct omp__thread *thread);

/* What stands for the ordered regions of a loop: its work share, or the thread's own loop. */
static inline const void *omp__ordered_mutex(const struct omp__thread *thread)
{
	const struct omp__loop *loop = &thread->region->loop;

	return loop->share ? (const void *)&loop->share->ordered_next : (const void *)loop;
}

/* The same in a function that programs call, for a tool. */
static inline __attribute__((always_inline)) void omp__ordered_start_here(struct omp__thread *thread)
{
	const void *mutex = omp__ordered_mutex(thread);

	if (omp__tool_is_on())
		omp__tool_acquire(ompt_mutex_ordered, 0, mutex, __builtin_return_address(0));
	omp__ordered_start(thread);
	if (omp__tool_is_on())
		omp__tool_acquired(ompt_mutex_ordered, mutex, __builtin_return_address(0));
}

static inline __attribute__((always_inline)) void omp__ordered_end_here(struct omp__thread *thread)
{
	omp__ordered_end(thread);
	if (omp__tool_is_on())
		omp__tool_released(ompt_mutex_ordered, omp__ordered_mutex(thread), __builtin_return_address(0));
}

/* The chunk is over: the ordered regions of the next one may run. */
void omp__ordered_pass(struct omp__thread *thread);

#endif
