/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a thread struct, adopting it by the thread that it is for, freeing it. */
#ifndef OMP_THREAD_H
#define OMP_THREAD_H

struct omp__thread;

/* Make a thread struct, for a worker that is about to start or for an initial thread; NULL: no memory. */
struct omp__thread *omp__thread_make(void);
/* The calling thread is this one from now on; a worker calls it first of all. */
void omp__thread_adopt(struct omp__thread *thread);
/* Free it; it has no team and no region any more. */
void omp__thread_free(struct omp__thread *thread);

#endif
