/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: their answers by callback and by waiting, whose memory is whose, their order, and what each refusal says.
 */
#include "ingress_tests.h"

#include <sched.h>
#include <sys/resource.h>

static ingress_token context;

static int open_one(void **state)
{
	const struct ingress_options options = { .queue_depth = 64, .payload_bytes = 1 << 20 };

	(void)state;
	context = open_echo(&echo_library, &options);
	return 0;
}

static int close_one(void **state)
{
	(void)state;
	close_echo(context);
	return 0;
}

static void a_waiting_call_gets_its_answer(void **state)
{
	struct ingress_answer answer;

	(void)state;
	assert_int_equal(ingress_ask(context, ECHO_SAME, INGRESS_WIRE_CBOR, "hello", 5, INGRESS_FOREVER, &answer),
			 INGRESS_OK);
	assert_int_equal(answer.bytes, 5);
	assert_int_equal(answer.wire, INGRESS_WIRE_CBOR);
	assert_memory_equal(answer.data, "hello", 5);
	ingress_answer_release(&answer);
	ingress_answer_release(&answer);
}

static void payloads_of_every_size_come_back(void **state)
{
	static const size_t sizes[] = { 0, 1, 7, 127, 128, 129, 511, 512, 513, 65536, 1 << 20 };
	unsigned char *data = malloc(1 << 20);

	(void)state;
	for (size_t i = 0; i < 1 << 20; i++)
		data[i] = (unsigned char)(i * 31 >> 3);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		static const uint32_t methods[] = { ECHO_SAME, ECHO_LATER, ECHO_LENT };

		for (size_t m = 0; m < 3; m++) {
			struct ingress_answer answer;

			assert_int_equal(ingress_ask(context, methods[m], INGRESS_WIRE_C, data, sizes[s], LONG_NS,
						     &answer),
					 INGRESS_OK);
			assert_int_equal(answer.bytes, sizes[s]);
			assert_non_null(answer.data);
			assert_int_equal((uintptr_t)answer.data % 8, 0);
			assert_memory_equal(answer.data, data, sizes[s]);
			ingress_answer_release(&answer);
		}
	}
	free(data);
}

static void a_callback_hears_once(void **state)
{
	struct heard heard = { 0 };
	const uint64_t word = 77;

	(void)state;
	assert_int_equal(submit(context, ECHO_SAME, &word, sizeof(word), &heard), INGRESS_OK);
	wait_for(&heard.terminal, 1);
	assert_int_equal(heard.status, INGRESS_OK);
	assert_int_equal(heard.word, 77);
	assert_int_equal(submit(context, ECHO_LATER, &word, sizeof(word), &heard), INGRESS_OK);
	wait_for(&heard.terminal, 2);
	assert_int_equal(submit(context, ECHO_LENT, &word, sizeof(word), &heard), INGRESS_OK);
	wait_for(&heard.terminal, 3);
	nap(2 * MS_NS);
	assert_int_equal(heard.terminal, 3);
}

static void a_failure_has_its_message(void **state)
{
	struct ingress_answer answer;

	(void)state;
	assert_int_equal(ingress_ask(context, ECHO_FAIL, INGRESS_WIRE_C, "no such note", 12, LONG_NS, &answer),
			 INGRESS_FAILED);
	assert_int_equal(answer.bytes, 12);
	assert_memory_equal(answer.data, "no such note", 12);
	ingress_answer_release(&answer);
}

/* ---- loans ------------------------------------------------------------------------------------------------------- */

static _Atomic uint32_t loans_ended;

static void end_loan(void *owner, const void *data, size_t bytes)
{
	assert_ptr_equal(owner, &loans_ended);
	assert_int_equal(bytes, 3);
	assert_memory_equal(data, "abc", 3);
	atomic_fetch_add(&loans_ended, 1);
}

static struct ingress_call lent(uint32_t method, struct heard *heard)
{
	return (struct ingress_call){ .method = method,
				      .wire = INGRESS_WIRE_C,
				      .data = "abc",
				      .bytes = 3,
				      .release = end_loan,
				      .owner = &loans_ended,
				      .reply = heard ? hear : NULL,
				      .user = heard };
}

