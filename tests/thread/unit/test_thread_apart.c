/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread/apart.c: the affinity mask of a thread that is woken apart, in each order in which waker and sleeper may act.
 * The masks are the test's own; apart.pml has all interleavings.
 */
#include "thread/apart.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SLEEPER = 4711, PROCESSORS = 4, HERE = 2 };

/* ---- the system's part ------------------------------------------------------------------------------------------- */

static unsigned mask; /* the sleeper's, a bit for each processor */
static bool refuses;

int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set)
{
	assert_true(thread == SLEEPER || thread == 0);
	memset(set, 0, bytes);
	for (size_t i = 0; i < PROCESSORS; i++)
		if (mask >> i & 1)
			CPU_SET_S(i, bytes, set);
	return 0;
}

int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set)
{
	assert_true(thread == SLEEPER || thread == 0);
	if (refuses) {
		errno = EPERM;
		return -1;
	}
	mask = 0;
	for (unsigned i = 0; i < PROCESSORS; i++)
		mask |= (unsigned)CPU_ISSET_S(i, bytes, set) << i;
	return 0;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

enum { ALL = 0xf };

static uint32_t waker_cpu;
static struct thread__runner sleeper, waker;

static int set_up(void **state)
{
	(void)state;
	mask = ALL;
	refuses = false;
	waker_cpu = HERE;
	sleeper = (struct thread__runner){ .tid = SLEEPER };
	waker = (struct thread__runner){ .cpu = &waker_cpu };
	errno = 0;
	return 0;
}

static void a_sleeper_begins_elsewhere_and_may_go_anywhere_afterwards(void **state)
{
	(void)state;
	thread__apart_begin(&sleeper);
	thread__apart_narrow(&sleeper, &waker);
	assert_int_equal(mask, ALL & ~(1 << HERE));
	thread__apart_return(&sleeper);
	assert_int_equal(mask, ALL);
	assert_int_equal(sleeper.apart, THREAD__APART_NO);
}

static void one_that_wakes_up_by_itself_gets_its_mask_back_from_the_waker(void **state)
{
	(void)state;
	thread__apart_begin(&sleeper);
	thread__apart_return(&sleeper);
	assert_int_equal(mask, ALL);
	thread__apart_narrow(&sleeper, &waker);
	assert_int_equal(mask, ALL);
	assert_int_equal(sleeper.apart, THREAD__APART_NO);
}

static void one_that_had_no_mark_any_more_is_left_alone(void **state)
{
	(void)state;
	thread__apart_begin(&sleeper);
	thread__apart_return(&sleeper);
	thread__apart_end(&sleeper);
	assert_int_equal(mask, ALL);
	assert_int_equal(sleeper.apart, THREAD__APART_NO);
}

static void it_stays_where_it_is_while_its_waker_may_change_its_mask(void **state)
{
	(void)state;
	sleeper.cpu = &waker_cpu;
	thread__apart_begin(&sleeper);
	thread__apart_return(&sleeper);
	mask = 1 << HERE | 1;
	thread__runner_move_away(&sleeper);
	thread__runner_follow(&sleeper, &waker);
	assert_int_equal(mask, 1 << HERE | 1);
}

static void a_mask_of_its_own_is_respected(void **state)
{
	static const unsigned masks[] = { 1 << HERE, 1, 3 };

	(void)state;
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		mask = masks[i];
		thread__apart_begin(&sleeper);
		thread__apart_narrow(&sleeper, &waker);
		assert_int_equal(mask, masks[i]);
		thread__apart_return(&sleeper);
		assert_int_equal(mask, masks[i]);
		assert_int_equal(sleeper.apart, THREAD__APART_NO);
	}
}

/* As a filter of system calls may. The program's errno stays. */
static void a_system_that_refuses_changes_nothing(void **state)
{
	(void)state;
	refuses = true;
	errno = ENOENT;
	thread__apart_begin(&sleeper);
	thread__apart_narrow(&sleeper, &waker);
	thread__apart_return(&sleeper);
	assert_int_equal(mask, ALL);
	assert_int_equal(sleeper.apart, THREAD__APART_NO);
	assert_int_equal(errno, ENOENT);
	sleeper.cpu = &waker_cpu;
	thread__runner_move_away(&sleeper);
	assert_int_equal(errno, ENOENT);
	thread__runner_follow(&sleeper, &waker);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(mask, ALL);
}

static void a_waker_that_does_not_know_where_it_is_narrows_nothing(void **state)
{
	(void)state;
	waker.cpu = NULL;
	thread__apart_begin(&sleeper);
	thread__apart_narrow(&sleeper, &waker);
	assert_int_equal(mask, ALL);
	assert_int_equal(sleeper.apart, THREAD__APART_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_sleeper_begins_elsewhere_and_may_go_anywhere_afterwards, set_up),
		cmocka_unit_test_setup(one_that_wakes_up_by_itself_gets_its_mask_back_from_the_waker, set_up),
		cmocka_unit_test_setup(one_that_had_no_mark_any_more_is_left_alone, set_up),
		cmocka_unit_test_setup(it_stays_where_it_is_while_its_waker_may_change_its_mask, set_up),
		cmocka_unit_test_setup(a_mask_of_its_own_is_respected, set_up),
		cmocka_unit_test_setup(a_system_that_refuses_changes_nothing, set_up),
		cmocka_unit_test_setup(a_waker_that_does_not_know_where_it_is_narrows_nothing, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
