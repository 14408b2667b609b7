/* SPDX-License-Identifier: BSD-3-Clause */
/* When a tool starts, and when it ends. */
#ifndef OMP_TOOL_LIFE_H
#define OMP_TOOL_LIFE_H

struct omp__thread;

/*
 * The library is loaded, and the environment is read: a tool is wanted if there may be one. `enter` makes the caller an
 * initial thread.
 */
void omp__tool_prepare(struct omp__thread *(*enter)(void));
/*
 * A thread calls the runtime for the first time. The first one of all starts the tool, and every other waits until that
 * has been done.
 */
void omp__tool_decide(void);

#endif