static void a_loan_ends_once_whatever_happens(void **state)
{
	struct heard heard = { 0 };
	struct ingress_call call = lent(ECHO_LATER, &heard);
	struct ingress_answer answer;

	(void)state;
	atomic_store(&loans_ended, 0);
	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	wait_for(&loans_ended, 1);
	wait_for(&heard.terminal, 1);
	call = lent(ECHO_METHODS, &heard);
	assert_int_equal(ingress_submit(context, &call), INGRESS_BAD_METHOD);
	assert_int_equal(loans_ended, 2);
	assert_int_equal(ingress_submit(0, &call), INGRESS_BAD_TOKEN);
	assert_int_equal(loans_ended, 3);
	call = lent(ECHO_SAME, NULL);
	assert_int_equal(ingress_ask_call(context, &call, LONG_NS, &answer), INGRESS_OK);
	assert_int_equal(answer.bytes, 3);
	ingress_answer_release(&answer);
	assert_int_equal(loans_ended, 4);
	assert_int_equal(heard.terminal, 1);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

enum { ORDERED = 20000, ORDERED_THREADS = 4 };

struct ordered {
	uint64_t number; /* of this thread's request */
	_Atomic uint64_t *next;
	_Atomic uint32_t *wrong;
};

static void hear_in_order(void *user, const struct ingress_reply *reply)
{
	struct ordered *ordered = user;

	if (reply->status != INGRESS_OK || atomic_fetch_add(ordered->next, 1) != ordered->number)
		atomic_fetch_add(ordered->wrong, 1);
}

static void *submit_in_order(void *wrong)
{
	struct ordered *requests = calloc(ORDERED, sizeof(*requests));
	_Atomic uint64_t next = 0;

	for (uint64_t i = 0; i < ORDERED; i++) {
		struct ingress_call call = { .method = ECHO_SAME, .reply = hear_in_order, .user = &requests[i] };

		requests[i] = (struct ordered){ i, &next, wrong };
		while (ingress_submit(context, &call) == INGRESS_QUEUE_FULL)
			sched_yield();
	}
	wait_for(&next, ORDERED);
	free(requests);
	return NULL;
}

static void each_thread_keeps_its_order(void **state)
{
	pthread_t threads[ORDERED_THREADS];
	_Atomic uint32_t wrong = 0;

	(void)state;
	for (int t = 0; t < ORDERED_THREADS; t++)
		pthread_create(&threads[t], NULL, submit_in_order, &wrong);
	for (int t = 0; t < ORDERED_THREADS; t++)
		pthread_join(threads[t], NULL);
	assert_int_equal(wrong, 0);
}

/* ---- many at once ------------------------------------------------------------------------------------------------ */

static void many_are_submitted_in_order_up_to_the_first_that_is_refused(void **state)
{
	struct heard heard[100] = { 0 };
	struct ingress_call calls[100];
	enum ingress_status status;

	(void)state;
	atomic_store(&loans_ended, 0);
	for (uint64_t i = 0; i < 100; i++)
		calls[i] = (struct ingress_call){ .method = ECHO_COUNTER, .reply = hear, .user = &heard[i] };
	calls[60] = lent(ECHO_METHODS, &heard[60]);
	calls[61] = lent(ECHO_SAME, &heard[61]);
	assert_int_equal(ingress_submit_many(context, calls, 100, &status), 60);
	assert_int_equal(status, INGRESS_BAD_METHOD);
	assert_int_equal(loans_ended, 1);
	wait_for(&heard[59].terminal, 1);
	for (int i = 1; i < 60; i++)
		assert_int_equal(heard[i].word, heard[0].word + (uint64_t)i);
	assert_int_equal(heard[60].terminal + heard[61].terminal, 0);
	assert_int_equal(ingress_submit_many(context, calls, 0, &status), 0);
	assert_int_equal(status, INGRESS_OK);
}

static void many_stop_where_the_queue_is_full(void **state)
{
	struct heard heard[100] = { 0 };
	struct ingress_call calls[100];
	enum ingress_status status;

	(void)state;
	atomic_store(&loans_ended, 0);
	for (uint64_t i = 0; i < 100; i++)
		calls[i] = lent(ECHO_KEEP, &heard[i]);
	assert_int_equal(ingress_submit_many(context, calls, 100, &status), 64);
	assert_int_equal(status, INGRESS_QUEUE_FULL);
	assert_int_equal(loans_ended, 1);
	/* Nothing but an end answers what is kept. */
	cut_echo(context, 0);
	for (int i = 0; i < 64; i++) {
		assert_int_equal(heard[i].terminal, 1);
		assert_int_equal(heard[i].status, INGRESS_CLOSED);
	}
	for (int i = 64; i < 100; i++)
		assert_int_equal(heard[i].terminal, 0);
	open_one(NULL);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void the_queue_is_full_at_its_depth_and_not_before(void **state)
{
	const struct ingress_options options = { .queue_depth = 5 }; /* stands for 8 */
	ingress_token small = open_echo(&echo_library, &options);
	struct heard heard[9] = { 0 };

	(void)state;
	for (int i = 0; i < 8; i++)
		assert_int_equal(submit(small, i < 7 ? ECHO_KEEP : ECHO_LATER, NULL, 0, &heard[i]), INGRESS_OK);
	/* the one that is answered makes room for one */
	wait_for(&heard[7].terminal, 1);
	assert_int_equal(submit(small, ECHO_KEEP, NULL, 0, &heard[8]), INGRESS_OK);
	assert_int_equal(submit(small, ECHO_LET, NULL, 0, &heard[7]), INGRESS_QUEUE_FULL);
	assert_int_equal(ask(small, ECHO_LET, NULL, 0), INGRESS_QUEUE_FULL);
	cut_echo(small, 0);
	assert_int_equal(heard[8].status, INGRESS_CLOSED);
	assert_int_equal(heard[7].terminal, 1);
}

static void what_is_wrong_is_named(void **state)
{
	struct heard heard = { 0 };
	struct ingress_call call = { .method = ECHO_SAME, .reply = hear, .user = &heard };
	struct ingress_answer answer;
	void *data = calloc(1, (1 << 20) + 1);

	(void)state;
	assert_int_equal(ingress_submit(context, NULL), INGRESS_BAD_ARGUMENT);
	call.wire = 2;
	assert_int_equal(ingress_submit(context, &call), INGRESS_BAD_ARGUMENT);
	call = (struct ingress_call){ .method = ECHO_SAME };
	assert_int_equal(ingress_submit(context, &call), INGRESS_BAD_ARGUMENT);
	call = (struct ingress_call){ .method = ECHO_SAME, .bytes = 1, .reply = hear };
	assert_int_equal(ingress_submit(context, &call), INGRESS_BAD_ARGUMENT);
	assert_int_equal(submit(context, ECHO_METHODS, NULL, 0, &heard), INGRESS_BAD_METHOD);
	assert_int_equal(submit(context, ECHO_OPEN, NULL, 0, &heard), INGRESS_BAD_METHOD);
	assert_int_equal(submit(context, ECHO_CLOSE, NULL, 0, &heard), INGRESS_BAD_METHOD);
	assert_int_equal(submit(context, ECHO_SAME, data, 1 << 20, &heard), INGRESS_OK);
	assert_int_equal(submit(context, ECHO_SAME, data, (1 << 20) + 1, &heard), INGRESS_TOO_LARGE);
	assert_int_equal(submit(context ^ 1ull << 60, ECHO_SAME, NULL, 0, &heard), INGRESS_BAD_TOKEN);
	assert_int_equal(submit(context + (1 << 16), ECHO_SAME, NULL, 0, &heard), INGRESS_BAD_TOKEN);
	assert_int_equal(submit(UINT64_MAX, ECHO_SAME, NULL, 0, &heard), INGRESS_BAD_TOKEN);
	assert_int_equal(ingress_ask(0, ECHO_SAME, 0, NULL, 0, LONG_NS, &answer), INGRESS_BAD_TOKEN);
	assert_int_equal(answer.status, INGRESS_BAD_TOKEN);
	assert_string_equal(answer.data, ingress_status_text(INGRESS_BAD_TOKEN));
	ingress_answer_release(&answer);
	wait_for(&heard.terminal, 1);
	nap(MS_NS);
	assert_int_equal(heard.terminal, 1);
	free(data);
}

static void every_status_has_a_sentence(void **state)
{
	(void)state;
	for (int status = 0; status <= INGRESS_STATUS_COUNT; status++)
		assert_true(strlen(ingress_status_text((enum ingress_status)status)) > 5);
}

static void a_deadline_passes_and_the_late_reply_is_dropped(void **state)
{
	const uint64_t ns = 60 * MS_NS, slept = atomic_load(&echo_sleeps);
	struct ingress_answer answer;
	int64_t began;

	(void)state;
	/* on a slow machine the deadline may pass before the handler begins, which then never does: asked again */
	do {
		began = now_ns();
		assert_int_equal(ingress_ask(context, ECHO_SLEEP, INGRESS_WIRE_C, &ns, sizeof(ns), 5 * MS_NS, &answer),
				 INGRESS_TIMEOUT);
		assert_true(now_ns() - began >= 5 * MS_NS);
		ingress_answer_release(&answer);
		/* the handler ran to its end, and the context goes on */
		assert_int_equal(ask(context, ECHO_SAME, "x", 1), INGRESS_OK);
	} while (atomic_load(&echo_sleeps) == slept);
	assert_true(now_ns() - began >= 60 * MS_NS);
}

static void a_handler_does_not_begin_after_its_deadline(void **state)
{
	const uint64_t ns = 200 * MS_NS;
	const struct ingress_call call = { .method = ECHO_COUNTER, .reply = hear, .user = NULL };
	struct heard slow = { 0 }, late = { 0 }, early = { 0 };
	struct ingress_call to_late = call, to_early = call;
	struct ingress_answer answer;
	uint64_t before = ask_words(context, ECHO_COUNTER, 0, 0, 0), slept = atomic_load(&echo_sleeps);

	(void)state;
	to_late.user = &late;
	to_early.user = &early;
	assert_int_equal(submit(context, ECHO_SLEEP, &ns, sizeof(ns), &slow), INGRESS_OK);
	/* what the library thread takes together with the slow request would run */
	while (atomic_load(&echo_sleeps) == slept)
		sched_yield();
	assert_int_equal(ingress_submit_until(context, &to_late, 5 * MS_NS), INGRESS_OK);
	assert_int_equal(ingress_submit_until(context, &to_early, LONG_NS), INGRESS_OK);
	assert_int_equal(ingress_ask(context, ECHO_COUNTER, 0, NULL, 0, 5 * MS_NS, &answer), INGRESS_TIMEOUT);
	ingress_answer_release(&answer);
	wait_for(&early.terminal, 1);
	assert_int_equal(late.terminal, 1);
	assert_int_equal(late.status, INGRESS_TIMEOUT);
	assert_int_equal(early.status, INGRESS_OK);
	/* only the one that was in time, and this question, were counted */
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), before + 2);
}

