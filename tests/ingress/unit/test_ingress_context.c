/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: constructors that fail, destructors that run, tokens that no longer stand for anything, the pool. */
#include "ingress_tests.h"

static void a_failed_constructor_leaks_no_place(void **state)
{
	uint64_t ended = atomic_load(&echo_ended), closed = atomic_load(&echo_closed);

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct ingress_answer answer;
		ingress_token context = 1;

		assert_int_equal(ingress_context_create(&echo_small_library, NULL, ECHO_OPEN, INGRESS_WIRE_CBOR, "bad",
							3, LONG_NS, &context, &answer),
				 INGRESS_BAD_PAYLOAD);
		assert_true(context == 0);
		assert_int_equal(answer.bytes, 13);
		assert_memory_equal(answer.data, "path: missing", 13);
		ingress_answer_release(&answer);
	}
	/* all three are there still */
	for (int i = 0; i < 3; i++)
		close_echo(open_echo(&echo_small_library, NULL));
	assert_int_equal(atomic_load(&echo_ended) - ended, 10003);
	assert_int_equal(atomic_load(&echo_closed) - closed, 3);
}

struct restarted {
	struct heard heard;
	ingress_token context;
	_Atomic uint32_t status, told;
};

static void start_another(void *user, const struct ingress_reply *reply)
{
	struct restarted *restarted = user;
	const struct ingress_call call = { .method = ECHO_OPEN, .reply = hear, .user = &restarted->heard };

	assert_int_equal(reply->status, INGRESS_BAD_PAYLOAD);
	atomic_store(&restarted->status, ingress_context_start(&echo_small_library, NULL, &call, &restarted->context));
	atomic_store(&restarted->told, 1);
}

static void who_hears_of_a_failure_can_start_another(void **state)
{
	struct restarted restarted = { .context = 0 };
	const struct ingress_call call = {
		.method = ECHO_OPEN, .data = "bad", .bytes = 3, .reply = start_another, .user = &restarted
	};
	ingress_token others[2] = { open_echo(&echo_small_library, NULL), open_echo(&echo_small_library, NULL) };
	ingress_token failed;

	(void)state;
	assert_int_equal(ingress_context_start(&echo_small_library, NULL, &call, &failed), INGRESS_OK);
	wait_for(&restarted.told, 1);
	assert_int_equal(restarted.status, INGRESS_OK);
	wait_for(&restarted.heard.terminal, 1);
	assert_int_equal(restarted.heard.status, INGRESS_OK);
	assert_int_equal(ask(failed, ECHO_SAME, NULL, 0), INGRESS_CLOSED);
	close_echo(restarted.context);
	close_echo(others[0]);
	close_echo(others[1]);
}

static void requests_wait_for_the_constructor(void **state)
{
	struct heard constructed = { 0 }, heard = { 0 };
	struct ingress_call call = {
		.method = ECHO_OPEN, .data = "later", .bytes = 5, .reply = hear, .user = &constructed
	};
	ingress_token context;

	(void)state;
	assert_int_equal(ingress_context_start(&echo_library, NULL, &call, &context), INGRESS_OK);
	assert_int_equal(submit(context, ECHO_COUNTER, NULL, 0, &heard), INGRESS_OK);
	wait_for(&heard.terminal, 1);
	assert_int_equal(constructed.terminal, 1);
	assert_int_equal(heard.status, INGRESS_OK);
	close_echo(context);

	/* nothing else happens when it has succeeded in turn(), and what waited for it goes on */
	atomic_store(&heard.terminal, 0);
	call.data = "after";
	assert_int_equal(ingress_context_start(&echo_library, NULL, &call, &context), INGRESS_OK);
	assert_int_equal(submit(context, ECHO_COUNTER, NULL, 0, &heard), INGRESS_OK);
	wait_for(&heard.terminal, 1);
	assert_int_equal(constructed.terminal, 2);
	close_echo(context);

	/* one that fails takes them with it */
	call.data = "bad";
	call.bytes = 3;
	for (int i = 0; i < 200; i++) {
		struct heard failed = { 0 }, taken = { 0 };
		enum ingress_status status;

		call.user = &failed;
		assert_int_equal(ingress_context_start(&echo_library, NULL, &call, &context), INGRESS_OK);
		status = submit(context, ECHO_COUNTER, NULL, 0, &taken);
		wait_for(&failed.terminal, 1);
		assert_int_equal(failed.status, INGRESS_BAD_PAYLOAD);
		assert_true(status == INGRESS_OK || status == INGRESS_CLOSED);
		if (status == INGRESS_OK)
			assert_int_equal(taken.status, INGRESS_CLOSED);
		assert_int_equal(taken.terminal, status == INGRESS_OK);
	}
}

