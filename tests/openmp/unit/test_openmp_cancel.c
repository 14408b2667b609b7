/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation, by each member at each point, of each construct that can be cancelled; and that the team is whole
 * after. cancel_region is long: constructs in the order in which they are met, and a point before each.
 */
#include "openmp_tests.h"

#include <stdio.h>

enum { COUNT = 24, STEPS = 9, ROUNDS = SLOW ? 1 : 10 };

static const int sizes[] = { 1, 2, 3, 5 };
#define FOR_TEAMS(threads)                                                                                             \
	for (const int *at_size = sizes; at_size < sizes + sizeof(sizes) / sizeof(sizes[0]); at_size++)                \
		for (int threads = *at_size, once_size = 1; once_size; once_size = 0)

/* Shares what a region shares after cancellation: barriers, work, tasks. */
static void assert_team_is_whole(int threads)
{
	_Atomic int sum = 0;
	int copies = 0;

#pragma omp parallel num_threads(threads) reduction(+ : copies)
	{
		int copied = 0;

#pragma omp for schedule(dynamic)
		for (int i = 0; i < COUNT; i++)
			sum += i;
#pragma omp task
		sum += 1000;
#pragma omp barrier
		if (sum != COUNT * (COUNT - 1) / 2 + 1000 * threads)
			abort();
#pragma omp single copyprivate(copied)
		copied = 1;
		copies += copied;
	}
	assert_int_equal(copies, threads);
}

/* ---- parallel ---------------------------------------------------------------------------------------------------- */

static int unit(int value)
{
	return value;
}

/* One step of a region; each ends with a barrier, and with it as the region does when that was cancelled. */
#define CANCEL_AT(point)                                                                                               \
	if (who == omp_get_thread_num() && where == (point)) {                                                         \
		_Pragma("omp cancel parallel")                                                                         \
	}

/*
 * The thread that cancels comes to no barrier any more, so from there on no thread passes one. Before that all threads
 * pass, except at the last barrier: a thread that has not left it yet may find the region cancelled and go to its end.
 */
static void check_past(const _Atomic int *past, int threads, int who, int where)
{
	for (int step = 0; step < STEPS; step++) {
		int least = step < where - 1 ? threads : step == where - 1 ? 1 : 0;
		int most = step < where ? threads : 0;

		if (past[step] < least || past[step] > most)
			fail_msg("%d threads, %d cancels at %d: %d past step %d", threads, who, where, past[step],
				 step);
	}
}

static void cancel_region(int threads, int who, int where)
{
	_Atomic int past[STEPS + 1] = { 0 };
	_Atomic int work = 0;

#pragma omp parallel num_threads(threads)
	{
		int copied = 0;

		CANCEL_AT(0)
#pragma omp barrier
		past[0]++;
		CANCEL_AT(1)
#pragma omp for
		for (int i = 0; i < COUNT; i++)
			work++;
		past[1]++;
		CANCEL_AT(2)
#pragma omp for schedule(dynamic)
		for (int i = 0; i < COUNT; i++)
			work++;
		past[2]++;
		CANCEL_AT(3)
#pragma omp sections
		{
			work++;
#pragma omp section
			work++;
		}
		past[3]++;
		CANCEL_AT(4)
#pragma omp single
		work++;
		past[4]++;
		CANCEL_AT(5)
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < COUNT; i++)
			work++;
#pragma omp single copyprivate(copied)
		copied = unit(1);
		work += copied;
		past[5]++;
		CANCEL_AT(6)
#pragma omp taskgroup
		{
#pragma omp task
			work++;
		}
#pragma omp cancellation point parallel
#pragma omp task
		work++;
#pragma omp barrier
		past[6]++;
		CANCEL_AT(7)
#pragma omp single
		{
#pragma omp taskloop
			for (int i = 0; i < COUNT; i++)
				work++;
		}
		past[7]++;
#pragma omp task
		work++;
		CANCEL_AT(8)
#pragma omp barrier
		past[8]++;
	}
	check_past(past, threads, who, where);
}

static void a_region_can_be_cancelled_at_every_point(void **state)
{
	(void)state;
	FOR_TEAMS(threads)
	for (int who = 0; who < threads; who++)
		for (int where = 0; where < STEPS; where++)
			for (int round = 0; round < ROUNDS; round++)
				cancel_region(threads, who, where);
	FOR_TEAMS(threads)
	assert_team_is_whole(threads);
}

static void teams_are_whole_after_each_cancellation(void **state)
{
	(void)state;
	for (int where = 0; where < STEPS; where++) {
		cancel_region(3, where % 3, where);
		assert_team_is_whole(3);
		assert_team_is_whole(2);
	}
}

static void an_inner_region_is_cancelled_alone(void **state)
{
	_Atomic int past = 0;

	(void)state;
	omp_set_max_active_levels(2);
	for (int where = 0; where < STEPS; where++) {
#pragma omp parallel num_threads(2)
		{
			cancel_region(3, 1, where);
#pragma omp barrier
			past++;
		}
	}
	omp_set_max_active_levels(1);
	assert_int_equal(past, 2 * STEPS);
}

/* ---- loops and sections ------------------------------------------------------------------------------------------ */

