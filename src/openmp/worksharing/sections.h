/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections construct. */
#ifndef OMP_SECTIONS_H
#define OMP_SECTIONS_H

#include <stdint.h>

struct omp__thread;

/* Every thread of the team enters sections 1 … count. */
void omp__sections_enter(struct omp__thread *thread, unsigned count, uintptr_t *reductions, void **memory);

#endif
