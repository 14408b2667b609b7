/* SPDX-License-Identifier: BSD-3-Clause */
/* The control variables as OMP_DISPLAY_ENV shows them. */
#ifndef OMP_ENVIRONMENT_DISPLAY_H
#define OMP_ENVIRONMENT_DISPLAY_H

#include <stdbool.h>
#include <stdio.h>

/* The length of a spin; libgomp counts on 100,000 spins in a millisecond. */
#define OMP__SPIN_NS 10

void omp__environment_display(FILE *to, bool verbose);

#endif
