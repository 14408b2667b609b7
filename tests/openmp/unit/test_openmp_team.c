/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams: sizes, numbers, nesting, limits, many roots, threads that end, forks. */
#include "openmp_tests.h"

#include <pthread.h>

enum { REGIONS = SLOW ? 2000 : 20000, ROOTS = SLOW ? 40 : 200, HANG_S = 60 };

#include "../../helpers/fork.h"

static void check_region(int threads)
{
	_Atomic int seen[8] = { 0 };
	int sum = 0;

#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
		if (omp_get_num_threads() != threads || omp_in_parallel() != (threads > 1) || omp_get_level() != 1)
			abort();
		seen[omp_get_thread_num()]++;
		sum += omp_get_thread_num() + 1;
	}
	assert_int_equal(sum, threads * (threads + 1) / 2);
	for (int i = 0; i < threads; i++)
		assert_int_equal(seen[i], 1);
	assert_int_equal(omp_get_level(), 0);
	assert_false(omp_in_parallel());
}

static void a_region_has_the_threads_it_asked_for(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	check_region(threads);
	/* growing, shrinking, growing again; members told to rest come back */
	for (int i = 0; i < REGIONS / 10; i++)
		check_region(1 + (i * 7 + i / 3) % 7);
}

static void what_a_region_wrote_is_there_after_it(void **state)
{
	int values[8];

	(void)state;
	FOR_SIZES(threads)
	for (int i = 0; i < REGIONS / 10; i++) {
#pragma omp parallel num_threads(threads)
		values[omp_get_thread_num()] = i;
		for (int k = 0; k < threads; k++)
			if (values[k] != i)
				fail_msg("member %d of %d", k, threads);
	}
}

static void regions_nest(void **state)
{
	(void)state;
	omp_set_max_active_levels(3);
	for (int i = 0; i < REGIONS / 100; i++) {
		_Atomic int count = 0;

#pragma omp parallel num_threads(2)
		{
			int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
			{
				int middle = omp_get_thread_num();
#pragma omp parallel num_threads(2)
				{
					if (omp_get_level() != 3 || omp_get_active_level() != 3 ||
					    omp_get_ancestor_thread_num(1) != outer ||
					    omp_get_ancestor_thread_num(2) != middle ||
					    omp_get_ancestor_thread_num(3) != omp_get_thread_num() ||
					    omp_get_ancestor_thread_num(0) != 0 ||
					    omp_get_ancestor_thread_num(4) != -1 || omp_get_team_size(1) != 2 ||
					    omp_get_team_size(2) != 3)
						abort();
					count++;
#pragma omp parallel num_threads(4)
					if (omp_get_num_threads() != 1 || omp_get_level() != 4)
						abort();
				}
			}
		}
		assert_int_equal(count, 12);
	}
	omp_set_max_active_levels(1);
}

static void variables_belong_to_a_task(void **state)
{
	int before = omp_get_max_threads();

	(void)state;
#pragma omp parallel num_threads(3)
	{
		omp_set_num_threads(10 + omp_get_thread_num());
#pragma omp barrier
		if (omp_get_max_threads() != 10 + omp_get_thread_num())
			abort();
	}
	assert_int_equal(omp_get_max_threads(), before);
}

static void *be_a_root(void *argument)
{
	int *sum = argument;

	for (int i = 0; i < 10; i++) {
		int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
		count++;
		*sum += count;
	}
	return NULL;
}

static void every_thread_can_open_regions(void **state)
{
	pthread_t roots[ROOTS];
	int sums[ROOTS] = { 0 };

	(void)state;
	for (int batch = 0; batch < 5; batch++) {
		for (int i = 0; i < ROOTS; i++)
			assert_int_equal(pthread_create(&roots[i], NULL, be_a_root, &sums[i]), 0);
		for (int i = 0; i < ROOTS; i++)
			pthread_join(roots[i], NULL);
	}
	for (int i = 0; i < ROOTS; i++)
		assert_int_equal(sums[i], 100);
}

/* ThreadSanitizer does not follow new threads of a forked child. */
static void a_child_starts_anew(void **state)
{
	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip();
#endif
	check_region(4);
	for (int i = 0; i < 5; i++) {
		pid_t child = fork_child();

		if (child == 0) {
			int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
			count++;
			_exit(count == 3 ? 0 : 1);
		}
		wait_for_child(child);
		check_region(4);
	}
}

/* A region with tasks: their sums hold for the members that are left. */
static void count_tasks(int threads)
{
	_Atomic int count = 0;

#pragma omp parallel num_threads(threads)
	for (int i = 0; i < 50; i++) {
#pragma omp task
		count++;
	}
	if (count != threads * 50)
		abort();
}

