/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow path of locks.
 *
 * The algorithm is a futex mutex with exponential backoff (lock.h). A waiter looks at the lock less and less often, so
 * that the holder can take it several times while it has the cache line; for short critical sections that is worth more
 * than fairness. After that it sleeps.
 *
 * A sleeper looks again after a while, since the thread that has to wake it may be suspended: after it gave the lock
 * back and before it wakes anybody, or, woken itself, before it takes the lock.
 *
 *	holder			waiter A		waiter B
 *	held -> free
 *	wakes one
 *				woken; suspended
 *							sleeps beside a free lock until its limit
 */
#include "openmp/synchronization/lock.h"
#include "openmp/state/thread_state.h"

#include "thread/clock.h"
#include "thread/futex.h"

enum {
	BACK_OFF_MAX = 64, /* the longest pause between two looks, in pauses of the processor */
	/*
	 * How long a waiter looks before it sleeps: about 200 us, at 25 ns a pause. A sleep costs 40 us; the waiter
	 * looks for longer because once a thread sleeps, each release of the lock is a system call, and a holder takes
	 * a short lock many times over. With more threads than processors it looks for the usual 40 us.
	 */
	PAUSES_MAX = 8000,
	PAUSES_OVERSUBSCRIBED = 1600,
	/* The limit of the first sleep, longer than most locks are held. It doubles, up to OMP__WAIT_LIMIT_MAX_NS. */
	SLEEP_NS = 10000000,
};

static bool holder_is_here(uint32_t seen, uint32_t mark)
{
	uint32_t cpu = mark >> OMP__LOCK_CPU_SHIFT;

	return cpu && cpu == seen >> OMP__LOCK_CPU_SHIFT;
}

static bool spin(_Atomic uint32_t *lock, uint32_t mark)
{
	unsigned pauses = 0;
	unsigned back_off = 1;

	while (pauses < (omp__oversubscribed() ? PAUSES_OVERSUBSCRIBED : PAUSES_MAX)) {
		uint32_t seen = atomic_load_explicit(lock, memory_order_relaxed);

		if (seen == 0 && omp__lock_try(lock, mark))
			return true;
		/* A thread that sleeps already has waited longer than this one, so do not overtake it. */
		if (seen & OMP__LOCK_SLEEPERS || holder_is_here(seen, mark))
			return false;
		for (unsigned i = 0; i < back_off; i++)
			thread__relax();
		pauses += back_off;
		if (back_off < BACK_OFF_MAX)
			back_off *= 2;
	}
	return false;
}

void omp__lock_slowly(_Atomic uint32_t *lock, uint32_t mark)
{
	uint64_t limit_ns = SLEEP_NS;
	uint32_t seen;

	if (spin(lock, mark))
		return;
	/* From here on this thread takes the lock with the sleepers' bit set, because others may still sleep. */
	mark |= OMP__LOCK_SLEEPERS;
	while ((seen = atomic_load_explicit(lock, memory_order_relaxed)) != 0 || !omp__lock_try(lock, mark)) {
		if (seen == 0)
			continue;
		if (!(seen & OMP__LOCK_SLEEPERS) &&
		    !atomic_compare_exchange_strong_explicit(lock, &seen, seen | OMP__LOCK_SLEEPERS,
							     memory_order_relaxed, memory_order_relaxed))
			continue;
		atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
		thread__futex_wait(lock, seen | OMP__LOCK_SLEEPERS, thread__now_ns() + limit_ns);
		atomic_fetch_add_explicit(&omp__awake_excess, 1, memory_order_relaxed);
		if (limit_ns < OMP__WAIT_LIMIT_MAX_NS)
			limit_ns *= 2;
	}
}

void omp__lock_wake(_Atomic uint32_t *lock)
{
	thread__futex_wake(lock, 1);
}

void omp__own_lock(struct omp__own_lock *lock)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
	sigset_t all, before;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	omp__lock(&lock->word);
	lock->before = before;
}

void omp__own_unlock(struct omp__own_lock *lock)
{
	sigset_t before = lock->before;

	omp__unlock(&lock->word);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