#define CANCELLED_LOOP(name, clauses)                                                                                  \
	static void name(int threads, int at)                                                                          \
	{                                                                                                              \
		_Atomic int seen[COUNT] = { 0 };                                                                       \
		_Atomic int past = 0;                                                                                  \
                                                                                                                       \
		_Pragma("omp parallel num_threads(threads)")                                                           \
		{                                                                                                      \
			_Pragma(clauses) for (int i = 0; i < COUNT; i++)                                               \
			{                                                                                              \
				_Pragma("omp cancellation point for") seen[i]++;                                       \
				if (i == at) {                                                                         \
					_Pragma("omp cancel for")                                                      \
				}                                                                                      \
				if (i == at)                                                                           \
					abort();                                                                       \
			}                                                                                              \
			if (seen[at] != 1)                                                                             \
				abort();                                                                               \
			past++;                                                                                        \
		}                                                                                                      \
		assert_int_equal(past, threads);                                                                       \
		for (int i = 0; i < COUNT; i++)                                                                        \
			assert_true(seen[i] <= 1);                                                                     \
	}

CANCELLED_LOOP(cancel_static, "omp for")
CANCELLED_LOOP(cancel_static_chunks, "omp for schedule(static, 2)")
CANCELLED_LOOP(cancel_dynamic, "omp for schedule(dynamic)")
CANCELLED_LOOP(cancel_monotonic, "omp for schedule(monotonic : dynamic, 3)")
CANCELLED_LOOP(cancel_guided, "omp for schedule(guided)")
CANCELLED_LOOP(cancel_runtime, "omp for schedule(runtime)")

static void a_loop_can_be_cancelled_at_every_iteration(void **state)
{
	(void)state;
	FOR_TEAMS(threads)
	{
		for (int at = 0; at < COUNT; at++) {
			cancel_static(threads, at);
			cancel_static_chunks(threads, at);
			cancel_dynamic(threads, at);
			cancel_monotonic(threads, at);
			cancel_guided(threads, at);
			cancel_runtime(threads, at);
		}
		assert_team_is_whole(threads);
	}
}

static void cancel_sections(int threads, int at)
{
	_Atomic int seen[4] = { 0 };
	_Atomic int past = 0;

#pragma omp parallel num_threads(threads)
	{
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancellation point sections
				seen[0]++;
#pragma omp cancel sections if (at == 0)
				seen[3] += at == 0;
			}
#pragma omp section
			{
				seen[1]++;
#pragma omp cancel sections if (at == 1)
				seen[3] += at == 1;
			}
#pragma omp section
			{
				seen[2]++;
#pragma omp cancel sections if (at == 2)
				seen[3] += at == 2;
			}
		}
		past++;
	}
	assert_int_equal(past, threads);
	/* Another section's cancellation may come first only when there is one. */
	assert_int_equal(seen[at], 1);
	assert_int_equal(seen[3], 0);
}

static void sections_can_be_cancelled_in_every_section(void **state)
{
	(void)state;
	FOR_TEAMS(threads)
	{
		for (int round = 0; round < ROUNDS; round++)
			for (int at = 0; at < 3; at++)
				cancel_sections(threads, at);
		assert_team_is_whole(threads);
	}
}

/* ---- taskgroups -------------------------------------------------------------------------------------------------- */

struct group {
	_Atomic int running;
	_Atomic int ran;
	_Atomic int past;
};

static void work_in(struct group *group, int depth, int at, int *number)
{
	int own = (*number)++;

#pragma omp task firstprivate(own)
	{
		int below = own * 100;

		group->running++;
		group->ran++;
		if (depth > 0) {
			work_in(group, depth - 1, -1, &below);
			work_in(group, depth - 1, -1, &below);
		}
		if (own % 3 == 0) {
#pragma omp taskwait
		}
		group->running--;
		if (own == at) {
#pragma omp cancel taskgroup
		}
#pragma omp cancellation point taskgroup
		group->past += own == at;
	}
}

static void cancel_group(int threads, int at)
{
	struct group group = { 0 };

#pragma omp parallel num_threads(threads)
#pragma omp single
	{
		int number = 0;

#pragma omp taskgroup
		for (int i = 0; i < COUNT; i++)
			work_in(&group, 2, at, &number);
		if (group.running != 0 || group.past != 0)
			abort();
	}
	/* the one that cancels and what it had made do run, unless its creation was discarded, which nobody asked for
	 */
	assert_true(group.ran >= 1);
}

static void a_taskgroup_can_be_cancelled_by_every_task(void **state)
{
	(void)state;
	FOR_TEAMS(threads)
	{
		for (int at = 0; at < COUNT; at++)
			cancel_group(threads, at);
		assert_team_is_whole(threads);
	}
}

static void a_taskloop_can_be_cancelled_at_every_iteration(void **state)
{
	(void)state;
	FOR_TEAMS(threads)
	for (int at = 0; at < COUNT; at++) {
		_Atomic int seen[COUNT] = { 0 };

#pragma omp parallel num_threads(threads)
#pragma omp single
		{
#pragma omp taskloop grainsize(1)
			for (int i = 0; i < COUNT; i++) {
				seen[i]++;
				if (i == at) {
#pragma omp cancel taskgroup
				}
				if (i == at)
					abort();
			}
		}
		for (int i = 0; i < COUNT; i++)
			assert_true(seen[i] <= 1);
		assert_int_equal(seen[at], 1);
	}
}

int main(int argc, char **argv)
{
	static const char *const variables[] = { "OMP_CANCELLATION", "true", NULL };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_region_can_be_cancelled_at_every_point),
		cmocka_unit_test(teams_are_whole_after_each_cancellation),
		cmocka_unit_test(an_inner_region_is_cancelled_alone),
		cmocka_unit_test(a_loop_can_be_cancelled_at_every_iteration),
		cmocka_unit_test(sections_can_be_cancelled_in_every_section),
		cmocka_unit_test(a_taskgroup_can_be_cancelled_by_every_task),
		cmocka_unit_test(a_taskloop_can_be_cancelled_at_every_iteration),
	};

	if (again(argc, argv, variables))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
