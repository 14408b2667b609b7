/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/openmp/scheduler/helper.c: in a team with more members than processors, who runs a task that woke nobody. A
 * member that is "elsewhere" waits by means of its own, of which the runtime knows nothing.
 */
#include "openmp_tests.h"
#include "../../helpers/real_syscall.h"

#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/helper.h"
#include "openmp/system/system.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

enum { GIVEN_UP_S = 300, ROUNDS = SLOW ? 300 : 3000, MS = 1000000 };

/* ---- the system's part ------------------------------------------------------------------------------------------- */

/* The runtime's own calls arrive here. */
static _Atomic long limited_sleeps;
static _Atomic bool has_no_proc;

static long stand_in(long number, const long words[SYSCALL_WORDS])
{
	if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET && words[3])
		limited_sleeps++;
	if (number == SYS_openat && has_no_proc && !strncmp((const char *)words[1], "/proc/", 6)) {
		errno = ENOENT;
		return -1;
	}
	return real_syscall(number, words);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * MS }, NULL);
}

/* Twice as many as there are processors, and one more: then there are helpers for every number of processors. */
static int twice_and_one(void)
{
	return omp_get_num_procs() * 2 + 1;
}

/* How many members have begun this region. */
static _Atomic int begun;

static bool helper_is_awake(const struct omp__team *team, unsigned first)
{
	for (unsigned i = first; i < team->size; i++)
		if (!team->members[i]->thread->parker.runner.sleeps)
			return true;
	return false;
}

/* Until all members but the first `processors` sleep at the region's end. */
static void wait_for_helpers(int processors)
{
	const struct omp__team *team = omp__member_of(omp__self())->team;

	while (begun < omp_get_num_threads() || helper_is_awake(team, (unsigned)processors))
		pause_ms(1);
}

/* Create a task and wait for it elsewhere, so many times. */
static void create_and_wait(int tasks)
{
	_Atomic int ran = 0;

	for (int i = 0; i < tasks; i++) {
#pragma omp task shared(ran)
		ran++;
		while (ran <= i)
			pause_ms(1);
	}
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void a_task_is_run_while_all_that_are_awake_wait_elsewhere(void **state)
{
	int processors = omp_get_num_procs();
	_Atomic bool is_over = false;

	(void)state;
	begun = 0;
	alarm(GIVEN_UP_S);
#pragma omp parallel num_threads(twice_and_one())
	{
		int number = omp_get_thread_num();

		begun++;
		if (number == 0) {
			wait_for_helpers(processors);
			create_and_wait(10);
			is_over = true;
		} else if (number < processors) {
			while (!is_over)
				pause_ms(1);
		}
	}
	alarm(0);
}

static pthread_barrier_t gate;

/* Is awake for the runtime, and will not use it again. */
static void *sleep_elsewhere(void *unused)
{
	(void)unused;
#pragma omp parallel num_threads(1)
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
	return NULL;
}

static void threads_of_no_team_that_sleep_elsewhere_do_not_matter(void **state)
{
	enum { OTHERS = 40 };
	pthread_t others[OTHERS];

	(void)state;
	pthread_barrier_init(&gate, NULL, OTHERS + 1);
	for (int i = 0; i < OTHERS; i++)
		assert_int_equal(pthread_create(&others[i], NULL, sleep_elsewhere, NULL), 0);
	pthread_barrier_wait(&gate);
	a_task_is_run_while_all_that_are_awake_wait_elsewhere(state);
	pthread_barrier_wait(&gate);
	for (int i = 0; i < OTHERS; i++)
		pthread_join(others[i], NULL);
	pthread_barrier_destroy(&gate);
}

/* A thread for each processor looks at a flag without a pause, until the task that the first has created is run. */
static void a_task_is_run_while_all_that_are_awake_compute(void **state)
{
	int processors = omp_get_num_procs();
	_Atomic bool first = false, second = false;

	(void)state;
	begun = 0;
	alarm(GIVEN_UP_S);
#pragma omp parallel num_threads(twice_and_one())
	{
		begun++;
		if (omp_get_thread_num() == 0) {
			wait_for_helpers(processors);
			/* wakes all helpers, because it is the first */
#pragma omp task shared(first)
			first = true;
			while (!first)
				thread__relax();
			wait_for_helpers(processors);
#pragma omp task shared(second)
			second = true;
		}
		if (omp_get_thread_num() < processors)
			while (!second)
				thread__relax();
	}
	alarm(0);
}

static void a_task_is_run_where_nobody_can_see_who_runs(void **state)
{
	has_no_proc = true;
	a_task_is_run_while_all_that_are_awake_wait_elsewhere(state);
	has_no_proc = false;
}

/* How often threads sleep with a limit in 200 ms of a region. */
static long looks_in_region(bool has_tasks)
{
	limited_sleeps = 0;
#pragma omp parallel num_threads(twice_and_one())
#pragma omp master
	{
		if (has_tasks) {
#pragma omp task
			pause_ms(1);
		}
		pause_ms(200);
	}
	return limited_sleeps;
}

static void helpers_look_while_the_region_has_tasks(void **state)
{
	(void)state;
	assert_int_equal(looks_in_region(false), 0);
	assert_true(looks_in_region(true) > 1);
	/* until the workers have slept with a limit for the last time */
	pause_ms(200);
	limited_sleeps = 0;
	pause_ms(200);
	assert_int_equal(limited_sleeps, 0);
}

/* Helpers that look by themselves would hide it. */
static void no_wake_up_is_lost_without_looks(void **state)
{
	uint64_t before = omp__helper_sleep_ns;
	int runs = 0;

	(void)state;
	omp__helper_sleep_ns = 0;
	alarm(GIVEN_UP_S);
#pragma omp parallel num_threads(twice_and_one()) reduction(+ : runs)
	for (int round = 0; round < ROUNDS; round++) {
		_Atomic int children = 0;

		if (round % twice_and_one() == omp_get_thread_num()) {
			delay((unsigned)round);
#pragma omp task shared(children)
			children++;
#pragma omp task shared(children)
			children++;
#pragma omp taskwait
			runs += children;
		}
#pragma omp barrier
	}
	alarm(0);
	omp__helper_sleep_ns = before;
	assert_int_equal(runs, 2 * ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_is_run_while_all_that_are_awake_wait_elsewhere),
		cmocka_unit_test(threads_of_no_team_that_sleep_elsewhere_do_not_matter),
		cmocka_unit_test(a_task_is_run_while_all_that_are_awake_compute),
		cmocka_unit_test(a_task_is_run_where_nobody_can_see_who_runs),
		cmocka_unit_test(helpers_look_while_the_region_has_tasks),
		cmocka_unit_test(no_wake_up_is_lost_without_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
