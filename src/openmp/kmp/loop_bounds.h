/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds and schedules of loops in the form of the KMP ABI. */
#ifndef OMP_KMP_LOOP_BOUNDS_H
#define OMP_KMP_LOOP_BOUNDS_H

#include "openmp/kmp/abi.h"

#include <stdbool.h>

/* A loop whose counter has any of the ABI's four types, widened to 64 bits. */
struct kmp__bounds {
	uint64_t low;
	int64_t step;
	uint64_t count;
};

/* How many iterations lie in [low, high]: 0 when `none` is set, and also for a step of 0. */
static inline uint64_t kmp__count(bool none, uint64_t low, uint64_t high, int64_t step)
{
	if (none || step == 0)
		return 0;
	return step > 0 ? (high - low) / (uint64_t)step + 1 : (low - high) / -(uint64_t)step + 1;
}

#define KMP__BOUNDS(type, lower, upper, increment)                                                                     \
	{                                                                                                              \
		.low = (uint64_t)(lower), .step = (increment),                                                         \
		.count = kmp__count((increment) > 0 ? (type)(upper) < (type)(lower) : (type)(lower) < (type)(upper),   \
				    (uint64_t)(lower), (uint64_t)(upper), (increment)),                                \
	}

/* The schedule without its modifiers, as its number in unordered loops. */
static inline int32_t kmp__plain_schedule(int32_t schedule)
{
	schedule &= ~(KMP_MONOTONIC | KMP_NONMONOTONIC);
	if (schedule >= KMP_NOMERGE_ORDERED_FIRST)
		return schedule - KMP_NOMERGE_ORDERED_FIRST + KMP_PLAIN_FIRST;
	if (schedule >= KMP_NOMERGE_FIRST)
		return schedule - KMP_NOMERGE_FIRST + KMP_PLAIN_FIRST;
	if (schedule >= KMP_ORDERED_FIRST && schedule <= KMP_ORDERED_LAST)
		return schedule - KMP_ORDERED_FIRST + KMP_PLAIN_FIRST;
	return schedule;
}

static inline bool kmp__schedule_is_ordered(int32_t schedule)
{
	schedule &= ~(KMP_MONOTONIC | KMP_NONMONOTONIC);
	return schedule >= KMP_NOMERGE_ORDERED_FIRST || (schedule >= KMP_ORDERED_FIRST && schedule <= KMP_ORDERED_LAST);
}

#endif
