/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bounds of the calling thread's stack; see stack.h. They are kept for the OS thread and not for the initial
 * thread, since with a co-scheduler another OS thread has that in each region.
 */
#include "openmp/state/stack.h"

#include <pthread.h>

/* The stack lies between the two. Both 0: not asked yet; low 1: they cannot be had. */
static __thread uintptr_t low;
static __thread uintptr_t high;

static inline uintptr_t here(void)
{
	return (uintptr_t)__builtin_frame_address(0);
}

/*
 * A worker knows the size of its stack. Asking (pthread_getattr_np) would allocate, and the first allocation of a
 * thread reserves much address space: get_chunk() in task_memory.c.
 */
void omp__stack_start(size_t bytes)
{
	pthread_attr_t attributes;

	if (bytes == 0) {
		pthread_attr_init(&attributes);
		pthread_attr_getstacksize(&attributes, &bytes);
		pthread_attr_destroy(&attributes);
	}
	high = here();
	low = high > bytes ? high - bytes : 1;
}

/* Ask for the bounds, in a thread of the program. */
static __attribute__((noinline)) void find_bounds(void)
{
	pthread_attr_t attributes;
	size_t bytes;
	void *lowest;

	low = high = 1;
	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
		low = (uintptr_t)lowest;
		high = low + bytes;
	}
	pthread_attr_destroy(&attributes);
}

uintptr_t omp__stack_deep(void)
{
	uintptr_t now = here();
	size_t nested;

	if (low == 0)
		find_bounds();
	if (now <= low || now > high)
		nested = OMP__STACK_UNKNOWN;
	else
		nested = (now - low) / 2;
	return now - (nested < OMP__STACK_NESTED_MAX ? nested : OMP__STACK_NESTED_MAX);
}

bool omp__stack_is_shallow(void)
{
	uintptr_t now = here();

	return now <= high && now > high - (high - low) / OMP__STACK_SHALLOW;
}

int64_t omp__stack_room(uintptr_t deep)
{
	uintptr_t now = here();

	if (now <= low || now > high)
		return OMP__ROOM_ENDLESS;
	return now > low + (deep - low) / 2 ? OMP__ROOM_DEEP : OMP__ROOM_ENDLESS;
}
