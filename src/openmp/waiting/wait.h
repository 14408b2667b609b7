/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting: a thread spins while that pays, then it sleeps; and waking, which costs one load where nobody sleeps.
 *
 * A parker (Java's LockSupport, Rust's std::thread::park) has a word, `parked`, that says whether its owner is parked.
 * The word is 1, which is called the mark, from before the owner sleeps until a waker or the owner itself takes the
 * mark off. A thread sleeps for one thing at a time, so each thread has one parker. The waiter reads its condition
 * again after it has marked its parker, and the waker reads the parker after it has made the condition true:
 *
 *	waiter						waker
 *	exchange(parker->parked, 1); full barrier	store(condition)
 *	load(condition)					full barrier
 *	park while parker->parked == 1			load(parker->parked), wake when 1
 *
 * At least one of the two sees the other's store (Dekker), so a thread never sleeps while its condition is true. Use:
 *
 *	struct omp__wait wait = omp__wait_begin(parker, other, key);
 *
 *	while (!condition())
 *		omp__wait_step(&wait);
 *	omp__wait_end(&wait);
 *
 * A waker on a hot path may leave its full barrier out if every waiter for that condition sets limit_ns, the longest
 * sleep without a look. If that waker does not see the mark, the waiter finds the condition true after limit_ns.
 *
 * The waiter reads the condition with acquire order at least, so that it also sees what the condition guards.
 */
#ifndef OMP_WAIT_H
#define OMP_WAIT_H

#include "openmp/waiting/oversubscribed.h"
#include "openmp/waiting/line.h"

#include "thread/eventcount.h"
#include "thread/neighbours.h"
#include "thread/spin.h"

#include <stdatomic.h>

struct omp__wait;

struct omp__parker {
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t parked;
	/*
	 * What the owner sleeps for: any address that the waiter and the waker agree on, so that a waker wakes only the
	 * threads that wait for that address.
	 */
	_Atomic(const void *) key;
	/* Whether its owner's team has more members than there are processors; written by the team's primary. */
	_Atomic bool oversubscribed;
	/* Whether its owner, while it sleeps, would run a task if there were one. */
	_Atomic bool helps;
	/*
	 * The owner's wait that is in PARKING, at this parker or at an eventcount, or NULL. Only the owner reads and
	 * writes it.
	 */
	struct omp__wait *parking;
	/* What the threads that wait for the owner know of it. */
	struct thread__runner runner;
	/*
	 * When its owner next yields to the co-scheduler's threads (thread__ticks()). Only the owner reads and writes
	 * it.
	 */
	uint64_t yields_at;
	/*
	 * left_alone: after a long yield the owner does not yield again for this many times that yield's length.
	 * short_yields: how many short yields the owner has made since (coscheduling/yield.c).
	 */
	unsigned left_alone, short_yields;
};

/*
 * How long a worker that waits for a region stays awake: as long as any waiter, longer, or not at all. See
 * coscheduling/.
 */
enum omp__between { OMP__BETWEEN_USUAL, OMP__BETWEEN_STAYS_AWAKE, OMP__BETWEEN_PARKS };

/* Between two looks a waiter pauses, lets the co-scheduler's threads run, or sleeps. wait.c draws it. */
enum omp__wait_state { OMP__WAIT_SPINNING, OMP__WAIT_YIELDING, OMP__WAIT_PARKING };

struct omp__wait {
	struct omp__parker *parker;
	struct thread__spin spin;
	const void *key;
	/* Where the waiter sleeps instead of at its parker, because one event ends many waits; or NULL. */
	struct thread__eventcount *event;
	struct thread__sleep sleep;
	/* Where a worker that waits for a region reads its team's enum omp__between; NULL for all other waits. */
	const _Atomic uint32_t *between;
	/*
	 * The longest sleep without a look, where the waker has no full barrier, or does not wake everyone; 0: until it
	 * is woken. It doubles with each sleep that lasted so long, up to limit_max_ns.
	 */
	uint64_t limit_ns, limit_max_ns;
	/* Since when the waiter is YIELDING (set by coscheduling/yield.c); 0: it is not. */
	uint64_t behind_ns;
	/* Steps so far. */
	unsigned step;
	enum omp__wait_state state;
	/* Whether the owner, while it sleeps, would run a task if there were one. */
	bool helps;
	/* Whether the waiter, which is still in PARKING, has just slept for limit_ns. */
	bool timed_out;
};

/*
 * How often a waiter looks, with one pause between two looks, before the slow half begins: 0.4 to 1.5 us in all, as a
 * pause takes 11 to 45 ns. That is longer than any hand-over of a cache line. Without the pause a waiter takes the line
 * away from the thread that is about to write it, and the processor throws its speculative loads away when the line
 * changes (bench/handoff, exchange and exchange-eager: 30 and 63 ns on an EPYC).
 */
#define OMP__WAIT_EAGER 32

