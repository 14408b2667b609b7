/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: every OMP_ and GOMP_ variable that libgomp reads for a host program. */
#ifndef OMP_ENVIRONMENT_H
#define OMP_ENVIRONMENT_H

/* Read it, once; called by every way in. */
void omp__environment_read(void);

#endif