static void a_token_of_the_past_is_closed_for_good(void **state)
{
	ingress_token past[50];

	(void)state;
	for (int i = 0; i < 50; i++) {
		past[i] = open_echo(&echo_library, NULL);
		close_echo(past[i]);
		for (int k = 0; k < i; k++)
			assert_true(past[k] != past[i]);
	}
	for (int i = 0; i < 50; i++) {
		struct heard heard = { 0 };
		uint64_t id;
		const struct ingress_listener listener = { .notify = (ingress_event_fn *)(void *)hear };

		assert_int_equal(submit(past[i], ECHO_SAME, NULL, 0, &heard), INGRESS_CLOSED);
		assert_int_equal(ask(past[i], ECHO_SAME, NULL, 0), INGRESS_CLOSED);
		assert_int_equal(ingress_listen(past[i], &listener, &id), INGRESS_CLOSED);
		assert_int_equal(ingress_context_destroy(past[i], LONG_NS), INGRESS_CLOSED);
		assert_int_equal(heard.terminal, 0);
	}
}

static void there_are_no_more_contexts_than_allowed(void **state)
{
	struct ingress_answer answer;
	ingress_token contexts[3], more;

	(void)state;
	for (int i = 0; i < 3; i++)
		contexts[i] = open_echo(&echo_small_library, NULL);
	assert_int_equal(ingress_context_create(&echo_small_library, NULL, ECHO_OPEN, 0, NULL, 0, LONG_NS, &more,
						&answer),
			 INGRESS_NO_CONTEXT);
	assert_true(more == 0);
	ingress_answer_release(&answer);
	/* its static context is beside them */
	assert_int_equal(ingress_static_context(&echo_small_library, &more), INGRESS_OK);
	close_echo(contexts[1]);
	contexts[1] = open_echo(&echo_small_library, NULL);
	for (int i = 0; i < 3; i++)
		close_echo(contexts[i]);
}

static void a_refused_start_leaves_nothing(void **state)
{
	const struct ingress_options deep = { .queue_depth = 1u << 20 }, odd = { .reserved = { 1 } },
				     tight = { .payload_bytes = 4 };
	struct ingress_answer answer;
	ingress_token context;

	(void)state;
	for (int i = 0; i < 10; i++) {
		assert_int_equal(ingress_context_create(&echo_small_library, NULL, ECHO_SAME, 0, NULL, 0, LONG_NS,
							&context, &answer),
				 INGRESS_BAD_METHOD);
		assert_int_equal(ingress_context_create(&echo_small_library, &deep, ECHO_OPEN, 0, NULL, 0, LONG_NS,
							&context, &answer),
				 INGRESS_BAD_ARGUMENT);
		assert_int_equal(ingress_context_create(&echo_small_library, &odd, ECHO_OPEN, 0, NULL, 0, LONG_NS,
							&context, &answer),
				 INGRESS_BAD_ARGUMENT);
		assert_int_equal(ingress_context_create(&echo_small_library, &tight, ECHO_OPEN, 0, "later", 5, LONG_NS,
							&context, &answer),
				 INGRESS_TOO_LARGE);
		assert_int_equal(ingress_context_create(NULL, NULL, ECHO_OPEN, 0, NULL, 0, LONG_NS, &context, &answer),
				 INGRESS_BAD_ARGUMENT);
	}
	close_echo(open_echo(&echo_small_library, NULL));
}

static void a_thread_that_cannot_begin_is_no_context(void **state)
{
	struct ingress_answer answer;
	ingress_token context;

	(void)state;
	atomic_store(&echo_refuses, 1);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(ingress_context_create(&echo_other_library, NULL, ECHO_OPEN, 0, NULL, 0, LONG_NS,
							&context, &answer),
				 INGRESS_NO_MEMORY);
		ingress_answer_release(&answer);
	}
	atomic_store(&echo_refuses, 0);
	close_echo(open_echo(&echo_other_library, NULL));
}

static void an_interface_is_checked_by_its_hash(void **state)
{
	struct ingress_library other = echo_library;

	(void)state;
	assert_int_equal(ingress_library_check(&echo_library, ECHO_HASH), INGRESS_OK);
	assert_int_equal(ingress_library_check(&echo_library, ECHO_HASH + 1), INGRESS_WRONG_INTERFACE);
	other.abi++;
	assert_int_equal(ingress_library_check(&other, ECHO_HASH), INGRESS_WRONG_INTERFACE);
	assert_int_equal(ingress_library_check(NULL, ECHO_HASH), INGRESS_BAD_ARGUMENT);
}

/* ---- destroying -------------------------------------------------------------------------------------------------- */

static void what_waits_is_closed_and_what_runs_is_waited_for(void **state)
{
	const uint64_t ns = 50 * MS_NS;
	struct heard running = { 0 }, waiting[20] = { 0 };
	uint64_t closed = atomic_load(&echo_closed);
	ingress_token context = open_echo(&echo_library, NULL);

	(void)state;
	assert_int_equal(submit(context, ECHO_SLEEP, &ns, sizeof(ns), &running), INGRESS_OK);
	nap(10 * MS_NS);
	for (int i = 0; i < 20; i++)
		assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &waiting[i]), INGRESS_OK);
	close_echo(context);
	assert_int_equal(running.terminal, 1);
	assert_int_equal(running.status, INGRESS_OK);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(waiting[i].terminal, 1);
		assert_int_equal(waiting[i].status, INGRESS_CLOSED);
	}
	assert_int_equal(atomic_load(&echo_closed) - closed, 1);
}

