/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors the program may use where its control group has a CPU quota. See system.h for the rest of it. */
#ifndef OMP_QUOTA_H
#define OMP_QUOTA_H

/* Read the quota for the first time, in a process whose affinity allows so many processors. */
void omp__quota_start(unsigned count);

#endif
