/* SPDX-License-Identifier: BSD-3-Clause */
/* The work-stealing deque: its order, its bounds, and that each item leaves exactly once while thieves steal. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "openmp/state/deque.h"

enum { THIEVES = 3, ITEMS = 200000, FIRST = OMP__DEQUE_FIRST, MANY = 40 * OMP__DEQUE_FIRST };

static struct omp__deque deque;

static int start(void **state)
{
	(void)state;
	omp__deque_start(&deque);
	return 0;
}

static int end(void **state)
{
	(void)state;
	omp__deque_end(&deque);
	return 0;
}

/* Items are numbers from 1, as pointers: never looked through. */
static void *item(size_t number)
{
	return (char *)NULL + number;
}

static size_t number(void *got)
{
	return (size_t)((char *)got - (char *)NULL);
}

static void the_owner_takes_the_newest_and_a_thief_the_oldest(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 4; i++)
		assert_true(omp__deque_push(&deque, item(i)));
	assert_int_equal(omp__deque_filled(&deque), 4);
	assert_int_equal(number(omp__deque_steal(&deque)), 1);
	assert_int_equal(number(omp__deque_take(&deque, 0)), 4);
	assert_int_equal(number(omp__deque_take(&deque, 0)), 3);
	assert_int_equal(number(omp__deque_steal(&deque)), 2);
	assert_null(omp__deque_take(&deque, 0));
	assert_null(omp__deque_steal(&deque));
	assert_false(omp__deque_has(&deque));
}

static void takes_nothing_below_the_mark(void **state)
{
	int64_t mark;

	(void)state;
	omp__deque_push(&deque, item(1));
	mark = omp__deque_mark(&deque);
	assert_null(omp__deque_take(&deque, mark));
	omp__deque_push(&deque, item(2));
	assert_int_equal(number(omp__deque_take(&deque, mark)), 2);
	assert_null(omp__deque_take(&deque, mark));
	/* a thief leaves nothing above the mark, and then something below it */
	omp__deque_push(&deque, item(3));
	omp__deque_steal(&deque);
	omp__deque_steal(&deque);
	assert_null(omp__deque_take(&deque, mark));
	assert_int_equal(omp__deque_filled(&deque), 0);
}

static void a_full_deque_grows_and_keeps_the_order(void **state)
{
	(void)state;
	for (size_t round = 0; round < 3; round++) {
		for (size_t i = 1; i <= MANY; i++)
			assert_true(omp__deque_push(&deque, item(i)));
		assert_int_equal(omp__deque_filled(&deque), MANY);
		for (size_t i = 1; i <= MANY / 2; i++)
			assert_int_equal(number(omp__deque_steal(&deque)), i);
		for (size_t i = MANY; i > MANY / 2; i--)
			assert_int_equal(number(omp__deque_take(&deque, 0)), i);
		assert_false(omp__deque_has(&deque));
	}
}

static void a_deque_that_is_emptied_in_time_does_not_grow(void **state)
{
	(void)state;
	for (size_t i = 1; i <= MANY; i++) {
		assert_true(omp__deque_push(&deque, item(i)));
		if (i >= FIRST)
			assert_int_equal(number(omp__deque_steal(&deque)), i - FIRST + 1);
	}
	assert_ptr_equal(deque.ring, &deque.first);
}

struct storm {
	_Atomic unsigned char seen[ITEMS + 1];
	_Atomic size_t left;
	unsigned seed;
};

static struct storm storm;

/* A delay of some hundred instructions at most, so that the threads meet at ever new places. */
static void delay(unsigned *seed)
{
	for (volatile int i = rand_r(seed) & 0x3f; i > 0; i--)
		;
}

static void saw(void *got)
{
	if (!got)
		return;
	atomic_fetch_add(&storm.seen[number(got)], 1);
	atomic_fetch_sub(&storm.left, 1);
}

static void *thief(void *opaque)
{
	unsigned seed = (unsigned)(size_t)opaque;

	while (atomic_load(&storm.left) > 0) {
		saw(omp__deque_steal(&deque));
		delay(&seed);
	}
	return NULL;
}

/*
 * The owner pushes in bursts and takes in bursts: often one item is left, and often none, where the races are. Now and
 * then a burst is long, and the ring grows while thieves read it.
 */
static void owner(unsigned seed)
{
	size_t next = 1;

	while (next <= ITEMS) {
		int burst = next % (ITEMS / 8) == 0 ? (int)(next / (ITEMS / 8)) * MANY : rand_r(&seed) & 3;

		for (; burst >= 0 && next <= ITEMS; burst--) {
			if (omp__deque_push(&deque, item(next)))
				next++;
			if (seed & 0x100)
				delay(&seed);
		}
		for (burst = rand_r(&seed) & 3; burst >= 0; burst--)
			saw(omp__deque_take(&deque, 0));
	}
	while (atomic_load(&storm.left) > 0)
		saw(omp__deque_take(&deque, 0));
}

static void every_item_leaves_exactly_once(void **state)
{
	pthread_t threads[THIEVES];

	(void)state;
	atomic_store(&storm.left, ITEMS);
	for (size_t i = 0; i < THIEVES; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, thief, (void *)(i + 1)), 0);
	owner(THIEVES + 1);
	for (size_t i = 0; i < THIEVES; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 1; i <= ITEMS; i++)
		assert_int_equal(storm.seen[i], 1);
	assert_int_equal(storm.left, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_owner_takes_the_newest_and_a_thief_the_oldest, start, end),
		cmocka_unit_test_setup_teardown(takes_nothing_below_the_mark, start, end),
		cmocka_unit_test_setup_teardown(a_full_deque_grows_and_keeps_the_order, start, end),
		cmocka_unit_test_setup_teardown(a_deque_that_is_emptied_in_time_does_not_grow, start, end),
		cmocka_unit_test_setup_teardown(every_item_leaves_exactly_once, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