/*
 * limit_ns of the first sleep, where the waker has no full barrier, and limit_max_ns.
 *
 * A limit of 1 ms ends before the kernel's next tick. Then the kernel sets the processor's timer anew at each sleep,
 * which a virtual machine cannot do by itself, and ordered loops of 4 and 8 threads took 1.3 to 1.5 times as long.
 */
#define OMP__WAIT_LIMIT_NS UINT64_C(5000000)
#define OMP__WAIT_LIMIT_MAX_NS UINT64_C(1000000000)

/*
 * How long a waiter looks before it sleeps, while there is a processor for each thread that is awake: when it knows the
 * thread that will end its wait, and when any thread may. OMP_WAIT_POLICY and GOMP_SPINCOUNT set all of these.
 */
extern uint64_t omp__wait_spin_ns, omp__wait_any_ns;
/* The same while more threads are awake than there are processors. */
extern uint64_t omp__wait_oversubscribed_ns;
/*
 * The same for workers between regions. They may spin for longer, however many they are, because workers on one
 * processor yield it to each other, and the next region then need not wake each of them. With four threads on two
 * processors and 0.3 ms of serial work between regions the wake-ups were 20 us of every region.
 */
extern uint64_t omp__wait_between_oversubscribed_ns;
/* The same for workers between regions under a CPU quota. */
extern uint64_t omp__wait_between_quota_ns;

void omp__wait_slowly(struct omp__wait *wait);
/* How many threads are awake: at least one, the caller. A waker counts late, so the sum may be too low. */
unsigned omp__wait_awake(void);
/* Whether other programs want the processors. */
enum thread__company omp__wait_company(uint64_t now_ns);
/* Whether they run now; asks the system. */
bool omp__wait_others_run(void);
/* Call this in PARKING only. The waiter then does not sleep; it goes back to spinning if its wait is not over. */
void omp__wait_leave(struct omp__wait *wait);
void omp__parker_wake(struct omp__parker *parker);
/* The same, but not on the waker's processor (thread/apart.h). Only the primary of the owner's team calls it. */
void omp__parker_wake_apart(struct omp__parker *parker, const struct thread__runner *waker);
/* Wake all threads that sleep at the eventcount. Call it after omp__wait_fence(). */
void omp__event_wake_all(struct thread__eventcount *event);
/* The same for one thread. False: none sleeps. */
bool omp__event_wake_one(struct thread__eventcount *event);

/* Whether waiters sleep at once (OMP_WAIT_POLICY=passive). Does not change once a team exists. */
static inline bool omp__wait_is_passive(void)
{
	return __builtin_expect(omp__wait_spin_ns == 0, 0);
}

/*
 * Whether to look again and again is of no use, because the other thread, which will end the wait, is on the caller's
 * processor. Only where waiters sleep at once: others leave the processor (thread/spin.h).
 */
static inline bool omp__wait_is_beside(const struct omp__parker *parker, const struct omp__parker *other)
{
	return omp__wait_is_passive() && other && thread__runner_is_beside(&parker->runner, &other->runner);
}

static inline struct omp__wait omp__wait_begin(struct omp__parker *parker, const struct omp__parker *other,
					       const void *key)
{
	return (struct omp__wait){
		.parker = parker,
		.spin = thread__spin_begin(&parker->runner, other ? &other->runner : NULL,
					   other ? omp__wait_spin_ns : omp__wait_any_ns, omp__wait_oversubscribed_ns),
		.key = key,
		.limit_max_ns = OMP__WAIT_LIMIT_MAX_NS,
		.step = omp__wait_is_beside(parker, other) ? OMP__WAIT_EAGER : 0,
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
	if (__builtin_expect(wait->state == OMP__WAIT_PARKING, 0))
		omp__wait_leave(wait);
}

/*
 * The waker's full barrier, between its store of the condition and its look at a parker. ThreadSanitizer knows no
 * fences; an operation on a word of the caller's own stands in for it there.
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

/* Whether the parker is marked: its owner is about to sleep, or sleeps. */
static inline bool omp__wait_sleeps(struct omp__parker *parker)
{
	return atomic_load_explicit(&parker->parked, memory_order_seq_cst) != 0;
}

/* Wake the owner of the parker if it sleeps. Call it after omp__wait_fence(). */
static inline void omp__wait_wake(struct omp__parker *parker)
{
	if (__builtin_expect(omp__wait_sleeps(parker), 0))
		omp__parker_wake(parker);
}

/* Whether it is marked, and its owner waits for `key`. */
static inline bool omp__wait_sleeps_for(struct omp__parker *parker, const void *key)
{
	return __builtin_expect(omp__wait_sleeps(parker), 0) &&
	       atomic_load_explicit(&parker->key, memory_order_relaxed) == key;
}

/* Wake its owner if that waits for `key`. Call it after omp__wait_fence(). */
static inline void omp__wait_wake_key(struct omp__parker *parker, const void *key)
{
	if (omp__wait_sleeps_for(parker, key))
		omp__parker_wake(parker);
}

#endif
