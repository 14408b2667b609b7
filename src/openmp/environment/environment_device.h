/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of the environment for devices: NAME_ALL, NAME_DEV, NAME_DEV_n. */
#ifndef OMP_ENVIRONMENT_DEVICE_H
#define OMP_ENVIRONMENT_DEVICE_H

#include <stdio.h>

/* Check all such variables, once, and keep their values to be shown. */
void omp__devices_read(void);
/*
 * Write the values that were given for a variable, a line for each; nothing for a name that has no forms for devices.
 */
void omp__devices_show(FILE *to, const char *name);

#endif
