/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock of four bytes, a futex mutex (Drepper, "Futexes are tricky"): free, held, or held while other threads may
 * sleep. The word also says on which processor the holder took it: a waiter on that processor must not spin, since the
 * holder cannot run meanwhile.
 */
#ifndef OMP_LOCK_H
#define OMP_LOCK_H

#include "openmp/state/thread_state.h"
#include "openmp/waiting/line.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	OMP__LOCK_HELD = 1,
	OMP__LOCK_SLEEPERS = 2,
	OMP__LOCK_CPU_SHIFT = 2, /* processor + 1 from here on; 0: not known */
};

/*
 * The word of a lock that many threads take: its cache line is its own, whatever the linker lays behind it. Otherwise
 * each thread that reads a neighbour takes the line away from the lock's holder.
 */
struct omp__line_lock {
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t lock;
};
_Static_assert(sizeof(struct omp__line_lock) == OMP__LINE_BYTES, "nothing else lies in the lock's line");

void omp__lock_slowly(_Atomic uint32_t *lock, uint32_t mark);
void omp__lock_wake(_Atomic uint32_t *lock);

/*
 * What this thread writes into a lock that it takes. Any thread may lock, also one that has never called the runtime.
 */
static inline uint32_t omp__lock_mark(void)
{
	const struct omp__thread *thread = omp__tls;
	const volatile uint32_t *cpu;

	if (__builtin_expect(!thread, 0))
		return OMP__LOCK_HELD;
	cpu = atomic_load_explicit(&thread->parker.runner.cpu, memory_order_relaxed);
	if (__builtin_expect(!cpu, 0))
		return OMP__LOCK_HELD;
	return (*cpu + 1) << OMP__LOCK_CPU_SHIFT | OMP__LOCK_HELD;
}

static inline bool omp__lock_try(_Atomic uint32_t *lock, uint32_t mark)
{
	uint32_t free = 0;

	/* acquire: what the last holder did */
	return atomic_compare_exchange_strong_explicit(lock, &free, mark, memory_order_acquire, memory_order_relaxed);
}

static inline void omp__lock(_Atomic uint32_t *lock)
{
	uint32_t mark = omp__lock_mark();

	if (__builtin_expect(!omp__lock_try(lock, mark), 0))
		omp__lock_slowly(lock, mark);
}

static inline void omp__unlock(_Atomic uint32_t *lock)
{
	/* release: what this holder did */
	if (__builtin_expect(atomic_exchange_explicit(lock, 0, memory_order_release) & OMP__LOCK_SLEEPERS, 0))
		omp__lock_wake(lock);
}

/*
 * A lock for the runtime's own rare steps. Its holder blocks all signals but those of faults. So a thread that a
 * garbage collector or a debugger suspends by a signal is suspended before it has the lock or after it, and stops no
 * other.
 */
struct omp__own_lock {
	_Atomic uint32_t word;
	sigset_t before; /* the signals that its holder had blocked before */
};

void omp__own_lock(struct omp__own_lock *lock);
void omp__own_unlock(struct omp__own_lock *lock);

#endif
