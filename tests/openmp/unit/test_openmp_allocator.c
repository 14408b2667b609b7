/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocators: traits, pools, fallbacks, alignment. */
#include "openmp_tests.h"

#include <stdio.h>
#include <sys/resource.h>

static omp_allocator_handle_t with_pool(size_t bytes, omp_uintptr_t fallback, omp_uintptr_t data)
{
	omp_alloctrait_t traits[] = {
		{ omp_atk_pool_size, bytes },
		{ omp_atk_fallback, fallback },
		{ omp_atk_fb_data, data },
	};

	return omp_init_allocator(omp_default_mem_space, 3, traits);
}

static void memory_is_aligned_and_ours(void **state)
{
	/* volatile: the compiler need not see that the product is too large */
	volatile size_t half = SIZE_MAX / 2;

	(void)state;
	for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
		unsigned char *memory = omp_aligned_alloc(alignment, 1000, omp_default_mem_alloc);

		assert_non_null(memory);
		assert_int_equal((uintptr_t)memory % alignment, 0);
		memset(memory, 1, 1000);
		omp_free(memory, omp_null_allocator);
		memory = omp_aligned_calloc(alignment, 10, 100, omp_null_allocator);
		for (int i = 0; i < 1000; i++)
			assert_int_equal(memory[i], 0);
		omp_free(memory, omp_default_mem_alloc);
	}
	assert_null(omp_alloc(0, omp_default_mem_alloc));
	assert_null(omp_aligned_alloc(3, 8, omp_default_mem_alloc));
	assert_null(omp_calloc(half, 4, omp_default_mem_alloc));
	omp_free(NULL, omp_default_mem_alloc);
}

static void a_pool_has_an_end_and_is_given_back(void **state)
{
	omp_allocator_handle_t pool = with_pool(4096, omp_atv_null_fb, 0);
	void *first, *second;

	(void)state;
	first = omp_alloc(3000, pool);
	assert_non_null(first);
	assert_null(omp_alloc(3000, pool));
	second = omp_alloc(500, pool);
	assert_non_null(second);
	omp_free(first, pool);
	first = omp_realloc(second, 3000, pool, pool);
	assert_non_null(first);
	assert_null(omp_realloc(first, 5000, pool, pool));
	first = omp_realloc(first, 100, pool, pool);
	second = omp_alloc(3000, pool);
	assert_non_null(second);
	omp_free(first, pool);
	omp_free(second, pool);
	omp_destroy_allocator(pool);
}

static void what_falls_back_where(void **state)
{
	omp_allocator_handle_t other = with_pool(8192, omp_atv_null_fb, 0);
	omp_allocator_handle_t first = with_pool(1024, omp_atv_allocator_fb, other);
	omp_allocator_handle_t free_of_limit = with_pool(1024, omp_atv_default_mem_fb, 0);
	void *memory;

	(void)state;
	memory = omp_alloc(4000, first);
	assert_non_null(memory);
	assert_null(omp_alloc(6000, first));
	omp_free(memory, omp_null_allocator);
	memory = omp_alloc(6000, first);
	assert_non_null(memory);
	omp_free(memory, first);
	memory = omp_alloc(100000, free_of_limit);
	assert_non_null(memory);
	omp_free(memory, free_of_limit);
	omp_destroy_allocator(first);
	omp_destroy_allocator(other);
	omp_destroy_allocator(free_of_limit);
}

static void traits_that_cannot_be_given_make_no_allocator(void **state)
{
	static const omp_alloctrait_t bad[] = {
		{ omp_atk_alignment, 3 },
		{ omp_atk_pinned, 7 },
		{ omp_atk_fallback, omp_atv_private },
		{ omp_atk_access, omp_atv_interleaved },
		{ (omp_alloctrait_key_t)99, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(omp_init_allocator(omp_default_mem_space, 1, &bad[i]), omp_null_allocator);
}

/* Where there is one kind of memory, every space is of it. */
static void every_memory_space_gives_memory(void **state)
{
	static const omp_memspace_handle_t spaces[] = { omp_default_mem_space, omp_large_cap_mem_space,
							omp_const_mem_space, omp_high_bw_mem_space,
							omp_low_lat_mem_space };
	omp_alloctrait_t trait = { omp_atk_fallback, omp_atv_null_fb };

	(void)state;
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
		omp_allocator_handle_t made = omp_init_allocator(spaces[i], 1, &trait);
		char *memory;

		assert_int_not_equal(made, omp_null_allocator);
		memory = omp_alloc(100, made);
		assert_non_null(memory);
		memset(memory, 1, 100);
		omp_free(memory, made);
		omp_destroy_allocator(made);
	}
}

static void the_default_belongs_to_a_task(void **state)
{
	omp_allocator_handle_t mine = with_pool(1 << 20, omp_atv_null_fb, 0);

	(void)state;
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			omp_set_default_allocator(mine);
#pragma omp barrier
		if ((omp_get_default_allocator() == mine) != (omp_get_thread_num() == 1))
			abort();
	}
	assert_int_equal(omp_get_default_allocator(), omp_default_mem_alloc);
	omp_destroy_allocator(mine);
}