static void destroying_waits_no_longer_than_told(void **state)
{
	const uint64_t ns = 300 * MS_NS;
	struct heard running = { 0 }, waiting = { 0 };
	uint64_t ended = atomic_load(&echo_ended);
	ingress_token context = open_echo(&echo_small_library, NULL), more[3];
	struct ingress_answer answer;
	int64_t began;

	(void)state;
	assert_int_equal(submit(context, ECHO_SLEEP, &ns, sizeof(ns), &running), INGRESS_OK);
	nap(10 * MS_NS);
	assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &waiting), INGRESS_OK);
	began = now_ns();
	assert_int_equal(ingress_context_destroy(context, 10 * MS_NS), INGRESS_TIMEOUT);
	assert_true(now_ns() - began >= 10 * MS_NS);
	/* answered by now, though the handler runs on */
	assert_int_equal(running.terminal, 1);
	assert_int_equal(running.status, INGRESS_CLOSED);
	assert_int_equal(waiting.terminal, 1);
	assert_int_equal(waiting.status, INGRESS_CLOSED);
	if (now_ns() - began < 200 * MS_NS) {
		/* its place is taken until then */
		more[0] = open_echo(&echo_small_library, NULL);
		more[1] = open_echo(&echo_small_library, NULL);
		if (now_ns() - began < 200 * MS_NS)
			assert_int_equal(ingress_context_create(&echo_small_library, NULL, ECHO_OPEN, 0, NULL, 0,
								LONG_NS, &more[2], &answer),
					 INGRESS_NO_CONTEXT);
		close_echo(more[0]);
		close_echo(more[1]);
		ended += 2;
	}
	wait_for(&echo_ended, ended + 1);
	assert_int_equal(running.terminal, 1);
}

static void *ask_kept(void *context)
{
	return (void *)(uintptr_t)ask(*(ingress_token *)context, ECHO_KEEP, NULL, 0);
}

static void a_waiting_call_is_told_of_the_end(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		/* kept: only cutting answers it */
		ingress_token context = open_echo(&echo_library, NULL);
		pthread_t thread;
		void *status;

		assert_int_equal(pthread_create(&thread, NULL, ask_kept, &context), 0);
		nap(20 * MS_NS);
		cut_echo(context, i * 5 * MS_NS);
		pthread_join(thread, &status);
		assert_int_equal((uintptr_t)status, INGRESS_CLOSED);
	}
}

static void *destroy_too(void *token)
{
	enum ingress_status status = ingress_context_destroy(*(ingress_token *)token, LONG_NS);

	return (void *)(uintptr_t)status;
}

static void one_destroys_and_the_others_are_told(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		ingress_token context = open_echo(&echo_library, NULL);
		pthread_t threads[4];
		int ok = 0;

		for (int t = 0; t < 4; t++)
			pthread_create(&threads[t], NULL, destroy_too, &context);
		for (int t = 0; t < 4; t++) {
			void *status;

			pthread_join(threads[t], &status);
			ok += (uintptr_t)status == INGRESS_OK;
			assert_true((uintptr_t)status == INGRESS_OK || (uintptr_t)status == INGRESS_CLOSED);
		}
		assert_int_equal(ok, 1);
	}
}

static void idle_contexts_keep_few_threads(void **state)
{
	ingress_token contexts[40];
	uint64_t begun = atomic_load(&echo_threads), ended = atomic_load(&echo_threads_ended);

	(void)state;
	for (int i = 0; i < 40; i++)
		contexts[i] = open_echo(&echo_other_library, NULL);
	for (int i = 0; i < 40; i++)
		close_echo(contexts[i]);
	/* 16 stay */
	wait_for(&echo_threads_ended, ended + 40 - 16);
	assert_true(atomic_load(&echo_threads_ended) - ended <= 24);
	for (int i = 0; i < 16; i++)
		contexts[i] = open_echo(&echo_other_library, NULL);
	/* one thread was there before: the pool's */
	assert_true(atomic_load(&echo_threads) - begun <= 40);
	for (int i = 16; i < 20; i++)
		contexts[i] = open_echo(&echo_other_library, NULL);
	for (int i = 0; i < 20; i++)
		close_echo(contexts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_constructor_leaks_no_place),
		cmocka_unit_test(who_hears_of_a_failure_can_start_another),
		cmocka_unit_test(requests_wait_for_the_constructor),
		cmocka_unit_test(a_token_of_the_past_is_closed_for_good),
		cmocka_unit_test(there_are_no_more_contexts_than_allowed),
		cmocka_unit_test(a_refused_start_leaves_nothing),
		cmocka_unit_test(a_thread_that_cannot_begin_is_no_context),
		cmocka_unit_test(an_interface_is_checked_by_its_hash),
		cmocka_unit_test(what_waits_is_closed_and_what_runs_is_waited_for),
		cmocka_unit_test(destroying_waits_no_longer_than_told),
		cmocka_unit_test(a_waiting_call_is_told_of_the_end),
		cmocka_unit_test(one_destroys_and_the_others_are_told),
		cmocka_unit_test(idle_contexts_keep_few_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
