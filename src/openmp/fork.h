/* SPDX-License-Identifier: BSD-3-Clause */
/* What is left of us in the child of a fork. */
#ifndef OMP_FORK_H
#define OMP_FORK_H

/* Called in the child. */
void omp__forked(void);

#endif
