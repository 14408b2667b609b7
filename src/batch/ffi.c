/* SPDX-License-Identifier: BSD-3-Clause */
/* The typed builders of <ferry/typed.h> as symbols, for languages that cannot use inline C. */
/* the definitions in the header are the prototypes */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define FERRY_INLINE extern
#include <ferry/batch.h>
