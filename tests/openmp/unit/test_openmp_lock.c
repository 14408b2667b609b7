/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks and critical regions: one at a time, and no byte beyond the lock is touched. */
#include "openmp_tests.h"

enum { ROUNDS = SLOW ? 2000 : 20000 };

static void a_lock_is_held_by_one(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		omp_lock_t lock;
		long count = 0;

		omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
		for (int i = 0; i < ROUNDS; i++) {
			if (i % 3 == 0)
				while (!omp_test_lock(&lock))
					;
			else
				omp_set_lock(&lock);
			count++;
			omp_unset_lock(&lock);
		}
		omp_destroy_lock(&lock);
		assert_int_equal(count, (long)threads * ROUNDS);
	}
}

/* Holders that sleep make the others sleep. */
static void waiters_wake_up(void **state)
{
	omp_lock_t lock;
	int count = 0;

	(void)state;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
	for (int i = 0; i < 25; i++) {
		omp_set_lock(&lock);
		usleep(200);
		count++;
		omp_unset_lock(&lock);
	}
	assert_int_equal(count, 100);
}

static void nestable_locks_count(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		omp_nest_lock_t lock;
		long count = 0;

		omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(threads)
		for (int i = 0; i < ROUNDS / 4; i++) {
			omp_set_nest_lock(&lock);
			if (omp_test_nest_lock(&lock) != 2)
				abort();
			count++;
			omp_unset_nest_lock(&lock);
			count++;
			omp_unset_nest_lock(&lock);
		}
		omp_destroy_nest_lock(&lock);
		assert_int_equal(count, (long)threads * (ROUNDS / 4) * 2);
	}
}

static void a_held_nestable_lock_refuses_others(void **state)
{
	omp_nest_lock_t lock;
	_Atomic int refused = 0;

	(void)state;
	omp_init_nest_lock(&lock);
	omp_set_nest_lock(&lock);
#pragma omp parallel num_threads(3)
	if (omp_test_nest_lock(&lock) == 0)
		refused++;
	/* three implicit tasks, none of them the owner */
	assert_int_equal(refused, 3);
	omp_unset_nest_lock(&lock);
}

static void locks_keep_to_their_bytes(void **state)
{
	struct {
		unsigned char before[16];
		omp_lock_t lock;
		unsigned char between[4];
		omp_nest_lock_t nest;
		unsigned char after[16];
	} all;

	(void)state;
	memset(&all, 0xa5, sizeof(all));
	omp_init_lock(&all.lock);
	omp_init_nest_lock(&all.nest);
#pragma omp parallel num_threads(4)
	for (int i = 0; i < 1000; i++) {
		omp_set_lock(&all.lock);
		omp_unset_lock(&all.lock);
		omp_set_nest_lock(&all.nest);
		omp_unset_nest_lock(&all.nest);
	}
	for (size_t i = 0; i < 16; i++)
		assert_true(all.before[i] == 0xa5 && all.after[i] == 0xa5 && all.between[i % 4] == 0xa5);
}

static void critical_regions_exclude(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		long named = 0;
		long unnamed = 0;

#pragma omp parallel num_threads(threads)
		for (int i = 0; i < ROUNDS / 4; i++) {
#pragma omp critical
			unnamed++;
#pragma omp critical(a_name)
			named++;
		}
		assert_int_equal(named, (long)threads * (ROUNDS / 4));
		assert_int_equal(unnamed, (long)threads * (ROUNDS / 4));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_is_held_by_one),     cmocka_unit_test(waiters_wake_up),
		cmocka_unit_test(nestable_locks_count),	     cmocka_unit_test(a_held_nestable_lock_refuses_others),
		cmocka_unit_test(locks_keep_to_their_bytes), cmocka_unit_test(critical_regions_exclude),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
