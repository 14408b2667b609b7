/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An eventcount (Reed, Kanodia 1979): many threads sleep until a condition, which may be anywhere in memory, is true,
 * and one system call wakes all of them. This eventcount counts its sleepers, so that a waker makes no system call when
 * nobody sleeps.
 *
 *	waiter					waker
 *	seen = load(count)			store(condition)
 *	sleepers += 1; full barrier		full barrier
 *	load(condition)				load(sleepers); when there are some:
 *	sleep while count == seen		sleepers = 0 in the next epoch; count += 1; wake
 *	sleepers -= 1, if the epoch is still the waiter's
 *
 * At least one of the two sees the other's store (Dekker). A waiter that read `count` before the waker changed it
 * either finds the condition true or does not fall asleep.
 *
 * The waker takes the threads that it wakes off the number of sleepers itself. So they count as awake at once, and not
 * only when each has got a processor. To wake all, a waker begins a new epoch, in which nobody sleeps yet. To wake one,
 * it leaves a grant: the next waiter of that epoch to leave takes the grant instead of taking itself off, and it does
 * not matter whether the kernel woke that waiter or another one. Without grants, a waker that calls again before the
 * thread that it woke has got a processor (20 to 50 us) would wake one more thread at each call.
 */
#ifndef THREAD_EVENTCOUNT_H
#define THREAD_EVENTCOUNT_H

#include "clock.h"
#include "futex.h"

struct thread__eventcount {
	_Atomic uint32_t count;
	/* epoch << 32 | grants << 16 | sleepers */
	_Atomic uint64_t sleepers;
};

#define THREAD__EVENT_EPOCH_SHIFT 32
#define THREAD__EVENT_GRANT (UINT64_C(1) << 16)
/* The most threads that may sleep at one eventcount. */
#define THREAD__EVENT_SLEEPERS_MAX (THREAD__EVENT_GRANT - 1)

/* A waiter between thread__eventcount_prepare() and thread__eventcount_leave(). */
struct thread__sleep {
	uint32_t seen;
	uint32_t epoch;
};

/*
 * The caller is going to sleep, and counts as a sleeper from here on; it makes a full barrier after this, and looks at
 * its condition then. The waiter reads `count` before it is counted, so that a waiter that is counted when
 * thread__eventcount_wake_one() leaves a grant cannot fall asleep any more. Therefore there are never more grants than
 * there are waiters awake to take them, and every thread that sleeps is counted.
 */
static inline struct thread__sleep thread__eventcount_prepare(struct thread__eventcount *event)
{
	uint32_t seen = atomic_load_explicit(&event->count, memory_order_seq_cst);
	/* seq_cst: with the waker's look, and the barrier that follows */
	uint64_t before = atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);

	return (struct thread__sleep){ .seen = seen, .epoch = (uint32_t)(before >> THREAD__EVENT_EPOCH_SHIFT) };
}

/*
 * Sleep until the deadline (thread__now_ns(), or THREAD__NEVER), if no thread has woken the sleepers since that
 * thread__eventcount_prepare(). Returns whether one has. The sleep may also end for no reason. The caller may sleep
 * again if it was not woken; in any case it calls thread__eventcount_leave() at the end.
 */
static inline bool thread__eventcount_wait(struct thread__eventcount *event, struct thread__sleep sleep,
					   uint64_t deadline_ns)
{
	thread__futex_wait(&event->count, sleep.seen, deadline_ns);
	/* relaxed: a waiter that was woken later than this sees it at its next sleep, which does not begin */
	return atomic_load_explicit(&event->count, memory_order_relaxed) != sleep.seen;
}

/*
 * End the sleep, or cancel it before it began. False: a waker has already taken the caller off the number of sleepers.
 */
static inline bool thread__eventcount_leave(struct thread__eventcount *event, struct thread__sleep sleep)
{
	/* relaxed everywhere: a waker that reads an old number of sleepers makes a system call for nothing */
	uint64_t now = atomic_load_explicit(&event->sleepers, memory_order_relaxed);

	while ((uint32_t)(now >> THREAD__EVENT_EPOCH_SHIFT) == sleep.epoch) {
		bool is_granted = (uint32_t)now >= THREAD__EVENT_GRANT;

		if (atomic_compare_exchange_weak_explicit(&event->sleepers, &now,
							  now - (is_granted ? THREAD__EVENT_GRANT : 1),
							  memory_order_relaxed, memory_order_relaxed))
			return !is_granted;
	}
	return false;
}

/*
 * Wake all sleepers. The caller has changed the condition and then made a full barrier. Returns how many waiters were
 * counted; those of them that have not fallen asleep yet do not fall asleep.
 */
static inline uint32_t thread__eventcount_wake_all(struct thread__eventcount *event)
{
	uint64_t now = atomic_load_explicit(&event->sleepers, memory_order_seq_cst);

	/* relaxed: a waiter reads its own addition to this word, or what came later */
	do {
		if (__builtin_expect((uint32_t)now == 0, 1))
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&event->sleepers, &now,
							((now >> THREAD__EVENT_EPOCH_SHIFT) + 1)
								<< THREAD__EVENT_EPOCH_SHIFT,
							memory_order_relaxed, memory_order_relaxed));
	atomic_fetch_add_explicit(&event->count, 1, memory_order_seq_cst);
	thread__futex_wake(&event->count, INT32_MAX);
	return (uint32_t)(now & THREAD__EVENT_SLEEPERS_MAX);
}

/* The same, but wakes one sleeper, which counts as awake from then on. False: every sleeper has been woken already. */
static inline bool thread__eventcount_wake_one(struct thread__eventcount *event)
{
	uint64_t now = atomic_load_explicit(&event->sleepers, memory_order_seq_cst);

	do {
		if ((now & THREAD__EVENT_SLEEPERS_MAX) == 0)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&event->sleepers, &now, now - 1 + THREAD__EVENT_GRANT,
							memory_order_relaxed, memory_order_relaxed));
	atomic_fetch_add_explicit(&event->count, 1, memory_order_seq_cst);
	thread__futex_wake(&event->count, 1);
	return true;
}

#endif
