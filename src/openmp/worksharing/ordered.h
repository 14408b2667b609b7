/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered regions of a loop. */
#ifndef OMP_ORDERED_H
#define OMP_ORDERED_H

struct omp__thread;

/* Ordered regions of the chunk being run. */
void omp__ordered_start(struct omp__thread *thread);
void omp__ordered_end(struct omp__thread *thread);
/* The chunk is over: the next one's ordered regions may run. */
void omp__ordered_pass(struct omp__thread *thread);

#endif
