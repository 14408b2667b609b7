/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code opens a region. */
#ifndef OMP_KNOWN_CODE_H
#define OMP_KNOWN_CODE_H

#include <stdbool.h>

/* Whether `code` belongs to the program or to the co-scheduler's package, and not to another library. */
bool omp__code_is_known(void (*code)(void *));
/* Find out once where that code lies; `package` is an address in the co-scheduler's package. */
void omp__code_find(const void *package);

#endif
