/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test program's own malloc and its kin count the calls of all threads and pass them on to the C library. A program
 * includes this once. Sanitizers have allocators of their own in that place, so there is nothing to count with them:
 * then COUNTED_ALLOCATOR is 0.
 */
#ifndef COUNTED_ALLOCATOR_H
#define COUNTED_ALLOCATOR_H

#include "openmp_tests.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)

#define COUNTED_ALLOCATOR 0

#else

#define COUNTED_ALLOCATOR 1

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);
void __libc_free(void *memory);

static _Atomic long calls;
/* Of what was asked for since the program began; nothing is taken off. */
static _Atomic long bytes_asked;
/* What was taken and not given back, and the most of it, which a test may set anew. */
static _Atomic long bytes_live, bytes_most;

static void note_live(long more)
{
	long live = atomic_fetch_add(&bytes_live, more) + more, most = atomic_load(&bytes_most);

	while (live > most && !atomic_compare_exchange_weak(&bytes_most, &most, live))
		;
}

static void *noted(void *memory)
{
	if (memory)
		note_live((long)malloc_usable_size(memory));
	return memory;
}

void *malloc(size_t bytes)
{
	calls++;
	bytes_asked += (long)bytes;
	return noted(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes)
{
	calls++;
	bytes_asked += (long)(count * bytes);
	return noted(__libc_calloc(count, bytes));
}

void *realloc(void *memory, size_t bytes)
{
	calls++;
	note_live(-(long)malloc_usable_size(memory));
	return noted(__libc_realloc(memory, bytes));
}

void *aligned_alloc(size_t align, size_t bytes)
{
	calls++;
	bytes_asked += (long)bytes;
	return noted(__libc_memalign(align, bytes));
}

int posix_memalign(void **memory, size_t align, size_t bytes)
{
	calls++;
	*memory = noted(__libc_memalign(align, bytes));
	return *memory ? 0 : ENOMEM;
}

void free(void *memory)
{
	note_live(-(long)malloc_usable_size(memory));
	__libc_free(memory);
}

/* What the runtime takes from the system itself. */
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
	calls++;
	note_live((long)bytes);
	return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
}

int munmap(void *address, size_t bytes)
{
	note_live(-(long)bytes);
	return (int)syscall(SYS_munmap, address, bytes);
}

static void the_count_counts(void **state)
{
	long before = calls;
	void *volatile memory = malloc(1);

	(void)state;
	free(memory);
	memory = aligned_alloc(64, 64);
	free(memory);
	assert_int_equal(calls - before, 2);
}

#endif

/* What main() does where nothing can be counted. */
static inline int skip_the_count(void)
{
	puts("ok 1 - calls_of_the_allocator # SKIP a sanitizer's allocator cannot be counted\n1..1");
	return 0;
}

#endif
