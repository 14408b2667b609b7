/* SPDX-License-Identifier: BSD-3-Clause */
/* Worksharing: each iteration once, in the thread and the order that the schedule promises, up to the ends of the
 * types. */
#include "openmp_tests.h"

#include <sys/resource.h>
#include <time.h>

enum { COUNT = 1000, REPEAT = SLOW ? 20 : 200 };

static unsigned char runs[COUNT];

static void check_runs(void)
{
	for (int i = 0; i < COUNT; i++)
		if (runs[i] != 1)
			fail_msg("iteration %d ran %d times", i, runs[i]);
	memset(runs, 0, sizeof(runs));
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define COVERS(threads, ...)                                                                                           \
	do {                                                                                                           \
		PRAGMA(omp parallel num_threads(threads))                                                              \
		{                                                                                                      \
			PRAGMA(omp for __VA_ARGS__)                                                                    \
			for (int i = 0; i < COUNT; i++) {                                                              \
				delay((unsigned)i);                                                                    \
				runs[i]++;                                                                             \
			}                                                                                              \
		}                                                                                                      \
		check_runs();                                                                                          \
	} while (0)

static void every_schedule_runs_each_iteration_once(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		COVERS(threads, schedule(static));
		COVERS(threads, schedule(static, 7));
		COVERS(threads, schedule(dynamic));
		COVERS(threads, schedule(dynamic, 3));
		COVERS(threads, schedule(dynamic, 5000));
		COVERS(threads, schedule(monotonic : dynamic, 2));
		COVERS(threads, schedule(guided));
		COVERS(threads, schedule(guided, 9));
		COVERS(threads, schedule(auto));
		COVERS(threads, schedule(dynamic, 4) nowait);
	}
}

static void run_sched_var_decides(void **state)
{
	static const omp_sched_t kinds[] = { omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto };

	(void)state;
	for (unsigned k = 0; k < 4; k++) {
		for (int chunk = 0; chunk < 5; chunk += 2) {
			omp_sched_t kind;
			int set;

			omp_set_schedule(kinds[k], chunk);
			omp_get_schedule(&kind, &set);
			assert_int_equal(kind, kinds[k]);
			COVERS(3, schedule(runtime));
			COVERS(3, schedule(monotonic : runtime));
		}
	}
}

static void lastprivate_is_of_the_last_iteration(void **state)
{
	(void)state;
	for (int repeat = 0; repeat < REPEAT; repeat++) {
		int last = -1;

#pragma omp parallel for num_threads(4) schedule(dynamic, 1) lastprivate(last)
		for (int i = 0; i < 97; i++) {
			delay((unsigned)(i * repeat));
			last = i;
		}
		assert_int_equal(last, 96);
	}
}

static void bounds_reach_the_ends_of_their_types(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		long sum = 0;
		unsigned long long wide = 0;
		int count = 0;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 3) reduction(+ : count)
		for (long i = LONG_MAX - 106; i < LONG_MAX - 7; i += 7)
			count++;
		assert_int_equal(count, 15);
#pragma omp parallel for num_threads(threads) schedule(guided) reduction(+ : sum)
		for (long i = 50; i > -50; i -= 3)
			sum += i;
		assert_int_equal(sum, 17);
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : wide)
		for (unsigned long long i = ULLONG_MAX - 10; i < ULLONG_MAX; i++)
			wide += ULLONG_MAX - i;
		assert_int_equal(wide, 55);
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 1LL << 62) reduction(+ : count)
		for (long i = LONG_MIN; i < LONG_MIN + 10; i++)
			count++;
		assert_int_equal(count, 25);
	}
}

static void threads_run_ahead_through_nowait_constructs(void **state)
{
	(void)state;
	for (int repeat = 0; repeat < REPEAT / 10; repeat++) {
		_Atomic int count = 0;
		_Atomic int singles = 0;

		/* one thread waits for another that is many constructs ahead */
#pragma omp parallel num_threads(3)
		{
			static _Atomic int ahead;
			bool slow = omp_get_thread_num() == 1;

			ahead = 0;
#pragma omp barrier
			while (slow && ahead == 0)
				usleep(1);
			for (int i = 0; i < 50; i++) {
#pragma omp for schedule(dynamic, 1) nowait
				for (int k = 0; k < 4; k++)
					count++;
#pragma omp single nowait
				singles++;
			}
			ahead = 1;
		}
		assert_int_equal(count, 200);
		assert_int_equal(singles, 50);
	}
}

static void ordered_regions_are_in_order(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		int next = 0;
		int mixed = 0;

#pragma omp parallel for num_threads(threads) ordered schedule(dynamic, 3)
		for (int i = 0; i < COUNT; i++) {
			delay((unsigned)i);
#pragma omp ordered
			if (next++ != i)
				abort();
		}
		assert_int_equal(next, COUNT);
#pragma omp parallel for num_threads(threads) ordered schedule(static, 1)
		for (int i = 0; i < COUNT; i++) {
			/* some iterations have none */
			if (i % 3)
				continue;
#pragma omp ordered
			if (3 * mixed++ != i)
				abort();
		}
		assert_int_equal(mixed, (COUNT + 2) / 3);
	}
}

