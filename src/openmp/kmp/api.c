/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions kmp_* of LLVM's omp.h. Most of them tune parts that only LLVM's runtime has: here they only keep the
 * value, so that a program reads back what it set. How threads wait is up to OMP_WAIT_POLICY (waiting/wait.h).
 */
#include "openmp/kmp/abi.h"
#include "openmp/kmp/thread.h"
#include "openmp/system/system.h"
#include "openmp/process/environment.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/thread_state.h"
#include "openmp/system/no_memory.h"
#include "openmp/task/taskgroup.h"
#include "openmp/worksharing/cancel.h"

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The values that LLVM's runtime starts with. */
enum { BLOCKTIME_UNSET = -1, BLOCKTIME_MS = 200 };
static _Atomic int blocktime_ms = BLOCKTIME_UNSET;
static _Atomic int library = 2;
static _Atomic size_t stack_bytes = (size_t)4 << 20;
enum { LIBRARY_SERIAL = 1, LIBRARY_TURNAROUND = 2, LIBRARY_THROUGHPUT = 3 };

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/*
 * No thread here waits by the blocktime. Without kmp_set_blocktime the result is the one that LLVM's runtime derives
 * from OMP_WAIT_POLICY.
 */
OMP__EXPORT int kmp_get_blocktime(void)
{
	int set = blocktime_ms;

	if (set != BLOCKTIME_UNSET)
		return set;
	switch (omp__globals.wait_policy) {
	case 0:
		return 0;
	case 1:
		return INT_MAX;
	default:
		return BLOCKTIME_MS;
	}
}

OMP__EXPORT void kmp_set_blocktime(int milliseconds)
{
	blocktime_ms = milliseconds < 0 ? 0 : milliseconds;
}

OMP__EXPORT int kmp_get_library(void)
{
	return library;
}

OMP__EXPORT void kmp_set_library(int which)
{
	if (which >= LIBRARY_SERIAL && which <= LIBRARY_THROUGHPUT)
		library = which;
}

OMP__EXPORT void kmp_set_library_serial(void)
{
	kmp_set_library(LIBRARY_SERIAL);
}

OMP__EXPORT void kmp_set_library_turnaround(void)
{
	kmp_set_library(LIBRARY_TURNAROUND);
}

OMP__EXPORT void kmp_set_library_throughput(void)
{
	kmp_set_library(LIBRARY_THROUGHPUT);
}

static size_t stack_now(void)
{
	omp__environment_read();
	return omp__globals.stack_bytes ? omp__globals.stack_bytes : stack_bytes;
}

OMP__EXPORT size_t kmp_get_stacksize_s(void)
{
	return stack_now();
}

OMP__EXPORT int kmp_get_stacksize(void)
{
	return stack_now() > INT_MAX ? INT_MAX : (int)stack_now();
}

/* The size holds for workers that start from now on. */
OMP__EXPORT void kmp_set_stacksize_s(size_t bytes)
{
	omp__environment_read();
	if (omp__system_check_stack(bytes) == 0)
		omp__globals.stack_bytes = bytes;
}

OMP__EXPORT void kmp_set_stacksize(int bytes)
{
	if (bytes > 0)
		kmp_set_stacksize_s((size_t)bytes);
}

/*
 * `list` sets variables of the environment (VARIABLE=VALUE); this runtime has already read the environment, so it
 * ignores the list.
 */
OMP__EXPORT void kmp_set_defaults(const char *list)
{
	(void)list;
}

OMP__EXPORT void kmp_set_disp_num_buffers(int buffers)
{
	(void)buffers;
}

OMP__EXPORT void kmp_set_warnings_on(void)
{
}

OMP__EXPORT void kmp_set_warnings_off(void)
{
}

/*
 * Whether the innermost construct of that kind, by the ABI's numbers, is cancelled. Loops and sections constructs
 * share a mark, since a thread is in one of the two.
 */
OMP__EXPORT int kmp_get_cancellation_status(int construct)
{
	switch (construct) {
	case KMP_CANCEL_PARALLEL:
	case KMP_CANCEL_LOOP:
	case KMP_CANCEL_SECTIONS:
		return omp__is_cancelled(1 << (construct - 1));
	case KMP_CANCEL_TASKGROUP:
		return omp_get_cancellation() && omp__taskgroup_cancelled(omp__self());
	default:
		return 0;
	}
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

OMP__EXPORT void *kmp_malloc(size_t bytes)
{
	return malloc(bytes);
}

OMP__EXPORT void *kmp_calloc(size_t count, size_t bytes)
{
	return calloc(count, bytes);
}

OMP__EXPORT void *kmp_realloc(void *memory, size_t bytes)
{
	return realloc(memory, bytes);
}

OMP__EXPORT void *kmp_aligned_malloc(size_t bytes, size_t alignment)
{
	void *memory = NULL;

	return posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes) ? NULL : memory;
}

OMP__EXPORT void kmp_free(void *memory)
{
	free(memory);
}

