/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugin says about its work, as GCC's own passes do: -fopt-info, -fopt-info-missed, -fopt-info-note. */
#ifndef FERRY_COMPILER_REPORT_H
#define FERRY_COMPILER_REPORT_H

#include "region.h"

/* The region was made a batch. */
void report_batched(const region &made);
/* Where its ways ended, or why it has too few calls. */
void report_left(const region &left);
/* Nothing in this function may be batched. */
void report_function(function *of, const char *why);

#endif /* FERRY_COMPILER_REPORT_H */
