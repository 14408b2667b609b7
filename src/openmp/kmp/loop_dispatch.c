/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose chunks the runtime hands out one after the other, and ordered loops. */
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/loop_bounds.h"
#include "openmp/state/thread_state.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/loop.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* LLVM's runtime has more schedules than this one; each of them gets the nearest schedule that there is here. */
static uint32_t schedule_of(int32_t plain)
{
	switch (plain) {
	case KMP_DYNAMIC:
	case KMP_STATIC_STEAL:
		return OMP__DYNAMIC;
	case KMP_GUIDED:
	case KMP_TRAPEZOIDAL:
	case KMP_GUIDED_ITERATIVE:
	case KMP_GUIDED_ANALYTICAL:
	case KMP_GUIDED_SIMD:
		return OMP__GUIDED;
	case KMP_AUTO:
		return OMP__AUTO;
	default:
		return OMP__STATIC;
	}
}

/* A block for each thread, of whole vectors of `width` iterations. */
static uint64_t block_of_vectors(uint64_t count, uint64_t width)
{
	uint64_t of = omp__self()->region->thread_count;
	uint64_t block = count / of + (count % of != 0);
	uint64_t rest = block % width;

	return rest && block <= UINT64_MAX - width ? block - rest + width : block;
}

/*
 * Set the schedule of OMP_SCHEDULE. With simd the compiler passes the width of a vector instead of a chunk, and
 * OMP_SCHEDULE's chunk counts vectors.
 */
static void set_runtime_schedule(struct omp__loop_spec *spec, bool simd, int64_t chunk)
{
	const struct omp__icv *icv = omp__self()->task->icv;
	uint64_t width = simd && chunk > 0 ? (uint64_t)chunk : 1;
	uint32_t kind = icv->schedule & OMP__SCHEDULE_MASK;

	spec->schedule = icv->schedule;
	spec->chunk = icv->chunk > 0 ? (uint64_t)icv->chunk : 0;
	if (!simd)
		return;
	if (kind == OMP__AUTO || (kind == OMP__STATIC && !spec->chunk)) {
		spec->schedule = OMP__STATIC;
		spec->chunk = block_of_vectors(spec->count, width);
	} else {
		spec->chunk = (spec->chunk ? spec->chunk : 1) * width;
	}
}

static void set_schedule(struct omp__loop_spec *spec, int32_t schedule, int64_t chunk)
{
	int32_t plain = kmp__plain_schedule(schedule);

	spec->chunk = chunk > 0 ? (uint64_t)chunk : 0;
	if (plain == KMP_RUNTIME || plain == KMP_RUNTIME_SIMD) {
		set_runtime_schedule(spec, plain == KMP_RUNTIME_SIMD, chunk);
	} else {
		spec->schedule = schedule_of(plain);
		if (!(schedule & KMP_NONMONOTONIC) && plain != KMP_STATIC_STEAL)
			spec->schedule |= OMP__MONOTONIC;
		/* the compiler passes 1 with schedules that have no chunk */
		if (plain == KMP_STATIC || plain == KMP_STATIC_BALANCED || plain == KMP_STATIC_GREEDY)
			spec->chunk = 0;
		if (plain == KMP_STATIC_BALANCED_CHUNKED)
			spec->chunk = block_of_vectors(spec->count, spec->chunk ? spec->chunk : 1);
	}
	if (schedule & KMP_MONOTONIC)
		spec->schedule |= OMP__MONOTONIC;
	if ((spec->schedule & OMP__SCHEDULE_MASK) == OMP__AUTO)
		spec->chunk = 0;
	spec->ordered = kmp__schedule_is_ordered(schedule);
}

static void enter(const struct kmp__bounds *bounds, int32_t schedule, int64_t chunk, const void *code)
{
	struct omp__loop_spec spec = {
		.start = bounds->low,
		.step = (uint64_t)bounds->step,
		.end = bounds->low + bounds->count * (uint64_t)bounds->step,
		.count = bounds->count,
	};

	set_schedule(&spec, schedule, chunk);
	if (omp__tool_is_on())
		omp__tool_work_begin(omp__self(), omp__tool_loop_kind(omp__self(), spec.schedule), spec.count, code);
	omp__loop_enter(omp__self(), &spec);
}

