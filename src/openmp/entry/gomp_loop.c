/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC compiles worksharing loops over `long` to. */
#include "openmp/abi/gomp.h"
#include "openmp/entry/loop_spec.h"
#include "openmp/process/initial_thread.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/doacross.h"
#include "openmp/worksharing/loop.h"
#include "openmp/worksharing/ordered.h"

static bool next(struct omp__thread *thread, long *first, long *past)
{
	if (!omp__loop_next(thread))
		return false;
	*first = (long)omp__loop_first(&thread->region->loop);
	*past = (long)omp__loop_past(&thread->region->loop);
	return true;
}

/* Inlined into each function that programs call. */
static inline __attribute__((always_inline)) bool start(struct omp__loop_spec *spec, long *first, long *past)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		omp__tool_work_begin(thread, omp__tool_loop_kind(thread, spec->schedule), spec->count,
				     __builtin_return_address(0));
	omp__loop_enter(thread, spec);
	/* Without bounds the compiler hands out the iterations itself, and asks only for the rest of the construct. */
	return !first || next(thread, first, past);
}

#define DEFINE_START(name, schedule, is_ordered)                                                                       \
	OMP__EXPORT bool GOMP_loop_##name##_start(long begin, long end, long step, long chunk, long *first,            \
						  long *past)                                                          \
	{                                                                                                              \
		struct omp__loop_spec spec = omp__spec_long(begin, end, step, schedule, chunk);                        \
                                                                                                                       \
		spec.ordered = is_ordered;                                                                             \
		return start(&spec, first, past);                                                                      \
	}

#define DEFINE_RUNTIME_START(name, schedule, is_ordered)                                                               \
	OMP__EXPORT bool GOMP_loop_##name##_start(long begin, long end, long step, long *first, long *past)            \
	{                                                                                                              \
		struct omp__loop_spec spec = omp__spec_long(begin, end, step, schedule, 0);                            \
                                                                                                                       \
		spec.ordered = is_ordered;                                                                             \
		return start(&spec, first, past);                                                                      \
	}

DEFINE_START(static, OMP__STATIC, false)
DEFINE_START(dynamic, OMP__DYNAMIC | OMP__MONOTONIC, false)
DEFINE_START(guided, OMP__GUIDED | OMP__MONOTONIC, false)
DEFINE_START(nonmonotonic_dynamic, OMP__DYNAMIC, false)
DEFINE_START(nonmonotonic_guided, OMP__GUIDED, false)
DEFINE_START(ordered_static, OMP__STATIC, true)
DEFINE_START(ordered_dynamic, OMP__DYNAMIC | OMP__MONOTONIC, true)
DEFINE_START(ordered_guided, OMP__GUIDED | OMP__MONOTONIC, true)
DEFINE_RUNTIME_START(runtime, OMP__MONOTONIC, false)
DEFINE_RUNTIME_START(nonmonotonic_runtime, 0, false)
DEFINE_RUNTIME_START(maybe_nonmonotonic_runtime, 0, false)
DEFINE_RUNTIME_START(ordered_runtime, OMP__MONOTONIC, true)

OMP__EXPORT bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long *first, long *past,
				 uintptr_t *reductions, void **memory)
{
	struct omp__loop_spec spec = omp__spec_long(begin, end, step, (uint32_t)schedule, chunk);

	spec.reductions = reductions;
	spec.memory = memory;
	return start(&spec, first, past);
}

OMP__EXPORT bool GOMP_loop_ordered_start(long begin, long end, long step, long schedule, long chunk, long *first,
					 long *past, uintptr_t *reductions, void **memory)
{
	struct omp__loop_spec spec = omp__spec_long(begin, end, step, (uint32_t)schedule, chunk);

	spec.ordered = true;
	spec.reductions = reductions;
	spec.memory = memory;
	return start(&spec, first, past);
}

OMP__EXPORT bool GOMP_loop_static_next(long *first, long *past)
{
	return next(omp__self(), first, past);
}

