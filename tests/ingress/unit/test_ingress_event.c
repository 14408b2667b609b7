/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events: which listeners hear which event, what happens where too many wait, listeners that end, and callbacks that do
 * not return.
 */
#include "ingress_tests.h"

enum { LISTENED_MAX = 4096 };

/* What a listener has heard; it may be told to take its time. */
struct listened {
	_Atomic uint64_t count, lost;
	_Atomic uint64_t words[LISTENED_MAX];
	_Atomic uint32_t holds; /* 1: wait until it is 0 */
	_Atomic uint32_t inside;
};

static void notice(void *user, const struct ingress_event *event)
{
	struct listened *listened = user;
	uint64_t count = atomic_load(&listened->count), word;

	atomic_store(&listened->inside, 1);
	memcpy(&word, event->data, sizeof(word));
	atomic_store(&listened->words[count % LISTENED_MAX], word);
	atomic_fetch_add(&listened->lost, event->lost);
	while (atomic_load(&listened->holds))
		nap(MS_NS / 10);
	atomic_store(&listened->inside, 0);
	atomic_store(&listened->count, count + 1);
}

static uint64_t listen_to(ingress_token context, uint32_t event, uint32_t overflow, uint32_t depth,
			  struct listened *listened)
{
	const struct ingress_listener listener = { .event = event,
						   .wire = INGRESS_WIRE_C,
						   .overflow = overflow,
						   .depth = depth,
						   .notify = notice,
						   .user = listened };
	uint64_t id;

	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	assert_true(id != 0);
	return id;
}

static void emit(ingress_token context, uint64_t count, uint64_t event)
{
	assert_int_equal(ask_words(context, ECHO_EMIT, count, event, 8), count);
}

static void events_come_in_order_to_all_who_listen(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct listened *one = calloc(2, sizeof(*one)), *other = one + 1;
	uint64_t id;

	(void)state;
	listen_to(context, ECHO_EVENT_OLDEST, 0, 2000, one);
	id = listen_to(context, ECHO_EVENT_OLDEST, 0, 2000, other);
	emit(context, 1000, ECHO_EVENT_OLDEST);
	emit(context, 1000, ECHO_EVENT_NEWEST);
	wait_for(&one->count, 1000);
	wait_for(&other->count, 1000);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(one->words[i], i);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_BAD_ARGUMENT);
	emit(context, 10, ECHO_EVENT_OLDEST);
	wait_for(&one->count, 1010);
	assert_int_equal(other->count, 1000);
	close_echo(context);
	free(one);
}

/* The listener holds with the first event while `count` more come; then it goes on. */
static struct listened *overflow(uint32_t event, uint32_t policy, uint32_t depth, uint64_t count, uint64_t heard)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct listened *listened = calloc(1, sizeof(*listened));

	listen_to(context, event, policy, depth, listened);
	atomic_store(&listened->holds, 1);
	emit(context, 1, event);
	wait_for(&listened->inside, 1);
	emit(context, count, event);
	atomic_store(&listened->holds, 0);
	wait_for(&listened->count, heard);
	/* it has recovered: the next ones come, and what was lost is known */
	emit(context, 2, event);
	wait_for(&listened->count, heard + 2);
	nap(2 * MS_NS);
	assert_int_equal(listened->count, heard + 2);
	assert_int_equal(listened->words[heard], 0);
	assert_int_equal(listened->words[heard + 1], 1);
	assert_int_equal(listened->count + listened->lost, 1 + count + 2);
	close_echo(context);
	return listened;
}

static void the_oldest_are_dropped(void **state)
{
	struct listened *listened = overflow(ECHO_EVENT_OLDEST, 0, 8, 100, 9);

	(void)state;
	for (uint64_t i = 0; i < 8; i++)
		assert_int_equal(listened->words[1 + i], 92 + i);
	free(listened);
}

static void the_newest_are_dropped(void **state)
{
	struct listened *listened = overflow(ECHO_EVENT_NEWEST, 0, 0, 100, 5);

	(void)state;
	for (uint64_t i = 0; i < 4; i++)
		assert_int_equal(listened->words[1 + i], i);
	free(listened);
}

