/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of parallel regions and worksharing constructs. The compiler prepares two ways to combine the threads'
 * values and asks which to use: under a lock, one thread after the other, or by atomic operations. With few list items
 * the atomic operations take less time than passing a lock from one thread to the next.
 */
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/thread.h"
#include "openmp/state/thread_state.h"
#include "openmp/synchronization/lock.h"
#include "openmp/team/barrier.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The answers that the compiled code understands. */
enum { COMBINE_PLAINLY = 1, COMBINE_ATOMICALLY = 2 };

/* With more list items than this, taking a lock once is cheaper than an atomic operation for each item. */
#define ATOMIC_ITEMS_MAX 4

OMP__EXPORT int32_t __kmpc_reduce_nowait(const struct kmp_ident *where, int32_t number, int32_t items, size_t bytes,
					 void *data, void (*combine)(void *, void *), kmp_critical_name *name)
{
	(void)number;
	(void)bytes;
	(void)data;
	(void)combine;
	kmp__tls.reduces_locked = false;
	if (omp__self()->region->thread_count == 1)
		return COMBINE_PLAINLY;
	if (where->flags & KMP_IDENT_ATOMIC_REDUCE && items <= ATOMIC_ITEMS_MAX)
		return COMBINE_ATOMICALLY;
	omp__lock((_Atomic uint32_t *)name);
	kmp__tls.reduces_locked = true;
	return COMBINE_PLAINLY;
}

OMP__EXPORT void __kmpc_end_reduce_nowait(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	if (kmp__tls.reduces_locked)
		omp__unlock((_Atomic uint32_t *)name);
	kmp__tls.reduces_locked = false;
}

OMP__EXPORT int32_t __kmpc_reduce(const struct kmp_ident *where, int32_t number, int32_t items, size_t bytes,
				  void *data, void (*combine)(void *, void *), kmp_critical_name *name)
{
	return __kmpc_reduce_nowait(where, number, items, bytes, data, combine, name);
}

/* The barrier at the end: after it all threads have combined their values. */
OMP__EXPORT void __kmpc_end_reduce(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	__kmpc_end_reduce_nowait(where, number, name);
	omp__barrier(omp__self(), false);
}
