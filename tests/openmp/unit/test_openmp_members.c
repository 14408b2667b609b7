/* SPDX-License-Identifier: BSD-3-Clause */
/* A team that gets no memory or no thread: its region has fewer threads, and the next one has all of them again. */
#include "openmp_tests.h"

#include "openmp/environment/icv.h"
#include "../../helpers/thread_count.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { MANY = 8, PATIENCE_S = 60 };

static void nap_ms(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static int region(int threads)
{
	_Atomic int ran = 0;

#pragma omp parallel num_threads(threads)
	ran++;
	return ran;
}

/* ---- no thread --------------------------------------------------------------------------------------------------- */

static void a_worker_that_has_left_cannot_be_replaced(void **state)
{
	const size_t stack_bytes = omp__globals.stack_bytes;
	int with_one_worker;

	(void)state;
	assert_int_equal(region(2), 2);
	/* a sanitizer may have made a thread of its own by now */
	with_one_worker = thread_count();
	assert_int_equal(region(MANY), MANY);
	assert_int_equal(region(2), 2);
	for (int i = 0; thread_count() > with_one_worker; i++) {
		assert_true(i < PATIENCE_S * 10);
		nap_ms(100);
	}
	/* no machine has so much address space for a stack */
	omp__globals.stack_bytes = (size_t)1 << 47;
	for (int i = 0; i < 3; i++)
		assert_int_equal(region(MANY), 2);
	omp__globals.stack_bytes = stack_bytes;
	/* a system that has refused a thread is not asked again for a while */
	for (int i = 0; region(MANY) < MANY; i++) {
		assert_true(i < PATIENCE_S * 10);
		nap_ms(100);
	}
}

/* ---- no memory --------------------------------------------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* a sanitizer's own allocator stands in that place */
static void skip_here(void)
{
	skip();
}
static _Atomic int fails;
#else
static _Atomic int fails;
void *__libc_memalign(size_t align, size_t bytes);

static void skip_here(void)
{
}

void *aligned_alloc(size_t align, size_t bytes)
{
	return fails ? NULL : __libc_memalign(align, bytes);
}
#endif

static void open_without_memory(int *threads)
{
	fails = 1;
	*threads = region(6);
	fails = 0;
}

/* Inside a region of six threads of eight, three are left for another one, which would have six; it gets no team. */
static void *open_inner_region_without_memory(void *inner)
{
#pragma omp parallel num_threads(6)
	{
#pragma omp single
		open_without_memory(inner);
	}
	*(int *)inner += 10 * region(MANY);
	return NULL;
}

static void a_region_without_memory_gives_its_threads_back(void **state)
{
	const unsigned limit = omp__globals.initial.thread_limit, levels = omp__globals.initial.levels_max;
	pthread_t thread;
	int sizes = 0;

	(void)state;
	skip_here();
	omp__globals.initial.thread_limit = MANY;
	omp__globals.initial.levels_max = 2;
	pthread_create(&thread, NULL, open_inner_region_without_memory, &sizes);
	pthread_join(thread, NULL);
	omp__globals.initial.thread_limit = limit;
	omp__globals.initial.levels_max = (uint8_t)levels;
	assert_int_equal(sizes, 1 + 10 * MANY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_that_has_left_cannot_be_replaced),
		cmocka_unit_test(a_region_without_memory_gives_its_threads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
