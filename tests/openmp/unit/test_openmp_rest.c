/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/openmp/team/rest.c: where the workers of a team begin a region before which they slept, and what they may use
 * there.
 */
#include "openmp_tests.h"
#include "../../helpers/real_syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

enum { REGIONS = 40, REST_NS = 8 * 1000 * 1000, GIVEN_UP_S = 120 };

/*
 * The runtime's own calls arrive here. /proc does not say that neighbours run, whatever else does: beside neighbours
 * workers begin where the kernel puts them.
 */
static long stand_in(long number, const long words[SYSCALL_WORDS])
{
	if (number == SYS_openat && !strcmp((const char *)words[1], "/proc/loadavg")) {
		errno = ENOENT;
		return -1;
	}
	return real_syscall(number, words);
}

static cpu_set_t all;

static int set_up(void **state)
{
	(void)state;
	return sched_getaffinity(0, sizeof(all), &all);
}

static void rest(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = REST_NS }, NULL);
}

/* Each thread of a team of two binds itself. */
static void bind_both(const cpu_set_t *set)
{
#pragma omp parallel num_threads(2)
	if (sched_setaffinity(0, sizeof(*set), set))
		abort();
}

static cpu_set_t only(int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	return set;
}

/*
 * The processor on which the worker begins, after a rest; -1 if it may not use exactly `expected`. In *here the
 * processor of the primary, which wakes it.
 */
static int worker_begins_at(const cpu_set_t *expected, int *here)
{
	int at = -1;

	rest();
	*here = sched_getcpu();
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		cpu_set_t mask;

		at = sched_getcpu();
		if (sched_getaffinity(0, sizeof(mask), &mask) || !CPU_EQUAL(&mask, expected))
			at = -1;
	}
	return at;
}

/* The primary has seen its worker wake up on its own processor. It does not happen again. */
static void woken_workers_begin_on_another_processor(void **state)
{
	unsigned apart = 0;
	int here, there;

	(void)state;
	/* below a CPU quota of two processors the runtime looks for no other one */
	if (omp_get_num_procs() < 2)
		skip();
	alarm(GIVEN_UP_S);
	for (int k = 0; k < 3; k++) {
		cpu_set_t one = only(sched_getcpu());

		bind_both(&one);
		assert_int_not_equal(worker_begins_at(&one, &here), -1);
		bind_both(&all);
	}
	for (int k = 0; k < REGIONS; k++) {
		there = worker_begins_at(&all, &here);
		assert_int_not_equal(there, -1);
		apart += there != here;
	}
	alarm(0);
	/* the kernel may move a thread that has its mask back */
	assert_true(apart >= REGIONS * 3 / 4);
}

/* Also after that, and wherever the primary runs. */
static void a_worker_that_the_program_has_bound_stays_there(void **state)
{
	int here;

	(void)state;
	if (CPU_COUNT(&all) < 2)
		skip();
	alarm(GIVEN_UP_S);
	for (int k = 0; k < REGIONS; k++) {
		cpu_set_t one = only(sched_getcpu());

#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 1 && sched_setaffinity(0, sizeof(one), &one))
			abort();
		assert_true(CPU_ISSET(worker_begins_at(&one, &here), &one));
	}
	alarm(0);
	bind_both(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(woken_workers_begin_on_another_processor, set_up),
		cmocka_unit_test_setup(a_worker_that_the_program_has_bound_stays_there, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
