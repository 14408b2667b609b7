/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the environment: every OMP_ and GOMP_ variable that libgomp reads for a program without offloading. */
#ifndef OMP_ENVIRONMENT_H
#define OMP_ENVIRONMENT_H

/* Read it, if that was not done yet. */
void omp__environment_read(void);

#endif
