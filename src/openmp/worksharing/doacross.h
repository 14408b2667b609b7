/* SPDX-License-Identifier: BSD-3-Clause */
/* Doacross loops: ordered(n) with depend(source) and depend(sink). */
#ifndef OMP_DOACROSS_H
#define OMP_DOACROSS_H

#include "openmp/state/loop_state.h"

#include <stdarg.h>

struct omp__thread;

#define OMP__DIMENSIONS_MAX 64

/* The first thread calls it, before the work share is ready. */
void omp__doacross_set_up(const struct omp__loop *loop, struct omp__workshare *share, const struct omp__loop_spec *spec,
			  unsigned threads);
/* The iteration `counts` has come to its source. */
void omp__doacross_post(struct omp__thread *thread, const uint64_t *counts);
/* Wait for the source of the iteration that a sink names. */
void omp__doacross_wait(struct omp__thread *thread, const uint64_t *counts);
/* The same, and a tool is told. */
void omp__doacross_post_here(struct omp__thread *thread, const uint64_t *counts);
void omp__doacross_wait_here(struct omp__thread *thread, const uint64_t *counts);
/* How many numbers name an iteration; 0: no thread has to wait. */
unsigned omp__doacross_dimensions(const struct omp__thread *thread);

#endif
