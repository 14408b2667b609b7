/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signal handlers run on the members of a team while these wait, as a profiler's do: each member has a timer of its
 * own. A handler may run between any two instructions of a wait, and it interrupts each sleep in the kernel. The waits
 * end when they should and not before, and handlers see no difference between a member that works and one that waits.
 */
#include "openmp_tests.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

/* musl has this name of the member, older glibcs have only the member. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { MEMBERS = 8, PERIOD_NS = 500000, HANDLER_US = 50, ROUNDS = SLOW ? 10 : 30, PATIENCE_S = 120 };

static _Atomic unsigned handled[MEMBERS];
static timer_t timers[MEMBERS];

static void work_us(long us)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
}

/* A handler that unwinds the stack takes so long that waits end while it runs. It leaves errno as it was. */
static void handle(int number, siginfo_t *about, void *context)
{
	(void)number;
	(void)context;
	atomic_fetch_add(&handled[about->si_value.sival_int], 1);
	work_us(HANDLER_US);
}

/* Signal the calling thread once in a period. */
static void start_timer(int num)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2 };
	struct itimerspec often = { .it_interval.tv_nsec = PERIOD_NS, .it_value.tv_nsec = PERIOD_NS };

	event.sigev_value.sival_int = num;
	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timers[num]) || timer_settime(timers[num], 0, &often, NULL))
		abort();
}

static void short_sleep(void)
{
	struct timespec left = { .tv_nsec = 100000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* Signal each member of a team. */
static void start_timers(int members, int flags)
{
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | flags };

	alarm(PATIENCE_S);
	assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
#pragma omp parallel num_threads(members)
	start_timer(omp_get_thread_num());
}

static void stop_timers(int members)
{
	for (int num = 0; num < members; num++) {
		timer_delete(timers[num]);
		assert_true(atomic_exchange(&handled[num], 0) > 0);
	}
	alarm(0);
}

/* A round in which each member waits for others in each way, some of them for so long that the member sleeps. */
static void wait_in_each_way(int members, omp_lock_t *lock)
{
	int ordered = 0, inside = 0, locked = 0, tasks = 0, told[MEMBERS] = { 0 };

#pragma omp parallel num_threads(members) reduction(+ : tasks)
	{
		int value = 0, num = omp_get_thread_num();

		if (num == 0)
			short_sleep();
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 2 * MEMBERS; i++) {
#pragma omp ordered
			{
				if (i % MEMBERS == 0)
					short_sleep();
				if (ordered++ != i)
					abort();
			}
		}
#pragma omp critical
		{
			short_sleep();
			inside++;
		}
		omp_set_lock(lock);
		short_sleep();
		locked++;
		omp_unset_lock(lock);
#pragma omp single copyprivate(value)
		{
			short_sleep();
			value = 7;
		}
		told[num] = value;
#pragma omp task shared(tasks)
		{
			short_sleep();
			tasks++;
		}
#pragma omp taskwait
	}
	assert_int_equal(ordered, 2 * MEMBERS);
	assert_int_equal(inside, members);
	assert_int_equal(locked, members);
	assert_int_equal(tasks, members);
	for (int i = 0; i < members; i++)
		assert_int_equal(told[i], 7);
}

static void waits_end_as_they_should_while_handlers_run(void **state)
{
	const int sizes[] = { 2, MEMBERS }, flags[] = { 0, SA_RESTART };
	omp_lock_t lock;

	(void)state;
	omp_init_lock(&lock);
	for (int i = 0; i < 4; i++) {
		start_timers(sizes[i / 2], flags[i % 2]);
		for (int round = 0; round < ROUNDS; round++)
			wait_in_each_way(sizes[i / 2], &lock);
		stop_timers(sizes[i / 2]);
	}
	omp_destroy_lock(&lock);
}

/* A handler makes the runtime's own system calls fail with EINTR; errno is the program's all the same. */
static void constructs_leave_errno_alone_while_handlers_run(void **state)
{
	int wrong = 0;

	(void)state;
	start_timers(MEMBERS, 0);
#pragma omp parallel num_threads(MEMBERS) reduction(+ : wrong)
	for (int round = 0; round < ROUNDS; round++) {
		if (omp_get_thread_num() == round % MEMBERS)
			short_sleep();
		errno = ERANGE;
#pragma omp barrier
		wrong += errno != ERANGE;
	}
	stop_timers(MEMBERS);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_end_as_they_should_while_handlers_run),
		cmocka_unit_test(constructs_leave_errno_alone_while_handlers_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
