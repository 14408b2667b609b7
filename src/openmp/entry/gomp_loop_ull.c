/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC compiles worksharing loops over `unsigned long long` to. gomp_loop.c has the end of all loops. */
#include "openmp/abi/gomp.h"
#include "openmp/entry/loop_spec.h"
#include "openmp/process/initial_thread.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/doacross.h"
#include "openmp/worksharing/loop.h"

static bool next(struct omp__thread *thread, gomp_ull *first, gomp_ull *past)
{
	if (!omp__loop_next(thread))
		return false;
	*first = omp__loop_first(&thread->region->loop);
	*past = omp__loop_past(&thread->region->loop);
	return true;
}

/* Inlined into each function that programs call. */
static inline __attribute__((always_inline)) bool start(struct omp__loop_spec *spec, gomp_ull *first, gomp_ull *past)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		omp__tool_work_begin(thread, omp__tool_loop_kind(thread, spec->schedule), spec->count,
				     __builtin_return_address(0));
	omp__loop_enter(thread, spec);
	return !first || next(thread, first, past);
}

#define DEFINE_START(name, schedule, is_ordered)                                                                       \
	OMP__EXPORT bool GOMP_loop_ull_##name##_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step,            \
						      gomp_ull chunk, gomp_ull *first, gomp_ull *past)                 \
	{                                                                                                              \
		struct omp__loop_spec spec = omp__spec_ull(up, begin, end, step, schedule, chunk);                     \
                                                                                                                       \
		spec.ordered = is_ordered;                                                                             \
		return start(&spec, first, past);                                                                      \
	}

#define DEFINE_RUNTIME_START(name, schedule, is_ordered)                                                               \
	OMP__EXPORT bool GOMP_loop_ull_##name##_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step,            \
						      gomp_ull *first, gomp_ull *past)                                 \
	{                                                                                                              \
		struct omp__loop_spec spec = omp__spec_ull(up, begin, end, step, schedule, 0);                         \
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

OMP__EXPORT bool GOMP_loop_ull_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, long schedule,
				     gomp_ull chunk, gomp_ull *first, gomp_ull *past, uintptr_t *reductions,
				     void **memory)
{
	struct omp__loop_spec spec = omp__spec_ull(up, begin, end, step, (uint32_t)schedule, chunk);

	spec.reductions = reductions;
	spec.memory = memory;
	return start(&spec, first, past);
}

OMP__EXPORT bool GOMP_loop_ull_ordered_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, long schedule,
					     gomp_ull chunk, gomp_ull *first, gomp_ull *past, uintptr_t *reductions,
					     void **memory)
{
	struct omp__loop_spec spec = omp__spec_ull(up, begin, end, step, (uint32_t)schedule, chunk);

	spec.ordered = true;
	spec.reductions = reductions;
	spec.memory = memory;
	return start(&spec, first, past);
}

OMP__EXPORT bool GOMP_loop_ull_static_next(gomp_ull *first, gomp_ull *past)
{
	return next(omp__self(), first, past);
}

/* What GCC compiles schedule(dynamic) to. Most of its chunks come from the thread's own range. */
OMP__EXPORT bool GOMP_loop_ull_nonmonotonic_dynamic_next(gomp_ull *first, gomp_ull *past)
{
	struct omp__thread *thread = omp__self();
	uint64_t begin;
	uint64_t end;

	if (!omp__loop_next_own(&thread->region->loop, &begin, &end))
		return next(thread, first, past);
	*first = begin;
	*past = end;
	return true;
}

#define DEFINE_NEXT(name)                                                                                              \
	OMP__EXPORT bool GOMP_loop_ull_##name##_next(gomp_ull *first, gomp_ull *past)                                  \
		__attribute__((alias("GOMP_loop_ull_static_next")));

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

static inline __attribute__((always_inline)) bool start_doacross(unsigned dimensions, const gomp_ull *counts,
								 long schedule, gomp_ull chunk, gomp_ull *first,
								 gomp_ull *past, uintptr_t *reductions, void **memory)
{
	struct omp__loop_spec spec = omp__spec_ull(true, 0, counts[0], 1, (uint32_t)schedule, chunk);

	_Static_assert(sizeof(gomp_ull) == sizeof(uint64_t), "counts are passed on as they are");
	spec.dimensions = dimensions;
	spec.counts = (const uint64_t *)counts;
	spec.reductions = reductions;
	spec.memory = memory;
	return start(&spec, first, past);
}

#define DEFINE_DOACROSS(name, schedule)                                                                                \
	OMP__EXPORT bool GOMP_loop_ull_doacross_##name##_start(unsigned dimensions, gomp_ull *counts, gomp_ull chunk,  \
							       gomp_ull *first, gomp_ull *past)                        \
	{                                                                                                              \
		return start_doacross(dimensions, counts, schedule, chunk, first, past, NULL, NULL);                   \
	}

DEFINE_DOACROSS(static, OMP__STATIC)
DEFINE_DOACROSS(dynamic, OMP__DYNAMIC)
DEFINE_DOACROSS(guided, OMP__GUIDED)

OMP__EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, gomp_ull *counts, gomp_ull *first,
						      gomp_ull *past)
{
	return start_doacross(dimensions, counts, 0, 0, first, past, NULL, NULL);
}

OMP__EXPORT bool GOMP_loop_ull_doacross_start(unsigned dimensions, gomp_ull *counts, long schedule, gomp_ull chunk,
					      gomp_ull *first, gomp_ull *past, uintptr_t *reductions, void **memory)
{
	return start_doacross(dimensions, counts, schedule & OMP__SCHEDULE_MASK, chunk, first, past, reductions,
			      memory);
}

OMP__EXPORT void GOMP_doacross_ull_post(gomp_ull *counts)
{
	omp__doacross_post_here(omp__self(), (const uint64_t *)counts);
}

OMP__EXPORT void GOMP_doacross_ull_wait(gomp_ull count, ...)
{
	struct omp__thread *thread = omp__self();
	unsigned dimensions = omp__doacross_dimensions(thread);
	uint64_t counts[OMP__DIMENSIONS_MAX] = { count };
	va_list others;

	va_start(others, count);
	for (unsigned i = 1; i < dimensions; i++)
		counts[i] = va_arg(others, gomp_ull);
	va_end(others);
	if (dimensions)
		omp__doacross_wait_here(thread, counts);
}