static void a_handler_may_not_call_into_its_own_context(void **state)
{
	ingress_token other = open_echo(&echo_library, NULL);

	(void)state;
	assert_int_equal(ask_words(context, ECHO_CALL, context, 0, 0), INGRESS_REENTRANT);
	assert_int_equal(ask_words(context, ECHO_CALL, context, 1, 0), INGRESS_REENTRANT);
	assert_int_equal(ask_words(context, ECHO_CALL, other, 0, 0), INGRESS_OK);
	assert_int_equal(ask_words(context, ECHO_CALL, other, 1, 0), INGRESS_OK);
	close_echo(other);
}

struct inside {
	struct heard heard;
	_Atomic uint32_t waited, submitted, destroyed, done;
};

static void call_inside(void *user, const struct ingress_reply *reply)
{
	struct inside *inside = user;
	struct ingress_answer answer;

	(void)reply;
	atomic_store(&inside->waited, ingress_ask(context, ECHO_SAME, 0, NULL, 0, LONG_NS, &answer));
	ingress_answer_release(&answer);
	atomic_store(&inside->destroyed, ingress_context_destroy(context, LONG_NS));
	atomic_store(&inside->submitted, submit(context, ECHO_SAME, NULL, 0, &inside->heard));
	atomic_store(&inside->done, 1);
}

