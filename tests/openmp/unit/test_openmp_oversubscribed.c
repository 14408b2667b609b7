/* SPDX-License-Identifier: BSD-3-Clause */
/* Many of everything at once: initial threads, nested regions; and forks while other threads are at work. */
#include "openmp_tests.h"

#include "../../helpers/fork_moment.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>

enum { ROOTS = SLOW ? 200 : 1000, NESTED = SLOW ? 500 : 10000, FORKS = SLOW ? 10 : 50 };

/* ---- roots ------------------------------------------------------------------------------------------------------- */

static pthread_barrier_t gate;

static void *be_a_root(void *argument)
{
	int *sum = argument;

	pthread_barrier_wait(&gate);
	for (int i = 0; i < 4; i++) {
		int count = 0;

#pragma omp parallel num_threads(2) reduction(+ : count)
		{
#pragma omp barrier
			count += omp_get_num_threads();
#pragma omp for schedule(dynamic)
			for (int k = 0; k < 4; k++)
				count++;
		}
		*sum += count;
	}
	/* nobody ends before all have their teams */
	pthread_barrier_wait(&gate);
	return NULL;
}

static void a_thousand_roots_at_once_have_their_own_teams(void **state)
{
	static pthread_t roots[ROOTS];
	static int sums[ROOTS];
	pthread_attr_t attributes;

	(void)state;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 << 10);
	pthread_barrier_init(&gate, NULL, ROOTS);
	for (int i = 0; i < ROOTS; i++)
		assert_int_equal(pthread_create(&roots[i], &attributes, be_a_root, &sums[i]), 0);
	for (int i = 0; i < ROOTS; i++)
		pthread_join(roots[i], NULL);
	pthread_barrier_destroy(&gate);
	pthread_attr_destroy(&attributes);
	for (int i = 0; i < ROOTS; i++)
		assert_int_equal(sums[i], 4 * (2 * 2 + 4));
}

/* ---- nested regions ---------------------------------------------------------------------------------------------- */

static void nested_regions_come_by_the_thousand(void **state)
{
	_Atomic int count = 0;

	(void)state;
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < NESTED / 2; i++) {
#pragma omp parallel num_threads(2 + i % 2)
		{
			if (omp_get_level() != 2 || omp_get_num_threads() != 2 + i % 2)
				abort();
			if (i % 10 == 0) {
#pragma omp parallel num_threads(2)
				count++;
			} else {
				count += 2;
			}
		}
	}
	omp_set_max_active_levels(1);
	assert_int_equal(count, NESTED / 2 * 2 * (2 + 3));
}

/* One inside the other: levels beyond the active ones are regions of one thread. */
static int descend(int depth)
{
	int below = 0;

#pragma omp parallel num_threads(2) reduction(+ : below)
#pragma omp single
	below = depth > 0 ? descend(depth - 1) : omp_get_level();
	return below;
}

static void regions_nest_a_thousand_deep(void **state)
{
	enum { DEPTH = 1000 };

	(void)state;
	omp_set_max_active_levels(4);
	assert_int_equal(descend(DEPTH - 1), DEPTH);
	omp_set_max_active_levels(1);
}

/* ---- forks ------------------------------------------------------------------------------------------------------- */

/* What a child can do: it has the thread that forked, and makes teams of its own. */
static void be_a_child(void)
{
	int count = 0;

	alarm(60);
	if (!CHILD_MAY_ALLOCATE)
		_exit(0);
	for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3) reduction(+ : count)
		{
#pragma omp barrier
			count++;
#pragma omp task
			__asm__ volatile("" ::: "memory");
		}
	}
	_exit(count == 9 ? 0 : 1);
}

static void fork_and_wait(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		be_a_child();
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		abort();
}

static _Atomic bool forks_done;

static void *work_meanwhile(void *argument)
{
	(void)argument;
	while (!forks_done) {
		int count = 0;

#pragma omp parallel num_threads(3) reduction(+ : count)
		{
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 20; i++)
				count++;
#pragma omp critical
			count += 0;
		}
		if (count != 20)
			abort();
	}
	return NULL;
}

/* ThreadSanitizer does not follow new threads of a child that was forked by a program with threads. */
static void a_root_forks_while_others_are_in_regions(void **state)
{
	pthread_t others[2];

	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip();
#endif
	forks_done = false;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&others[i], NULL, work_meanwhile, NULL), 0);
	for (int i = 0; i < FORKS; i++)
		fork_and_wait();
	forks_done = true;
	for (int i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
}

/* Inside a region a child may only leave. Its parent's team does not notice. */
static void a_member_forks_in_the_middle_of_a_region(void **state)
{
	_Atomic int left = 0;

	(void)state;
	for (int round = 0; round < FORKS / 5; round++) {
#pragma omp parallel num_threads(3)
		{
			pid_t child;
			int status;

#pragma omp barrier
			child = fork();
			if (child == 0)
				_exit(omp_get_thread_num());
			if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
			    WEXITSTATUS(status) != omp_get_thread_num())
				abort();
#pragma omp barrier
			left++;
		}
	}
	assert_int_equal(left, FORKS / 5 * 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_roots_at_once_have_their_own_teams),
		cmocka_unit_test(nested_regions_come_by_the_thousand),
		cmocka_unit_test(regions_nest_a_thousand_deep),
		cmocka_unit_test(a_root_forks_while_others_are_in_regions),
		cmocka_unit_test(a_member_forks_in_the_middle_of_a_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
