/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory, threads and descriptors that cannot be had. Include this in one file of a program that is linked with the
 * options MEMORY_FAILS of mk/ingress.mk: its own calls of these functions, and those of the static libraries in it,
 * come here. After failing_memory_begin(n, count) the n-th call and those after it, `count` in all, fail.
 */
#ifndef TESTS_HELPERS_FAILING_MEMORY_H
#define TESTS_HELPERS_FAILING_MEMORY_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

/* Calls since the beginning; which of them fail first and last: none while `last` is 0. */
static _Atomic uint64_t failing_memory_calls, failing_memory_first, failing_memory_last;

static inline void failing_memory_begin(uint64_t first, uint64_t count)
{
	atomic_store(&failing_memory_calls, 0);
	atomic_store(&failing_memory_first, first);
	atomic_store(&failing_memory_last, count > UINT64_MAX - first ? UINT64_MAX : first + count - 1);
}

/* Nothing fails any more. Returns whether any call did. */
static inline bool failing_memory_end(void)
{
	atomic_store(&failing_memory_last, 0);
	return atomic_load(&failing_memory_calls) >= atomic_load(&failing_memory_first);
}

/* Nothing fails until failing_memory_resume() with what this returns. */
static inline uint64_t failing_memory_pause(void)
{
	return atomic_exchange(&failing_memory_last, 0);
}

static inline void failing_memory_resume(uint64_t paused)
{
	atomic_store(&failing_memory_last, paused);
}

static inline bool failing_memory_fails(void)
{
	uint64_t call;

	if (!atomic_load(&failing_memory_last))
		return false;
	call = atomic_fetch_add(&failing_memory_calls, 1) + 1;
	if (call < atomic_load(&failing_memory_first) || call > atomic_load(&failing_memory_last))
		return false;
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __real_eventfd(unsigned int count, int flags);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_eventfd(unsigned int count, int flags);

void *__wrap_malloc(size_t bytes)
{
	return failing_memory_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return failing_memory_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	return failing_memory_fails() ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return failing_memory_fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset)
{
	return failing_memory_fails() ? MAP_FAILED : __real_mmap(address, bytes, protection, flags, descriptor, offset);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	return failing_memory_fails() ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}

int __wrap_eventfd(unsigned int count, int flags)
{
	return failing_memory_fails() ? -1 : __real_eventfd(count, flags);
}

#endif
