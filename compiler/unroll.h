/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FERRY_COMPILER_UNROLL_H
#define FERRY_COMPILER_UNROLL_H

#include "gcc.h"

/* Have GCC's pass `cunroll`, which runs later, unroll the loops of system calls whose end is known. */
void mark_short_loops(function *of);

#endif /* FERRY_COMPILER_UNROLL_H */
