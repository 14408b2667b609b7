/* SPDX-License-Identifier: BSD-3-Clause */
/* Inboxes: replies and events for a loop that polls a descriptor, or a thread that waits. */
#include "ingress_tests.h"

#include <poll.h>

static ingress_token context;
static struct ingress_inbox *inbox;

static int open_both(void **state)
{
	(void)state;
	context = open_echo(&echo_library, NULL);
	return ingress_inbox_create(&inbox) != INGRESS_OK;
}

static int close_both(void **state)
{
	(void)state;
	close_echo(context);
	ingress_inbox_close(inbox);
	return 0;
}

static enum ingress_status submit_tagged(uint32_t method, const void *data, size_t bytes, uint64_t tag)
{
	const struct ingress_call call = {
		.method = method, .wire = INGRESS_WIRE_CBOR, .data = data, .bytes = bytes, .inbox = inbox, .tag = tag
	};

	return ingress_submit(context, &call);
}

static bool is_readable(int timeout_ms)
{
	struct pollfd pollfd = { .fd = ingress_inbox_descriptor(inbox), .events = POLLIN };

	return poll(&pollfd, 1, timeout_ms) > 0;
}

static void a_reply_makes_the_descriptor_readable(void **state)
{
	struct ingress_item items[4];

	(void)state;
	for (int round = 0; round < 300; round++) {
		assert_false(is_readable(0));
		assert_int_equal(submit_tagged(round % 2 ? ECHO_SAME : ECHO_FAIL, "words", 5, 1000 + (uint64_t)round),
				 INGRESS_OK);
		assert_true(is_readable(10000));
		assert_int_equal(ingress_inbox_take(inbox, items, 4, 0), 1);
		assert_int_equal(items[0].kind, INGRESS_ITEM_REPLY);
		assert_int_equal(items[0].status, round % 2 ? INGRESS_OK : INGRESS_FAILED);
		assert_int_equal(items[0].wire, INGRESS_WIRE_CBOR);
		assert_int_equal(items[0].tag, 1000 + round);
		assert_int_equal(items[0].bytes, 5);
		assert_memory_equal(items[0].data, "words", 5);
		ingress_items_release(items, 1);
		ingress_items_release(items, 1);
		assert_int_equal(ingress_inbox_take(inbox, items, 4, 0), 0);
	}
}

static void it_stays_readable_while_something_may_be_there(void **state)
{
	struct ingress_item items[4];
	size_t taken = 0;

	(void)state;
	for (uint64_t i = 0; i < 10; i++)
		assert_int_equal(submit_tagged(ECHO_SAME, &i, sizeof(i), i), INGRESS_OK);
	while (taken < 10) {
		size_t count;

		/* one take for each time that it is readable, as event loops do */
		assert_true(is_readable(10000));
		count = ingress_inbox_take(inbox, items, 3, 0);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(items[i].tag, taken + i);
		taken += count;
		ingress_items_release(items, count);
	}
	while (is_readable(0))
		assert_int_equal(ingress_inbox_take(inbox, items, 3, 0), 0);
	assert_int_equal(ingress_inbox_take(inbox, items, 3, 0), 0);
	assert_false(is_readable(0));
}

static void taking_waits_as_long_as_told(void **state)
{
	const uint64_t ns = 30 * MS_NS;
	struct ingress_item item;
	int64_t began = now_ns();

	(void)state;
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, 10 * MS_NS), 0);
	assert_true(now_ns() - began >= 10 * MS_NS);
	assert_int_equal(submit_tagged(ECHO_SLEEP, &ns, sizeof(ns), 5), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, LONG_NS), 1);
	assert_true(now_ns() - began >= 40 * MS_NS);
	ingress_items_release(&item, 1);
}

enum { SENDERS = 4, SENT = 20000 };

static void *send_many(void *number)
{
	for (uint64_t i = 0; i < SENT; i++)
		while (submit_tagged(ECHO_SAME, &i, sizeof(i), (uint64_t)(uintptr_t)number << 32 | i) ==
		       INGRESS_QUEUE_FULL)
			sched_yield();
	return NULL;
}

static void many_threads_fill_it_and_nothing_is_lost(void **state)
{
	pthread_t threads[SENDERS];
	uint64_t next[SENDERS] = { 0 }, taken = 0;
	struct ingress_item items[16];

	(void)state;
	for (uintptr_t t = 0; t < SENDERS; t++)
		pthread_create(&threads[t], NULL, send_many, (void *)t);
	for (int turn = 0; taken < SENDERS * SENT; turn++) {
		size_t count;

		/* whatever this thread did before, what comes is told by the descriptor */
		if (turn % 3 == 0)
			assert_true(is_readable(10000));
		count = ingress_inbox_take(inbox, items, 16, turn % 3 == 1 ? LONG_NS : 0);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(items[i].status, INGRESS_OK);
			assert_int_equal(items[i].tag & 0xffffffff, next[items[i].tag >> 32]++);
		}
		ingress_items_release(items, count);
		taken += count;
	}
	for (int t = 0; t < SENDERS; t++)
		pthread_join(threads[t], NULL);
	assert_int_equal(ingress_inbox_take(inbox, items, 16, 0), 0);
}

