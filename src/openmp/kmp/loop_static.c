/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that are divided by the thread's number alone: the compiled code asks once for the thread's first part and for
 * the distance to its next part. The same for the teams of a league (distribute), and for both at once.
 *
 * Both bounds are values of the loop counter, the upper one included. They are widened to 64 bits, where iteration i is
 * low + i * step modulo 2^64 for each of the four types.
 */
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/loop_bounds.h"
#include "openmp/state/thread_state.h"
#include "openmp/tool/event.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The part of a loop that one position gets. */
struct part {
	uint64_t low;
	uint64_t high;
	int64_t stride;
	bool is_empty;
	bool has_last;
};

struct position {
	uint64_t num;
	uint64_t of;
};

static struct position in_team(void)
{
	const struct omp__region *region = omp__self()->region;

	return (struct position){ region->thread_num, region->thread_count };
}

static struct position in_league(void)
{
	const struct omp__thread *thread = omp__self();

	return (struct position){ thread->league_num, thread->league_count ? thread->league_count : 1 };
}

/* Blocks of equal size; the first ones have one iteration more. */
static struct part block_of(const struct kmp__bounds *bounds, struct position at)
{
	uint64_t step = (uint64_t)bounds->step;
	uint64_t size = bounds->count / at.of;
	uint64_t rest = bounds->count % at.of;
	uint64_t first = at.num * size + (at.num < rest ? at.num : rest);
	uint64_t length = size + (at.num < rest);

	return (struct part){
		.low = bounds->low + first * step,
		.high = bounds->low + (first + length - 1) * step,
		.stride = (int64_t)bounds->count,
		.is_empty = length == 0,
		.has_last = length && first + length == bounds->count,
	};
}

/*
 * Chunks dealt out in turn. The compiled code adds the stride to both bounds, in the counter's type, and cuts a later
 * chunk off at the loop's end. A chunk may be as large as its type allows. So a position's first chunk is cut off here,
 * and its stride, if it has only that chunk, leads one step beyond the loop's end and no further: a bound that wraps
 * around comes back to values that the loop has.
 */
static struct part chunks_of(const struct kmp__bounds *bounds, struct position at, uint64_t chunk)
{
	uint64_t step = (uint64_t)bounds->step;
	uint64_t chunks = (bounds->count - 1) / chunk + 1;
	uint64_t first = at.num * chunk;
	bool is_last = at.num == chunks - 1;

	/* compared first: the product may not fit */
	if (at.num >= chunks)
		return (struct part){ .stride = (int64_t)bounds->count, .is_empty = true };
	return (struct part){
		.low = bounds->low + first * step,
		.high = bounds->low + ((is_last ? bounds->count : first + chunk) - 1) * step,
		.stride = (int64_t)((chunks <= at.of ? bounds->count - first : chunk * at.of) * step),
		.has_last = (chunks - 1) % at.of == at.num,
	};
}

/* Blocks of whole vectors, all of the same size; the last block that is not empty has what is left. */
static struct part vectors_of(const struct kmp__bounds *bounds, struct position at, uint64_t width)
{
	uint64_t step = (uint64_t)bounds->step;
	uint64_t size = (bounds->count / at.of + (bounds->count % at.of != 0) + width - 1) / width * width;
	uint64_t first = at.num * size;
	uint64_t length = first >= bounds->count ? 0 : bounds->count - first < size ? bounds->count - first : size;

	return (struct part){
		.low = bounds->low + first * step,
		.high = bounds->low + (first + length - 1) * step,
		.stride = (int64_t)bounds->count,
		.is_empty = length == 0,
		.has_last = length && first + length == bounds->count,
	};
}

static struct part part_of(const struct kmp__bounds *bounds, struct position at, int32_t schedule, int64_t chunk)
{
	if (schedule == KMP_STATIC_BALANCED_CHUNKED)
		return vectors_of(bounds, at, chunk > 0 ? (uint64_t)chunk : 1);
	if (schedule != KMP_STATIC_CHUNKED && schedule != KMP_DISTRIBUTE_CHUNKED)
		return block_of(bounds, at);
	return chunks_of(bounds, at, chunk > 0 ? (uint64_t)chunk : 1);
}

/*
 * A part is empty when its lower bound lies beyond its upper one. At the end of the type's range no value lies beyond,
 * so other bounds are used there.
 */
#define SET_EMPTY(type, lower, upper, step)                                                                            \
	do {                                                                                                           \
		type past;                                                                                             \
                                                                                                                       \
		if (__builtin_add_overflow(*(upper), (step), &past)) {                                                 \
			*(lower) = (step) > 0;                                                                         \
			*(upper) = (step) <= 0;                                                                        \
		} else {                                                                                               \
			*(lower) = past;                                                                               \
		}                                                                                                      \
	} while (0)

/* A tool is told of the construct, by what the compiler says of it. */
static OMP__TOOL_ONLY void tell(const struct kmp_ident *where, bool distributes, uint64_t count, const void *code)
{
	int32_t flags = where ? where->flags : 0;
	ompt_work_t work = distributes || flags & KMP_IDENT_DISTRIBUTE ? ompt_work_distribute
			   : flags & KMP_IDENT_SECTIONS		       ? ompt_work_sections
								       : ompt_work_loop_static;

	omp__tool_work_begin(omp__self(), work, count, code);
}

