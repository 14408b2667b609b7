/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers that no region needs end: after a second, with and without another region; and at that very time the process
 * forks, exits, opens a region that needs them, or ends the thread whose team they are in.
 */
#include "openmp_tests.h"

#include "../../helpers/fork_moment.h"
#include "../../helpers/thread_count.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum {
	MANY = 40,
	/* Most of it is for machines with other work. */
	PATIENCE_S = 60,
	KEPT_MS = 1000,
	/* One worker; and a sanitizer's own thread, which starts when it likes. */
	LEFT_OVER = SLOW ? 3 : 2,
};

/* Whatever the machine has: so the team is not oversubscribed, and each member sleeps by itself. */
static int pretended_processors;

int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set)
{
	(void)thread;
	if (bytes > 1024)
		bytes = 1024;
	if (!pretended_processors)
		return sched_getaffinity(0, bytes, set) < 0 ? 1 : 0;
	CPU_ZERO_S(bytes, set);
	for (int i = 0; i < pretended_processors; i++)
		CPU_SET_S((size_t)i, bytes, set);
	return 0;
}

__attribute__((constructor(101))) static void read_variables(void)
{
	const char *processors = getenv("PRETENDED_PROCESSORS");

	pretended_processors = processors ? atoi(processors) : 0;
}

static void sleep_us(long us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

static void region(int threads)
{
	_Atomic int ran = 0;

#pragma omp parallel num_threads(threads)
	ran++;
	if (ran == threads)
		return;
	fprintf(stderr, "a region of %d was run by %d\n", threads, ran);
	abort();
}

static bool falls_to(int threads, int again)
{
	for (int i = 0; i < PATIENCE_S * 10; i++) {
		if (thread_count() <= threads)
			return true;
		sleep_us(100000);
		if (again)
			region(again);
	}
	return false;
}

/* ---- they end ---------------------------------------------------------------------------------------------------- */

static void are_gone_without_another_region(void **state)
{
	int others = thread_count() - 1;

	(void)state;
	for (int threads = 1; threads <= MANY; threads++)
		region(threads);
	for (int threads = MANY; threads >= 1; threads--)
		region(threads);
	assert_true(thread_count() > 2);
	if (!falls_to(others + LEFT_OVER, 0))
		fail_msg("%d threads are left of regions of 1 ... %d ... 1", thread_count(), MANY);
	/* The rest is there, and so are others in the places of those that left. */
	region(2);
	region(MANY);
	region(3);
}

static void are_gone_with_other_regions(void **state)
{
	int others = thread_count() - 1;

	(void)state;
	region(MANY);
	if (!falls_to(others + LEFT_OVER, 2))
		fail_msg("%d threads are left of a region of %d, after regions of 2", thread_count(), MANY);
	region(MANY);
}

static void *region_then_smaller_ones(void *opaque)
{
	(void)opaque;
	region(4);
	sleep_us(KEPT_MS * 1100L);
	/* They have been unparked and never idle; now they are, while nobody else looks for a second. */
	region(4);
	region(2);
	sleep_us(KEPT_MS * 1100L);
	region(2);
	region(2);
	return NULL;
}

/* A worker that was told to end where no later region woke it kept its team, and the thread that had that, for ever. */
static void a_thread_ends_after_its_workers_were_told_to(void **state)
{
	/* A sanitizer's own thread may start meanwhile. */
	int others = thread_count() + SLOW;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, region_then_smaller_ones, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(falls_to(others, 0));
}

static _Atomic bool suspended, released;
static _Atomic int executions;
static pthread_t last_member;

static void suspend(int number)
{
	(void)number;
	suspended = true;
	while (!released)
		sleep_us(1000);
}

static void counted_region(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		executions++;
		if (omp_get_thread_num() == 3)
			last_member = pthread_self();
	}
}

/* Suspended between two regions, and told to end meanwhile: it must not take part in what another runs in its place. */
static void runs_nothing_when_another_has_its_place(void **state)
{
	(void)state;
	assert_true(signal(SIGUSR1, suspend) != SIG_ERR);
	counted_region(4);
	assert_int_equal(pthread_kill(last_member, SIGUSR1), 0);
	while (!suspended)
		sleep_us(1000);
	for (int i = 0; i < 3; i++) {
		region(2);
		sleep_us(KEPT_MS * 1100L);
	}
	executions = 0;
	counted_region(4);
	assert_int_equal(executions, 4);
	released = true;
	sleep_us(200000);
	assert_int_equal(executions, 4);
}

