/* SPDX-License-Identifier: BSD-3-Clause */
/* What is left of us in the child of a fork. */
#ifndef OMP_FORK_H
#define OMP_FORK_H

#include <stdbool.h>

struct omp__region;

/* Whether this process was forked inside a region of several threads; such a region is told to be what it was. */
extern bool omp__forked_inside;
unsigned omp__told_num(const struct omp__region *region);
unsigned omp__told_count(const struct omp__region *region);

/* Called by the thread that forks, before; after, in the parent; after, in the child. */
void omp__before_fork(void);
void omp__after_fork(void);
void omp__forked(void);

#endif