/* The workers that have taken part in a region of gather() and have not ended: a thread-local value of each ends. */
static pthread_key_t worker_key;
static _Atomic int workers;

static void note_end(void *value)
{
	(void)value;
	workers--;
}

/* How many workers there are after a region of so many threads. */
static int gather(int threads)
{
#pragma omp parallel num_threads(threads)
	if (omp_get_thread_num() > 0 && !pthread_getspecific(worker_key)) {
		pthread_setspecific(worker_key, &worker_key);
		workers++;
	}
	return workers;
}

/* In a thread of its own, whose team is new: what other tests left stays as it is. What went wrong, or NULL. */
static void *outgrow(void *unused)
{
	(void)unused;
	for (int round = 0; round < 2; round++) {
		for (int threads = 2; threads <= 8; threads++)
			count_tasks(threads);
		if (gather(8) != 7)
			return "there are not as many workers as the largest region had";
		for (int tries = 0; workers > 1 && tries < 600; tries++) {
			usleep(100000);
			count_tasks(2);
		}
		if (workers != 1)
			return "workers that no region needed have not ended, or not called their destructors";
		count_tasks(8);
		/* those that came for these tasks have not been counted */
		gather(8);
	}
	return NULL;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/*
 * Longer than members are kept without need, and a region of six each third of it. On a machine that lets this thread
 * wait for longer than that nothing can be said.
 */
static void *need_now_and_then(void *unused)
{
	double last = now_s();

	(void)unused;
	for (int i = 0; i < 8; i++) {
		count_tasks(2);
		gather(6);
		if (now_s() - last > 0.7)
			return NULL;
		last = now_s();
		count_tasks(2);
		if (workers != 5)
			return "workers that a region needed a third of a second ago have ended";
		usleep(300000);
	}
	return NULL;
}

static void check_in_a_thread(void *(*body)(void *))
{
	pthread_t thread;
	void *wrong;

	workers = 0;
	assert_int_equal(pthread_key_create(&worker_key, note_end), 0);
	assert_int_equal(pthread_create(&thread, NULL, body, NULL), 0);
	assert_int_equal(pthread_join(thread, &wrong), 0);
	/* the thread's workers end with it, soon: each calls its destructor before the key goes */
	for (int tries = 0; workers > 0 && tries < 600; tries++)
		usleep(10000);
	pthread_key_delete(worker_key);
	if (wrong)
		fail_msg("%s", (char *)wrong);
}

static void members_that_nobody_needs_end(void **state)
{
	(void)state;
	check_in_a_thread(outgrow);
}

static void members_that_are_needed_now_and_then_stay(void **state)
{
	(void)state;
	check_in_a_thread(need_now_and_then);
}

static void resources_come_back_after_a_pause(void **state)
{
	(void)state;
	check_region(4);
	assert_int_equal(omp_pause_resource_all(omp_pause_hard), 0);
	check_region(4);
#pragma omp parallel num_threads(2)
	if (omp_pause_resource_all(omp_pause_soft) == 0)
		abort();
}

void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned threads);
void GOMP_parallel_end(void);

static void count_in(void *data)
{
	_Atomic int *counts = data;

	counts[omp_get_level()]++;
}

static void regions_of_old_compilers_work(void **state)
{
	_Atomic int counts[4] = { 0 };

	(void)state;
	omp_set_max_active_levels(2);
	GOMP_parallel_start(count_in, counts, 3);
	count_in(counts);
	GOMP_parallel_start(count_in, counts, 2);
	count_in(counts);
	GOMP_parallel_end();
	GOMP_parallel_start(count_in, counts, 1);
	count_in(counts);
	GOMP_parallel_end();
	GOMP_parallel_end();
	omp_set_max_active_levels(1);
	assert_int_equal(counts[1], 3);
	assert_int_equal(counts[2], 3);
	assert_int_equal(omp_get_level(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_region_has_the_threads_it_asked_for),
		cmocka_unit_test(what_a_region_wrote_is_there_after_it),
		cmocka_unit_test(regions_nest),
		cmocka_unit_test(variables_belong_to_a_task),
		cmocka_unit_test(every_thread_can_open_regions),
		cmocka_unit_test(a_child_starts_anew),
		cmocka_unit_test(members_that_nobody_needs_end),
		cmocka_unit_test(members_that_are_needed_now_and_then_stay),
		cmocka_unit_test(resources_come_back_after_a_pause),
		cmocka_unit_test(regions_of_old_compilers_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