static void a_callback_may_submit_and_not_wait(void **state)
{
	struct inside inside = { 0 };
	const struct ingress_call call = { .method = ECHO_SAME, .reply = call_inside, .user = &inside };

	(void)state;
	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	wait_for(&inside.done, 1);
	assert_int_equal(inside.waited, INGRESS_REENTRANT);
	assert_int_equal(inside.destroyed, INGRESS_REENTRANT);
	assert_int_equal(inside.submitted, INGRESS_OK);
	wait_for(&inside.heard.terminal, 1);
}

/* ---- static methods, timers, descriptors ------------------------------------------------------------------------- */

static void static_methods_need_no_constructor(void **state)
{
	ingress_token once, twice;
	struct ingress_answer answer;

	(void)state;
	assert_int_equal(ingress_static_context(&echo_library, &once), INGRESS_OK);
	assert_int_equal(ingress_static_context(&echo_library, &twice), INGRESS_OK);
	assert_true(once == twice);
	assert_int_equal(ingress_ask(once, ECHO_VERSION, INGRESS_WIRE_C, NULL, 0, LONG_NS, &answer), INGRESS_OK);
	assert_int_equal(*(const uint64_t *)answer.data, 1);
	ingress_answer_release(&answer);
	assert_int_equal(ask(once, ECHO_SAME, NULL, 0), INGRESS_BAD_METHOD);
	assert_int_equal(ingress_context_destroy(once, LONG_NS), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ask(context, ECHO_VERSION, NULL, 0), INGRESS_OK);
}

