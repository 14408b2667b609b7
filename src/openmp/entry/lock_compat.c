/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of programs that were linked before OpenMP 3.0, under the version OMP_1.0. Their simple lock is today's;
 * their nestable lock had eight bytes and belonged to a thread, not to a task. Only shared libraries have versions, so
 * the archive leaves this file out.
 */
#include "openmp/abi/export.h"
#include "openmp/abi/symver.h"
#include "openmp/synchronization/lock.h"

#include <omp.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define OLD(name) OMP__SYMVER(omp__old_##name, #name "@OMP_1.0") OMP__EXPORT

/* In Fortran both locks fit into the integer that the program has for them. */
#define OLD_LOCK(result, name)                                                                                         \
	OLD(name) result omp__old_##name(omp_lock_t *lock)                                                             \
	{                                                                                                              \
		return name(lock);                                                                                     \
	}                                                                                                              \
	OLD(name##_) result omp__old_##name##_(omp_lock_t *lock)                                                       \
	{                                                                                                              \
		return name(lock);                                                                                     \
	}

OLD_LOCK(void, omp_init_lock)
OLD_LOCK(void, omp_destroy_lock)
OLD_LOCK(void, omp_set_lock)
OLD_LOCK(void, omp_unset_lock)
OLD_LOCK(int, omp_test_lock)

/*
 * A nestable lock. Its owner is a thread, and half of its word must say which; so each thread that asks gets a number.
 */
struct old_nest_lock {
	_Atomic uint32_t word;
	_Atomic int32_t owner; /* 0: no thread */
};

/*
 * How many times the owner has taken the lock stands in the same word: eight bytes have no space for a count of its
 * own.
 */
enum { COUNT_BITS = 12, COUNT_MASK = (1 << COUNT_BITS) - 1 };

static int32_t own_number(void)
{
	static _Atomic int32_t last;
	static __thread int32_t number;

	if (!number)
		number = (atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1) << COUNT_BITS;
	return number;
}

static int test(struct old_nest_lock *lock, bool wait)
{
	int32_t owner = atomic_load_explicit(&lock->owner, memory_order_relaxed);
	int32_t number = own_number();

	if ((owner & ~COUNT_MASK) != number) {
		if (wait)
			omp__lock(&lock->word);
		else if (!omp__lock_try(&lock->word, omp__lock_mark()))
			return 0;
		owner = number;
	}
	atomic_store_explicit(&lock->owner, owner + 1, memory_order_relaxed);
	return (owner & COUNT_MASK) + 1;
}

static void init(struct old_nest_lock *lock)
{
	atomic_store_explicit(&lock->word, 0, memory_order_relaxed);
	atomic_store_explicit(&lock->owner, 0, memory_order_relaxed);
}

static void unset(struct old_nest_lock *lock)
{
	int32_t owner = atomic_load_explicit(&lock->owner, memory_order_relaxed) - 1;

	if (owner & COUNT_MASK) {
		atomic_store_explicit(&lock->owner, owner, memory_order_relaxed);
		return;
	}
	atomic_store_explicit(&lock->owner, 0, memory_order_relaxed);
	omp__unlock(&lock->word);
}

#define OLD_NEST_LOCK(name, body)                                                                                      \
	OLD(name) void omp__old_##name(struct old_nest_lock *lock)                                                     \
	{                                                                                                              \
		body;                                                                                                  \
	}                                                                                                              \
	OLD(name##_) void omp__old_##name##_(struct old_nest_lock *lock)                                               \
	{                                                                                                              \
		body;                                                                                                  \
	}

OLD_NEST_LOCK(omp_init_nest_lock, init(lock))
OLD_NEST_LOCK(omp_destroy_nest_lock, (void)lock)
OLD_NEST_LOCK(omp_set_nest_lock, (void)test(lock, true))
OLD_NEST_LOCK(omp_unset_nest_lock, unset(lock))

OLD(omp_test_nest_lock) int omp__old_omp_test_nest_lock(struct old_nest_lock *lock)
{
	return test(lock, false);
}

OLD(omp_test_nest_lock_) int omp__old_omp_test_nest_lock_(struct old_nest_lock *lock)
{
	return test(lock, false);
}
