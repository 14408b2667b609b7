/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before the first line of a program that makes system calls by syscall(): each call that a batch may make is
 * then the only slot of one, as libferry's kernel executor would run it.
 */
#ifndef BATCHED_H
#define BATCHED_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <linux/batch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef __u64 u64;
#include "batch_calls.h"

static inline bool batched_may_make(long nr)
{
	return nr >= 0 && nr < BATCH_CALL_LIMIT && batch_calls_allowed[nr / 64] >> (nr % 64) & 1;
}

static inline long batched_syscall(long nr, ...)
{
	struct batch_slot slot = { .nr = (short)nr, .argc = BATCH_ARGS_MAX };
	struct batch_resume resume = { 0 };
	va_list arguments;
	long ret = 0, result;

	va_start(arguments, nr);
	for (int i = 0; i < BATCH_ARGS_MAX; i++)
		slot.arg[i] = va_arg(arguments, long);
	va_end(arguments);
	if (batched_may_make(nr)) {
		result = syscall(BATCH_SYSCALL_NR, &slot, &ret, 1UL, 0UL, &resume);
		if (result == 0 && ret >= -4095 && ret < 0) {
			errno = (int)-ret;
			return -1;
		}
		if (result == 0)
			return ret;
		/* what a signal ended, or went on with */
		if (resume.slot &&
		    (resume.how & BATCH_RESUME_RESULT || (result == -1 && errno == EINTR)))
			return result;
	}
	return syscall(nr, slot.arg[0], slot.arg[1], slot.arg[2], slot.arg[3], slot.arg[4],
		       slot.arg[5]);
}

#define syscall(...) batched_syscall(__VA_ARGS__, 0L, 0L, 0L, 0L, 0L, 0L)

#endif /* BATCHED_H */
