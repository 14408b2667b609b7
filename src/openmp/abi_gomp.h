/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points GCC compiles OpenMP to, versions 12 to 16. Types are those of gcc/omp-builtins.def.
 */
#ifndef OMP_ABI_GOMP_H
#define OMP_ABI_GOMP_H

#include "export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long gomp_ull;

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);

#endif
