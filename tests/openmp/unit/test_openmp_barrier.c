/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers: nobody leaves before the last has come, in teams that fit the machine and in teams that do not. */
#include "openmp_tests.h"

enum { ROUNDS = SLOW ? 300 : 3000 };

static void nobody_leaves_early(void **state)
{
	static const int sizes[] = { 1, 2, 3, 4, 5, 8, 13 };

	(void)state;
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		int threads = sizes[s];
		int arrived[13] = { 0 };

#pragma omp parallel num_threads(threads)
		for (int round = 1; round <= ROUNDS; round++) {
			delay((unsigned)(round * 31 + omp_get_thread_num()));
			arrived[omp_get_thread_num()] = round;
#pragma omp barrier
			for (int i = 0; i < threads; i++)
				if (arrived[i] != round)
					abort();
#pragma omp barrier
		}
	}
}

static void inner_and_outer_teams_do_not_mix(void **state)
{
	(void)state;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		int outer = omp_get_thread_num();
		int arrived[3] = { 0 };

		for (int round = 1; round <= ROUNDS / 10; round++) {
#pragma omp parallel num_threads(2 + outer)
			{
				arrived[omp_get_thread_num()] = round;
#pragma omp barrier
				for (int i = 0; i < 2 + outer; i++)
					if (arrived[i] != round)
						abort();
			}
#pragma omp barrier
		}
	}
	omp_set_max_active_levels(1);
}

/* A cancelled region leaves barriers in any state; the next region must find them whole. */
static void cancelled_regions_leave_no_trace(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		int threads = 2 + round % 4;
		_Atomic int past = 0;
		_Atomic int whole = 0;

#pragma omp parallel num_threads(threads)
		{
#pragma omp barrier
			if (omp_get_thread_num() == round % threads) {
				delay((unsigned)round);
#pragma omp cancel parallel
			}
#pragma omp barrier
			past++;
		}
		assert_int_equal(past, 0);
#pragma omp parallel num_threads(threads)
		{
#pragma omp barrier
			whole++;
#pragma omp barrier
			if (whole != threads)
				abort();
		}
		assert_int_equal(whole, threads);
	}
}

static void a_cancelled_loop_ends_for_all(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS / 10; round++) {
		_Atomic int after = 0;

#pragma omp parallel num_threads(3)
		{
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 1000; i++) {
#pragma omp cancel for if (i == round)
#pragma omp cancellation point for
			}
			after++;
#pragma omp for
			for (int i = 0; i < 3; i++)
				after++;
		}
		assert_int_equal(after, 6);
	}
}

int main(int argc, char **argv)
{
	static const char *const variables[] = { "OMP_CANCELLATION", "true", NULL };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_leaves_early),
		cmocka_unit_test(inner_and_outer_teams_do_not_mix),
		cmocka_unit_test(cancelled_regions_leave_no_trace),
		cmocka_unit_test(a_cancelled_loop_ends_for_all),
	};

	if (again(argc, argv, variables))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
