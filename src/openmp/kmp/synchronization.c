/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, critical regions, single and masked constructs, cancellation. */
#include "openmp/abi/gomp.h"
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/team_state.h"
#include "openmp/synchronization/mutex.h"
#include "openmp/team/tool_region.h"
#include "openmp/worksharing/cancel.h"
#include "openmp/worksharing/ordered.h"
#include "openmp/worksharing/single.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* What a tool is told of a barrier. */
static ompt_sync_region_t kind_of(const struct kmp_ident *where)
{
	int32_t flags = where ? where->flags : 0;

	if (flags & KMP_IDENT_BARRIER_EXPLICIT)
		return ompt_sync_region_barrier_explicit;
	return flags & KMP_IDENT_BARRIER_IMPLICIT ? ompt_sync_region_barrier_implicit_workshare
						  : ompt_sync_region_barrier_implementation;
}

static inline __attribute__((always_inline)) bool barrier(const struct kmp_ident *where, bool cancellable)
{
	if (omp__tool_is_on())
		return omp__barrier_for_tool(omp__self(), cancellable, kind_of(where), OMP__TOOL_CALL());
	return omp__barrier(omp__self(), cancellable);
}

OMP__EXPORT void __kmpc_barrier(const struct kmp_ident *where, int32_t number)
{
	(void)number;
	barrier(where, false);
}

/* Returns whether the region was cancelled; the program then leaves it. */
OMP__EXPORT int32_t __kmpc_cancel_barrier(const struct kmp_ident *where, int32_t number)
{
	(void)number;
	return barrier(where, true);
}

OMP__EXPORT void __kmpc_flush(const struct kmp_ident *where)
{
	(void)where;
	atomic_thread_fence(memory_order_seq_cst);
	if (omp__tool_is_on())
		omp__tool_flush(__builtin_return_address(0));
}

/* All threads arrive, the primary runs a block, then all go on. */
OMP__EXPORT int32_t __kmpc_barrier_master(const struct kmp_ident *where, int32_t number)
{
	(void)number;
	barrier(where, false);
	if (omp__self()->region->thread_num == 0)
		return 1;
	barrier(where, false);
	return 0;
}

OMP__EXPORT void __kmpc_end_barrier_master(const struct kmp_ident *where, int32_t number)
{
	(void)number;
	barrier(where, false);
}

OMP__EXPORT int32_t __kmpc_barrier_master_nowait(const struct kmp_ident *where, int32_t number)
{
	(void)number;
	barrier(where, false);
	return omp__self()->region->thread_num == 0;
}

/* ---- blocks for one thread --------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool begin_masked(bool runs)
{
	if (omp__tool_is_on() && runs)
		omp__tool_masked(omp__self(), ompt_scope_begin, __builtin_return_address(0));
	return runs;
}

static inline __attribute__((always_inline)) void end_masked(void)
{
	if (omp__tool_is_on())
		omp__tool_masked(omp__self(), ompt_scope_end, __builtin_return_address(0));
}

OMP__EXPORT int32_t __kmpc_master(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	return begin_masked(omp__self()->region->thread_num == 0);
}

OMP__EXPORT void __kmpc_end_master(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	end_masked();
}

OMP__EXPORT int32_t __kmpc_masked(const struct kmp_ident *where, int32_t number, int32_t filter)
{
	(void)where;
	(void)number;
	return begin_masked(filter >= 0 && omp__self()->region->thread_num == (unsigned)filter);
}

OMP__EXPORT void __kmpc_end_masked(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	end_masked();
}

OMP__EXPORT int32_t __kmpc_single(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	return omp__single_start(omp__self(), __builtin_return_address(0));
}

/* Only the thread that ran the block calls this. */
OMP__EXPORT void __kmpc_end_single(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	if (omp__tool_is_on())
		omp__tool_work_end(omp__self(), __builtin_return_address(0));
}

OMP__EXPORT void __kmpc_scope(const struct kmp_ident *where, int32_t number, void *reserved)
{
	(void)where;
	(void)number;
	(void)reserved;
	if (omp__tool_is_on())
		omp__tool_work(omp__self(), ompt_work_scope, ompt_scope_begin, 1, __builtin_return_address(0));
}

OMP__EXPORT void __kmpc_end_scope(const struct kmp_ident *where, int32_t number, void *reserved)
{
	(void)where;
	(void)number;
	(void)reserved;
	if (omp__tool_is_on())
		omp__tool_work(omp__self(), ompt_work_scope, ompt_scope_end, 1, __builtin_return_address(0));
}

/*
 * copyprivate: `here` is true in the one thread that ran the block. That thread publishes the address of its data as
 * gcc's code does (single.c), and the barrier keeps the data alive until all threads have copied it.
 */
OMP__EXPORT void __kmpc_copyprivate(const struct kmp_ident *where, int32_t number, size_t bytes, void *data,
				    void (*copy)(void *to, void *from), int32_t here)
{
	struct omp__thread *thread = omp__self();

	(void)number;
	(void)bytes;
	if (thread->region->thread_count == 1)
		return;
	if (here)
		GOMP_single_copy_end(data);
	else
		copy(data, omp__single_data(thread));
	barrier(where, false);
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

	(void)number;
	if (thread->region->thread_count == 1)
		return data;
	if (data)
		team->copyprivate = data;
	barrier(where, false);
	return team->copyprivate;
}

/* ---- one thread at a time ---------------------------------------------------------------------------------------- */

OMP__EXPORT void __kmpc_critical(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	omp__mutex_lock((_Atomic uint32_t *)name, ompt_mutex_critical, 0, __builtin_return_address(0));
}

OMP__EXPORT void __kmpc_critical_with_hint(const struct kmp_ident *where, int32_t number, kmp_critical_name *name,
					   uint32_t hint)
{
	(void)where;
	(void)number;
	omp__mutex_lock((_Atomic uint32_t *)name, ompt_mutex_critical, hint, __builtin_return_address(0));
}

OMP__EXPORT void __kmpc_end_critical(const struct kmp_ident *where, int32_t number, kmp_critical_name *name)
{
	(void)where;
	(void)number;
	omp__mutex_unlock((_Atomic uint32_t *)name, ompt_mutex_critical, __builtin_return_address(0));
}

OMP__EXPORT void __kmpc_ordered(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	omp__ordered_start_here(omp__self());
}

OMP__EXPORT void __kmpc_end_ordered(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	omp__ordered_end_here(omp__self());
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
	return omp__cancel(bit_of(construct), true, __builtin_return_address(0));
}

OMP__EXPORT int32_t __kmpc_cancellationpoint(const struct kmp_ident *where, int32_t number, int32_t construct)
{
	(void)where;
	(void)number;
	return omp__cancellation_point(bit_of(construct), __builtin_return_address(0));
}