static void only_the_newest_is_kept(void **state)
{
	/* the fifth of each takes the place of four */
	struct listened *listened = overflow(ECHO_EVENT_COALESCED, 0, 0, 101, 2);

	(void)state;
	assert_int_equal(listened->words[1], 100);
	free(listened);
	/* the listener's own policy comes before the event's */
	listened = overflow(ECHO_EVENT_COALESCED, INGRESS_DROP_NEWEST, 3, 100, 4);
	assert_int_equal(listened->words[3], 2);
	free(listened);
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

struct leaving {
	ingress_token context;
	uint64_t id;
	_Atomic uint32_t count, status, asked;
};

static void leave(void *user, const struct ingress_event *event)
{
	struct leaving *leaving = user;

	(void)event;
	atomic_store(&leaving->asked, ask(leaving->context, ECHO_SAME, NULL, 0));
	atomic_store(&leaving->status, ingress_unlisten(leaving->context, leaving->id));
	atomic_fetch_add(&leaving->count, 1);
}

static void a_listener_removes_itself_and_may_wait(void **state)
{
	struct leaving leaving = { .context = open_echo(&echo_library, NULL), .status = 99, .asked = 99 };
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = leave, .user = &leaving };

	(void)state;
	assert_int_equal(ingress_listen(leaving.context, &listener, &leaving.id), INGRESS_OK);
	emit(leaving.context, 10, ECHO_EVENT_OLDEST);
	wait_for(&leaving.count, 1);
	assert_int_equal(leaving.status, INGRESS_OK);
	assert_int_equal(leaving.asked, INGRESS_OK);
	emit(leaving.context, 10, ECHO_EVENT_OLDEST);
	nap(5 * MS_NS);
	assert_int_equal(leaving.count, 1);
	close_echo(leaving.context);
}

static void nothing_is_heard_after_unlistening(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct listened *listened = calloc(1, sizeof(*listened));
		uint64_t id = listen_to(context, ECHO_EVENT_OLDEST, 0, 0, listened), count;

		emit(context, 50, ECHO_EVENT_OLDEST);
		assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
		/* the callback does not run any more, so this may be freed */
		count = listened->count;
		assert_int_equal(listened->inside, 0);
		emit(context, 5, ECHO_EVENT_OLDEST);
		assert_int_equal(listened->count, count);
		free(listened);
	}
	close_echo(context);
}

static void nothing_is_heard_after_destroying(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		ingress_token context = open_echo(&echo_library, NULL);
		struct listened *listened = calloc(1, sizeof(*listened));

		listen_to(context, ECHO_EVENT_OLDEST, 0, 0, listened);
		emit(context, 200, ECHO_EVENT_OLDEST);
		close_echo(context);
		free(listened);
	}
}

static void a_listener_is_checked(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct ingress_listener listener = { .event = ECHO_EVENTS, .notify = notice };
	uint64_t id = 1;

	(void)state;
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_BAD_ARGUMENT);
	assert_int_equal(id, 0);
	listener = (struct ingress_listener){ .wire = 2, .notify = notice };
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_BAD_ARGUMENT);
	listener = (struct ingress_listener){ .overflow = 4, .notify = notice };
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_BAD_ARGUMENT);
	listener = (struct ingress_listener){ .notify = NULL };
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ingress_listen(0, &listener, &id), INGRESS_BAD_TOKEN);
	close_echo(context);
}

/* ---- stuck ------------------------------------------------------------------------------------------------------- */

static void a_stuck_listener_is_named_and_forgiven(void **state)
{
	const struct ingress_options options = { .stuck_ns = 30 * MS_NS };
	ingress_token context = open_echo(&echo_library, &options);
	struct listened *listened = calloc(1, sizeof(*listened));
	struct heard heard = { 0 };

	(void)state;
	listen_to(context, ECHO_EVENT_OLDEST, 0, 0, listened);
	atomic_store(&listened->holds, 1);
	emit(context, 1, ECHO_EVENT_OLDEST);
	wait_for(&listened->inside, 1);
	nap(60 * MS_NS);
	assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &heard), INGRESS_EVENTS_STUCK);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_EVENTS_STUCK);
	assert_int_equal(heard.terminal, 0);
	atomic_store(&listened->holds, 0);
	wait_for(&listened->count, 1);
	nap(5 * MS_NS);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	/* destroying says so too: it cannot promise that no callback runs */
	atomic_store(&listened->holds, 1);
	emit(context, 1, ECHO_EVENT_OLDEST);
	wait_for(&listened->inside, 1);
	assert_int_equal(ingress_context_destroy(context, 5 * MS_NS), INGRESS_EVENTS_STUCK);
	atomic_store(&listened->holds, 0);
	wait_for(&listened->count, 2);
	close_echo(open_echo(&echo_library, NULL));
	free(listened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_come_in_order_to_all_who_listen),
		cmocka_unit_test(the_oldest_are_dropped),
		cmocka_unit_test(the_newest_are_dropped),
		cmocka_unit_test(only_the_newest_is_kept),
		cmocka_unit_test(a_listener_removes_itself_and_may_wait),
		cmocka_unit_test(nothing_is_heard_after_unlistening),
		cmocka_unit_test(nothing_is_heard_after_destroying),
		cmocka_unit_test(a_listener_is_checked),
		cmocka_unit_test(a_stuck_listener_is_named_and_forgiven),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
