/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the batch core share: calls that give what a test says, slots, and a run on a fresh host. */
#ifndef HOSTTEST_CORE_RUN_H
#define HOSTTEST_CORE_RUN_H

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include <linux/ioctl.h>

#include "../include/uapi/linux/batch.h"
#include "kernel.h"

#define SLOTS 64
#define PAGE 4096
#define UNTOUCHED 0x5a5a5a5a5a5a5a5aL
#define NR_GETPPID 110

long batch_core_run(struct batch_slot *slots, long *rets, u64 count, u64 flags,
		    struct batch_resume *resume);

/* what the calls of this test give, and what was called */
static _Thread_local struct {
	long results[SLOTS];
	unsigned int numbers[SLOTS];
	unsigned long count;
	unsigned long set_flags_at, flags; /* before the call of that index returns */
	unsigned long work;
} calls;

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];

static inline long call(unsigned int nr, const struct pt_regs *regs)
{
	unsigned long index = calls.count++ % SLOTS;

	(void)regs;
	calls.numbers[index] = nr;
	if (index == calls.set_flags_at) {
		host.thread.flags |= calls.flags;
		host.thread.syscall_work |= calls.work;
	}
	return calls.results[index];
}

static inline long core_run(struct batch_slot *batch, long *results, u64 count, u64 flags)
{
	return batch_core_run(batch, results, count, flags, NULL);
}

static inline int fresh(void **state)
{
	(void)state;
	memset(&calls, 0, sizeof(calls));
	calls.set_flags_at = SLOTS;
	host = (struct host){ .call = call };
	memset(slots, 0, sizeof(slots));
	for (int i = 0; i < SLOTS; i++) {
		slots[i].nr = NR_GETPPID;
		rets[i] = UNTOUCHED;
	}
	return 0;
}

static inline long more(long next)
{
	return BATCH_RUN_MORE | next;
}

/* Two pages and nothing behind them; `bytes` from their end. */
static inline void *at_the_edge(size_t bytes)
{
	char *pages =
		mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + 2 * PAGE, PAGE, PROT_NONE), 0);
	return pages + 2 * PAGE - bytes;
}

static u64 watched_at;

static inline void watch_from(u64 address)
{
	if (address == watched_at)
		host.thread.syscall_work = 1;
}

#endif /* HOSTTEST_CORE_RUN_H */
