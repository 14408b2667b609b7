/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, critical regions, single and masked constructs, cancellation. */
#include "openmp/abi/gomp.h"
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/team_state.h"
#include "openmp/synchronization/lock.h"
#include "openmp/team/barrier.h"
#include "openmp/worksharing/ordered.h"
#include "openmp/worksharing/single.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

OMP__EXPORT void __kmpc_barrier(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	omp__barrier(omp__self(), false);
}

/* Returns whether the region was cancelled; the program then leaves it. */
OMP__EXPORT int32_t __kmpc_cancel_barrier(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	return omp__barrier(omp__self(), true);
}

OMP__EXPORT void __kmpc_flush(const struct kmp_ident *where)
{
	(void)where;
	atomic_thread_fence(memory_order_seq_cst);
}

/* All threads arrive, the primary runs a block, then all go on. */
OMP__EXPORT int32_t __kmpc_barrier_master(const struct kmp_ident *where, int32_t number)
{
	__kmpc_barrier(where, number);
	if (omp__self()->region->thread_num == 0)
		return 1;
	__kmpc_barrier(where, number);
	return 0;
}

OMP__EXPORT void __kmpc_end_barrier_master(const struct kmp_ident *where, int32_t number)
{
	__kmpc_barrier(where, number);
}

OMP__EXPORT int32_t __kmpc_barrier_master_nowait(const struct kmp_ident *where, int32_t number)
{
	__kmpc_barrier(where, number);
	return omp__self()->region->thread_num == 0;
}

/* ---- blocks for one thread --------------------------------------------------------------------------------------- */

OMP__EXPORT int32_t __kmpc_master(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	return omp__self()->region->thread_num == 0;
}

OMP__EXPORT void __kmpc_end_master(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
}

OMP__EXPORT int32_t __kmpc_masked(const struct kmp_ident *where, int32_t number, int32_t filter)
{
	(void)where;
	(void)number;
	return filter >= 0 && omp__self()->region->thread_num == (unsigned)filter;
}

OMP__EXPORT void __kmpc_end_masked(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
}

OMP__EXPORT int32_t __kmpc_single(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	return GOMP_single_start();
}

OMP__EXPORT void __kmpc_end_single(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
}

OMP__EXPORT void __kmpc_scope(const struct kmp_ident *where, int32_t number, void *reserved)
{
	(void)where;
	(void)number;
	(void)reserved;
}

OMP__EXPORT void __kmpc_end_scope(const struct kmp_ident *where, int32_t number, void *reserved)
{
	(void)where;
	(void)number;
	(void)reserved;
}

/*
 * copyprivate: `here` is true in the one thread that ran the block. That thread publishes the address of its data as
 * gcc's code does (single.c), and the barrier keeps the data alive until all threads have copied it.
 */
OMP__EXPORT void __kmpc_copyprivate(const struct kmp_ident *where, int32_t number, size_t bytes, void *data,
				    void (*copy)(void *to, void *from), int32_t here)
{
	struct omp__thread *thread = omp__self();

	(void)where;
	(void)number;
	(void)bytes;
	if (thread->region->thread_count == 1)
		return;
	if (here)
		GOMP_single_copy_end(data);
	else
		copy(data, omp__single_data(thread));
	omp__barrier(thread, false);
}

/*
 * Since LLVM 16: the one thread that has data publishes its address, and every thread gets that. There is only one
 * barrier here. The compiled code has another one after the copies, which keeps the data alive until all have copied
 * it.
 */
OMP__EXPORT void *__kmpc_copyprivate_light(const struct kmp_ident *where, int32_t number, void *data)
{
	struct omp__thread *thread = omp__self();
	struct omp__team *team = thread->region->team;

	(void)where;
	(void)number;
	if (thread->region->thread_count == 1)
		return data;
	if (data)
		team->copyprivate = data;
	omp__barrier(thread, false);
	return team->copyprivate;
}

/* ---- one thread at a time ---------------------------------------------------------------------------------------- */

OMP__EXPORT void __kmpc_critical(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	omp__lock((_Atomic uint32_t *)name);
}

OMP__EXPORT void __kmpc_critical_with_hint(const struct kmp_ident *where, int32_t number, kmp_critical_name *name,
					   uint32_t hint)
{
	(void)hint;
	__kmpc_critical(where, number, name);
}

OMP__EXPORT void __kmpc_end_critical(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	omp__unlock((_Atomic uint32_t *)name);
}

OMP__EXPORT void __kmpc_ordered(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	omp__ordered_start(omp__self());
}

OMP__EXPORT void __kmpc_end_ordered(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	omp__ordered_end(omp__self());
}

/* ---- cancellation ------------------------------------------------------------------------------------------------ */

/* Convert the ABI's number of a construct to GCC's bit for it. */
static int bit_of(int32_t construct)
{
	return construct >= 1 && construct <= 4 ? 1 << (construct - 1) : 0;
}

OMP__EXPORT int32_t __kmpc_cancel(const struct kmp_ident *where, int32_t number, int32_t construct)
{
	(void)where;
	(void)number;
	return GOMP_cancel(bit_of(construct), true);
}

OMP__EXPORT int32_t __kmpc_cancellationpoint(const struct kmp_ident *where, int32_t number, int32_t construct)
{
	(void)where;
	(void)number;
	return GOMP_cancellation_point(bit_of(construct));
}
