/* SPDX-License-Identifier: BSD-3-Clause */
/* See mutex.h. The release is told after it, as OpenMP says. */
#include "openmp/synchronization/mutex.h"

void omp__mutex_lock_for_tool(_Atomic uint32_t *word, ompt_mutex_t kind, unsigned hint, const void *code)
{
	omp__tool_acquire(kind, hint, (const void *)word, code);
	omp__lock(word);
	omp__tool_acquired(kind, (const void *)word, code);
}

void omp__mutex_unlock_for_tool(_Atomic uint32_t *word, ompt_mutex_t kind, const void *code)
{
	omp__unlock(word);
	omp__tool_released(kind, (const void *)word, code);
}