/* The first of the parts that the compiled code finds by the stride. */
static OMP__TOOL_ONLY void tell_part(const struct kmp__bounds *part)
{
	if (part->count)
		omp__tool_chunk(omp__self(), part->low, part->count);
}

#define TELL_PART(type, lower, upper, step)                                                                            \
	do {                                                                                                           \
		if (omp__tool_is_on()) {                                                                               \
			struct kmp__bounds part_ = KMP__BOUNDS(type, *(lower), *(upper), step);                        \
                                                                                                                       \
			tell_part(&part_);                                                                             \
		}                                                                                                      \
	} while (0)

#define DEFINE_STATIC(suffix, type, signed_type)                                                                       \
	static void share_##suffix(struct position at, int32_t schedule, int32_t *last, type *lower, type *upper,      \
				   signed_type *stride, signed_type step, signed_type chunk)                           \
	{                                                                                                              \
		struct kmp__bounds bounds = KMP__BOUNDS(type, *lower, *upper, step);                                   \
		struct part part;                                                                                      \
                                                                                                                       \
		if (bounds.count == 0) {                                                                               \
			if (last)                                                                                      \
				*last = 0;                                                                             \
			*stride = step;                                                                                \
			return;                                                                                        \
		}                                                                                                      \
		part = part_of(&bounds, at, schedule, chunk);                                                          \
		if (last)                                                                                              \
			*last = part.has_last;                                                                         \
		*stride = (signed_type)part.stride;                                                                    \
		if (part.is_empty) {                                                                                   \
			SET_EMPTY(type, lower, upper, step);                                                           \
			return;                                                                                        \
		}                                                                                                      \
		*lower = (type)part.low;                                                                               \
		*upper = (type)part.high;                                                                              \
	}                                                                                                              \
                                                                                                                       \
	OMP__EXPORT void __kmpc_for_static_init_##suffix(const struct kmp_ident *where, int32_t number,                \
							 int32_t schedule, int32_t *last, type *lower, type *upper,    \
							 signed_type *stride, signed_type step, signed_type chunk)     \
	{                                                                                                              \
		bool distributes;                                                                                      \
                                                                                                                       \
		(void)number;                                                                                          \
		schedule = kmp__plain_schedule(schedule);                                                              \
		distributes = schedule == KMP_DISTRIBUTE || schedule == KMP_DISTRIBUTE_CHUNKED;                        \
		if (omp__tool_is_on()) {                                                                               \
			struct kmp__bounds told = KMP__BOUNDS(type, *lower, *upper, step);                             \
                                                                                                                       \
			tell(where, distributes, told.count, __builtin_return_address(0));                             \
		}                                                                                                      \
		share_##suffix(distributes ? in_league() : in_team(), schedule, last, lower, upper, stride, step,      \
			       chunk);                                                                                 \
		TELL_PART(type, lower, upper, step);                                                                   \
	}                                                                                                              \
                                                                                                                       \
	/* distribute and for in one call: the team's block, then the thread's part of that block */                   \
	OMP__EXPORT void __kmpc_dist_for_static_init_##suffix(const struct kmp_ident *where, int32_t number,           \
							      int32_t schedule, int32_t *last, type *lower,            \
							      type *upper, type *team_upper, signed_type *stride,      \
							      signed_type step, signed_type chunk)                     \
	{                                                                                                              \
		int32_t team_last;                                                                                     \
                                                                                                                       \
		(void)number;                                                                                          \
		if (omp__tool_is_on()) {                                                                               \
			struct kmp__bounds told = KMP__BOUNDS(type, *lower, *upper, step);                             \
                                                                                                                       \
			tell(where, true, told.count, __builtin_return_address(0));                                    \
		}                                                                                                      \
		share_##suffix(in_league(), KMP_DISTRIBUTE, &team_last, lower, upper, stride, step, 0);                \
		*team_upper = *upper;                                                                                  \
		share_##suffix(in_team(), kmp__plain_schedule(schedule), last, lower, upper, stride, step, chunk);     \
		TELL_PART(type, lower, upper, step);                                                                   \
		if (last && !team_last)                                                                                \
			*last = 0;                                                                                     \
	}                                                                                                              \
                                                                                                                       \
	OMP__EXPORT void __kmpc_team_static_init_##suffix(const struct kmp_ident *where, int32_t number,               \
							  int32_t *last, type *lower, type *upper,                     \
							  signed_type *stride, signed_type step, signed_type chunk)    \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		share_##suffix(in_league(), KMP_DISTRIBUTE_CHUNKED, last, lower, upper, stride, step, chunk);          \
	}

DEFINE_STATIC(4, int32_t, int32_t)
DEFINE_STATIC(4u, uint32_t, int32_t)
DEFINE_STATIC(8, int64_t, int64_t)
DEFINE_STATIC(8u, uint64_t, int64_t)

OMP__EXPORT void __kmpc_for_static_fini(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	if (omp__tool_is_on())
		omp__tool_work_end(omp__self(), __builtin_return_address(0));
}
