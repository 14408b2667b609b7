/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The watchers that the module can show the calls of a batch to: none. Nothing of what seccomp,
 * audit, and the tracepoints sys_enter and sys_exit would have to be asked or told by is exported
 * to modules.
 */
#ifndef _BATCH_WATCH_H
#define _BATCH_WATCH_H

#include <linux/types.h>

#include <asm/batch.h>

#define BATCH_SHOWN 0UL

static inline void batch_watch_begin(void)
{
}

static inline void batch_watch_end(void)
{
}

static inline bool batch_watch_allows(const struct batch_frame *frame, unsigned int nr)
{
	return false;
}

static inline long batch_watch_call(const struct batch_frame *frame, unsigned int nr)
{
	return -ENOSYS;
}

#endif /* _BATCH_WATCH_H */
