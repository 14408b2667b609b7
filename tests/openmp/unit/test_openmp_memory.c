/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In the steady state no construct calls the allocator: what a team, a loop or a small task needs is kept for the next.
 * A worker takes little memory beside its stack.
 */
#include "counted_allocator.h"

#include <pthread.h>
#include <sys/stat.h>

#if !COUNTED_ALLOCATOR

int main(void)
{
	return skip_the_count();
}

#else

/* ---- what is counted --------------------------------------------------------------------------------------------- */

static long cells[64];
static _Atomic long total;

static void regions(void)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp barrier
#pragma omp critical
		sum++;
#pragma omp single copyprivate(sum)
		sum++;
#pragma omp sections
		{
			sum++;
#pragma omp section
			sum++;
		}
	}
	total += sum;
}

static void nested_regions(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	total++;
}

static void loops(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++)
			total++;
#pragma omp for schedule(monotonic : dynamic, 3)
		for (int i = 0; i < 100; i++)
			total++;
#pragma omp for schedule(guided)
		for (int i = 0; i < 100; i++)
			total++;
#pragma omp for ordered
		for (int i = 0; i < 20; i++)
#pragma omp ordered
			total++;
	}
}

static void doacross_loops(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 1; i < 50; i++) {
#pragma omp ordered depend(sink : i - 1)
		cells[i] = cells[i - 1] + 1;
#pragma omp ordered depend(source)
	}
}

static void reductions_in_loops(void)
{
	long sum = 0;

#pragma omp parallel
#pragma omp for reduction(task, + : sum)
	for (int i = 0; i < 16; i++) {
#pragma omp task in_reduction(+ : sum)
		sum++;
	}
	total += sum;
}

static void flat_tasks(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 40; i++) {
#pragma omp task
			delay(total++ & 255);
		}
#pragma omp taskwait
	}
}

static long fib(int n)
{
	long one = 0, other = 0;

	if (n < 2)
		return n;
#pragma omp task shared(one)
	one = fib(n - 1);
#pragma omp task shared(other)
	other = fib(n - 2);
#pragma omp taskwait
	return one + other;
}

static void recursive_tasks(void)
{
#pragma omp parallel
#pragma omp single
	total += fib(12);
}

static void dependent_tasks(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 1; i < 30; i++) {
#pragma omp task depend(in : cells[i - 1], cells[0]) depend(out : cells[i])
		cells[i] = cells[i - 1];
	}
}

/* The tables of tasks that end. */
static void dependent_tasks_in_tasks(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
	for (int i = 1; i < 12; i++) {
#pragma omp task depend(in : cells[0]) depend(inout : cells[i % 3 + 1])
		cells[i % 3 + 1]++;
	}
}

static void taskloops(void)
{
	long sum = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop grainsize(1)
		for (int i = 0; i < 100; i++)
			delay((unsigned)i);
#pragma omp taskloop num_tasks(7) reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum++;
	}
	total += sum;
}

static void task_reductions(void)
{
	long sum = 0;

#pragma omp parallel reduction(task, + : sum)
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : sum)
			sum++;
		}
	}
	total += sum;
}

/* ---- the count --------------------------------------------------------------------------------------------------- */

enum {
	ROUNDS = 500,
	/*
	 * Which thread frees whose task is chance, so a thread may run dry once more after the first rounds: now and
	 * then, and never once a round.
	 */
	LATE = ROUNDS / 50,
};

static void stays_within(const char *name, void (*construct)(void))
{
	long before;

	for (int threads = 1; threads <= 3; threads++) {
		omp_set_num_threads(threads);
		for (int round = 0; round < ROUNDS / 10; round++)
			construct();
		before = calls;
		for (int round = 0; round < ROUNDS; round++)
			construct();
		if (calls - before > LATE)
			fail_msg("%s, %d threads: %ld calls of the allocator in %d rounds", name, threads,
				 calls - before, ROUNDS);
	}
}

