/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a context beside what other threads do with it: another destroys it, or ends its listeners; a callback of
 * its own closes it. What each context's end promises in general is in test_ingress_context.c.
 */
#include "ingress_tests.h"

static void *destroy(void *token)
{
	return (void *)(uintptr_t)ingress_context_destroy(*(ingress_token *)token, LONG_NS);
}

/* ---- two that end it --------------------------------------------------------------------------------------------- */

struct held {
	_Atomic uint32_t holds, inside;
};

static void hold(void *given, const struct ingress_event *event)
{
	struct held *held = given;

	(void)event;
	atomic_store(&held->inside, 1);
	while (atomic_load(&held->holds))
		nap(MS_NS / 10);
	atomic_store(&held->inside, 0);
}

/* Lets the callback go on after a while. */
static void *let_go(void *given)
{
	nap(30 * MS_NS);
	atomic_store(&((struct held *)given)->holds, 0);
	return NULL;
}

static void of_two_that_destroy_both_wait(void **state)
{
	struct held *held = calloc(1, sizeof(*held));
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = hold, .user = held };
	ingress_token context = open_echo(&echo_library, NULL);
	pthread_t destroyer, other;
	uint64_t id;
	void *status;

	(void)state;
	atomic_store(&held->holds, 1);
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	assert_int_equal(ask_words(context, ECHO_EMIT, 1, ECHO_EVENT_OLDEST, 8), 1);
	wait_for(&held->inside, 1);
	pthread_create(&destroyer, NULL, destroy, &context);
	while (ask(context, ECHO_SAME, NULL, 0) != INGRESS_CLOSED)
		nap(MS_NS);
	pthread_create(&other, NULL, let_go, held);
	assert_int_equal(ingress_context_destroy(context, LONG_NS), INGRESS_CLOSED);
	/* no callback of it runs, whoever ended it */
	assert_int_equal(held->inside, 0);
	pthread_join(other, NULL);
	pthread_join(destroyer, &status);
	assert_int_equal((uintptr_t)status, INGRESS_OK);
	free(held);
}

static void what_was_closed_can_be_waited_for_and_cut(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL), forever;
	uint64_t ended = atomic_load(&echo_ended);
	struct heard heard = { 0 };

	(void)state;
	assert_int_equal(submit(context, ECHO_KEEP, NULL, 0, &heard), INGRESS_OK);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(ingress_context_close(context), INGRESS_OK);
	assert_int_equal(ingress_context_close(context), INGRESS_CLOSED);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_CLOSED);
	assert_int_equal(heard.terminal, 0);
	assert_int_equal(ingress_context_destroy(context, 5 * MS_NS), INGRESS_TIMEOUT);
	assert_int_equal(heard.terminal, 1);
	assert_int_equal(heard.status, INGRESS_CLOSED);
	/* one in which nothing runs ends at once */
	context = open_echo(&echo_library, NULL);
	assert_int_equal(ingress_context_close(context), INGRESS_OK);
	wait_for(&echo_ended, ended + 1);
	assert_int_equal(ingress_context_destroy(context, LONG_NS), INGRESS_CLOSED);
	assert_int_equal(ingress_context_close(0), INGRESS_BAD_TOKEN);
	assert_int_equal(ingress_static_context(&echo_library, &forever), INGRESS_OK);
	assert_int_equal(ingress_context_close(forever), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ask(forever, ECHO_VERSION, NULL, 0), INGRESS_OK);
}

/* ---- in callbacks ------------------------------------------------------------------------------------------------ */

struct closing {
	ingress_token context, other;
	_Atomic uint32_t destroyed, destroyed_other, closed, done;
};

static void close_in_reply(void *given, const struct ingress_reply *reply)
{
	struct closing *closing = given;

	(void)reply;
	atomic_store(&closing->destroyed, ingress_context_destroy(closing->context, LONG_NS));
	atomic_store(&closing->destroyed_other, ingress_context_destroy(closing->other, LONG_NS));
	atomic_store(&closing->closed, ingress_context_close(closing->context));
	atomic_store(&closing->done, 1);
}