static void events_wait_in_it_up_to_their_depth(void **state)
{
	const struct ingress_listener listener = {
		.event = ECHO_EVENT_OLDEST, .wire = INGRESS_WIRE_C, .depth = 8, .inbox = inbox, .tag = 99
	};
	struct ingress_item items[32];
	uint64_t id, lost = 0, word;

	(void)state;
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	for (int round = 0; round < 20; round++) {
		size_t count;

		assert_int_equal(ask_words(context, ECHO_EMIT, 100, ECHO_EVENT_OLDEST, 8), 100);
		assert_true(is_readable(10000));
		count = ingress_inbox_take(inbox, items, 32, 0);
		assert_int_equal(count, 8);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(items[i].kind, INGRESS_ITEM_EVENT);
			assert_int_equal(items[i].number, ECHO_EVENT_OLDEST);
			assert_int_equal(items[i].tag, 99);
			memcpy(&word, items[i].data, sizeof(word));
			assert_int_equal(word, 92 + i);
			lost += items[i].lost;
		}
		ingress_items_release(items, count);
		assert_int_equal(ingress_inbox_take(inbox, items, 32, 0), 0);
	}
	assert_int_equal(lost, 20 * 92);
	assert_int_equal(ask_words(context, ECHO_EMIT, 3, ECHO_EVENT_OLDEST, 8), 3);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, items, 32, 0), 0);
}

static void count_release(void *counter)
{
	atomic_fetch_add((_Atomic uint32_t *)counter, 1);
}

static uint64_t listen_into(uint64_t tag, _Atomic uint32_t *released)
{
	const struct ingress_listener listener = {
		.wire = INGRESS_WIRE_C, .inbox = inbox, .tag = tag, .user = released, .release = count_release
	};
	uint64_t id;

	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	return id;
}

static void nothing_is_taken_of_a_listener_that_ended(void **state)
{
	_Atomic uint32_t released[2] = { 0 };
	struct ingress_item items[16];
	uint64_t id;

	(void)state;
	id = listen_into(1, &released[0]);
	listen_into(2, &released[1]);
	assert_int_equal(ask_words(context, ECHO_EMIT, 5, ECHO_EVENT_OLDEST, 8), 5);
	/* the first look brings all ten out of the core's lists, and hands out three */
	assert_int_equal(ingress_inbox_take(inbox, items, 3, LONG_NS), 3);
	ingress_items_release(items, 3);
	assert_int_equal(released[0], 0);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	assert_int_equal(released[0], 1);
	for (size_t seen = 0, count; seen < 2; seen += count) {
		count = ingress_inbox_take(inbox, items, 16, LONG_NS);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(items[i].tag, 2);
		ingress_items_release(items, count);
	}
	assert_int_equal(ingress_inbox_take(inbox, items, 16, 0), 0);
	/* what was brought out, and what was not, of a listener whose inbox closes; it ends with the next event */
	assert_int_equal(ask_words(context, ECHO_EMIT, 5, ECHO_EVENT_OLDEST, 8), 5);
	assert_int_equal(ingress_inbox_take(inbox, items, 1, LONG_NS), 1);
	assert_int_equal(ask_words(context, ECHO_EMIT, 5, ECHO_EVENT_OLDEST, 8), 5);
	ingress_inbox_close(inbox);
	ingress_items_release(items, 1);
	assert_int_equal(ask_words(context, ECHO_EMIT, 1, ECHO_EVENT_OLDEST, 8), 1);
	assert_int_equal(released[1], 1);
	assert_int_equal(released[0], 1);
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
}

static void a_closed_inbox_takes_nothing_with_it(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		struct ingress_inbox *old = inbox;
		const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .inbox = old };
		struct ingress_item items[4];
		uint64_t id;

		assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
		for (uint64_t i = 0; i < 20; i++)
			assert_int_equal(submit_tagged(i % 2 ? ECHO_SAME : ECHO_KEEP, &i, sizeof(i), i), INGRESS_OK);
		assert_int_equal(ask_words(context, ECHO_EMIT, 3, ECHO_EVENT_OLDEST, 8), 3);
		if (round % 2)
			ingress_items_release(items, ingress_inbox_take(old, items, 4, LONG_NS));
		ingress_inbox_close(old);
		assert_int_equal(ask_words(context, ECHO_EMIT, 3, ECHO_EVENT_OLDEST, 8), 3);
		assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
		assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
		/* nothing of the old one's comes to it */
		assert_int_equal(ingress_inbox_take(inbox, items, 4, 0), 0);
	}
}

static void stale_and_closed_come_to_it_too(void **state)
{
	const struct ingress_options options = { .stale_ns = 10 * MS_NS };
	ingress_token before = context;
	struct ingress_item item;

	(void)state;
	context = open_echo(&echo_library, &options);
	assert_int_equal(submit_tagged(ECHO_KEEP, NULL, 0, 7), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, LONG_NS), 1);
	assert_int_equal(item.status, INGRESS_STALE);
	assert_int_equal(item.tag, 7);
	ingress_items_release(&item, 1);
	cut_echo(context, 0);
	for (uint32_t status = INGRESS_STALE; status == INGRESS_STALE;) {
		assert_int_equal(ingress_inbox_take(inbox, &item, 1, LONG_NS), 1);
		assert_int_equal(item.tag, 7);
		status = item.status;
		assert_true(status == INGRESS_STALE || status == INGRESS_CLOSED);
		ingress_items_release(&item, 1);
	}
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, 5 * MS_NS), 0);
	context = before;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reply_makes_the_descriptor_readable),
		cmocka_unit_test(it_stays_readable_while_something_may_be_there),
		cmocka_unit_test(taking_waits_as_long_as_told),
		cmocka_unit_test(many_threads_fill_it_and_nothing_is_lost),
		cmocka_unit_test(events_wait_in_it_up_to_their_depth),
		cmocka_unit_test(nothing_is_taken_of_a_listener_that_ended),
		cmocka_unit_test(a_closed_inbox_takes_nothing_with_it),
		cmocka_unit_test(stale_and_closed_come_to_it_too),
	};

	return cmocka_run_group_tests(tests, open_both, close_both);
}
