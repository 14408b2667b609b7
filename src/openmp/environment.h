/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: every OMP_ and GOMP_ variable that libgomp reads. */
#ifndef OMP_ENVIRONMENT_H
#define OMP_ENVIRONMENT_H

#include <stdio.h>
#include <stdbool.h>

/* Read it, once; called by every way in. */
void omp__environment_read(void);
/* Print the variables in the format of OMP_DISPLAY_ENV. */
void omp__environment_display(FILE *to, bool verbose);

#endif
