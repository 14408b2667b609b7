/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory stays flat: each kind of work is done for a while until everything it keeps is there, and then for at least as
 * long again, in which the process must not grow. FERRY_STRESS_SECONDS is how long all kinds together go on.
 *
 * Under the sanitizers freed memory stays with them, so only what they find themselves counts: leaks at exit, and use
 * after free.
 */
#include "openmp_tests.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum {
	/* What malloc may round, and the stacks of threads that come and go, amount to. A leak of 64 bytes a turn is
	 * more than that after some thousand turns. */
	GROWTH_MAX_KIB = 512,
	KINDS_OF_WORK = 9,
};

static double seconds_each = 0.2;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Resident memory that belongs to this process alone. */
static long resident_kib(void)
{
	long size = 0;
	long resident = 0;
	long shared = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld %ld %ld", &size, &resident, &shared), 3);
	fclose(file);
	return (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024);
}

static unsigned long do_for(void (*work)(unsigned turn), double seconds, unsigned long turns_min)
{
	double until = now_s() + seconds;
	unsigned long turns = 0;

	for (; turns < turns_min || now_s() < until; turns++)
		work((unsigned)turns);
	return turns;
}

static void assert_flat(void (*work)(unsigned turn))
{
	unsigned long warm = do_for(work, seconds_each / 3, 20);
	long before;
	long after;
	unsigned long turns;

	malloc_trim(0);
	before = resident_kib();
	turns = do_for(work, seconds_each * 2 / 3, warm);
	malloc_trim(0);
	after = resident_kib();
	print_message("# %lu turns, %ld KiB before, %ld KiB after\n", warm + turns, before, after);
	if (!SLOW && after - before > GROWTH_MAX_KIB)
		fail_msg("%ld KiB before, %ld KiB after %lu turns", before, after, turns);
}

/* ---- the kinds of work ------------------------------------------------------------------------------------------- */

static void open_regions(unsigned turn)
{
	(void)turn;
	for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(2)
		__asm__ volatile("" ::: "memory");
	}
}

static void resize_teams(unsigned turn)
{
	for (unsigned i = 0; i < 10; i++) {
#pragma omp parallel num_threads(1 + (turn * 7 + i * 5) % 9)
		{
#pragma omp barrier
		}
	}
}

static void nest_regions(unsigned turn)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(1 + (turn + (unsigned)omp_get_thread_num()) % 3)
		{
#pragma omp parallel num_threads(2)
			__asm__ volatile("" ::: "memory");
		}
	}
}

/* Loops that lap each other, of every kind that keeps memory: ranges, ordered, doacross, reductions by tasks. */
static void share_work(unsigned turn)
{
	unsigned sum = 0;

#pragma omp parallel num_threads(1 + turn % 4)
	{
		for (int k = 0; k < 12; k++) {
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
			for (int i = 0; i < 8; i++)
				__asm__ volatile("" ::: "memory");
		}
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 1; i < 8 + (int)(turn % 50); i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
		}
#pragma omp for reduction(task, + : sum)
		for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : sum)
			sum++;
		}
	}
	assert_int_equal(sum, 8);
}

static void run_tasks(unsigned turn)
{
	int cells[4] = { 0 };

#pragma omp parallel num_threads(1 + turn % 4)
#pragma omp single
	{
		for (int i = 0; i < 40; i++) {
			int *cell = &cells[i % 4];
#pragma omp task depend(inout : cell[0]) shared(cells)
			{
				omp_set_num_threads(3);
				(*cell)++;
#pragma omp task if (i % 3)
				__asm__ volatile("" ::: "memory");
			}
		}
#pragma omp taskgroup
		{
#pragma omp taskloop num_tasks(7) nogroup
			for (int i = 0; i < 20; i++)
				__asm__ volatile("" ::: "memory");
		}
	}
	assert_int_equal(cells[0], 10);
}

static void cancel_things(unsigned turn)
{
#pragma omp parallel num_threads(2 + turn % 3)
	{
#pragma omp task
		__asm__ volatile("" ::: "memory");
#pragma omp for schedule(dynamic)
		for (unsigned i = 0; i < 20; i++) {
#pragma omp cancel for if (i == turn % 20)
		}
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp cancel taskgroup
			}
#pragma omp task
			__asm__ volatile("" ::: "memory");
		}
#pragma omp cancel parallel if (turn % 2)
#pragma omp barrier
	}
}

static void *be_a_root(void *argument)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp task
		__asm__ volatile("" ::: "memory");
	}
	return argument;
}

static void roots_come_and_go(unsigned turn)
{
	pthread_t roots[3];

	(void)turn;
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&roots[i], NULL, be_a_root, NULL), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(roots[i], NULL);
}

static void lock_and_allocate(unsigned turn)
{
	omp_alloctrait_t traits[] = { { omp_atk_alignment, 256 }, { omp_atk_pool_size, 65536 } };
	omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 2, traits);
	omp_lock_t lock;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(1 + turn % 3)
	{
		void *memory = omp_alloc(100 + turn % 1000, allocator);

		omp_set_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_lock(&lock);
		omp_free(omp_realloc(memory, 2000, allocator, allocator), allocator);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	omp_destroy_allocator(allocator);
}

static void teams_and_targets(unsigned turn)
{
	unsigned sum = 0;

#pragma omp target map(tofrom : sum)
	{
#pragma omp parallel num_threads(2) reduction(+ : sum)
		sum += turn;
	}
#pragma omp teams num_teams(2) thread_limit(2)
	{
#pragma omp parallel num_threads(2)
		__asm__ volatile("" ::: "memory");
	}
	assert_int_equal(sum, 2 * turn);
}

#define FLAT(work)                                                                                                     \
	static void work##_keeps_memory_flat(void **state)                                                             \
	{                                                                                                              \
		(void)state;                                                                                           \
		assert_flat(work);                                                                                     \
	}

FLAT(open_regions)
FLAT(resize_teams)
FLAT(nest_regions)
FLAT(share_work)
FLAT(run_tasks)
FLAT(cancel_things)
FLAT(roots_come_and_go)
FLAT(lock_and_allocate)
FLAT(teams_and_targets)

int main(int argc, char **argv)
{
	static const char *const variables[] = { "OMP_CANCELLATION", "true", NULL };
	const char *seconds = getenv("FERRY_STRESS_SECONDS");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_regions_keeps_memory_flat),
		cmocka_unit_test(resize_teams_keeps_memory_flat),
		cmocka_unit_test(nest_regions_keeps_memory_flat),
		cmocka_unit_test(share_work_keeps_memory_flat),
		cmocka_unit_test(run_tasks_keeps_memory_flat),
		cmocka_unit_test(cancel_things_keeps_memory_flat),
		cmocka_unit_test(roots_come_and_go_keeps_memory_flat),
		cmocka_unit_test(lock_and_allocate_keeps_memory_flat),
		cmocka_unit_test(teams_and_targets_keeps_memory_flat),
	};

	if (again(argc, argv, variables))
		return 1;
	if (seconds)
		seconds_each = atof(seconds) / KINDS_OF_WORK;
	omp_set_max_active_levels(4);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