OMP__EXPORT void *kmpc_malloc(size_t bytes)
{
	return malloc(bytes);
}

OMP__EXPORT void *kmpc_calloc(size_t count, size_t bytes)
{
	return calloc(count, bytes);
}

OMP__EXPORT void *kmpc_realloc(void *memory, size_t bytes)
{
	return realloc(memory, bytes);
}

OMP__EXPORT void kmpc_free(void *memory)
{
	free(memory);
}

/* ---- sets of processors; each function returns 0, or something else when it fails -------------------------------- */

typedef cpu_set_t *affinity_mask;

OMP__EXPORT int kmp_get_affinity_max_proc(void)
{
	return CPU_SETSIZE;
}

OMP__EXPORT void kmp_create_affinity_mask(affinity_mask *mask)
{
	*mask = calloc(1, sizeof(**mask));
	if (!*mask)
		omp__no_memory("a set of processors");
}

OMP__EXPORT void kmp_destroy_affinity_mask(affinity_mask *mask)
{
	free(*mask);
	*mask = NULL;
}

OMP__EXPORT int kmp_set_affinity(affinity_mask *mask)
{
	return omp__system_bind(*mask, sizeof(**mask)) ? -1 : 0;
}

OMP__EXPORT int kmp_get_affinity(affinity_mask *mask)
{
	return omp__system_affinity_now(*mask, sizeof(**mask)) < 0 ? -1 : 0;
}

static int is_processor(int processor)
{
	return processor >= 0 && processor < CPU_SETSIZE;
}

OMP__EXPORT int kmp_set_affinity_mask_proc(int processor, affinity_mask *mask)
{
	if (!is_processor(processor))
		return -1;
	CPU_SET(processor, *mask);
	return 0;
}

OMP__EXPORT int kmp_unset_affinity_mask_proc(int processor, affinity_mask *mask)
{
	if (!is_processor(processor))
		return -1;
	CPU_CLR(processor, *mask);
	return 0;
}

OMP__EXPORT int kmp_get_affinity_mask_proc(int processor, affinity_mask *mask)
{
	return is_processor(processor) ? CPU_ISSET(processor, *mask) != 0 : -1;
}

/* ---- the names under which LLVM's omp.h declares functions that Fortran has too ---------------------------------- */

OMP__EXPORT void ompc_set_num_threads(int threads)
{
	omp_set_num_threads(threads);
}

OMP__EXPORT void ompc_set_dynamic(int dynamic)
{
	omp_set_dynamic(dynamic);
}

OMP__EXPORT void ompc_set_max_active_levels(int levels)
{
	omp_set_max_active_levels(levels);
}

OMP__EXPORT void ompc_set_schedule(omp_sched_t kind, int chunk)
{
	omp_set_schedule(kind, chunk);
}

OMP__EXPORT int ompc_get_ancestor_thread_num(int level)
{
	return omp_get_ancestor_thread_num(level);
}

OMP__EXPORT int ompc_get_team_size(int level)
{
	return omp_get_team_size(level);
}

OMP__EXPORT void ompc_set_affinity_format(const char *format)
{
	omp_set_affinity_format(format);
}

OMP__EXPORT size_t ompc_get_affinity_format(char *buffer, size_t bytes)
{
	return omp_get_affinity_format(buffer, bytes);
}

OMP__EXPORT void ompc_display_affinity(const char *format)
{
	omp_display_affinity(format);
}

OMP__EXPORT size_t ompc_capture_affinity(char *buffer, size_t bytes, const char *format)
{
	return omp_capture_affinity(buffer, bytes, format);
}

/* ---- where the caller is -------------------------------------------------------------------------------------------
 */

OMP__EXPORT int32_t __kmpc_global_thread_num(const struct kmp_ident *where)
{
	(void)where;
	return kmp__number();
}

OMP__EXPORT int32_t __kmpc_bound_thread_num(const struct kmp_ident *where)
{
	(void)where;
	return (int32_t)omp__self()->region->thread_num;
}

OMP__EXPORT int32_t __kmpc_bound_num_threads(const struct kmp_ident *where)
{
	(void)where;
	return (int32_t)omp__self()->region->thread_count;
}

OMP__EXPORT int32_t __kmpc_global_num_threads(const struct kmp_ident *where)
{
	return __kmpc_bound_num_threads(where);
}

OMP__EXPORT int32_t __kmpc_in_parallel(const struct kmp_ident *where)
{
	(void)where;
	return omp__self()->region->active_level > 0;
}

OMP__EXPORT int32_t __kmpc_ok_to_fork(const struct kmp_ident *where)
{
	(void)where;
	return 1;
}

/* Compilers may emit these calls at a program's start and end; the runtime needs neither. */
OMP__EXPORT void __kmpc_begin(const struct kmp_ident *where, int32_t flags)
{
	(void)where;
	(void)flags;
}

OMP__EXPORT void __kmpc_end(const struct kmp_ident *where)
{
	(void)where;
}
