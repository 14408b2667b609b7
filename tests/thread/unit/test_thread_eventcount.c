/* SPDX-License-Identifier: BSD-3-Clause */
/* src/thread/eventcount.h: many sleep for one condition after another, and nobody is left behind. */
#include "thread/eventcount.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { WAITERS = 6, ROUNDS = 2000, GIVEN_UP_S = 120 };

static struct thread__eventcount event;
static _Atomic uint32_t round_now, waiting;
/* Sleeps that were announced; those that ended by themselves, and those whose waker took them off the count. */
static _Atomic uint32_t announced, left, taken;

static void *wait_for_each_round(void *unused)
{
	(void)unused;
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		atomic_fetch_add(&waiting, 1);
		while (atomic_load(&round_now) < round) {
			struct thread__sleep sleep = thread__eventcount_prepare(&event);

			if (atomic_load(&round_now) < round)
				thread__eventcount_wait(&event, sleep);
			left += thread__eventcount_leave(&event, sleep);
			announced++;
		}
	}
	return NULL;
}

static void everybody_is_woken_each_time(void **state)
{
	pthread_t threads[WAITERS];

	(void)state;
	alarm(GIVEN_UP_S);
	for (int i = 0; i < WAITERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, wait_for_each_round, NULL), 0);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		/* some sleep by then, some are about to, some look */
		while (atomic_load(&waiting) < round * WAITERS)
			sched_yield();
		atomic_store(&round_now, round);
		taken += thread__eventcount_wake_all(&event);
	}
	for (int i = 0; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	alarm(0);
	assert_int_equal((uint32_t)event.sleepers, 0);
	assert_int_equal(announced, left + taken);
}

static void nobody_is_woken_where_nobody_sleeps(void **state)
{
	uint32_t before = event.count;

	(void)state;
	assert_false(thread__eventcount_wake_one(&event));
	assert_int_equal(thread__eventcount_wake_all(&event), 0);
	assert_int_equal(event.count, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_is_woken_each_time),
		cmocka_unit_test(nobody_is_woken_where_nobody_sleeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
