/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An eventcount: a counter that advances whenever a condition may have changed, and on which threads sleep until it
 * does (Reed, Kanodia 1979).
 *
 *	waiter					waker
 *	seen = read(count)			change the condition
 *	look at the condition			advance(count): count += 1; wake all sleepers
 *	sleep while count == seen
 *
 * A waiter that read the counter before it advanced sees the condition changed, or does not fall asleep.
 *
 * thread/eventcount.h is the same with a count of sleepers, which saves the waker a system call when nobody sleeps. It
 * does not serve here: a waker takes the sleepers off that count before it wakes them, so a waker that is suspended in
 * between leaves them asleep whatever other wakers do. Here every waker makes the system call, and any one of them
 * suffices. Contexts begin and end seldom enough for that.
 */
#ifndef INGRESS_EVENTCOUNT_H
#define INGRESS_EVENTCOUNT_H

#include "thread/futex.h"

#include <stdatomic.h>
#include <stdint.h>

static inline uint32_t ingress__eventcount_read(const _Atomic uint32_t *count)
{
	/* acquire: the waiter sees what was changed before the counter advanced */
	return atomic_load_explicit(count, memory_order_acquire);
}

/* Call it after the change. */
static inline void ingress__eventcount_advance(_Atomic uint32_t *count)
{
	/* release: a waiter that reads the new count sees the change */
	atomic_fetch_add_explicit(count, 1, memory_order_release);
	thread__futex_wake(count, INT32_MAX);
}

#endif
