/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An eventcount: many threads sleep for a condition that is anywhere in memory, and one system call wakes all of them.
 * (Reed, Kanodia 1979; with a count of sleepers, so that a waker makes no call when nobody sleeps.)
 *
 *	waiter					waker
 *	sleepers += 1   (a full barrier)	store(condition)
 *	seen = load(count)			full barrier
 *	load(condition)				load(sleepers); when there are some:
 *	sleep while count == seen		sleepers = 0, of the next epoch; count += 1; wake
 *	sleepers -= 1, if of its epoch
 *
 * One of the two sees the other's store (Dekker). A waiter that read `count` before the waker changed it either finds
 * the condition true or does not fall asleep. A waker of all takes the sleepers off the count itself: who counts the
 * threads that want a processor knows of them at once, not when each has got one.
 */
#ifndef THREAD_EVENTCOUNT_H
#define THREAD_EVENTCOUNT_H

#include "clock.h"
#include "futex.h"

struct thread__eventcount {
	_Atomic uint32_t count;
	/* epoch << 32 | sleepers */
	_Atomic uint64_t sleepers;
};

/* An announced sleep. */
struct thread__sleep {
	uint32_t seen;
	uint32_t epoch;
};

/* Announce a sleep. Look at the condition after it. */
static inline struct thread__sleep thread__eventcount_prepare(struct thread__eventcount *event)
{
	/* seq_cst: the full barrier of the waiter's side */
	uint64_t before = atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);

	return (struct thread__sleep){ .seen = atomic_load_explicit(&event->count, memory_order_seq_cst),
				       .epoch = (uint32_t)(before >> 32) };
}

/* Sleep until somebody notifies after that thread__eventcount_prepare; wakes up for no reason too. */
static inline void thread__eventcount_wait(struct thread__eventcount *event, struct thread__sleep sleep)
{
	thread__futex_wait(&event->count, sleep.seen, THREAD__NEVER);
}

/* The announced sleep is over, or was not needed. False: a waker of all has taken the caller off the count. */
static inline bool thread__eventcount_leave(struct thread__eventcount *event, struct thread__sleep sleep)
{
	/* relaxed, all: a waker that misses it makes a call for nothing */
	uint64_t now = atomic_load_explicit(&event->sleepers, memory_order_relaxed);

	while ((uint32_t)(now >> 32) == sleep.epoch)
		if (atomic_compare_exchange_weak_explicit(&event->sleepers, &now, now - 1, memory_order_relaxed,
							  memory_order_relaxed))
			return true;
	return false;
}

/*
 * After a full barrier after the change: wake all that sleep; how many were announced, of which those that have not
 * fallen asleep do not.
 */
static inline uint32_t thread__eventcount_wake_all(struct thread__eventcount *event)
{
	uint64_t now = atomic_load_explicit(&event->sleepers, memory_order_seq_cst);

	/* relaxed: what a waiter sees of it is its own announcement or later */
	do {
		if (__builtin_expect((uint32_t)now == 0, 1))
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&event->sleepers, &now, ((now >> 32) + 1) << 32,
							memory_order_relaxed, memory_order_relaxed));
	atomic_fetch_add_explicit(&event->count, 1, memory_order_seq_cst);
	thread__futex_wake(&event->count, INT32_MAX);
	return (uint32_t)now;
}

/* The same for one of them, which leaves by itself. False: nobody sleeps. */
static inline bool thread__eventcount_wake_one(struct thread__eventcount *event)
{
	if ((uint32_t)atomic_load_explicit(&event->sleepers, memory_order_seq_cst) == 0)
		return false;
	atomic_fetch_add_explicit(&event->count, 1, memory_order_seq_cst);
	thread__futex_wake(&event->count, 1);
	return true;
}

#endif
