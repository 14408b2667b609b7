/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks, what they depend on and what they reduce to: blocks of a few sizes from the thread's own free
 * lists, so that the steady state calls no allocator. What is larger than these comes from malloc.
 *
 * A block goes home: a thread that frees another's block puts it on that one's list of returned blocks, from which the
 * owner refills. A pool outlives its thread and is taken over by the next thread that starts.
 */
#ifndef OMP_TASK_MEMORY_H
#define OMP_TASK_MEMORY_H

#include <stddef.h>

struct omp__pool;
struct omp__thread;

/* Aligned to 16 bytes; never NULL: without memory the program ends with a message. */
void *omp__memory_get(struct omp__thread *thread, size_t bytes);
/* The thread may be NULL. */
void omp__memory_put(struct omp__thread *thread, void *memory);
/* The thread ends. */
void omp__memory_leave(struct omp__thread *thread);

#endif
