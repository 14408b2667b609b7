/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code opens a region. */
#ifndef OMP_KNOWN_CODE_H
#define OMP_KNOWN_CODE_H

#include <stdbool.h>

/* Whether that is code of the program, or of the co-scheduler's package; not of another library. */
bool omp__code_is_known(void (*code)(void *));
/* Find out, once: `package` is an address in the co-scheduler's package. */
void omp__code_find(const void *package);

#endif