/* ---- at that very time ------------------------------------------------------------------------------------------- */

#if defined(__SANITIZE_THREAD__)
#define WITH_TSAN true
#else
#define WITH_TSAN false
#endif

enum { INITIAL_THREADS = 6, PROCESSES = SLOW ? 6 : 12, ROUNDS = 1, SPREAD_US = 20000 };

enum deed { FORKS, EXITS, ENDS_THREADS, NEEDS_THEM, DEEDS };

static _Atomic unsigned ready;
static _Atomic bool go_on;

static void *leave_workers_idle(void *deed)
{
	region(6);
	region(2);
	ready++;
	while (!go_on)
		sleep_us(200);
	if (*(enum deed *)deed == NEEDS_THEM)
		for (int i = 0; i < 20; i++)
			region(2 + i % 5);
	return NULL;
}

/* The child of a fork: its team is its own. */
static void region_in_a_child(void)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		/* ThreadSanitizer ends a child that starts threads. */
		if (CHILD_MAY_ALLOCATE)
			region(WITH_TSAN ? 1 : 3);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		_exit(4);
}

static void process(enum deed deed, unsigned seed)
{
	pthread_t threads[INITIAL_THREADS];

	alarm(PATIENCE_S * 5);
	region(5);
	region(1);
	region(2);
	for (int i = 0; i < INITIAL_THREADS; i++)
		if (pthread_create(&threads[i], NULL, leave_workers_idle, &deed))
			_exit(5);
	while (ready < INITIAL_THREADS)
		sleep_us(100);
	/* Idle for some milliseconds by now, and gone within some more. */
	sleep_us(KEPT_MS * 1000L - 5000 + (long)(seed * 7919u % SPREAD_US));
	for (int i = 0; deed == FORKS && i < 4; i++)
		region_in_a_child();
	if (deed == EXITS)
		exit(0);
	go_on = true;
	for (int i = 0; i < INITIAL_THREADS; i++)
		pthread_join(threads[i], NULL);
	region(6);
	exit(0);
}

static void at_that_time(enum deed deed)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		pid_t children[PROCESSES];

		for (unsigned i = 0; i < PROCESSES; i++) {
			char number[32], what[32];

			children[i] = fork();
			assert_true(children[i] >= 0);
			if (children[i])
				continue;
			snprintf(what, sizeof(what), "%d", (int)deed);
			snprintf(number, sizeof(number), "%u", round * PROCESSES + i);
			/* its runtime is new: not in the child of a fork */
			execl("/proc/self/exe", "test_openmp_retire", what, number, (char *)NULL);
			_exit(3);
		}
		for (unsigned i = 0; i < PROCESSES; i++) {
			int status = -1;

			assert_int_equal(waitpid(children[i], &status, 0), children[i]);
			if (status)
				fail_msg("process %u of round %u ended with status 0x%x", i, round, (unsigned)status);
		}
	}
}

static void the_process_forks(void **state)
{
	(void)state;
	at_that_time(FORKS);
}

static void the_process_exits(void **state)
{
	(void)state;
	at_that_time(EXITS);
}

static void their_initial_threads_end(void **state)
{
	(void)state;
	at_that_time(ENDS_THREADS);
}

static void regions_need_them(void **state)
{
	(void)state;
	at_that_time(NEEDS_THEM);
}

int main(int argc, char **argv)
{
	static const char *const variables[] = { "PRETENDED_PROCESSORS", "8", NULL };
	const struct CMUnitTest oversubscribed[] = {
		cmocka_unit_test(are_gone_without_another_region),
		cmocka_unit_test(are_gone_with_other_regions),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_ends_after_its_workers_were_told_to),
		cmocka_unit_test(runs_nothing_when_another_has_its_place),
		cmocka_unit_test(the_process_forks),
		cmocka_unit_test(the_process_exits),
		cmocka_unit_test(their_initial_threads_end),
		cmocka_unit_test(regions_need_them),
	};

	if (argc > 2)
		process((enum deed)atoi(argv[1]), (unsigned)atoi(argv[2]));
	if (argc == 1) {
		int failed = cmocka_run_group_tests(oversubscribed, NULL, NULL);

		return failed ? failed : again(argc, argv, variables);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
