/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a context whose two threads end with it, since enough others are idle: the next context in its entry of
 * the table has threads of its own, and must not meet the old ones there.
 */
#include "ingress_anywhere.h"

#include "ingress/limits.h"

enum { OTHERS = INGRESS__IDLE_MAX + 1 };

static const struct ingress_library library = ANYWHERE_LIBRARY;
static _Atomic uint32_t is_constructing, may_fail, is_told, may_return, has_returned;

static void fail_when_asked(void *unused)
{
	struct ingress_request *request = anywhere_request;

	(void)unused;
	atomic_store(&is_constructing, 1);
	while (!atomic_load(&may_fail))
		nap(MS_NS / 10);
	anywhere_request = NULL;
	ingress_answer_copy(request, INGRESS_FAILED, "as asked", 8);
}

/* The constructor's reply, by the thread that is about to end. */
static void take_failure(void *unused, const struct ingress_reply *reply)
{
	(void)unused;
	assert_int_equal(reply->status, INGRESS_FAILED);
	atomic_store(&is_told, 1);
	while (!atomic_load(&may_return))
		nap(MS_NS / 10);
	atomic_store(&has_returned, 1);
}

static void open_others(ingress_token *others)
{
	for (int i = 0; i < OTHERS; i++)
		assert_int_equal(open_of(&library, NULL, NULL, &others[i]), INGRESS_OK);
}

static void close_others(const ingress_token *others)
{
	for (int i = 0; i < OTHERS; i++)
		close_echo(others[i]);
}

/* A context whose constructor fails, after so many have become idle that its threads are not kept. */
static ingress_token fail_beside_idle_ones(void)
{
	const struct ingress_options options = { .stuck_ns = 20 * MS_NS };
	const struct anywhere_job job = { .function = fail_when_asked };
	const struct ingress_call constructor = { .method = ANYWHERE_OPEN,
						  .wire = INGRESS_WIRE_C,
						  .data = &job,
						  .bytes = sizeof(job),
						  .reply = take_failure };
	ingress_token others[OTHERS], failed;

	open_others(others);
	assert_int_equal(ingress_context_start(&library, &options, &constructor, &failed), INGRESS_OK);
	wait_for(&is_constructing, 1);
	close_others(others);
	atomic_store(&may_fail, 1);
	wait_for(&is_told, 1);
	return failed;
}

static void the_next_context_does_not_meet_the_threads_of_the_last(void **state)
{
	ingress_token failed = fail_beside_idle_ones(), others[OTHERS];

	(void)state;
	/* one of them has an entry without threads, if there is one */
	open_others(others);
	close_others(others);
	/* its host is still being told, so it has not ended */
	assert_int_equal(ingress_context_destroy(failed, MS_NS), INGRESS_EVENTS_STUCK);
	assert_int_equal(has_returned, 0);
	atomic_store(&may_return, 1);
	assert_int_equal(ingress_context_destroy(failed, LONG_NS), INGRESS_CLOSED);
	assert_int_equal(has_returned, 1);
	/* and the others still have */
	for (int i = 0; i < OTHERS; i++)
		assert_int_equal(ingress_context_destroy(others[i], SECOND_NS), INGRESS_CLOSED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_context_does_not_meet_the_threads_of_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