/* What GCC compiles schedule(dynamic) to. Most of its chunks come from the thread's own range. */
OMP__EXPORT bool GOMP_loop_nonmonotonic_dynamic_next(long *first, long *past)
{
	struct omp__thread *thread = omp__self();
	uint64_t begin;
	uint64_t end;

	if (!omp__loop_next_own(&thread->region->loop, &begin, &end))
		return next(thread, first, past);
	*first = (long)begin;
	*past = (long)end;
	return true;
}

/* The next chunk of a loop; how it is found was decided when the loop began. */
#define DEFINE_NEXT(name)                                                                                              \
	OMP__EXPORT bool GOMP_loop_##name##_next(long *first, long *past)                                              \
		__attribute__((alias("GOMP_loop_static_next")));

DEFINE_NEXT(dynamic)
DEFINE_NEXT(guided)
DEFINE_NEXT(runtime)
DEFINE_NEXT(nonmonotonic_guided)
DEFINE_NEXT(nonmonotonic_runtime)
DEFINE_NEXT(maybe_nonmonotonic_runtime)
DEFINE_NEXT(ordered_static)
DEFINE_NEXT(ordered_dynamic)
DEFINE_NEXT(ordered_guided)
DEFINE_NEXT(ordered_runtime)

/* ---- doacross ---------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool start_doacross(unsigned dimensions, const long *counts, long schedule,
								 long chunk, long *first, long *past,
								 uintptr_t *reductions, void **memory)
{
	struct omp__loop_spec spec = omp__spec_long(0, counts[0], 1, (uint32_t)schedule, chunk);

	_Static_assert(sizeof(long) == sizeof(uint64_t), "counts are passed on as they are");
	spec.dimensions = dimensions;
	spec.counts = (const uint64_t *)counts;
	spec.reductions = reductions;
	spec.memory = memory;
	return start(&spec, first, past);
}

#define DEFINE_DOACROSS(name, schedule)                                                                                \
	OMP__EXPORT bool GOMP_loop_doacross_##name##_start(unsigned dimensions, long *counts, long chunk, long *first, \
							   long *past)                                                 \
	{                                                                                                              \
		return start_doacross(dimensions, counts, schedule, chunk, first, past, NULL, NULL);                   \
	}

DEFINE_DOACROSS(static, OMP__STATIC)
DEFINE_DOACROSS(dynamic, OMP__DYNAMIC)
DEFINE_DOACROSS(guided, OMP__GUIDED)

OMP__EXPORT bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long *counts, long *first, long *past)
{
	return start_doacross(dimensions, counts, 0, 0, first, past, NULL, NULL);
}

OMP__EXPORT bool GOMP_loop_doacross_start(unsigned dimensions, long *counts, long schedule, long chunk, long *first,
					  long *past, uintptr_t *reductions, void **memory)
{
	return start_doacross(dimensions, counts, schedule & OMP__SCHEDULE_MASK, chunk, first, past, reductions,
			      memory);
}

OMP__EXPORT void GOMP_doacross_post(long *counts)
{
	omp__doacross_post_here(omp__self(), (const uint64_t *)counts);
}

OMP__EXPORT void GOMP_doacross_wait(long count, ...)
{
	struct omp__thread *thread = omp__self();
	unsigned dimensions = omp__doacross_dimensions(thread);
	uint64_t counts[OMP__DIMENSIONS_MAX] = { (uint64_t)count };
	va_list others;

	va_start(others, count);
	for (unsigned i = 1; i < dimensions; i++)
		counts[i] = (uint64_t)va_arg(others, long);
	va_end(others);
	if (dimensions)
		omp__doacross_wait_here(thread, counts);
}

/* ---- the end of any loop ----------------------------------------------------------------------------------------- */

OMP__EXPORT void GOMP_loop_end(void)
{
	omp__loop_end(omp__self(), false, OMP__TOOL_CALL());
}

OMP__EXPORT bool GOMP_loop_end_cancel(void)
{
	return omp__loop_end(omp__self(), true, OMP__TOOL_CALL());
}

OMP__EXPORT void GOMP_loop_end_nowait(void)
{
	omp__loop_end_nowait(omp__self(), __builtin_return_address(0));
}

OMP__EXPORT void GOMP_ordered_start(void)
{
	omp__ordered_start_here(omp__self());
}

OMP__EXPORT void GOMP_ordered_end(void)
{
	omp__ordered_end_here(omp__self());
}