static void a_timer_of_the_provider_wakes_it(void **state)
{
	const uint64_t ns = 20 * MS_NS;
	int64_t began = now_ns();

	(void)state;
	assert_int_equal(ask(context, ECHO_AFTER, &ns, sizeof(ns)), INGRESS_OK);
	assert_true(now_ns() - began >= 20 * MS_NS);
}

static void a_descriptor_of_the_provider_wakes_it_and_so_does_a_request(void **state)
{
	struct heard heard = { 0 };

	(void)state;
	assert_int_equal(submit(context, ECHO_PIPE, NULL, 0, &heard), INGRESS_OK);
	/* asleep on both descriptors by now */
	nap(20 * MS_NS);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
		nap(MS_NS);
	}
	assert_int_equal(heard.terminal, 0);
	echo_ring();
	wait_for(&heard.terminal, 1);
}

/* Without a wake descriptor the library thread cannot poll, so it looks every millisecond; a timer changes nothing. */
static void a_descriptor_is_looked_at_where_no_other_can_be_made(void **state)
{
	const uint64_t ns = LONG_NS;
	struct heard rung = { 0 };
	static struct heard due;
	struct rlimit limit, none;
	ingress_token other;

	(void)state;
	echo_make_bell();
	other = open_echo(&echo_other_library, NULL);
	assert_int_equal(submit(other, ECHO_AFTER, &ns, sizeof(ns), &due), INGRESS_OK);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = limit;
	none.rlim_cur = STDERR_FILENO + 1;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(submit(other, ECHO_PIPE, NULL, 0, &rung), INGRESS_OK);
	/* it sleeps by now, and it could make no descriptor */
	nap(20 * MS_NS);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	echo_ring();
	wait_for(&rung.terminal, 1);
	nap(20 * MS_NS);
	assert_int_equal(due.terminal, 0);
	cut_echo(other, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_waiting_call_gets_its_answer),
		cmocka_unit_test(payloads_of_every_size_come_back),
		cmocka_unit_test(a_callback_hears_once),
		cmocka_unit_test(a_failure_has_its_message),
		cmocka_unit_test(a_loan_ends_once_whatever_happens),
		cmocka_unit_test(each_thread_keeps_its_order),
		cmocka_unit_test(many_are_submitted_in_order_up_to_the_first_that_is_refused),
		cmocka_unit_test(many_stop_where_the_queue_is_full),
		cmocka_unit_test(the_queue_is_full_at_its_depth_and_not_before),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(every_status_has_a_sentence),
		cmocka_unit_test(a_deadline_passes_and_the_late_reply_is_dropped),
		cmocka_unit_test(a_handler_does_not_begin_after_its_deadline),
		cmocka_unit_test(a_handler_may_not_call_into_its_own_context),
		cmocka_unit_test(a_callback_may_submit_and_not_wait),
		cmocka_unit_test(static_methods_need_no_constructor),
		cmocka_unit_test(a_timer_of_the_provider_wakes_it),
		cmocka_unit_test(a_descriptor_of_the_provider_wakes_it_and_so_does_a_request),
		cmocka_unit_test(a_descriptor_is_looked_at_where_no_other_can_be_made),
	};

	return cmocka_run_group_tests(tests, open_one, close_one);
}
