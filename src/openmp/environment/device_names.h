/* SPDX-License-Identifier: BSD-3-Clause */
/* Which variables of the environment have forms for devices. */
#ifndef OMP_DEVICE_NAMES_H
#define OMP_DEVICE_NAMES_H

#include <stdbool.h>

bool omp__devices_have(const char *name);

#endif