/* How much of this process is locked in memory, by the system. */
static long locked_kb(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	assert_non_null(status);
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "VmLck: %ld", &kb) == 1)
			break;
	fclose(status);
	return kb;
}

static void pinned_memory_is_locked_until_it_is_freed(void **state)
{
	enum { PINNED_MEM_ALLOC = 200 }; /* ompx_gnu_pinned_mem_alloc, since GCC 15 */
	omp_alloctrait_t trait = { omp_atk_pinned, omp_atv_true };
	omp_allocator_handle_t kinds[2] = { 0, (omp_allocator_handle_t)PINNED_MEM_ALLOC };
	long before = locked_kb();

	(void)state;
	if (SLOW)
		skip(); /* a sanitizer's mlock does nothing */
	kinds[0] = omp_init_allocator(omp_default_mem_space, 1, &trait);
	for (int i = 0; i < 2; i++) {
		char *memory = omp_aligned_calloc(128, 1, 5000, kinds[i]);
		char *other = omp_alloc(10, kinds[i]);

		assert_non_null(memory);
		assert_non_null(other);
		assert_int_equal((uintptr_t)memory % 128, 0);
		assert_true(locked_kb() >= before + 12);
		memory[0] = 'a';
		memory = omp_realloc(memory, 9000, kinds[i], kinds[i]);
		assert_int_equal(memory[0], 'a');
		assert_true(locked_kb() >= before + 16);
		omp_free(other, kinds[i]);
		assert_true(locked_kb() >= before + 12);
		omp_free(memory, kinds[i]);
		assert_int_equal(locked_kb(), before);
	}
	omp_destroy_allocator(kinds[0]);
	omp_destroy_allocator(kinds[1]);
}

static void what_cannot_be_pinned_falls_back(void **state)
{
	omp_alloctrait_t traits[] = { { omp_atk_pinned, omp_atv_true }, { omp_atk_fallback, omp_atv_null_fb } };
	omp_allocator_handle_t strict, lenient;
	uid_t user = geteuid();
	struct rlimit limit, none;
	void *memory;

	(void)state;
	if (SLOW)
		skip(); /* a sanitizer's mlock does nothing */
	strict = omp_init_allocator(omp_default_mem_space, 2, traits);
	lenient = omp_init_allocator(omp_default_mem_space, 1, traits);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	none = (struct rlimit){ 0, limit.rlim_max };
	setrlimit(RLIMIT_MEMLOCK, &none);
	/* root may lock as much as it wants */
	if (user == 0)
		assert_int_equal(seteuid(65534), 0);
	assert_null(omp_alloc(100, strict));
	memory = omp_alloc(100, lenient);
	assert_int_equal(seteuid(user), 0);
	setrlimit(RLIMIT_MEMLOCK, &limit);
	assert_non_null(memory);
	omp_free(memory, lenient);
	omp_destroy_allocator(strict);
	omp_destroy_allocator(lenient);
}

static void managed_memory_is_the_hosts(void **state)
{
	enum { MANAGED_MEM_ALLOC = 201, MANAGED_MEM_SPACE = 200 }; /* of GCC 16 */
	char *memory = omp_alloc(100, (omp_allocator_handle_t)MANAGED_MEM_ALLOC);
	omp_allocator_handle_t space;

	(void)state;
	assert_non_null(memory);
	memset(memory, 1, 100);
	omp_free(memory, omp_null_allocator);
	space = omp_init_allocator((omp_memspace_handle_t)MANAGED_MEM_SPACE, 0, NULL);
	assert_int_not_equal(space, omp_null_allocator);
	omp_destroy_allocator(space);
	assert_int_equal(omp_init_allocator((omp_memspace_handle_t)77, 0, NULL), omp_null_allocator);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_aligned_and_ours),
		cmocka_unit_test(a_pool_has_an_end_and_is_given_back),
		cmocka_unit_test(what_falls_back_where),
		cmocka_unit_test(traits_that_cannot_be_given_make_no_allocator),
		cmocka_unit_test(every_memory_space_gives_memory),
		cmocka_unit_test(the_default_belongs_to_a_task),
		cmocka_unit_test(pinned_memory_is_locked_until_it_is_freed),
		cmocka_unit_test(what_cannot_be_pinned_falls_back),
		cmocka_unit_test(managed_memory_is_the_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
