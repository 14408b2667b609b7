/* SPDX-License-Identifier: GPL-2.0-only */
/* The watchers that the core shows the calls of a batch to, in user space: see batch_core.h. */
#ifndef HOSTTEST_BATCH_WATCH_H
#define HOSTTEST_BATCH_WATCH_H

#include <asm/batch.h>

#define BATCH_SHOWN HOST_SHOWN

static inline void batch_watch_begin(void)
{
	host_may_sleep();
	host.watch_begun++;
}

static inline void batch_watch_end(void)
{
	host_may_sleep();
	host.watch_ended++;
}

static inline bool batch_watch_allows(const struct batch_frame *frame, unsigned int nr)
{
	host_may_sleep();
	host.asked++;
	return !host.allows || host.allows(nr, &frame->regs);
}

static inline long batch_watch_call(const struct batch_frame *frame, unsigned int nr)
{
	host.shown++;
	return arch_batch_call(frame, nr);
}

#endif /* HOSTTEST_BATCH_WATCH_H */
