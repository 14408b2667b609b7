/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks, their dependences and their reductions: blocks of a few sizes from free lists of the thread, its
 * *pool*, so that no allocator is called in the steady state. Larger memory comes from malloc.
 *
 * A block goes home: a thread that frees a block of another thread's pool puts it on that pool's list of returned
 * blocks, from which the owner refills its lists. A pool outlives its thread, and the next thread that starts takes it
 * over.
 */
#ifndef OMP_TASK_MEMORY_H
#define OMP_TASK_MEMORY_H

#include <stddef.h>

struct omp__pool;
struct omp__thread;

/* More than any block from a free list; so that much comes from malloc. */
#define OMP__MEMORY_LARGE 4096

/* Aligned to 16 bytes; never NULL: where there is no memory the program ends with a message. */
void *omp__memory_get(struct omp__thread *thread, size_t bytes);
/* `thread`, the caller, may be NULL. */
void omp__memory_put(struct omp__thread *thread, void *memory);
/* The thread ends: its pool goes to the next one. */
void omp__memory_leave(struct omp__thread *thread);

#endif
