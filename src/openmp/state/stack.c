/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bounds of the calling thread's stack; see stack.h. They belong to the OS thread: with a co-scheduler another one
 * opens each region.
 */
#include "openmp/state/stack.h"

#include <pthread.h>

/* Both 0: not known yet; low 1: nobody knows. */
static __thread uintptr_t low __attribute__((tls_model("initial-exec")));
static __thread uintptr_t high __attribute__((tls_model("initial-exec")));

static inline uintptr_t here(void)
{
	return (uintptr_t)__builtin_frame_address(0);
}

/* By no call that needs memory: its first one in a thread reserves much, see get_chunk() in task_memory.c. */
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

/* A thread of the program. */
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
