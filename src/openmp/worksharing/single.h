/* SPDX-License-Identifier: BSD-3-Clause */
/* The single construct with copyprivate, beside what GCC calls. */
#ifndef OMP_SINGLE_H
#define OMP_SINGLE_H

#include <stdbool.h>

struct omp__thread;

/* Whether the caller runs the block of a single construct; `code` is where the program goes on. */
bool omp__single_start(struct omp__thread *thread, const void *code);

/* What the member that runs the block of the last single construct publishes (GOMP_single_copy_end); waits for it. */
void *omp__single_data(struct omp__thread *thread);

#endif
