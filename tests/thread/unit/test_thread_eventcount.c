/* SPDX-License-Identifier: BSD-3-Clause */
/* src/thread/eventcount.h: many sleep for one condition after another, and nobody is left behind. */
#include "thread/eventcount.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { WAITERS = 6, ROUNDS = 2000, ITEMS = 20000, GIVEN_UP_S = 120 };

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
				thread__eventcount_wait(&event, sleep, THREAD__NEVER);
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

/* What the servants below look for. */
static _Atomic long items, served;

static bool take_item(void)
{
	long there = atomic_load(&items);

	while (there > 0)
		if (atomic_compare_exchange_weak(&items, &there, there - 1))
			return true;
	return false;
}

static void *serve(void *unused)
{
	(void)unused;
	while (atomic_load(&served) < ITEMS) {
		struct thread__sleep sleep;
		bool took;

		if (take_item()) {
			if (atomic_fetch_add(&served, 1) + 1 == ITEMS)
				taken += thread__eventcount_wake_all(&event);
			continue;
		}
		sleep = thread__eventcount_prepare(&event);
		took = take_item();
		if (!took && atomic_load(&served) < ITEMS)
			thread__eventcount_wait(&event, sleep, THREAD__NEVER);
		left += thread__eventcount_leave(&event, sleep);
		announced++;
		if (took && atomic_fetch_add(&served, 1) + 1 == ITEMS)
			taken += thread__eventcount_wake_all(&event);
	}
	return NULL;
}

/* One waker, one item for each wake-up, and nothing else that wakes: an item left while all sleep is a hang. */
static void each_of_many_single_wakes_brings_a_thread(void **state)
{
	pthread_t threads[WAITERS];

	(void)state;
	announced = left = taken = 0;
	alarm(GIVEN_UP_S);
	for (int i = 0; i < WAITERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, serve, NULL), 0);
	for (int i = 0; i < ITEMS; i++) {
		atomic_fetch_add(&items, 1);
		/* a full barrier comes between: the addition */
		taken += thread__eventcount_wake_one(&event);
		if (i % 64 == 0)
			while (atomic_load(&items) > 0)
				sched_yield();
	}
	for (int i = 0; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	alarm(0);
	assert_int_equal((uint32_t)event.sleepers, 0);
	assert_int_equal(announced, left + taken);
}

/* A sleeper that has been granted a wake-up is not woken a second time: the count then says that nobody sleeps. */
static void one_sleeper_is_woken_once(void **state)
{
	struct thread__sleep one = thread__eventcount_prepare(&event), other;

	(void)state;
	assert_true(thread__eventcount_wake_one(&event));
	assert_false(thread__eventcount_wake_one(&event));
	/* one that was announced before the wake-up does not fall asleep */
	alarm(GIVEN_UP_S);
	thread__eventcount_wait(&event, one, THREAD__NEVER);
	alarm(0);
	other = thread__eventcount_prepare(&event);
	/* any waiter takes the grant, the other takes itself off */
	assert_false(thread__eventcount_leave(&event, other));
	assert_true(thread__eventcount_leave(&event, one));
	assert_int_equal((uint32_t)event.sleepers, 0);
}

/* It is still counted, so it may sleep again, and is woken then. */
static void who_slept_until_its_deadline_was_not_woken(void **state)
{
	struct thread__sleep sleep = thread__eventcount_prepare(&event);
	uint64_t deadline = thread__now_ns() + 1000000;

	(void)state;
	alarm(GIVEN_UP_S);
	assert_false(thread__eventcount_wait(&event, sleep, deadline));
	assert_true(thread__now_ns() >= deadline);
	assert_int_equal(thread__eventcount_wake_all(&event), 1);
	assert_true(thread__eventcount_wait(&event, sleep, THREAD__NEVER));
	alarm(0);
	assert_false(thread__eventcount_leave(&event, sleep));
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
		cmocka_unit_test(each_of_many_single_wakes_brings_a_thread),
		cmocka_unit_test(one_sleeper_is_woken_once),
		cmocka_unit_test(who_slept_until_its_deadline_was_not_woken),
		cmocka_unit_test(nobody_is_woken_where_nobody_sleeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
