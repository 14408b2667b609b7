/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks: CLOCK_MONOTONIC in nanoseconds, and the processor's own counter. */
#ifndef THREAD_CLOCK_H
#define THREAD_CLOCK_H

#include <stdint.h>
#include <time.h>

#define THREAD__SECOND_NS UINT64_C(1000000000)
/* A deadline that never comes. */
#define THREAD__NEVER UINT64_MAX

static inline uint64_t thread__clock_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now))
		return 0;
	return (uint64_t)now.tv_sec * THREAD__SECOND_NS + (uint64_t)now.tv_nsec;
}

static inline uint64_t thread__now_ns(void)
{
	return thread__clock_ns(CLOCK_MONOTONIC);
}

/*
 * A clock that costs next to nothing, for differences only: it counts cycles of the processor's nominal frequency, or
 * nanoseconds.
 */
static inline uint64_t thread__ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	return thread__now_ns();
#endif
}

#endif
