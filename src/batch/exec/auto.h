/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The auto executor's two halves: the kernel, or system calls (auto_kernel.c), and io_uring before these (auto.c). A
 * program that never asks for the second is not linked with liburing.
 */
#ifndef FERRY_BATCH_AUTO_H
#define FERRY_BATCH_AUTO_H

#include "../internal.h"

/* batches to spare an executor after one that did not pay there */
#define BATCH__REST_BATCHES 16

/* Set up an instance that has found the kernel's batches, if there are any, and has no ring. */
void batch__auto_init(struct batch_auto_executor *automatic,
		      long (*run)(const struct batch_executor *executor, long *rets, struct batch_slot *slots,
				  size_t count));

/* With BATCH_VERBOSE, say what was chosen, in one write: "ferry: auto: kernel (/dev/batch), uring, loop". */
void batch__auto_say(const struct batch_auto_executor *automatic);

/* Note why batches no longer go where they went, and say it once: "ferry: auto: kernel: a filter, …". */
void batch__auto_give_up(const struct batch_auto_executor *automatic, enum batch_reason *noted, const char *what,
			 enum batch_reason why);

/*
 * Run in the kernel if that is possible and better. Returns as batch_run does, or -EOPNOTSUPP: nothing ran. -EFAULT is
 * handed on: calls may have been made, and are not made twice.
 */
long batch__auto_run_kernel(struct batch_auto_executor *automatic, long *rets, struct batch_slot *slots, size_t count);

#endif /* FERRY_BATCH_AUTO_H */
