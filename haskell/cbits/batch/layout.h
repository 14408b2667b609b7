/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Offsets into <ferry/batch.h>'s structs and our own, for Cmm and Haskell, which cannot ask for them, and a number that
 * C and Cmm share; adaptive.c and owner.c check them.
 */
#ifndef FERRY_HASKELL_LAYOUT_H
#define FERRY_HASKELL_LAYOUT_H

#define FERRY_PREPARED_EXECUTOR 0
#define FERRY_PREPARED_SLOTS 8
#define FERRY_PREPARED_RETS 16
#define FERRY_PREPARED_COUNT 24
#define FERRY_EXECUTOR_RUN 16
#define FERRY_PROGRAM_OWNER 32

/* What an adaptive batch returns where its thread has to resume first; less than ~slot for every slot. */
#define FERRY_RUN_RESUMES (-0x40000000)

#endif /* FERRY_HASKELL_LAYOUT_H */
