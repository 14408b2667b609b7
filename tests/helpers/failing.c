/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library to preload: of the calls by which one object of the process asks for memory and threads, number FAIL_AT and
 * those after it fail, FAIL_COUNT in all. FAIL_IN is a part of the object's name; "" is the program. Standard output
 * says so when the first of them fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t object_from, object_to;
static unsigned long fail_at, fail_count;
static _Atomic unsigned long calls;

/* glibc's own, which need no dlsym: that calls calloc */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int find_object(struct dl_phdr_info *object, size_t size, void *user)
{
	const char *name = user;

	(void)size;
	if (*name ? !strstr(object->dlpi_name, name) : *object->dlpi_name)
		return 0;
	object_from = object->dlpi_addr;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_LOAD)
			object_to = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr + object->dlpi_phdr[i].p_memsz;
	return 1;
}

/* Constructors of the object may run before this library's, so the first call begins. */
static void begin(void)
{
	static atomic_bool begun;
	const char *at = getenv("FAIL_AT"), *count = getenv("FAIL_COUNT"), *name = getenv("FAIL_IN");

	if (atomic_exchange(&begun, true))
		return;
	*(void **)&real_mmap = dlsym(RTLD_NEXT, "mmap");
	*(void **)&real_create = dlsym(RTLD_NEXT, "pthread_create");
	dl_iterate_phdr(find_object, name ? (void *)name : "");
	fail_count = count ? strtoul(count, NULL, 10) : 0;
	fail_at = at ? strtoul(at, NULL, 10) : 0;
}

static bool fails(const void *caller)
{
	unsigned long call;

	begin();
	if (!fail_at || (uintptr_t)caller < object_from || (uintptr_t)caller >= object_to)
		return false;
	call = atomic_fetch_add(&calls, 1) + 1;
	if (call < fail_at || call - fail_at >= fail_count)
		return false;
	if (call == fail_at && write(STDOUT_FILENO, "a call fails\n", 13) < 0)
		abort();
	errno = ENOMEM;
	return true;
}

void *malloc(size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset)
{
	return fails(__builtin_return_address(0)) ? MAP_FAILED
						  : real_mmap(address, bytes, protection, flags, descriptor, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	return fails(__builtin_return_address(0)) ? EAGAIN : real_create(thread, attributes, run, argument);
}
