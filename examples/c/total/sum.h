/* SPDX-License-Identifier: BSD-3-Clause */
/* Add up bytes, fast. */
#ifndef TOTAL_SUM_H
#define TOTAL_SUM_H

#include <stddef.h>

/* The sum of start[bytes]. */
long sum_bytes(const signed char *start, size_t bytes);

#endif /* TOTAL_SUM_H */