/* Get the next chunk, with its last iteration as upper bound. A thread that gets none leaves the construct. */
static bool next(uint64_t *low, uint64_t *high, int64_t *step, bool *last)
{
	struct omp__thread *thread = omp__self();
	struct omp__loop *loop = &thread->region->loop;
	uint64_t past;

	*step = (int64_t)loop->step;
	*last = false;
	if (omp__loop_next_own(loop, low, &past)) {
		*high = past - loop->step;
		return true;
	}
	if (!omp__loop_next(thread)) {
		omp__loop_leave(thread);
		return false;
	}
	*low = omp__loop_first(loop);
	*high = omp__loop_past(loop) - loop->step;
	*last = loop->past == loop->count;
	return true;
}

/* Reduce `bounds` to the block that the caller's team has of the league's loop. */
static void take_block(struct kmp__bounds *bounds, int32_t *last)
{
	const struct omp__thread *thread = omp__self();
	uint64_t of = thread->league_count ? thread->league_count : 1;
	uint64_t num = thread->league_num;
	uint64_t size = bounds->count / of;
	uint64_t rest = bounds->count % of;
	uint64_t first = num * size + (num < rest ? num : rest);
	uint64_t length = size + (num < rest);

	if (last)
		*last = length && first + length == bounds->count;
	bounds->low += first * (uint64_t)bounds->step;
	bounds->count = length;
}

#define DEFINE_DISPATCH(suffix, type, signed_type)                                                                     \
	OMP__EXPORT void __kmpc_dispatch_init_##suffix(const struct kmp_ident *where, int32_t number,                  \
						       int32_t schedule, type lower, type upper, signed_type step,     \
						       signed_type chunk)                                              \
	{                                                                                                              \
		struct kmp__bounds bounds = KMP__BOUNDS(type, lower, upper, step);                                     \
                                                                                                                       \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		enter(&bounds, schedule, chunk, __builtin_return_address(0));                                          \
	}                                                                                                              \
                                                                                                                       \
	OMP__EXPORT void __kmpc_dist_dispatch_init_##suffix(const struct kmp_ident *where, int32_t number,             \
							    int32_t schedule, int32_t *last, type lower, type upper,   \
							    signed_type step, signed_type chunk)                       \
	{                                                                                                              \
		struct kmp__bounds bounds = KMP__BOUNDS(type, lower, upper, step);                                     \
                                                                                                                       \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		take_block(&bounds, last);                                                                             \
		enter(&bounds, schedule, chunk, __builtin_return_address(0));                                          \
	}                                                                                                              \
                                                                                                                       \
	OMP__EXPORT int32_t __kmpc_dispatch_next_##suffix(const struct kmp_ident *where, int32_t number,               \
							  int32_t *last, type *lower, type *upper,                     \
							  signed_type *stride)                                         \
	{                                                                                                              \
		uint64_t low, high;                                                                                    \
		int64_t step;                                                                                          \
		bool is_last;                                                                                          \
                                                                                                                       \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		if (!next(&low, &high, &step, &is_last)) {                                                             \
			if (omp__tool_is_on())                                                                         \
				omp__tool_work_end(omp__self(), __builtin_return_address(0));                          \
			return 0;                                                                                      \
		}                                                                                                      \
		*lower = (type)low;                                                                                    \
		*upper = (type)high;                                                                                   \
		if (stride)                                                                                            \
			*stride = (signed_type)step;                                                                   \
		if (last)                                                                                              \
			*last = is_last;                                                                               \
		return 1;                                                                                              \
	}                                                                                                              \
                                                                                                                       \
	/* At the end of each iteration of an ordered loop; the ticket passes on with the chunk (ordered.c). */        \
	OMP__EXPORT void __kmpc_dispatch_fini_##suffix(const struct kmp_ident *where, int32_t number)                  \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
	}

DEFINE_DISPATCH(4, int32_t, int32_t)
DEFINE_DISPATCH(4u, uint32_t, int32_t)
DEFINE_DISPATCH(8, int64_t, int64_t)
DEFINE_DISPATCH(8u, uint64_t, int64_t)

/* Since LLVM 19, called after each such loop. A cancelled construct is left when the next is entered (workshare.c). */
OMP__EXPORT void __kmpc_dispatch_deinit(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
}
