/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads on lanes of their own: the bound they share, the order each keeps, and that each wakes the library. */
#include "ingress_tests.h"

#include "ingress/limits.h"

#include <sched.h>

/* So that some share a lane. */
enum { THREADS = INGRESS__LANES + 8 };

static ingress_token context;

static void together(void *(*run)(void *), void *argument)
{
	pthread_t threads[THREADS];

	for (int t = 0; t < THREADS; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, run, argument), 0);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

enum { DEPTH = 4096 };

static struct heard kept[DEPTH + THREADS + 1];
static _Atomic uint32_t accepted;

/* One request of each thread; its lane may be given room for more. */
static void *keep_one(void *unused)
{
	pthread_barrier_t *all = unused;

	if (submit(context, ECHO_KEEP, NULL, 0, &kept[atomic_fetch_add(&accepted, 1)]) != INGRESS_OK)
		atomic_fetch_add(&accepted, DEPTH);
	/* no thread has the lane of one that has gone */
	pthread_barrier_wait(all);
	return NULL;
}

/* Room that other threads' lanes have left is room for this one: to the last request, whatever came before. */
static void one_thread_fills_what_others_leave(void **state)
{
	const struct ingress_options options = { .queue_depth = DEPTH };
	pthread_barrier_t all;

	(void)state;
	pthread_barrier_init(&all, NULL, THREADS);
	context = open_echo(&echo_library, &options);
	together(keep_one, &all);
	assert_int_equal(accepted, THREADS);
	while (submit(context, ECHO_KEEP, NULL, 0, &kept[accepted]) == INGRESS_OK)
		atomic_fetch_add(&accepted, 1);
	assert_int_equal(accepted, DEPTH);
	cut_echo(context, 0);
	for (uint32_t i = 0; i < DEPTH; i++)
		assert_int_equal(kept[i].terminal, 1);
	pthread_barrier_destroy(&all);
}

static _Atomic uint32_t unanswered;

static void hear_one(void *user, const struct ingress_reply *reply)
{
	(void)user;
	(void)reply;
	atomic_fetch_sub(&unanswered, 1);
}

static void *submit_many(void *unused)
{
	const struct ingress_call call = { .method = ECHO_SAME, .reply = hear_one };

	(void)unused;
	for (int i = 0; i < 3000; i++) {
		atomic_fetch_add(&unanswered, 1);
		if (ingress_submit(context, &call) == INGRESS_OK)
			continue;
		atomic_fetch_sub(&unanswered, 1);
		sched_yield();
	}
	return NULL;
}

/* Until it is full; each time somebody may have more room than anybody finds. */
static void *keep_some(void *unused)
{
	(void)unused;
	for (uint32_t at; (at = atomic_fetch_add(&accepted, 1)) < DEPTH;)
		if (submit(context, ECHO_KEEP, NULL, 0, &kept[at]) != INGRESS_OK)
			break;
	return NULL;
}

/* Threads move room to and fro in a queue that is too small for them; then it has all of its room, and no more. */
static void no_room_is_lost_or_made(void **state)
{
	const struct ingress_options options = { .queue_depth = 64 };
	uint32_t held = 0, terminal = 0;

	(void)state;
	context = open_echo(&echo_library, &options);
	together(submit_many, NULL);
	while (atomic_load(&unanswered))
		sched_yield();
	memset(kept, 0, sizeof(kept));
	atomic_store(&accepted, 0);
	together(keep_some, NULL);
	for (uint32_t at = atomic_load(&accepted); submit(context, ECHO_KEEP, NULL, 0, &kept[at]) == INGRESS_OK; at++)
		held++;
	cut_echo(context, 0);
	for (uint32_t at = 0; at < DEPTH; at++)
		terminal += kept[at].terminal;
	assert_int_equal(terminal, 64);
	assert_true(held < 64);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

struct ordered {
	_Atomic uint64_t heard;
	_Atomic uint32_t wrong;
};

static void hear_in_order(void *user, const struct ingress_reply *reply)
{
	struct ordered *ordered = user;
	uint64_t number;

	memcpy(&number, reply->data, sizeof(number));
	if (reply->status != INGRESS_OK || number != atomic_load(&ordered->heard))
		atomic_fetch_add(&ordered->wrong, 1);
	atomic_fetch_add(&ordered->heard, 1);
}

static void *submit_in_order(void *unused)
{
	struct ordered ordered = { 0 };

	(void)unused;
	for (uint64_t i = 0; i < 2000; i++) {
		const struct ingress_call call = { .method = ECHO_SAME,
						   .wire = INGRESS_WIRE_C,
						   .data = &i,
						   .bytes = sizeof(i),
						   .reply = hear_in_order,
						   .user = &ordered };

		while (ingress_submit(context, &call) == INGRESS_QUEUE_FULL)
			sched_yield();
	}
	wait_for(&ordered.heard, 2000);
	assert_int_equal(ordered.wrong, 0);
	return NULL;
}

static void each_thread_keeps_its_order(void **state)
{
	(void)state;
	context = open_echo(&echo_library, NULL);
	together(submit_in_order, NULL);
	close_echo(context);
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */

static void *ask_and_pause(void *unused)
{
	uint32_t draw = (uint32_t)(uintptr_t)&unused >> 4;

	for (int i = 0; i < 100; i++) {
		assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
		draw = draw * 1664525u + 1013904223u;
		if (draw >> 30 == 0)
			nap(draw >> 12 & 0xffff);
	}
	return NULL;
}

/* A library thread that never spins sleeps between any two of them; a wake-up that is lost would last for ever. */
static void whoever_submits_wakes_the_library(void **state)
{
	const struct ingress_options options = { .spin_ns = -1 };

	(void)state;
	context = open_echo(&echo_library, &options);
	together(ask_and_pause, NULL);
	close_echo(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_fills_what_others_leave),
		cmocka_unit_test(no_room_is_lost_or_made),
		cmocka_unit_test(each_thread_keeps_its_order),
		cmocka_unit_test(whoever_submits_wakes_the_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
