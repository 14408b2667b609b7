/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables that may be given for devices: NAME_ALL, NAME_DEV, NAME_DEV_n. */
#ifndef OMP_ENVIRONMENT_DEVICE_H
#define OMP_ENVIRONMENT_DEVICE_H

#include <stdio.h>

/* Check all that are given, once, and keep them to be shown. */
void omp__devices_read(void);
/* Show what was given of a variable, a line for each; nothing for a name that takes no device. */
void omp__devices_show(FILE *to, const char *name);

#endif
