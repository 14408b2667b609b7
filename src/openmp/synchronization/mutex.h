/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that a program's construct stands for, as a tool is told of them. */
#ifndef OMP_MUTEX_H
#define OMP_MUTEX_H

#include "openmp/synchronization/lock.h"
#include "openmp/tool/event.h"

/* `code` is where the program goes on; `hint` is that of the program. */
static inline __attribute__((always_inline)) void omp__mutex_lock(_Atomic uint32_t *word, ompt_mutex_t kind,
								  unsigned hint, const void *code)
{
	if (omp__tool_is_on()) {
		omp__tool_acquire(kind, hint, (const void *)word, code);
		omp__lock(word);
		omp__tool_acquired(kind, (const void *)word, code);
	} else {
		omp__lock(word);
	}
}

static inline __attribute__((always_inline)) void omp__mutex_unlock(_Atomic uint32_t *word, ompt_mutex_t kind,
								    const void *code)
{
	omp__unlock(word);
	if (omp__tool_is_on())
		omp__tool_released(kind, (const void *)word, code);
}

#endif
