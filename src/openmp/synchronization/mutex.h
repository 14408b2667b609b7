/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that a program's construct stands for, as a tool is told of them. */
#ifndef OMP_MUTEX_H
#define OMP_MUTEX_H

#include "openmp/synchronization/lock.h"
#include "openmp/tool/event.h"

OMP__TOOL_ONLY void omp__mutex_lock_for_tool(_Atomic uint32_t *word, ompt_mutex_t kind, unsigned hint,
					     const void *code);
OMP__TOOL_ONLY void omp__mutex_unlock_for_tool(_Atomic uint32_t *word, ompt_mutex_t kind, const void *code);

/* `code` is where the program goes on; `hint` is that of the program. */
static inline __attribute__((always_inline)) void omp__mutex_lock(_Atomic uint32_t *word, ompt_mutex_t kind,
								  unsigned hint, const void *code)
{
	if (omp__tool_is_on())
		omp__mutex_lock_for_tool(word, kind, hint, code);
	else
		omp__lock(word);
}

static inline __attribute__((always_inline)) void omp__mutex_unlock(_Atomic uint32_t *word, ompt_mutex_t kind,
								    const void *code)
{
	if (omp__tool_is_on())
		omp__mutex_unlock_for_tool(word, kind, code);
	else
		omp__unlock(word);
}

#endif
