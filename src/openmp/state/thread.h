/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread structs: made, adopted by the thread itself, freed. */
#ifndef OMP_THREAD_H
#define OMP_THREAD_H

struct omp__thread;

/* A thread struct for a worker that is about to start; NULL without memory. */
struct omp__thread *omp__thread_make(void);
/* First thing in the worker. */
void omp__thread_adopt(struct omp__thread *thread);
/* Nothing hangs on it any more: no team, no region. */
void omp__thread_free(struct omp__thread *thread);

#endif