static void a_reply_closes_its_context_and_destroys_none(void **state)
{
	struct closing closing = { .context = open_echo(&echo_library, NULL), .other = open_echo(&echo_library, NULL) };
	const struct ingress_call call = {
		.method = ECHO_SAME, .wire = INGRESS_WIRE_C, .reply = close_in_reply, .user = &closing
	};

	(void)state;
	assert_int_equal(ingress_submit(closing.context, &call), INGRESS_OK);
	wait_for(&closing.done, 1);
	assert_int_equal(closing.destroyed, INGRESS_REENTRANT);
	/* it would wait, and two that did so for each other's contexts would for ever */
	assert_int_equal(closing.destroyed_other, INGRESS_REENTRANT);
	assert_int_equal(closing.closed, INGRESS_OK);
	assert_int_equal(ingress_context_destroy(closing.context, LONG_NS), INGRESS_CLOSED);
	close_echo(closing.other);
}

/* ---- listeners, at random ---------------------------------------------------------------------------------------- */

/* On the heap: a callback that comes after its end is found by AddressSanitizer. */
struct heard_events {
	uint64_t count;
};

static _Atomic uint64_t released;

static void hear_event(void *given, const struct ingress_event *event)
{
	(void)event;
	((struct heard_events *)given)->count++;
}

enum { STORM_LISTENERS = 8, STORM_ROUNDS = 150 };

struct storm {
	ingress_token context;
	struct {
		struct heard_events *user;
		uint64_t id;
		bool lends;
	} listeners[STORM_LISTENERS];
};

static void release_and_free(void *given)
{
	atomic_fetch_add(&released, 1);
	free(given);
}

static void *unlisten_all(void *given)
{
	struct storm *storm = given;

	for (int i = 0; i < STORM_LISTENERS; i++) {
		enum ingress_status status = ingress_unlisten(storm->context, storm->listeners[i].id);

		assert_true(status == INGRESS_OK || status == INGRESS_CLOSED);
		/* AddressSanitizer finds a callback that still comes */
		if (!storm->listeners[i].lends)
			free(storm->listeners[i].user);
	}
	return NULL;
}

static void *emit_some(void *given)
{
	const uint64_t words[3] = { 100, ECHO_EVENT_OLDEST, 8 };

	for (int i = 0; i < 10; i++)
		ask(((struct storm *)given)->context, ECHO_EMIT, words, sizeof(words));
	return NULL;
}

static void listeners_end_while_their_context_does(void **state)
{
	(void)state;
	for (int round = 0; round < STORM_ROUNDS; round++) {
		struct storm storm = { .context = open_echo(&echo_library, NULL) };
		pthread_t emitter, unlistener, destroyer;

		for (int i = 0; i < STORM_LISTENERS; i++) {
			struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = hear_event };

			listener.user = storm.listeners[i].user = calloc(1, sizeof(struct heard_events));
			storm.listeners[i].lends = i % 2;
			listener.release = i % 2 ? release_and_free : NULL;
			assert_int_equal(ingress_listen(storm.context, &listener, &storm.listeners[i].id), INGRESS_OK);
		}
		pthread_create(&emitter, NULL, emit_some, &storm);
		if (round % 3)
			nap(round * MS_NS / 100);
		pthread_create(&unlistener, NULL, unlisten_all, &storm);
		pthread_create(&destroyer, NULL, destroy, &storm.context);
		pthread_join(emitter, NULL);
		pthread_join(unlistener, NULL);
		pthread_join(destroyer, NULL);
	}
	assert_int_equal(released, STORM_ROUNDS * STORM_LISTENERS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_two_that_destroy_both_wait),
		cmocka_unit_test(what_was_closed_can_be_waited_for_and_cut),
		cmocka_unit_test(a_reply_closes_its_context_and_destroys_none),
		cmocka_unit_test(listeners_end_while_their_context_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
