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
#include "openmp/team/tool_region.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The answers that the compiled code understands. */
enum { COMBINE_PLAINLY = 1, COMBINE_ATOMICALLY = 2 };

/* With more list items than this, taking a lock once is cheaper than an atomic operation for each item. */
#define ATOMIC_ITEMS_MAX 4

static inline __attribute__((always_inline)) int32_t begin(const struct kmp_ident *where, int32_t items,
							   kmp_critical_name *name)
{
	const struct omp__thread *thread = omp__self();
	bool alone = thread->region->thread_count == 1;

	kmp__tls.reduces_locked = false;
	if (!alone && where->flags & KMP_IDENT_ATOMIC_REDUCE && items <= ATOMIC_ITEMS_MAX)
		return COMBINE_ATOMICALLY;
	/* the compiled code tells no end of a reduction that is combined atomically, so a tool is told no beginning */
	if (omp__tool_is_on()) {
		kmp__tls.reduces_watched = true;
		omp__tool_reduction(omp__self(), ompt_scope_begin, __builtin_return_address(0));
	}
	if (alone)
		return COMBINE_PLAINLY;
	omp__lock((_Atomic uint32_t *)name);
	kmp__tls.reduces_locked = true;
	return COMBINE_PLAINLY;
}

static inline __attribute__((always_inline)) void end(kmp_critical_name *name)
{
	if (kmp__tls.reduces_locked)
		omp__unlock((_Atomic uint32_t *)name);
	kmp__tls.reduces_locked = false;
	if (__builtin_expect(kmp__tls.reduces_watched, 0)) {
		kmp__tls.reduces_watched = false;
		omp__tool_reduction(omp__self(), ompt_scope_end, __builtin_return_address(0));
	}
}

OMP__EXPORT int32_t __kmpc_reduce_nowait(const struct kmp_ident *where, int32_t number, int32_t items, size_t bytes,
					 void *data, void (*combine)(void *, void *), kmp_critical_name *name)
{
	(void)number;
	(void)bytes;
	(void)data;
	(void)combine;
	return begin(where, items, name);
}

OMP__EXPORT void __kmpc_end_reduce_nowait(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	end(name);
}

OMP__EXPORT int32_t __kmpc_reduce(const struct kmp_ident *where, int32_t number, int32_t items, size_t bytes,
				  void *data, void (*combine)(void *, void *), kmp_critical_name *name)
{
	(void)number;
	(void)bytes;
	(void)data;
	(void)combine;
	return begin(where, items, name);
}

/* The barrier at the end: after it all threads have combined their values. */
OMP__EXPORT void __kmpc_end_reduce(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	end(name);
	omp__barrier_here(omp__self(), false, ompt_sync_region_barrier_implementation);
}
