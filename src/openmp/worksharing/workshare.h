/* SPDX-License-Identifier: BSD-3-Clause */
/* Entering and leaving a worksharing construct whose threads share a descriptor (state/workshares.h). */
#ifndef OMP_WORKSHARE_H
#define OMP_WORKSHARE_H

#include "openmp/state/workshares.h"

#include <stdbool.h>
#include <stddef.h>

struct omp__thread;

/*
 * The descriptor of the construct the caller has come to. *first says that the caller must set it up and then call
 * omp__workshare_ready; the others wait for that in here.
 */
struct omp__workshare *omp__workshare_enter(struct omp__thread *thread, bool *first);
void omp__workshare_ready(struct omp__workshare *share);
/* The caller is done with the construct it entered last. */
void omp__workshare_leave(struct omp__thread *thread);
/* The shared memory of the construct, zeroed; NULL without memory. By the first thread, before it says ready. */
void *omp__workshare_memory(struct omp__workshare *share, size_t bytes);
/* One range for each member; false without memory. Likewise. */
bool omp__workshare_ranges(struct omp__workshare *share, unsigned count);

#endif
