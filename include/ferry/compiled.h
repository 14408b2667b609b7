/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What code calls that the compiler plugin (docs/decisions/0019-compiled-batches.md) has turned into batches.
 *
 * Such code refers to these names weakly: a program that is linked without libferry makes its calls one by one, and so
 * does one on a machine where batches cost more than calls. Programs do not call these functions themselves.
 */
#ifndef FERRY_COMPILED_H
#define FERRY_COMPILED_H

#include <ferry/batch.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * The fewest slots of a batch that is worth running. It is 0 until the first batch has found out what there is, and
 * INT_MAX where no batch is to be run. Code reads it before it fills slots.
 */
extern int ferry_compiled_slots_min;

/*
 * Run slots[count]. Returns the index of the last slot that ran, or a negative number: nothing ran, and the caller
 * makes its calls one by one. FERRY_COMPILED in the environment chooses: `loop` runs every batch as system calls and
 * `kernel` every one in the kernel, for tests; `off` runs none; without it those run in the kernel that pay there.
 * FERRY_COMPILED_LOG names a file that gets a line for each batch: the process, how many calls were made, and how many
 * slots came up or were jumped over.
 */
long ferry_compiled_run(struct batch_slot *slots, long *rets, unsigned long count);

/* What libc returns for the result of a slot: sets errno and gives -1 for -errno, else gives the result. */
long ferry_compiled_result(long ret);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* FERRY_COMPILED_H */