#define TEST(construct)                                                                                                \
	static void construct##_call_no_allocator(void **state)                                                        \
	{                                                                                                              \
		(void)state;                                                                                           \
		stays_within(#construct, construct);                                                                   \
	}

TEST(regions)
TEST(nested_regions)
TEST(loops)
TEST(doacross_loops)
TEST(reductions_in_loops)
TEST(flat_tasks)
TEST(recursive_tasks)
TEST(dependent_tasks)
TEST(dependent_tasks_in_tasks)
TEST(taskloops)
TEST(task_reductions)

enum { WORKERS = 7, BESIDE_STACK_BYTES = 4 << 20, ARENA_BYTES = 64 << 20 };

static long address_space_bytes(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld", &pages), 1);
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

/* How many threads the process has beside this one: GHC's, where a Haskell program hosts this test. */
static long other_threads(void)
{
	struct stat folder;

	assert_int_equal(stat("/proc/self/task", &folder), 0);
	return (long)folder.st_nlink - 3; /* a folder for each thread, ".", ".." and this one */
}

static void *hold(void *barriers)
{
	pthread_barrier_t *both = barriers;

	pthread_barrier_wait(&both[0]);
	pthread_barrier_wait(&both[1]);
	return NULL;
}

static void add_up_tasks(void)
{
#pragma omp parallel num_threads(WORKERS + 1)
#pragma omp single
	for (int i = 0; i < 1000; i++) {
#pragma omp task
		total += fib(8);
	}
}

/*
 * A worker reserves hardly more than a thread that does nothing. glibc reserves 64 MiB for each thread that calls
 * malloc or free. Threads that are not ours may do so at any time, and in qemu-user the emulator does it for any
 * thread.
 */
static void a_worker_reserves_its_stack_and_little_else(void **state)
{
	pthread_t idle[WORKERS];
	pthread_barrier_t both[2];
	long before, between, others = other_threads() * ARENA_BYTES, idle_bytes;

	(void)state;
	for (int i = 0; i < 2; i++)
		pthread_barrier_init(&both[i], NULL, WORKERS + 1);
	before = address_space_bytes();
	for (int i = 0; i < WORKERS; i++)
		assert_int_equal(pthread_create(&idle[i], NULL, hold, both), 0);
	pthread_barrier_wait(&both[0]);
	between = address_space_bytes();
	idle_bytes = (between - before) / WORKERS;
	/* the idle threads keep their stacks meanwhile, so that no worker gets one of these */
	add_up_tasks();
	assert_in_range((address_space_bytes() - between) / WORKERS, 0,
			idle_bytes + BESIDE_STACK_BYTES + others / WORKERS);
	pthread_barrier_wait(&both[1]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(idle[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_barrier_destroy(&both[i]);
}

enum { CROWD = 40, WORKER_BYTES = 3000 };

/* Beside its stack: its thread, its member, its deque; and glibc's own. Flags for any size of team were 2,560 more. */
static void a_worker_takes_little_memory(void **state)
{
	long before, each;

	(void)state;
#pragma omp parallel num_threads(2)
	total++;
	before = bytes_asked;
#pragma omp parallel num_threads(CROWD)
	total++;
	each = (bytes_asked - before) / (CROWD - 2);
	if (each > WORKER_BYTES)
		fail_msg("%ld bytes for each of %d workers", each, CROWD - 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* first: it makes the workers */
		cmocka_unit_test(a_worker_reserves_its_stack_and_little_else),
		cmocka_unit_test(a_worker_takes_little_memory),
		cmocka_unit_test(the_count_counts),
		cmocka_unit_test(regions_call_no_allocator),
		cmocka_unit_test(nested_regions_call_no_allocator),
		cmocka_unit_test(loops_call_no_allocator),
		cmocka_unit_test(doacross_loops_call_no_allocator),
		cmocka_unit_test(reductions_in_loops_call_no_allocator),
		cmocka_unit_test(flat_tasks_call_no_allocator),
		cmocka_unit_test(recursive_tasks_call_no_allocator),
		cmocka_unit_test(dependent_tasks_call_no_allocator),
		cmocka_unit_test(dependent_tasks_in_tasks_call_no_allocator),
		cmocka_unit_test(taskloops_call_no_allocator),
		cmocka_unit_test(task_reductions_call_no_allocator),
	};

	omp_set_max_active_levels(2);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
