/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting: spin while it pays, then sleep; and waking, which costs a load when nobody sleeps.
 *
 * A parker (Java's LockSupport, Rust's std::thread::park) is a word that says whether its owner is parked. A thread
 * waits for one thing at a time, so each has one. The waiter reads its condition again after it has marked its parker,
 * and the waker reads the parker after it has made the condition true:
 *
 *	waiter						waker
 *	exchange(parker->parked, 1)   (a full barrier)	store(condition)
 *	load(condition)					full barrier
 *	park while parker->parked == 1			load(parker->parked), wake when 1
 *
 * One of the two sees the other's store (Dekker), so a thread never sleeps on a condition that is already true. Use:
 *
 *	struct omp__wait wait = omp__wait_begin(thread, other);
 *
 *	while (!condition())
 *		omp__wait_step(&wait);
 *	omp__wait_end(&wait);
 *
 * A waker on a hot path may leave the full barrier out where the waiter sleeps no longer than a limit at a time
 * (limit_ns): what the waker missed the waiter finds then, because a store is seen by others after a finite time.
 *
 * The condition is read with acquire order, or with at least as much before what it guards is used.
 */
#ifndef OMP_WAIT_H
#define OMP_WAIT_H

#include "openmp/waiting/oversubscribed.h"
#include "openmp/waiting/line.h"

#include "thread/eventcount.h"
#include "thread/neighbours.h"
#include "thread/spin.h"

#include <stdatomic.h>

struct omp__parker {
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t parked;
	/* What its owner waits for, for wakers that must choose whom to wake: any address both sides agree on, or NULL.
	 */
	_Atomic(const void *) key;
	/* Whether its team has more members than there are processors; written by the team's primary. */
	_Atomic bool oversubscribed;
	/* Whether it would run a task if there were one. */
	_Atomic bool helps;
	/* Whether it is about to sleep, here or at an eventcount, and looks once more; its own. */
	bool parking;
	/* Its owner, as others see it. */
	struct thread__runner runner;
	/* When it yields to the co-scheduler's threads again, thread__ticks(); its own. */
	uint64_t yields_at;
	/* How long it leaves them alone, and how often it has cost next to nothing since; see coscheduling/. */
	unsigned left_alone, short_yields;
};

/* How long who waits for a region stays awake: as everybody who waits, longer, or not at all. See coscheduling/. */
enum omp__between { OMP__BETWEEN_USUAL, OMP__BETWEEN_STAYS_AWAKE, OMP__BETWEEN_PARKS };

struct omp__wait {
	struct omp__parker *parker;
	struct thread__spin spin;
	const void *key;
	/* Where it sleeps instead of at its parker, when it waits for what wakes many at once; or NULL. */
	struct thread__eventcount *event;
	struct thread__sleep sleep;
	/* What the team does between regions, an enum omp__between; NULL where that is not what is waited for. */
	const _Atomic uint32_t *between;
	/* How long it may sleep without a look, because the waker has no full barrier; 0: until it is woken. */
	uint64_t limit_ns;
	/* Since when the co-scheduler's threads go first; 0: they do not. */
	uint64_t behind_ns;
	unsigned step;
	bool parking;
	bool helps;
};

/*
 * Looks with one pause between, before the slow half: 0.4 to 1.5 us, as a pause takes 11 to 45 ns, and longer than any
 * hand-over of a cache line. A waiter that looks without a pause takes the line away from the one that is about to
 * write it, and its looks ahead are thrown away when the line changes (bench/handoff: exchange and exchange-eager, 30
 * and 63 ns on an EPYC).
 */
#define OMP__WAIT_EAGER 32

/* The first sleep of a waiter whose waker has no full barrier; it doubles, up to the second. */
#define OMP__WAIT_LIMIT_NS UINT64_C(1000000)
#define OMP__WAIT_LIMIT_MAX_NS UINT64_C(1000000000)

/*
 * How long a waiter looks before it sleeps while there is a processor for each thread: for a thread that it knows, and
 * for any. OMP_WAIT_POLICY and GOMP_SPINCOUNT set both.
 */
extern uint64_t omp__wait_spin_ns, omp__wait_any_ns;
/* And where there is not. */
extern uint64_t omp__wait_oversubscribed_ns;
/*
 * Workers between regions may look longer, however many they are: they pass one processor round among themselves, and
 * the next region need not wake each of them, which was 20 us of every region with four on two processors and 0.3 ms of
 * serial work between regions.
 */
extern uint64_t omp__wait_between_oversubscribed_ns;

void omp__wait_slowly(struct omp__wait *wait);
/* Whether other programs want the processors. */
enum thread__company omp__wait_company(uint64_t now_ns);
void omp__wait_leave(struct omp__wait *wait);
void omp__parker_wake(struct omp__parker *parker);
/* After omp__wait_fence(): wake all that sleep there. */
void omp__event_wake_all(struct thread__eventcount *event);
/* The same for one; false when none sleeps. */
bool omp__event_wake_one(struct thread__eventcount *event);

static inline struct omp__wait omp__wait_begin(struct omp__parker *parker, const struct omp__parker *other,
					       const void *key)
{
	return (struct omp__wait){
		.parker = parker,
		.spin = thread__spin_begin(&parker->runner, other ? &other->runner : NULL,
					   other ? omp__wait_spin_ns : omp__wait_any_ns, omp__wait_oversubscribed_ns),
		.key = key,
	};
}

static inline void omp__wait_step(struct omp__wait *wait)
{
	if (wait->step++ < OMP__WAIT_EAGER && !omp__oversubscribed())
		thread__relax();
	else
		omp__wait_slowly(wait);
}

static inline void omp__wait_end(struct omp__wait *wait)
{
	if (__builtin_expect(wait->parking, 0))
		omp__wait_leave(wait);
}

/*
 * Between the store of a condition and the look at a parker. ThreadSanitizer has no fences; it does not need this one.
 */
static inline void omp__wait_fence(void)
{
#ifdef __SANITIZE_THREAD__
	_Atomic uint32_t word = 0;

	atomic_fetch_or_explicit(&word, 0, memory_order_seq_cst);
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* Whether the parker's owner is about to sleep, or sleeps. */
static inline bool omp__wait_sleeps(struct omp__parker *parker)
{
	return atomic_load_explicit(&parker->parked, memory_order_seq_cst) != 0;
}

/* After omp__wait_fence(): wake the owner of the parker when it sleeps. */
static inline void omp__wait_wake(struct omp__parker *parker)
{
	if (__builtin_expect(omp__wait_sleeps(parker), 0))
		omp__parker_wake(parker);
}

/* The same, when only those who wait for `key` are meant. */
static inline void omp__wait_wake_key(struct omp__parker *parker, const void *key)
{
	if (__builtin_expect(omp__wait_sleeps(parker), 0) &&
	    atomic_load_explicit(&parker->key, memory_order_relaxed) == key)
		omp__parker_wake(parker);
}

#endif
