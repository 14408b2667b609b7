/* SPDX-License-Identifier: BSD-3-Clause */
/* What the child of a fork has of the runtime. */
#ifndef OMP_FORK_H
#define OMP_FORK_H

#include <stdbool.h>

struct omp__region;

/*
 * Whether this process was forked inside a region of several threads. Such a region keeps the number and the size that
 * the program was told.
 */
extern bool omp__forked_inside;
unsigned omp__told_num(const struct omp__region *region);
unsigned omp__told_count(const struct omp__region *region);

/*
 * The thread that forks calls these: the first before the fork, the second after it in the parent, the third in the
 * child.
 */
void omp__before_fork(void);
void omp__after_fork(void);
void omp__forked(void);

#endif
