/* SPDX-License-Identifier: BSD-3-Clause */
/* The ordered regions of a loop. */
#ifndef OMP_ORDERED_H
#define OMP_ORDERED_H

struct omp__thread;

/* Around an ordered region of the chunk that the thread runs. */
void omp__ordered_start(struct omp__thread *thread);
void omp__ordered_end(struct omp__thread *thread);
/* The chunk is over: the ordered regions of the next one may run. */
void omp__ordered_pass(struct omp__thread *thread);

#endif
