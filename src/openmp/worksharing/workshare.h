/* SPDX-License-Identifier: BSD-3-Clause */
/* Entering and leaving a worksharing construct whose threads share something (state/workshares.h). */
#ifndef OMP_WORKSHARE_H
#define OMP_WORKSHARE_H

#include "openmp/state/workshares.h"

#include <stdbool.h>
#include <stddef.h>

struct omp__thread;

/*
 * The work share of the construct to which the caller has come. *first: the caller must set it up and then call
 * omp__workshare_ready(); the other threads wait for that in here.
 */
struct omp__workshare *omp__workshare_enter(struct omp__thread *thread, bool *first);
void omp__workshare_ready(struct omp__workshare *share);
/* The caller leaves the construct that it entered last. */
void omp__workshare_leave(struct omp__thread *thread);
/* Make the shared memory of the construct, zeroed. The first thread calls it before omp__workshare_ready(). */
void omp__workshare_memory(struct omp__workshare *share, size_t bytes);
/* Make a range for each member; false: no memory. The first thread calls it likewise. */
bool omp__workshare_ranges(struct omp__workshare *share, unsigned count);

#endif