/* The stride from one chunk of a thread to its next is the chunk times the threads, which may not fit. */
static void chunks_may_be_as_large_as_their_type(void **state)
{
	const long chunks[] = { COUNT, 1L << 61, 1L << 62, LONG_MAX / 3 + 1, LONG_MAX };

	(void)state;
	for (size_t k = 0; k < sizeof(chunks) / sizeof(chunks[0]); k++)
		FOR_SIZES(threads)
		{
			long chunk = chunks[k];
			int next = 0;

#pragma omp parallel for num_threads(threads) ordered schedule(static, chunk)
			for (long i = 0; i < COUNT; i++) {
#pragma omp ordered
				if (next++ != i)
					abort();
			}
			assert_int_equal(next, COUNT);
		}
}

static int now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/*
 * A thread that sleeps until its iteration may run looks again by itself 315 and 635 ms after it fell asleep (limit_ns
 * in wait.h). So the iteration may run after 400 ms, and a thread that was not woken is over 200 ms late. On a busy
 * machine any thread may be late, but not each time.
 */
static void a_thread_that_sleeps_before_its_ordered_region_is_woken(void **state)
{
	enum { FIRST_MS = 400, LATE_MS = 150, TRIES = 8 };
	int late_ms = INT_MAX;

	(void)state;
	for (int try = 0; try < TRIES && late_ms >= LATE_MS; try++) {
		int passed_ms = 0;

#pragma omp parallel for num_threads(4) ordered schedule(static, 1)
		for (int i = 0; i < 4; i++) {
#pragma omp ordered
			{
				if (i == 0) {
					usleep(FIRST_MS * 1000);
					passed_ms = now_ms();
				}
			}
		}
		if (now_ms() - passed_ms < late_ms)
			late_ms = now_ms() - passed_ms;
	}
	assert_in_range(late_ms, 0, LATE_MS);
}

static long switches_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/*
 * Of the threads that sleep until their iteration may run, only the next one is woken. If all were, each iteration
 * would make as many threads sleep anew. A thread also looks by itself now and then, the more often the longer the
 * iterations take.
 */
static void an_ordered_iteration_wakes_one_thread(void **state)
{
	enum { MEMBERS = 8, ITERATIONS = 100, EACH_US = 200, LIMIT = 5, TRIES = 20 };
	long least = LONG_MAX;

	(void)state;
	/* a random delay, and what a sanitizer does, may be a switch too */
	if (SLOW)
		skip();
	for (int try = 0; try < TRIES && least > LIMIT * ITERATIONS; try++) {
		long before = switches_now(), made;

#pragma omp parallel for num_threads(MEMBERS) ordered schedule(static, 1)
		for (int i = 0; i < ITERATIONS; i++) {
#pragma omp ordered
			usleep(EACH_US);
		}
		made = switches_now() - before;
		least = made < least ? made : least;
	}
	assert_in_range(least, 0, LIMIT * ITERATIONS);
}

#define WAVE(threads, ...)                                                                                             \
	do {                                                                                                           \
		static int cells[40][30];                                                                              \
		memset(cells, 0, sizeof(cells));                                                                       \
		PRAGMA(omp parallel for num_threads(threads) collapse(2) ordered(2) __VA_ARGS__)                       \
		for (int i = 0; i < 40; i++)                                                                           \
			for (int k = 0; k < 30; k++) {                                                                 \
				_Pragma("omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)") cells[i][k] =   \
					1 + (i ? cells[i - 1][k] : 0) + (k ? cells[i][k - 1] : 0) % 1000;              \
				_Pragma("omp ordered depend(source)")                                                  \
			}                                                                                              \
		for (int i = 0; i < 40; i++)                                                                           \
			for (int k = 0; k < 30; k++)                                                                   \
				if (cells[i][k] != 1 + (i ? cells[i - 1][k] : 0) + (k ? cells[i][k - 1] : 0) % 1000)   \
					fail_msg("cell %d,%d", i, k);                                                  \
	} while (0)

static void doacross_loops_wait_for_what_they_name(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		WAVE(threads, schedule(static));
		WAVE(threads, schedule(static, 1));
		WAVE(threads, schedule(dynamic, 2));
		WAVE(threads, schedule(guided));
	}
}

static void sections_run_once_each(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	for (int repeat = 0; repeat < REPEAT; repeat++) {
		_Atomic int a = 0, b = 0, c = 0;

#pragma omp parallel sections num_threads(threads)
		{
#pragma omp section
			a++;
#pragma omp section
			b++;
#pragma omp section
			c++;
		}
		assert_int_equal(a * 100 + b * 10 + c, 111);
	}
}

static void copyprivate_reaches_all(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		_Atomic int winners = 0;

#pragma omp parallel num_threads(threads)
		for (int i = 0; i < REPEAT; i++) {
			int value = -1;
#pragma omp single copyprivate(value)
			{
				value = i;
				winners++;
			}
			if (value != i)
				abort();
		}
		assert_int_equal(winners, REPEAT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_schedule_runs_each_iteration_once),
		cmocka_unit_test(run_sched_var_decides),
		cmocka_unit_test(lastprivate_is_of_the_last_iteration),
		cmocka_unit_test(bounds_reach_the_ends_of_their_types),
		cmocka_unit_test(threads_run_ahead_through_nowait_constructs),
		cmocka_unit_test(a_thread_that_sleeps_before_its_ordered_region_is_woken),
		cmocka_unit_test(an_ordered_iteration_wakes_one_thread),
		cmocka_unit_test(ordered_regions_are_in_order),
		cmocka_unit_test(chunks_may_be_as_large_as_their_type),
		cmocka_unit_test(doacross_loops_wait_for_what_they_name),
		cmocka_unit_test(sections_run_once_each),
		cmocka_unit_test(copyprivate_reaches_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
