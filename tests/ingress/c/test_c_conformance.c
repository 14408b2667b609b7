/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance program in C: what tests/ingress/README.md lists, through the bindings that `ferry bindgen` writes,
 * against whichever library has ferry_library_echo. It runs in format c; test_c_conformance_cbor.c is the same in cbor.
 *
 * long: one list of cases.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>

#include <cmocka.h>

#include "echo.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define PATIENCE (60 * SECOND) /* for what other threads do, so that a fault is a failure and not a hang */
#define THREADS 4
#define CALLS_OF_A_THREAD 500
#define LIVES_OF_A_THREAD 20

static struct echo_echo_request request(const char *message, int64_t delay_ms)
{
	return (struct echo_echo_request){ ferry_string(message), delay_ms };
}

static ingress_token create_with(const struct ingress_options *options, const char *prefix)
{
	struct echo_create_reply reply;
	ingress_token context;
	enum ingress_status status = echo_create(options, ferry_string(prefix), PATIENCE, &context, &reply);

	if (status != INGRESS_OK)
		fail_msg("%s: %.*s", ingress_status_text(status), (int)reply.message.bytes, reply.message.data);
	assert_int_not_equal(context, 0);
	echo_create_reply_free(&reply);
	return context;
}

static ingress_token create(const char *prefix)
{
	return create_with(NULL, prefix);
}

static void destroy(ingress_token context)
{
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
}

/* What callbacks have brought, and a wait for it. */
struct taken {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned int replies, stale, events;
	enum ingress_status status;
	char text[64];
};

#define TAKEN                                                                                                          \
	{                                                                                                              \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, INGRESS_OK, ""                           \
	}

static void note(struct taken *taken, unsigned int *count, struct ferry_string text)
{
	pthread_mutex_lock(&taken->mutex);
	++*count;
	snprintf(taken->text, sizeof(taken->text), "%s", text.data ? text.data : "");
	pthread_cond_broadcast(&taken->changed);
	pthread_mutex_unlock(&taken->mutex);
}

static void await(struct taken *taken, const unsigned int *count, unsigned int least)
{
	struct timespec until;
	int result = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE / SECOND;
	pthread_mutex_lock(&taken->mutex);
	while (*count < least && !result)
		result = pthread_cond_timedwait(&taken->changed, &taken->mutex, &until);
	pthread_mutex_unlock(&taken->mutex);
	assert_int_equal(result, 0);
}

static void take_echo(void *user, const struct echo_echo_reply *reply)
{
	struct taken *taken = user;

	if (reply->status == INGRESS_STALE) {
		note(taken, &taken->stale, ferry_string(""));
		return;
	}
	taken->status = reply->status;
	note(taken, &taken->replies, reply->status == INGRESS_OK ? reply->value.echoed : reply->message);
}

static void assert_echo(ingress_token context, const char *message, const char *expected)
{
	const struct echo_echo_request asked = request(message, 0);
	struct echo_echo_reply reply;

	assert_int_equal(echo_echo(context, &asked, PATIENCE, &reply), INGRESS_OK);
	assert_string_equal(reply.value.echoed.data, expected);
	assert_int_equal(reply.value.echoed.bytes, strlen(expected));
	echo_echo_reply_free(&reply);
}

static void statics_need_no_context(void **state)
{
	struct echo_version_reply version;
	struct echo_sum_reply sum;

	(void)state;
	assert_int_equal(echo_version(PATIENCE, &version), INGRESS_OK);
	assert_string_equal(version.value.data, "0.1.0");
	echo_version_reply_free(&version);
	assert_int_equal(echo_sum(ECHO_LOWEST, -1, PATIENCE, &sum), INGRESS_OK);
	assert_int_equal(sum.value, INT64_MAX);
	echo_sum_reply_free(&sum);
}

static void another_interface_is_refused(void **state)
{
	(void)state;
	assert_int_equal(echo_check(), INGRESS_OK);
	assert_int_equal(ingress_library_check(ferry_library_echo(), ECHO_INTERFACE_HASH + 1), INGRESS_WRONG_INTERFACE);
}

static void echo_in_every_form(void **state)
{
	ingress_token context = create("hi ");
	const struct echo_echo_request asked = request("you", 0), later = request("later", 30);
	struct ingress_inbox *inbox;
	struct ingress_item item;
	struct echo_echo_reply reply;
	struct taken taken = TAKEN;
	struct echo_echo_call call = { .done = take_echo, .user = &taken };

	(void)state;
	assert_echo(context, "you", "hi you");
	assert_int_equal(echo_echo_submit(context, &asked, &call), INGRESS_OK);
	await(&taken, &taken.replies, 1);
	assert_string_equal(taken.text, "hi you");
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	assert_int_equal(echo_echo_post(context, &later, inbox, 7), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, PATIENCE), 1);
	assert_int_equal(item.tag, 7);
	assert_int_equal(echo_echo_take(&item, &reply), INGRESS_OK);
	assert_string_equal(reply.value.echoed.data, "hi later");
	echo_echo_reply_free(&reply);
	ingress_items_release(&item, 1);
	ingress_inbox_close(inbox);
	destroy(context);
	assert_int_equal(taken.replies, 1);
}

static void values_of_every_type(void **state)
{
	static const double numbers[] = { 0.5, -1e300 };
	static const bool flags[] = { true, false };
	static const enum echo_color colors[] = { ECHO_COLOR_BLUE, ECHO_COLOR_NONE };
	static const int32_t row[] = { INT32_MIN, 7 };
	static const struct echo_seq_i32 rows[] = { { row, 2 }, { NULL, 0 } };
	const struct echo_option_string words[] = { { true, ferry_string("wörd") }, { false, { NULL, 0 } } };
	const struct ferry_bytes blobs[] = { { (const uint8_t *)"\0\xff", 2 }, { NULL, 0 } };
	const struct echo_map_i32_string_pair texts[] = { { 5, ferry_string("five") }, { -5, ferry_string("") } };
	const struct echo_map_string_i64_pair values[] = { { ferry_string("b"), 1 },
							   { ferry_string("aa"), INT64_MIN } };
	const struct echo_map_string_echo_request_pair objects[] = { { ferry_string("k"), request("m", 2) } };
	const struct echo_all_types sent = {
		true,
		INT8_MIN,
		INT16_MIN,
		INT32_MIN,
		INT64_MIN,
		UINT8_MAX,
		UINT16_MAX,
		UINT32_MAX,
		UINT64_MAX,
		0.1F,
		0.1,
		ferry_string("täxt"),
		{ (const uint8_t *)"bytes", 5 },
		ECHO_COLOR_GREEN,
		request("inner", -1),
		{ true, 0 },
		{ true, ferry_string("") },
		{ true, request("maybe", 3) },
		{ true, ECHO_COLOR_NONE },
		{ numbers, 2 },
		{ flags, 2 },
		{ colors, 2 },
		{ rows, 2 },
		{ words, 2 },
		{ blobs, 2 },
		{ texts, 2 },
		{ values, 2 },
		{ objects, 1 },
	};
	ingress_token context = create("");
	struct ferry_buffer first = { 0 }, second = { 0 };
	struct ferry_wire_error error;
	struct echo_all_reply reply;
	struct echo_maybe_reply maybe;

	(void)state;
	assert_int_equal(echo_all(context, &sent, PATIENCE, &reply), INGRESS_OK);
	assert_int_equal(echo_all_types_encode_cbor(&sent, &first, &error), 0);
	assert_int_equal(echo_all_types_encode_cbor(&reply.value, &second, &error), 0);
	assert_int_equal(first.bytes, second.bytes); /* a value has one encoding */
	assert_memory_equal(first.data, second.data, first.bytes);
	ferry_buffer_free(&first);
	ferry_buffer_free(&second);
	echo_all_reply_free(&reply);
	assert_int_equal(echo_maybe(context, words[1], PATIENCE, &maybe), INGRESS_OK);
	assert_false(maybe.value.present);
	echo_maybe_reply_free(&maybe);
	assert_int_equal(echo_maybe(context, words[0], PATIENCE, &maybe), INGRESS_OK);
	assert_string_equal(maybe.value.value.data, "wörd");
	echo_maybe_reply_free(&maybe);
	destroy(context);
}

static void trees_are_bounded(void **state)
{
	static struct echo_tree levels[20];
	ingress_token context = create("");
	struct echo_tree_reply reply;

	(void)state;
	for (int i = 0; i < 20; i++)
		levels[i] = (struct echo_tree){ ferry_string("t"), { i ? &levels[i - 1] : NULL, i ? 1 : 0 } };
	/* a tree and the sequence in it are two levels, the parameters are one */
	assert_int_equal(echo_tree(context, &levels[14], PATIENCE, &reply), INGRESS_OK);
	assert_int_equal(reply.value.children.items->children.count, 1);
	echo_tree_reply_free(&reply);
	assert_int_equal(echo_tree(context, &levels[16], PATIENCE, &reply), INGRESS_BAD_PAYLOAD);
	assert_string_equal(reply.message.data, "nested too deep");
	echo_tree_reply_free(&reply);
	destroy(context);
}

static void complex(void **state)
{
	const struct echo_echo_request messages[] = { request("a", 1), request("b", 2) };
	const struct ferry_string tags[] = { ferry_string("x"), ferry_string("y") };
	struct echo_complex_request asked = { { messages, 2 }, { tags, 2 }, { true, ferry_string("note") }, { 0 } };
	ingress_token context = create("");
	struct echo_complex_reply reply;

	(void)state;
	assert_int_equal(echo_complex(context, &asked, PATIENCE, &reply), INGRESS_OK);
	assert_string_equal(reply.value.summary.data, "a,b;x,y");
	assert_int_equal(reply.value.item_count, 4);
	assert_true(reply.value.has_note);
	assert_int_equal(reply.value.retries, -1);
	echo_complex_reply_free(&reply);
	asked = (struct echo_complex_request){ 0 };
	assert_int_equal(echo_complex(context, &asked, PATIENCE, &reply), INGRESS_OK);
	assert_string_equal(reply.value.summary.data, ";");
	echo_complex_reply_free(&reply);
	destroy(context);
}

static void bytes_of_every_size(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, 511, 512, 513, 65536, 1 << 20 };
	static uint8_t data[1 << 20];
	ingress_token context = create("");

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct echo_bytes_reply reply;

		assert_int_equal(echo_bytes(context, (struct ferry_bytes){ data, sizes[i] }, PATIENCE, &reply),
				 INGRESS_OK);
		assert_int_equal(reply.value.bytes, sizes[i]);
		assert_true(!sizes[i] || !memcmp(reply.value.data, data, sizes[i]));
		echo_bytes_reply_free(&reply);
	}
	destroy(context);
}

static void failures_have_their_status_and_message(void **state)
{
	ingress_token context = create("");
	struct echo_fail_reply failed;

	(void)state;
	assert_int_equal(echo_fail(context, ferry_string("wöy"), PATIENCE, &failed), INGRESS_FAILED);
	assert_string_equal(failed.message.data, "wöy");
	echo_fail_reply_free(&failed);
	destroy(context);
}

static void errors_have_their_type(void **state)
{
	ingress_token context = create("");
	struct echo_divide_reply divided;
	struct echo_parse_reply parsed;

	(void)state;
	assert_int_equal(echo_divide(context, 7, 0, PATIENCE, &divided), INGRESS_RAISED);
	assert_int_equal(divided.error, ECHO_DIVIDE_ERROR_BY_ZERO);
	assert_string_equal(divided.message.data, ingress_status_text(INGRESS_RAISED));
	echo_divide_reply_free(&divided);
	assert_int_equal(echo_divide(context, ECHO_LOWEST, -1, PATIENCE, &divided), INGRESS_RAISED);
	assert_int_equal(divided.error, ECHO_DIVIDE_ERROR_OVERFLOW);
	echo_divide_reply_free(&divided);
	assert_int_equal(echo_divide(context, 7, -2, PATIENCE, &divided), INGRESS_OK);
	assert_int_equal(divided.value, -3);
	echo_divide_reply_free(&divided);

	assert_int_equal(echo_parse(ferry_string("12x"), PATIENCE, &parsed), INGRESS_RAISED);
	assert_string_equal(parsed.error.reason.data, "no digit");
	assert_int_equal(parsed.error.position, 2);
	echo_parse_reply_free(&parsed);
	assert_int_equal(echo_parse(ferry_string(""), PATIENCE, &parsed), INGRESS_FAILED);
	assert_string_equal(parsed.message.data, "there is no text");
	echo_parse_reply_free(&parsed);
	assert_int_equal(echo_parse(ferry_string("12"), PATIENCE, &parsed), INGRESS_OK);
	assert_int_equal(parsed.value, 12);
	echo_parse_reply_free(&parsed);
	destroy(context);
}

static void take_drawn(void *user, const struct echo_drawn_event *event)
{
	struct taken *taken = user;
	const struct echo_shape *first = event->value.as.group.parts.items;

	taken->status = event->status;
	if (event->value.which == ECHO_SHAPE_GROUP && first->which == ECHO_SHAPE_CAPTION)
		note(taken, &taken->events, first->as.caption.text);
}

static void a_variant_has_one_of_its_cases(void **state)
{
	const struct echo_shape nested[] = { { .which = ECHO_SHAPE_LABEL, .as.label.text = ferry_string("l") },
					     { .which = ECHO_SHAPE_GROUP } };
	const struct echo_shape shapes[] = {
		{ .which = ECHO_SHAPE_CIRCLE, .as.circle.radius = 1.5 },
		{ .which = ECHO_SHAPE_SQUARE, .as.square = { 2, 45 } },
		{ .which = ECHO_SHAPE_NOTHING },
		{ .which = ECHO_SHAPE_CAPTION, .as.caption.text = ferry_string("c") },
		{ .which = ECHO_SHAPE_GROUP, .as.group.parts = { nested, 2 } },
	};
	const struct echo_option_shape none = { 0 }, extra = { true, shapes[0] };
	struct echo_shape many[101] = { { 0 } };
	struct echo_drawing drawing = { .name = ferry_string("d"),
					.shapes = { shapes, 5 },
					.is_colored = { .which = ECHO_DRAWING_BY_IS_COLORED_TRUE,
							.as.true_.color = ECHO_COLOR_BLUE } };
	ingress_token context = create("");
	struct taken drawn = TAKEN;
	struct echo_drawn_listener on_drawn = { .notify = take_drawn, .user = &drawn };
	struct echo_draw_reply reply;
	const struct echo_shape *parts;
	uint64_t id;

	(void)state;
	assert_int_equal(echo_on_drawn(context, &on_drawn, &id), INGRESS_OK);
	assert_int_equal(echo_draw(context, &drawing, extra, PATIENCE, &reply), INGRESS_OK);
	assert_int_equal(reply.value.which, ECHO_SHAPE_GROUP);
	assert_int_equal(reply.value.as.group.parts.count, 7);
	parts = reply.value.as.group.parts.items;
	assert_int_equal(parts[0].which, ECHO_SHAPE_CAPTION);
	assert_string_equal(parts[0].as.caption.text.data, "d 7");
	assert_int_equal(parts[1].which, ECHO_SHAPE_CIRCLE);
	assert_true(parts[1].as.circle.radius == 1.5);
	assert_int_equal(parts[2].which, ECHO_SHAPE_SQUARE);
	assert_true(parts[2].as.square.side == 2 && parts[2].as.square.angle == 45);
	assert_int_equal(parts[3].which, ECHO_SHAPE_NOTHING);
	assert_int_equal(parts[4].which, ECHO_SHAPE_CAPTION);
	assert_int_equal(parts[5].as.group.parts.count, 2);
	assert_string_equal(parts[5].as.group.parts.items[0].as.label.text.data, "l");
	assert_int_equal(parts[5].as.group.parts.items[1].as.group.parts.count, 0);
	assert_int_equal(parts[6].which, ECHO_SHAPE_CIRCLE);
	echo_draw_reply_free(&reply);
	await(&drawn, &drawn.events, 1);
	assert_string_equal(drawn.text, "d 7");

	drawing.is_colored.which = ECHO_DRAWING_BY_IS_COLORED_FALSE;
	assert_int_equal(echo_draw(context, &drawing, none, PATIENCE, &reply), INGRESS_OK);
	assert_int_equal(reply.value.as.group.parts.items[0].which, ECHO_SHAPE_LABEL);
	echo_draw_reply_free(&reply);
	drawing.shapes.count = 0;
	assert_int_equal(echo_draw(context, &drawing, none, PATIENCE, &reply), INGRESS_RAISED);
	assert_int_equal(reply.error.which, ECHO_DRAW_ERROR_EMPTY);
	echo_draw_reply_free(&reply);
	drawing.shapes.items = many;
	drawing.shapes.count = 101;
	assert_int_equal(echo_draw(context, &drawing, none, PATIENCE, &reply), INGRESS_RAISED);
	assert_int_equal(reply.error.which, ECHO_DRAW_ERROR_TOO_MANY);
	assert_int_equal(reply.error.as.too_many.count, 101);
	echo_draw_reply_free(&reply);
	drawing.shapes.count = 1;
	many[0].which = 99; /* no case: what that is on the wire is refused by the library */
	assert_int_equal(echo_draw(context, &drawing, none, PATIENCE, &reply), INGRESS_BAD_PAYLOAD);
	assert_non_null(strstr(reply.message.data, "drawing.shapes[0]: "));
	echo_draw_reply_free(&reply);
	destroy(context);
}

static void sings(struct echo_chorus chorus, const char *expected)
{
	struct echo_sing_reply reply;

	assert_int_equal(echo_sing(&chorus, PATIENCE, &reply), INGRESS_OK);
	assert_string_equal(reply.value.data, expected);
	echo_sing_reply_free(&reply);
}

static void what_is_left_out_has_its_default(void **state)
{
	struct echo_chorus chorus = echo_chorus_make(ferry_string("ho"));

	(void)state;
	sings(chorus, "ho, ho, ho! 7");
	chorus.times = 4;
	sings(chorus, "ho, ho, ho, ho, ho, ho! 7");
	sings((struct echo_chorus){ .times = 1,
				    .text = ferry_string("a"),
				    .factor = 2,
				    .separator = ferry_string("-"),
				    .loud = false,
				    .color = ECHO_COLOR_NONE,
				    .remark = { true, ferry_string("so: ") } },
	      "so: a-a -1");
	assert_int_equal(echo_echo_request_make(ferry_string("you")).delay_ms, 0);
}

static void a_payload_that_is_no_value_is_refused_with_its_path(void **state)
{
	ingress_token context = create("");
	const struct echo_echo_request bad = request("\xff", 0);
	struct echo_echo_reply reply;

	(void)state;
	assert_int_equal(echo_echo(context, &bad, PATIENCE, &reply), INGRESS_BAD_PAYLOAD);
	assert_string_equal(reply.message.data, "request.message: invalid UTF-8");
	echo_echo_reply_free(&reply);
	destroy(context);
}

static void a_constructor_that_fails_leaves_nothing(void **state)
{
	ingress_token none;
	struct echo_create_reply created;

	(void)state;
	for (int i = 0; i < 200; i++) {
		assert_int_equal(echo_create(NULL, ferry_string("fail"), PATIENCE, &none, &created), INGRESS_FAILED);
		assert_int_equal(none, 0);
		assert_int_not_equal(created.message.bytes, 0);
		echo_create_reply_free(&created);
	}
	destroy(create("fine "));
}

static void deadlines(void **state)
{
	const struct echo_echo_request late = request("late", 500);
	ingress_token context = create("");
	struct echo_echo_reply reply;

	(void)state;
	assert_int_equal(echo_echo(context, &late, 20 * MILLISECOND, &reply), INGRESS_TIMEOUT);
	echo_echo_reply_free(&reply);
	assert_echo(context, "still here", "still here");
	destroy(context);
}

static void take_nap(void *user, const struct echo_nap_reply *reply)
{
	struct taken *taken = user;

	if (reply->status == INGRESS_STALE) {
		note(taken, &taken->stale, ferry_string(""));
		return;
	}
	taken->status = reply->status;
	note(taken, &taken->replies, reply->message);
}

static void take_spin(void *user, const struct echo_spin_reply *reply)
{
	struct taken *taken = user;

	if (reply->status == INGRESS_STALE) {
		note(taken, &taken->stale, ferry_string(""));
		return;
	}
	taken->status = reply->status;
	note(taken, &taken->replies, reply->message);
}

static void a_cancelled_call_is_seen_by_the_library(void **state)
{
	const struct ingress_options options = { .stale_ns = 20 * MILLISECOND };
	ingress_token context = create_with(&options, "hi ");
	uint64_t tickets = ingress_tickets(3);
	struct taken napped = TAKEN, spun = TAKEN, waited = TAKEN;
	struct echo_nap_call nap = { take_nap, &napped, tickets };
	struct echo_spin_call spin = { take_spin, &spun, tickets + 1 };
	struct echo_echo_call echo = { take_echo, &waited, tickets + 2 };
	const struct echo_echo_request asked = request("never", 0);
	struct echo_cancellations_reply count;

	(void)state;
	assert_int_equal(echo_nap_submit(context, 60000, &nap), INGRESS_OK);
	assert_int_equal(echo_spin_submit(context, 60000, &spin), INGRESS_OK);
	/* the library says of neither that it runs for long before it does */
	await(&napped, &napped.stale, 1);
	await(&spun, &spun.stale, 1);
	assert_int_equal(echo_echo_submit(context, &asked, &echo), INGRESS_OK);
	for (uint64_t i = 3; i-- > 0;)
		assert_int_equal(ingress_cancel(context, tickets + i), INGRESS_OK);
	await(&napped, &napped.replies, 1);
	await(&spun, &spun.replies, 1);
	await(&waited, &waited.replies, 1);
	assert_int_equal(napped.status, INGRESS_CANCELLED);
	assert_int_equal(spun.status, INGRESS_CANCELLED);
	assert_string_equal(spun.text, "cancelled");
	assert_int_equal(waited.status, INGRESS_CANCELLED);
	assert_int_equal(echo_cancellations(context, PATIENCE, &count), INGRESS_OK);
	assert_int_equal(count.value, 2);
	echo_cancellations_reply_free(&count);
	assert_echo(context, "you", "hi you");
	destroy(context);
}

static void a_running_request_says_so(void **state)
{
	const struct ingress_options options = { .stale_ns = 20 * MILLISECOND };
	const struct echo_echo_request slow = request("slow", 60000);
	ingress_token context = create_with(&options, "");
	struct taken taken = TAKEN;
	struct echo_echo_call call = { .done = take_echo, .user = &taken };

	(void)state;
	assert_int_equal(echo_echo_submit(context, &slow, &call), INGRESS_OK);
	await(&taken, &taken.stale, 2);
	assert_int_equal(taken.replies, 0);
	assert_int_equal(echo_destroy(context, MILLISECOND), INGRESS_TIMEOUT);
	assert_int_equal(taken.replies, 1);
	assert_int_equal(taken.status, INGRESS_CLOSED);
}

static void a_full_queue_is_refused(void **state)
{
	const struct ingress_options options = { .queue_depth = 8 };
	const struct echo_echo_request slow = request("slow", 200);
	ingress_token context = create_with(&options, "");
	struct taken taken = TAKEN;
	struct echo_echo_call call = { .done = take_echo, .user = &taken };
	enum ingress_status status;
	unsigned int accepted = 0;

	(void)state;
	while ((status = echo_echo_submit(context, &slow, &call)) == INGRESS_OK)
		assert_true(++accepted <= 1000);
	assert_int_equal(status, INGRESS_QUEUE_FULL);
	assert_int_equal(accepted, 8);
	await(&taken, &taken.replies, accepted);
	assert_echo(context, "again", "again");
	destroy(context);
	assert_int_equal(taken.replies, accepted);
}

static void a_payload_over_the_limit_is_refused(void **state)
{
	const struct ingress_options options = { .payload_bytes = 2000 };
	static const uint8_t large[4000];
	ingress_token context = create_with(&options, "");
	struct echo_bytes_reply reply;

	(void)state;
	assert_int_equal(echo_bytes(context, (struct ferry_bytes){ large, 4000 }, PATIENCE, &reply), INGRESS_TOO_LARGE);
	echo_bytes_reply_free(&reply);
	assert_int_equal(echo_bytes(context, (struct ferry_bytes){ large, 1000 }, PATIENCE, &reply), INGRESS_OK);
	assert_int_equal(reply.value.bytes, 1000);
	echo_bytes_reply_free(&reply);
	destroy(context);
}

static void what_waits_when_a_context_ends_is_told(void **state)
{
	const struct echo_echo_request slow = request("slow", 60000), gone = request("gone", 0);
	ingress_token context = create("");
	struct taken taken = TAKEN;
	struct echo_echo_call call = { .done = take_echo, .user = &taken };
	struct echo_echo_reply reply;

	(void)state;
	for (int i = 0; i < 20; i++)
		assert_int_equal(echo_echo_submit(context, &slow, &call), INGRESS_OK);
	assert_echo(context, "begun", "begun");
	assert_int_equal(echo_destroy(context, 50 * MILLISECOND), INGRESS_TIMEOUT);
	assert_int_equal(taken.replies, 20);
	assert_int_equal(taken.status, INGRESS_CLOSED);
	assert_int_not_equal(echo_echo(context, &gone, PATIENCE, &reply), INGRESS_OK);
	echo_echo_reply_free(&reply);
}

static void a_closed_reader_is_never_another(void **state)
{
	ingress_token context = create(""), other = create("");
	struct echo_open_reply first, second;
	struct echo_read_reply piece;
	struct echo_close_reply closed;

	(void)state;
	assert_int_equal(echo_open(context, ferry_string("abcdef"), PATIENCE, &first), INGRESS_OK);
	assert_int_equal(echo_read(context, first.value, 4, PATIENCE, &piece), INGRESS_OK);
	assert_string_equal(piece.value.value.data, "abcd");
	echo_read_reply_free(&piece);
	assert_int_equal(echo_read(context, first.value, 100, PATIENCE, &piece), INGRESS_OK);
	assert_string_equal(piece.value.value.data, "ef");
	echo_read_reply_free(&piece);
	assert_int_equal(echo_read(context, first.value, 1, PATIENCE, &piece), INGRESS_OK);
	assert_false(piece.value.present);
	echo_read_reply_free(&piece);
	assert_int_equal(echo_read(other, first.value, 1, PATIENCE, &piece), INGRESS_BAD_HANDLE);
	echo_read_reply_free(&piece);
	assert_int_equal(echo_close(context, first.value, PATIENCE, &closed), INGRESS_OK);
	echo_close_reply_free(&closed);
	assert_int_equal(echo_open(context, ferry_string("second"), PATIENCE, &second), INGRESS_OK);
	assert_int_not_equal(second.value.id, first.value.id);
	assert_int_equal(echo_read(context, first.value, 1, PATIENCE, &piece), INGRESS_BAD_HANDLE);
	echo_read_reply_free(&piece);
	assert_int_equal(echo_close(context, (struct echo_reader){ 0 }, PATIENCE, &closed), INGRESS_BAD_HANDLE);
	echo_close_reply_free(&closed);
	echo_open_reply_free(&first);
	echo_open_reply_free(&second);
	destroy(context);
	destroy(other);
}

/* A count without an end that a test would reach. */
static struct echo_count_request endless(void)
{
	return echo_count_request_make(UINT32_C(1) << 31);
}

/* Wait until no count runs. Returns what became of them. */
static struct echo_counts counted(ingress_token context)
{
	struct echo_counting_reply reply;
	struct echo_counts counts;

	do {
		assert_int_equal(echo_counting(context, PATIENCE, &reply), INGRESS_OK);
		counts = reply.value;
		echo_counting_reply_free(&reply);
	} while (counts.running > 0);
	return counts;
}

static uint64_t given(ingress_token context)
{
	struct echo_counting_reply reply;
	uint64_t found;

	assert_int_equal(echo_counting(context, PATIENCE, &reply), INGRESS_OK);
	found = reply.value.given;
	echo_counting_reply_free(&reply);
	return found;
}

/* Check that some values are the next numbers, and that each has a text of so many letters. */
static void check_part(const struct echo_count_part *part, uint32_t *number, size_t text_bytes)
{
	for (size_t i = 0; i < part->values.count; i++) {
		assert_int_equal(part->values.items[i].number, *number);
		assert_int_equal(part->values.items[i].text.bytes, text_bytes);
		++*number;
	}
}

/* Take all of a count, with so many credits. */
static void check_count(ingress_token context, const struct echo_count_request *what, uint32_t credits)
{
	struct echo_option_count_stream stream;
	struct echo_count_reply first;
	uint32_t number = 0;

	assert_int_equal(echo_count(context, what, credits, PATIENCE, &first), INGRESS_OK);
	assert_true(first.value.values.count <= credits);
	check_part(&first.value, &number, what->text_bytes);
	stream = first.value.stream;
	echo_count_reply_free(&first);
	while (stream.present) {
		struct echo_count_next_reply next;

		assert_int_equal(echo_count_next(context, stream.value, credits, PATIENCE, &next), INGRESS_OK);
		assert_true(next.value.values.count <= credits);
		check_part(&next.value, &number, what->text_bytes);
		stream = next.value.stream;
		echo_count_next_reply_free(&next);
	}
	assert_int_equal(number, what->up_to);
}

static void streams_give_every_value(void **state)
{
	static const uint32_t counts[] = { 0, 1, 255, 256, 257, 1000 };
	ingress_token context = create("");
	struct echo_count_request what = echo_count_request_make(0);

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		what.up_to = counts[i];
		check_count(context, &what, 256);
	}
	what.up_to = 50;
	check_count(context, &what, 1);
	what.text_bytes = 10000;
	check_count(context, &what, 256);
	what = echo_count_request_make(3);
	what.delay_ms = 1;
	check_count(context, &what, 256);
	assert_int_equal(counted(context).stopped, 0);
	destroy(context);
}

static void a_stream_may_fail_midway(void **state)
{
	ingress_token context = create("hi ");
	struct echo_count_request what = echo_count_request_make(1000);
	struct echo_count_next_reply next = { 0 };
	struct echo_count_stream stream;
	struct echo_count_reply first;
	uint32_t number = 0;

	(void)state;
	what.fail_at = (struct echo_option_u32){ true, 500 };
	assert_int_equal(echo_count(context, &what, 256, PATIENCE, &first), INGRESS_OK);
	check_part(&first.value, &number, 0);
	assert_true(first.value.stream.present);
	stream = first.value.stream.value;
	echo_count_reply_free(&first);
	while (echo_count_next(context, stream, 256, PATIENCE, &next) == INGRESS_OK) {
		check_part(&next.value, &number, 0);
		assert_true(next.value.stream.present);
		echo_count_next_reply_free(&next);
	}
	assert_int_equal(next.status, INGRESS_RAISED);
	assert_int_equal(next.error, ECHO_COUNT_ERROR_TOO_FAR);
	assert_int_equal(number, 500);
	echo_count_next_reply_free(&next);
	assert_int_equal(echo_count_next(context, stream, 256, PATIENCE, &next), INGRESS_BAD_HANDLE);
	echo_count_next_reply_free(&next);

	what.fail_at.value = 0;
	assert_int_equal(echo_count(context, &what, 256, PATIENCE, &first), INGRESS_RAISED);
	assert_int_equal(first.error, ECHO_COUNT_ERROR_TOO_FAR);
	echo_count_reply_free(&first);
	assert_int_equal(counted(context).stopped, 0);
	assert_echo(context, "you", "hi you");
	destroy(context);
}

static void take_count(void *user, const struct echo_count_reply *reply)
{
	struct taken *taken = user;

	taken->status = reply->status;
	note(taken, reply->status == INGRESS_STALE ? &taken->stale : &taken->replies, reply->message);
}

static void a_stream_that_is_left_is_seen_by_the_library(void **state)
{
	ingress_token context = create("");
	struct taken waited = TAKEN;
	struct echo_count_call call = { take_count, &waited, ingress_tickets(1) };
	struct echo_count_request what = endless();
	struct echo_count_reply first;
	struct echo_count_close_reply closed;

	(void)state;
	assert_int_equal(echo_count(context, &what, 20, PATIENCE, &first), INGRESS_OK);
	assert_int_equal(first.value.values.count, 20);
	assert_int_equal(echo_count_close(context, first.value.stream.value, PATIENCE, &closed), INGRESS_OK);
	echo_count_close_reply_free(&closed);
	assert_int_equal(echo_count_close(context, first.value.stream.value, PATIENCE, &closed), INGRESS_BAD_HANDLE);
	echo_count_close_reply_free(&closed);
	echo_count_reply_free(&first);
	what.delay_ms = 60000;
	assert_int_equal(echo_count_submit(context, &what, 256, &call), INGRESS_OK);
	assert_int_equal(given(context), 20);
	assert_int_equal(ingress_cancel(context, call.ticket), INGRESS_OK);
	await(&waited, &waited.replies, 1);
	assert_int_equal(waited.status, INGRESS_CANCELLED);
	assert_int_equal(counted(context).stopped, 2);
	destroy(context);
}

static void a_slow_host_holds_a_stream_up(void **state)
{
	const struct timespec moment = { 0, 20 * MILLISECOND };
	ingress_token context = create("hi ");
	struct echo_count_request what = endless();
	struct echo_count_reply first, large;
	uint64_t before;

	(void)state;
	assert_int_equal(echo_count(context, &what, 16, PATIENCE, &first), INGRESS_OK);
	assert_int_equal(first.value.values.count, 16);
	nanosleep(&moment, NULL);
	before = given(context);
	assert_true(before <= 33);
	assert_echo(context, "beside", "hi beside");
	what.text_bytes = 30000;
	assert_int_equal(echo_count(context, &what, 256, PATIENCE, &large), INGRESS_OK);
	assert_true(large.value.values.count > 0);
	nanosleep(&moment, NULL);
	assert_true(given(context) - before <= 8);
	echo_count_reply_free(&first);
	echo_count_reply_free(&large);
	destroy(context);
}

static void streams_go_side_by_side(void **state)
{
	ingress_token context = create("hi ");
	struct echo_option_count_stream streams[2];
	struct echo_count_request what = echo_count_request_make(300);
	uint32_t numbers[2] = { 0, 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct echo_count_reply first;

		assert_int_equal(echo_count(context, &what, 7, PATIENCE, &first), INGRESS_OK);
		check_part(&first.value, &numbers[i], 0);
		streams[i] = first.value.stream;
		echo_count_reply_free(&first);
	}
	while (streams[0].present || streams[1].present) {
		for (int i = 0; i < 2; i++) {
			struct echo_count_next_reply next;

			if (!streams[i].present)
				continue;
			assert_int_equal(echo_count_next(context, streams[i].value, 7, PATIENCE, &next), INGRESS_OK);
			check_part(&next.value, &numbers[i], 0);
			streams[i] = next.value.stream;
			echo_count_next_reply_free(&next);
		}
		assert_echo(context, "you", "hi you");
	}
	assert_int_equal(numbers[0], 300);
	assert_int_equal(numbers[1], 300);
	destroy(context);
}

static void a_stream_of_values_ends_with_its_context(void **state)
{
	ingress_token context = create("");
	struct taken waited = TAKEN;
	struct echo_count_call call = { .done = take_count, .user = &waited };
	struct echo_count_request what = endless();
	struct echo_count_next_reply next;
	struct echo_count_reply first;

	(void)state;
	assert_int_equal(echo_count(context, &what, 16, PATIENCE, &first), INGRESS_OK);
	what.delay_ms = 60000;
	assert_int_equal(echo_count_submit(context, &what, 256, &call), INGRESS_OK);
	assert_int_equal(given(context) >= 16, 1);
	assert_int_equal(echo_destroy(context, 50 * MILLISECOND), INGRESS_TIMEOUT);
	await(&waited, &waited.replies, 1);
	assert_int_equal(waited.status, INGRESS_CLOSED);
	assert_int_equal(echo_count_next(context, first.value.stream.value, 16, PATIENCE, &next), INGRESS_CLOSED);
	echo_count_next_reply_free(&next);
	echo_count_reply_free(&first);
}

/* ---- questions that the library asks ----------------------------------------------------------------------------- */

enum { QUESTIONS_MAX = 64, WAIT_MS = 60000 };

static struct ferry_string choice_items[] = { { "tea", 3 }, { "coffee", 6 } };
#define CHOICES ((struct echo_seq_string){ choice_items, 2 })

/* Questions that were heard. What hears them answers, if `context` is set. */
struct heard {
	struct taken taken;
	struct echo_pick_listener listener;
	ingress_token context;
	bool calls; /* whether the function that answers calls the library */
	struct echo_pick_question questions[QUESTIONS_MAX + 1];
};

/* Answer at once, on the event thread: refuse or fail, if the title says so. */
static void answer(const struct heard *heard, const struct echo_pick_asked *asked)
{
	bool fails = asked->title.bytes == 4 && !memcmp(asked->title.data, "fail", 4);
	struct echo_pick_return_reply returned;
	struct echo_pick_raise_reply raised;
	struct echo_pick_fail_reply failed;
	uint32_t place = 0;

	while (place < asked->choices.count &&
	       (asked->choices.items[place].bytes != asked->title.bytes ||
		memcmp(asked->choices.items[place].data, asked->title.data, asked->title.bytes) != 0))
		place++;
	if (place < asked->choices.count) {
		echo_pick_return(heard->context, asked->question, place, PATIENCE, &returned);
		echo_pick_return_reply_free(&returned);
	} else if (fails) {
		echo_pick_fail(heard->context, asked->question, ferry_string("no idea"), PATIENCE, &failed);
		echo_pick_fail_reply_free(&failed);
	} else {
		echo_pick_raise(heard->context, asked->question, ECHO_PICK_ERROR_NONE_FITS, PATIENCE, &raised);
		echo_pick_raise_reply_free(&raised);
	}
}

static void hear(void *user, const struct echo_pick_event *event)
{
	struct heard *heard = user;

	if (event->status != INGRESS_OK) {
		heard->taken.status = event->status;
		return;
	}
	if (heard->calls)
		assert_echo(heard->context, "inside", "inside");
	if (heard->context)
		answer(heard, &event->value);
	else if (heard->taken.events <= QUESTIONS_MAX)
		heard->questions[heard->taken.events] = event->value.question;
	note(&heard->taken, &heard->taken.events, event->value.title);
}

static uint64_t listen(ingress_token context, struct heard *heard)
{
	uint64_t id;

	heard->listener = (struct echo_pick_listener){ .notify = hear, .user = heard };
	assert_int_equal(echo_on_pick(context, &heard->listener, &id), INGRESS_OK);
	return id;
}

static enum echo_consultation consult(ingress_token context, const char *title, uint32_t wait_ms)
{
	struct echo_consult_reply reply;
	enum echo_consultation outcome;

	assert_int_equal(echo_consult(context, ferry_string(title), CHOICES, wait_ms, PATIENCE, &reply), INGRESS_OK);
	outcome = reply.value.outcome;
	if (outcome == ECHO_CONSULTATION_ANSWERED)
		assert_string_equal(reply.value.text.data, title);
	if (outcome == ECHO_CONSULTATION_FAILED)
		assert_string_equal(reply.value.text.data, "no idea");
	echo_consult_reply_free(&reply);
	return outcome;
}

/* What three answers to a question that is over get. */
static void assert_over(ingress_token context, struct echo_pick_question question)
{
	struct echo_pick_return_reply returned;
	struct echo_pick_raise_reply raised;
	struct echo_pick_fail_reply failed;

	assert_int_equal(echo_pick_return(context, question, 0, PATIENCE, &returned), INGRESS_BAD_HANDLE);
	echo_pick_return_reply_free(&returned);
	assert_int_equal(echo_pick_raise(context, question, ECHO_PICK_ERROR_NONE_FITS, PATIENCE, &raised),
			 INGRESS_BAD_HANDLE);
	echo_pick_raise_reply_free(&raised);
	assert_int_equal(echo_pick_fail(context, question, ferry_string("again"), PATIENCE, &failed),
			 INGRESS_BAD_HANDLE);
	echo_pick_fail_reply_free(&failed);
}

static void assert_returns(ingress_token context, struct echo_pick_question question, uint32_t place)
{
	struct echo_pick_return_reply reply;

	assert_int_equal(echo_pick_return(context, question, place, PATIENCE, &reply), INGRESS_OK);
	echo_pick_return_reply_free(&reply);
}

static uint32_t asking(ingress_token context)
{
	struct echo_asking_reply reply;
	uint32_t count;

	assert_int_equal(echo_asking(context, PATIENCE, &reply), INGRESS_OK);
	count = reply.value;
	echo_asking_reply_free(&reply);
	return count;
}

static void take_consulted(void *user, const struct echo_consult_reply *reply)
{
	struct taken *taken = user;

	if (reply->status == INGRESS_STALE)
		return;
	taken->status = reply->status;
	taken->stale = reply->status == INGRESS_OK ? (unsigned int)reply->value.outcome : 0;
	note(taken, &taken->replies, reply->status == INGRESS_OK ? reply->value.text : reply->message);
}

static void questions_are_answered(void **state)
{
	ingress_token context = create("");
	struct heard heard = { .taken = TAKEN, .context = context };
	uint64_t id = listen(context, &heard);

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(consult(context, "coffee", WAIT_MS), ECHO_CONSULTATION_ANSWERED);
		assert_int_equal(consult(context, "refuse", WAIT_MS), ECHO_CONSULTATION_REFUSED);
		assert_int_equal(consult(context, "fail", WAIT_MS), ECHO_CONSULTATION_FAILED);
	}
	assert_int_equal(asking(context), 0);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	destroy(context);
}

static void questions_that_nobody_answers_end(void **state)
{
	ingress_token context = create("");
	struct heard heard = { .taken = TAKEN };
	struct taken left = TAKEN;
	struct echo_consult_call call = { take_consulted, &left, 0 };
	uint64_t id;

	(void)state;
	assert_int_equal(consult(context, "tea", WAIT_MS), ECHO_CONSULTATION_UNHEARD);
	id = listen(context, &heard);
	assert_int_equal(consult(context, "tea", 20), ECHO_CONSULTATION_TOO_LATE);
	await(&heard.taken, &heard.taken.events, 1);
	assert_over(context, heard.questions[0]);
	assert_int_equal(echo_consult_submit(context, ferry_string("tea"), CHOICES, WAIT_MS, &call), INGRESS_OK);
	await(&heard.taken, &heard.taken.events, 2);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	await(&left, &left.replies, 1);
	assert_int_equal(left.stale, ECHO_CONSULTATION_UNHEARD);
	assert_int_equal(asking(context), 0);
	destroy(context);
}

struct answerer {
	ingress_token context;
	const struct heard *heard;
};

static void *answer_later(void *argument)
{
	const struct answerer *answerer = argument;

	assert_returns(answerer->context, answerer->heard->questions[1], 1);
	assert_returns(answerer->context, answerer->heard->questions[0], 0);
	return NULL;
}

static void a_question_is_answered_once(void **state)
{
	ingress_token context = create(""), other = create("");
	struct heard heard = { .taken = TAKEN };
	struct answerer answerer = { context, &heard };
	struct taken tea = TAKEN, coffee = TAKEN;
	struct echo_consult_call first = { take_consulted, &tea, 0 }, second = { take_consulted, &coffee, 0 };
	pthread_t thread;

	(void)state;
	listen(context, &heard);
	assert_int_equal(echo_consult_submit(context, ferry_string("tea"), CHOICES, WAIT_MS, &first), INGRESS_OK);
	assert_int_equal(echo_consult_submit(context, ferry_string("coffee"), CHOICES, WAIT_MS, &second), INGRESS_OK);
	await(&heard.taken, &heard.taken.events, 2);
	assert_over(other, heard.questions[0]);
	assert_int_equal(pthread_create(&thread, NULL, answer_later, &answerer), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_over(context, heard.questions[0]);
	assert_over(context, heard.questions[1]);
	await(&tea, &tea.replies, 1);
	await(&coffee, &coffee.replies, 1);
	assert_string_equal(tea.text, "tea");
	assert_string_equal(coffee.text, "coffee");
	destroy(other);
	destroy(context);
}

static void a_question_ends_with_its_call(void **state)
{
	ingress_token context = create("");
	struct heard heard = { .taken = TAKEN };
	struct taken cancelled = TAKEN;
	struct echo_consult_call call = { take_consulted, &cancelled, ingress_tickets(1) };
	struct echo_consult_reply reply;

	(void)state;
	listen(context, &heard);
	assert_int_equal(echo_consult_submit(context, ferry_string("tea"), CHOICES, WAIT_MS, &call), INGRESS_OK);
	await(&heard.taken, &heard.taken.events, 1);
	assert_int_equal(asking(context), 1);
	assert_int_equal(ingress_cancel(context, call.ticket), INGRESS_OK);
	await(&cancelled, &cancelled.replies, 1);
	assert_int_equal(cancelled.status, INGRESS_CANCELLED);
	assert_int_equal(echo_consult(context, ferry_string("tea"), CHOICES, 300, 20 * MILLISECOND, &reply),
			 INGRESS_TIMEOUT);
	echo_consult_reply_free(&reply);
	await(&heard.taken, &heard.taken.events, 2);
	while (asking(context))
		nanosleep(&(struct timespec){ .tv_nsec = MILLISECOND }, NULL);
	assert_over(context, heard.questions[0]);
	assert_over(context, heard.questions[1]);
	destroy(context);
}

static void questions_are_bounded(void **state)
{
	ingress_token context = create("");
	struct heard heard = { .taken = TAKEN }, answering = { .taken = TAKEN, .context = context };
	struct taken answered = TAKEN, refused = TAKEN;
	struct echo_consult_call call = { take_consulted, &answered, 0 }, last = { take_consulted, &refused, 0 };
	uint64_t id = listen(context, &heard);

	(void)state;
	for (int i = 0; i < QUESTIONS_MAX; i++)
		assert_int_equal(echo_consult_submit(context, ferry_string("tea"), CHOICES, WAIT_MS, &call),
				 INGRESS_OK);
	assert_int_equal(echo_consult_submit(context, ferry_string("tea"), CHOICES, WAIT_MS, &last), INGRESS_OK);
	await(&refused, &refused.replies, 1);
	assert_int_equal(refused.stale, ECHO_CONSULTATION_TOO_MANY);
	await(&heard.taken, &heard.taken.events, QUESTIONS_MAX);
	for (int i = 0; i < QUESTIONS_MAX; i++)
		assert_returns(context, heard.questions[i], 0);
	await(&answered, &answered.replies, QUESTIONS_MAX);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	listen(context, &answering);
	assert_int_equal(consult(context, "tea", WAIT_MS), ECHO_CONSULTATION_ANSWERED);
	destroy(context);
}

static void a_function_that_answers_may_call(void **state)
{
	ingress_token context = create("");
	struct heard heard = { .taken = TAKEN, .context = context, .calls = true };

	(void)state;
	listen(context, &heard);
	assert_int_equal(consult(context, "coffee", WAIT_MS), ECHO_CONSULTATION_ANSWERED);
	destroy(context);
}

static void a_context_ends_amid_a_question(void **state)
{
	ingress_token context = create("");
	struct heard heard = { .taken = TAKEN };
	struct taken taken = TAKEN;
	struct echo_consult_call call = { take_consulted, &taken, 0 };
	uint64_t id = listen(context, &heard);

	(void)state;
	assert_int_equal(echo_consult_submit(context, ferry_string("tea"), CHOICES, WAIT_MS, &call), INGRESS_OK);
	await(&heard.taken, &heard.taken.events, 1);
	/* what listens and does not answer goes first, so the call is not waited for until its deadline */
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	destroy(context);
	await(&taken, &taken.replies, 1);
	if (taken.status == INGRESS_OK)
		assert_int_equal(taken.stale, ECHO_CONSULTATION_UNHEARD);
	else
		assert_int_equal(taken.status, INGRESS_CLOSED);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void take_echoed(void *user, const struct echo_echoed_event *event)
{
	struct taken *taken = user;

	taken->status = event->status;
	note(taken, &taken->events, event->value.echoed);
}

static void take_tick(void *user, const struct echo_tick_event *event)
{
	struct taken *taken = user;

	taken->status = event->status;
	note(taken, &taken->events, ferry_string(""));
}

static void events_reach_their_listeners(void **state)
{
	ingress_token context = create("e "), other = create("o ");
	struct taken echoed = TAKEN, ticks = TAKEN;
	struct echo_echoed_listener on_echoed = { .notify = take_echoed, .user = &echoed };
	struct echo_tick_listener on_tick = { .notify = take_tick, .user = &ticks };
	struct echo_ticks_reply asked;
	uint64_t echoed_id, tick_id;

	(void)state;
	assert_int_equal(echo_on_echoed(context, &on_echoed, &echoed_id), INGRESS_OK);
	assert_int_equal(echo_on_tick(context, &on_tick, &tick_id), INGRESS_OK);
	assert_echo(other, "elsewhere", "o elsewhere");
	assert_echo(context, "heard", "e heard");
	await(&echoed, &echoed.events, 1);
	assert_string_equal(echoed.text, "e heard");
	assert_int_equal(echo_ticks(context, 3, PATIENCE, &asked), INGRESS_OK);
	echo_ticks_reply_free(&asked);
	await(&ticks, &ticks.events, 3);
	assert_int_equal(ingress_unlisten(context, echoed_id), INGRESS_OK);
	assert_echo(context, "unheard", "e unheard");
	destroy(context);
	destroy(other);
	assert_int_equal(echoed.events, 1);
	assert_int_equal(echoed.status, INGRESS_OK);
	assert_int_equal(ticks.events, 3);
	assert_int_equal(ticks.status, INGRESS_OK);
}

static void ask_ticks(ingress_token context, uint32_t count)
{
	struct echo_ticks_reply asked;

	assert_int_equal(echo_ticks(context, count, PATIENCE, &asked), INGRESS_OK);
	echo_ticks_reply_free(&asked);
}

/* Appended calls whose arguments are taken from others begin with these. */
static const struct echo_reader some_reader = { 0 };

static void a_chain_takes_results_of_earlier_calls(void **state)
{
	const struct echo_echo_request asked = request("a longer text than the null that it becomes", 0);
	const struct echo_map_i32_string_pair twice[] = { { 5, ferry_string("") }, { 5, ferry_string("") } };
	const struct echo_all_types unfit = { .text_by_number = { twice, 2 } };
	ingress_token context = create("hi ");
	struct ferry_chain *chain = ferry_chain_create(context);
	int reader = echo_open_chain(chain, ferry_string("a text"));
	int start = echo_read_chain(chain, some_reader, 6), rest = echo_read_chain(chain, some_reader, 6);
	int closed = echo_close_chain(chain, some_reader);
	int first = echo_echo_chain(chain, &asked), second = echo_echo_chain(chain, &asked);
	int maybe = echo_maybe_chain(chain, (struct echo_option_string){ true, ferry_string("") });
	int sum = echo_sum_chain(chain, 1, 2), sums = echo_sum_chain(chain, INT64_MAX, -1);
	struct echo_sum_reply summed;
	struct echo_read_reply read;
	struct echo_echo_reply said;
	struct echo_maybe_reply given;
	struct echo_close_reply end;

	(void)state;
	for (int i = start; i <= closed; i++)
		assert_int_equal(ferry_chain_take(chain, i, "reader", reader, ""), 0);
	assert_int_equal(ferry_chain_take(chain, second, "request.message", first, "echoed"), 0);
	assert_int_equal(ferry_chain_take_option(chain, maybe, "value", rest, ""), 0);
	/* the later argument first: links are put in order, and their places move */
	assert_int_equal(ferry_chain_take(chain, sums, "right", sum, ""), 0);
	assert_int_equal(ferry_chain_take(chain, sums, "left", sum, ""), 0);
	assert_int_equal(ferry_chain_after(chain, sums, second), 0);
	assert_int_equal(echo_read_result(chain, start, &read), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_OK);
	assert_int_equal(echo_read_result(chain, start, &read), INGRESS_OK);
	assert_true(read.value.present);
	assert_string_equal(read.value.value.data, "a text");
	echo_read_reply_free(&read);
	assert_int_equal(echo_read_result(chain, start, &read), INGRESS_BAD_ARGUMENT);
	assert_int_equal(echo_read_result(chain, rest, &read), INGRESS_OK);
	assert_false(read.value.present);
	echo_read_reply_free(&read);
	assert_int_equal(echo_close_result(chain, closed, &end), INGRESS_OK);
	echo_close_reply_free(&end);
	assert_int_equal(echo_echo_result(chain, second, &said), INGRESS_OK);
	assert_int_equal(echo_maybe_result(chain, maybe, &given), INGRESS_OK);
	assert_false(given.value.present);
	echo_maybe_reply_free(&given);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_BAD_ARGUMENT);
	assert_int_equal(echo_version_chain(chain), -1);
	assert_int_equal(echo_all_chain(chain, &unfit), -1);
	assert_int_equal(ferry_chain_after(chain, sums, first), -1);
	assert_int_equal(echo_sum_result(chain, second, &summed), INGRESS_BAD_ARGUMENT); /* of another method */
	assert_int_equal(echo_sum_result(chain, sums, &summed), INGRESS_OK);
	assert_int_equal(summed.value, 6);
	echo_sum_reply_free(&summed);
	ferry_chain_free(chain);
	/* a reply outlives its chain */
	assert_string_equal(said.value.echoed.data, "hi hi a longer text than the null that it becomes");
	echo_echo_reply_free(&said);
	destroy(context);
}

/* A chain with one call that has this part, which is none of it: the chain is refused. */
static void assert_no_part(ingress_token context, const struct echo_complex_request *asked, const char *part)
{
	struct ferry_chain *chain = ferry_chain_create(context);
	int version = echo_version_chain(chain), call = echo_complex_chain(chain, asked);

	assert_int_equal(ferry_chain_take(chain, call, part, version, ""), -1);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_BAD_ARGUMENT);
	ferry_chain_free(chain);
}

static void promises_stand_inside_objects_that_are_passed(void **state)
{
	const struct echo_echo_request asked = request("x", 0);
	const struct echo_echo_request messages[] = { request("a longer text", 1), request("last", 1) };
	const struct ferry_string tags[] = { ferry_string("t"), ferry_string("not this") };
	const struct echo_complex_request whole = { .messages = { messages, 2 },
						    .tags = { tags, 2 },
						    .note = { true, ferry_string("note") } };
	static const char *const none[] = {
		"request.",   "request.messages[2]",  "request.messages[x]", "request.messages[0",
		"request[0]", "request.messages[0]b", "request.retries",     "messages",
		"[0]",	      "request.messages.0"
	};
	ingress_token context = create("hi ");
	struct ferry_chain *chain = ferry_chain_create(context);
	int first = echo_echo_chain(chain, &asked);
	int nothing = echo_maybe_chain(chain, (struct echo_option_string){ false, { NULL, 0 } });
	int noted = echo_complex_chain(chain, &whole), plain = echo_complex_chain(chain, &whole);
	struct echo_complex_reply reply;

	(void)state;
	for (int i = noted; i <= plain; i++) {
		/* the later part first */
		assert_int_equal(ferry_chain_take(chain, i, "request.tags[1]", first, "echoed"), 0);
		assert_int_equal(ferry_chain_take(chain, i, "request.messages[0].message", first, "echoed"), 0);
	}
	assert_int_equal(ferry_chain_take(chain, noted, "request.note", first, "echoed"), 0);
	assert_int_equal(ferry_chain_take_option(chain, plain, "request.note", nothing, ""), 0);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_OK);
	for (int i = noted; i <= plain; i++) {
		assert_int_equal(echo_complex_result(chain, i, &reply), INGRESS_OK);
		assert_string_equal(reply.value.summary.data, "hi x,last;t,hi x");
		assert_int_equal(reply.value.has_note, i == noted);
		echo_complex_reply_free(&reply);
	}
	ferry_chain_free(chain);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_no_part(context, &whole, none[i]);
	destroy(context);
}

/* Of a map whose keys are texts, a key is a field; a number is none. */
static void promises_stand_in_maps(void **state)
{
	const struct echo_echo_request asked = request("x", 0);
	const struct echo_map_i32_string_pair numbered[] = { { 5, ferry_string("five") } };
	const struct echo_map_string_i64_pair numbers[] = { { ferry_string("longer"), 1 }, { ferry_string("n"), 0 } };
	const struct echo_map_string_echo_request_pair objects[] = { { ferry_string("of"), request("not this", 7) },
								     { ferry_string("whole"), request("", 0) } };
	const struct echo_all_types value = { .an_object = request("given", 3),
					      .text_by_number = { numbered, 1 },
					      .number_by_text = { numbers, 2 },
					      .objects_by_text = { objects, 2 } };
	static const char *const none[] = { "value.text_by_number[5]", "value.text_by_number.5",
					    "value.number_by_text.m", "value.number_by_text[0]" };
	ingress_token context = create("hi ");
	struct ferry_chain *chain = ferry_chain_create(context);
	int said = echo_echo_chain(chain, &asked), sum = echo_sum_chain(chain, 40, 2), text;
	int all = echo_all_chain(chain, &value), given = echo_all_chain(chain, &value);
	char message[128];
	struct echo_all_reply reply;
	struct echo_maybe_reply maybe;

	(void)state;
	text = echo_maybe_chain(chain, (struct echo_option_string){ true, ferry_string("") });
	assert_int_equal(ferry_chain_take(chain, given, "value.objects_by_text.whole", all, "an_object"), 0);
	assert_int_equal(ferry_chain_take(chain, given, "value.objects_by_text.of.message", said, "echoed"), 0);
	assert_int_equal(ferry_chain_take(chain, given, "value.number_by_text.n", sum, ""), 0);
	/* and out of one */
	assert_int_equal(ferry_chain_take(chain, text, "value", given, "objects_by_text.of.message"), 0);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_OK);
	assert_int_equal(echo_all_result(chain, given, &reply), INGRESS_OK);
	assert_int_equal(reply.value.number_by_text.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct echo_map_string_i64_pair *pair = &reply.value.number_by_text.items[i];
		const struct echo_map_string_echo_request_pair *object = &reply.value.objects_by_text.items[i];

		assert_int_equal(pair->value, strcmp(pair->key.data, "n") ? 1 : 42);
		assert_string_equal(object->value.message.data, strcmp(object->key.data, "of") ? "given" : "hi x");
		assert_int_equal(object->value.delay_ms, strcmp(object->key.data, "of") ? 3 : 7);
	}
	echo_all_reply_free(&reply);
	assert_int_equal(echo_maybe_result(chain, text, &maybe), INGRESS_OK);
	assert_string_equal(maybe.value.value.data, "hi x");
	echo_maybe_reply_free(&maybe);
	ferry_chain_free(chain);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		chain = ferry_chain_create(context);
		echo_sum_chain(chain, 1, 2);
		assert_int_equal(ferry_chain_take(chain, echo_all_chain(chain, &value), none[i], 0, ""), -1);
		snprintf(message, sizeof(message),
			 "request 1: '%s' is no argument of it, or is an option without a value", none[i]);
		assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_BAD_ARGUMENT);
		assert_string_equal(chain->message, message);
		ferry_chain_free(chain);
	}
	destroy(context);
}

static void a_chain_reaches_into_variants(void **state)
{
	const struct echo_shape x = { .which = ECHO_SHAPE_LABEL, .as.label.text = ferry_string("x") };
	const struct echo_shape shapes[] = { x, { .which = ECHO_SHAPE_NOTHING } };
	const struct echo_shape inner[] = {
		{ .which = ECHO_SHAPE_CAPTION, .as.caption.text = ferry_string("not this") }, x
	};
	const struct echo_shape outer[] = { { .which = ECHO_SHAPE_GROUP, .as.group.parts = { inner, 2 } } };
	const struct echo_option_shape none = { 0 }, extra = { true, x };
	struct echo_drawing drawing = { .name = ferry_string("d"),
					.shapes = { shapes, 2 },
					.is_colored = { .which = ECHO_DRAWING_BY_IS_COLORED_TRUE,
							.as.true_.color = ECHO_COLOR_BLUE } };
	struct echo_drawing nested = drawing, empty = drawing;
	ingress_token context = create("");
	struct ferry_chain *chain = ferry_chain_create(context);
	int drawn = echo_draw_chain(chain, &drawing, none), again, other, wrong, skipped;
	struct echo_draw_reply reply;
	struct echo_open_reply opened;
	struct echo_close_reply closed;
	const struct echo_shape *parts;

	(void)state;
	nested.shapes = (struct echo_seq_shape){ outer, 1 };
	empty.shapes.count = 0;
	again = echo_draw_chain(chain, &nested, extra);
	other = echo_draw_chain(chain, &empty, extra);
	wrong = echo_open_chain(chain, ferry_string(""));
	skipped = echo_close_chain(chain, some_reader);
	assert_int_equal(ferry_chain_take(chain, again, "drawing.shapes[0].group.parts[0].caption.text", drawn,
					  "group.parts[0].caption.text"),
			 0);
	assert_int_equal(ferry_chain_take(chain, again, "drawing.shapes[0].group.parts[1]", drawn, ""), 0);
	assert_int_equal(ferry_chain_take(chain, again, "extra", drawn, "group.parts[1]"), 0);
	assert_int_equal(ferry_chain_take(chain, other, "extra.label", drawn, "group.parts[0].caption"), 0);
	assert_int_equal(ferry_chain_take(chain, wrong, "text", drawn, "group.parts[0].label.text"), 0);
	assert_int_equal(ferry_chain_take(chain, skipped, "reader", wrong, ""), 0);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_OK);
	assert_int_equal(echo_draw_result(chain, again, &reply), INGRESS_OK);
	parts = reply.value.as.group.parts.items;
	assert_int_equal(reply.value.as.group.parts.count, 3);
	assert_int_equal(parts[2].which, ECHO_SHAPE_LABEL);
	parts = parts[1].as.group.parts.items;
	assert_int_equal(parts[0].which, ECHO_SHAPE_CAPTION);
	assert_string_equal(parts[0].as.caption.text.data, "d 7");
	assert_int_equal(parts[1].which, ECHO_SHAPE_GROUP);
	assert_int_equal(parts[1].as.group.parts.count, 3);
	echo_draw_reply_free(&reply);
	assert_int_equal(echo_draw_result(chain, other, &reply), INGRESS_OK);
	assert_string_equal(reply.value.as.group.parts.items[1].as.label.text.data, "d 7");
	echo_draw_reply_free(&reply);
	assert_int_equal(echo_open_result(chain, wrong, &opened), INGRESS_BAD_PAYLOAD);
	assert_string_equal(opened.message.data, "request 0 of the chain, group.parts[0].label.text: missing");
	echo_open_reply_free(&opened);
	assert_int_equal(echo_close_result(chain, skipped, &closed), INGRESS_SKIPPED);
	echo_close_reply_free(&closed);
	ferry_chain_free(chain);
	destroy(context);
}

static void what_needs_a_failed_call_of_a_chain_is_skipped(void **state)
{
	ingress_token context = create("");
	struct ferry_chain *chain = ferry_chain_create(context);
	int divided = echo_divide_chain(chain, 1, 0), skipped = echo_sum_chain(chain, 1, 1);
	int failed = echo_fail_chain(chain, ferry_string("no")), needs = echo_version_chain(chain);
	int alone = echo_sum_chain(chain, 1, 2);
	struct echo_divide_reply quotient;
	struct echo_sum_reply sum;
	struct echo_fail_reply no;
	struct echo_version_reply version;

	(void)state;
	assert_int_equal(ferry_chain_take(chain, skipped, "left", divided, ""), 0);
	assert_int_equal(ferry_chain_after(chain, needs, failed), 0);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_OK);
	assert_int_equal(echo_divide_result(chain, divided, &quotient), INGRESS_RAISED);
	echo_divide_reply_free(&quotient);
	assert_int_equal(echo_sum_result(chain, skipped, &sum), INGRESS_SKIPPED);
	assert_string_equal(sum.message.data, "request 0 of the chain failed, so this one did not run");
	echo_sum_reply_free(&sum);
	assert_int_equal(echo_fail_result(chain, failed, &no), INGRESS_FAILED);
	assert_string_equal(no.message.data, "no");
	echo_fail_reply_free(&no);
	assert_int_equal(echo_version_result(chain, needs, &version), INGRESS_SKIPPED);
	echo_version_reply_free(&version);
	assert_int_equal(echo_sum_result(chain, alone, &sum), INGRESS_OK);
	assert_int_equal(sum.value, 3);
	echo_sum_reply_free(&sum);
	ferry_chain_free(chain);
	destroy(context);
}

/* Asks a chain in which something is wrong, and frees it. */
static void assert_refused(struct ferry_chain *chain, enum ingress_status status, const char *message)
{
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), status);
	assert_string_equal(chain->message, message);
	ferry_chain_free(chain);
}

static void what_is_wrong_with_a_chain_is_said_when_it_is_asked(void **state)
{
	ingress_token context = create("");
	struct ferry_chain *chain = ferry_chain_create(context);
	const struct echo_map_i32_string_pair twice[] = { { 5, ferry_string("") }, { 5, ferry_string("") } };
	const struct echo_all_types unfit = { .text_by_number = { twice, 2 } };
	struct echo_sum_reply sum;

	(void)state;
	assert_refused(chain, INGRESS_BAD_ARGUMENT, "the chain has no calls");
	chain = ferry_chain_create(context);
	echo_sum_chain(chain, 1, 2);
	assert_int_equal(echo_all_chain(chain, &unfit), -1);
	assert_refused(chain, INGRESS_BAD_PAYLOAD, "request 1: given twice");
	chain = ferry_chain_create(context);
	echo_sum_chain(chain, 1, 2);
	assert_int_equal(ferry_chain_take(chain, echo_sum_chain(chain, 1, 2), "lift", 0, ""), -1);
	assert_int_equal(echo_sum_chain(chain, 1, 2), -1);
	assert_int_equal(echo_sum_result(chain, -1, &sum), INGRESS_BAD_ARGUMENT);
	echo_sum_reply_free(&sum);
	assert_refused(chain, INGRESS_BAD_ARGUMENT,
		       "request 1: 'lift' is no argument of it, or is an option without a value");
	chain = ferry_chain_create(context);
	echo_maybe_chain(chain, (struct echo_option_string){ false, { NULL, 0 } });
	assert_int_equal(ferry_chain_after(chain, 0, 0), -1);
	assert_refused(chain, INGRESS_BAD_ARGUMENT, "request 0: it can only need an earlier call of the chain");
	chain = ferry_chain_create(context);
	for (int i = 0; i <= INGRESS_CHAIN_MAX; i++)
		echo_version_chain(chain);
	assert_refused(chain, INGRESS_BAD_ARGUMENT, "request 64: a chain has at most 64 calls");
	chain = ferry_chain_create(context);
	echo_sum_chain(chain, 1, 2);
	echo_sum_chain(chain, 1, 2);
	for (int i = 0; i <= INGRESS_LINKS_MAX; i++)
		ferry_chain_after(chain, 1, 0);
	assert_refused(chain, INGRESS_BAD_ARGUMENT, "request 1: a chain has at most 256 links");
	destroy(context);
	chain = ferry_chain_create(context);
	echo_version_chain(chain);
	assert_int_equal(ferry_chain_ask(chain, PATIENCE), INGRESS_CLOSED);
	ferry_chain_free(chain);
	ferry_chain_free(NULL);
}

/* A listener of ticks, at whose gate each waits. */
struct slow {
	pthread_mutex_t gate;
	struct taken ticks;
	atomic_uint sum; /* of the ticks, and of those that were lost */
};

static void take_slowly(void *user, const struct echo_tick_event *event)
{
	struct slow *slow = user;

	pthread_mutex_lock(&slow->gate);
	pthread_mutex_unlock(&slow->gate);
	atomic_fetch_add(&slow->sum, 1 + (unsigned int)event->lost);
	note(&slow->ticks, &slow->ticks.events, ferry_string(""));
}

static void an_overflowing_listener_counts_what_it_lost_and_recovers(void **state)
{
	const struct ingress_options options = { .event_depth = 4 };
	ingress_token context = create_with(&options, "");
	struct slow slow = { PTHREAD_MUTEX_INITIALIZER, TAKEN, 0 };
	struct echo_tick_listener on_tick = { .notify = take_slowly, .user = &slow };
	uint64_t id;

	(void)state;
	assert_int_equal(echo_on_tick(context, &on_tick, &id), INGRESS_OK);
	pthread_mutex_lock(&slow.gate);
	ask_ticks(context, 1000);
	pthread_mutex_unlock(&slow.gate);
	await(&slow.ticks, &slow.ticks.events, 4);
	/* what was lost is told with the next event */
	for (unsigned int seen = 5; atomic_load(&slow.sum) < 1000; seen++) {
		ask_ticks(context, 1);
		await(&slow.ticks, &slow.ticks.events, seen);
	}
	destroy(context);
	assert_true(slow.ticks.events < 900);
}

/* A listener that hears one tick, ends, and calls. */
struct once {
	pthread_mutex_t gate;
	struct taken ticks;
	ingress_token context;
	uint64_t id;
	enum ingress_status ended;
};

static void take_once(void *user, const struct echo_tick_event *event)
{
	const struct echo_echo_request asked = request("from here", 0);
	struct once *once = user;
	struct echo_echo_reply reply;

	(void)event;
	pthread_mutex_lock(&once->gate);
	once->ended = ingress_unlisten(once->context, once->id);
	pthread_mutex_unlock(&once->gate);
	echo_echo(once->context, &asked, PATIENCE, &reply);
	note(&once->ticks, &once->ticks.events, reply.value.echoed);
	echo_echo_reply_free(&reply);
}

static void a_listener_may_end_itself_and_call(void **state)
{
	struct once once = { PTHREAD_MUTEX_INITIALIZER, TAKEN, create(""), 0, INGRESS_OK };
	struct echo_tick_listener on_tick = { .notify = take_once, .user = &once };

	(void)state;
	pthread_mutex_lock(&once.gate); /* until the id is there */
	assert_int_equal(echo_on_tick(once.context, &on_tick, &once.id), INGRESS_OK);
	ask_ticks(once.context, 5);
	pthread_mutex_unlock(&once.gate);
	await(&once.ticks, &once.ticks.events, 1);
	assert_echo(once.context, "", "");
	destroy(once.context);
	assert_int_equal(once.ended, INGRESS_OK);
	assert_int_equal(once.ticks.events, 1);
	assert_string_equal(once.ticks.text, "from here");
}

static void events_come_into_an_inbox(void **state)
{
	ingress_token context = create("");
	struct ingress_inbox *inbox;
	struct ingress_item item;
	struct echo_echoed_event event;
	uint64_t id;

	(void)state;
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	assert_int_equal(echo_post_echoed(context, inbox, 9, &id), INGRESS_OK);
	assert_echo(context, "noted", "noted");
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, PATIENCE), 1);
	assert_int_equal(item.kind, INGRESS_ITEM_EVENT);
	assert_int_equal(item.tag, 9);
	assert_int_equal(echo_take_echoed(&item, &event), INGRESS_OK);
	assert_string_equal(event.value.echoed.data, "noted");
	echo_echoed_event_free(&event);
	ingress_items_release(&item, 1);
	destroy(context);
	ingress_inbox_close(inbox);
}

struct caller {
	ingress_token context;
	int thread;
	unsigned int faults;
};

static void *call_often(void *user)
{
	struct caller *caller = user;

	for (int i = 0; i < CALLS_OF_A_THREAD; i++) {
		char text[40];
		struct echo_echo_request asked;
		struct echo_echo_reply reply;

		snprintf(text, sizeof(text), "%d/%d", caller->thread, i);
		asked = request(text, 0);
		if (echo_echo(caller->context, &asked, PATIENCE, &reply) || strcmp(reply.value.echoed.data, text) != 0)
			caller->faults++;
		echo_echo_reply_free(&reply);
	}
	return NULL;
}

static void *live(void *user)
{
	struct caller *caller = user;
	const struct echo_echo_request you = request("you", 0);

	for (int i = 0; i < LIVES_OF_A_THREAD; i++) {
		char prefix[8], expected[16];
		struct echo_create_reply created;
		struct echo_echo_reply reply;
		ingress_token context;

		snprintf(prefix, sizeof(prefix), "%d ", caller->thread);
		snprintf(expected, sizeof(expected), "%syou", prefix);
		if (echo_create(NULL, ferry_string(prefix), PATIENCE, &context, &created)) {
			caller->faults++;
			continue;
		}
		echo_create_reply_free(&created);
		if (echo_echo(context, &you, PATIENCE, &reply) || strcmp(reply.value.echoed.data, expected) != 0)
			caller->faults++;
		echo_echo_reply_free(&reply);
		caller->faults += echo_destroy(context, PATIENCE) != INGRESS_OK;
	}
	return NULL;
}

static void in_threads(void *(*run)(void *user), ingress_token context)
{
	struct caller callers[THREADS];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		callers[i] = (struct caller){ context, i, 0 };
		assert_int_equal(pthread_create(&threads[i], NULL, run, &callers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(callers[i].faults, 0);
	}
}

static void many_threads_get_their_own_replies(void **state)
{
	ingress_token context = create("");

	(void)state;
	in_threads(call_often, context);
	destroy(context);
}

static void contexts_live_side_by_side(void **state)
{
	(void)state;
	in_threads(live, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statics_need_no_context),
		cmocka_unit_test(another_interface_is_refused),
		cmocka_unit_test(echo_in_every_form),
		cmocka_unit_test(values_of_every_type),
		cmocka_unit_test(trees_are_bounded),
		cmocka_unit_test(complex),
		cmocka_unit_test(bytes_of_every_size),
		cmocka_unit_test(failures_have_their_status_and_message),
		cmocka_unit_test(errors_have_their_type),
		cmocka_unit_test(a_variant_has_one_of_its_cases),
		cmocka_unit_test(what_is_left_out_has_its_default),
		cmocka_unit_test(a_constructor_that_fails_leaves_nothing),
		cmocka_unit_test(a_payload_that_is_no_value_is_refused_with_its_path),
		cmocka_unit_test(deadlines),
		cmocka_unit_test(a_cancelled_call_is_seen_by_the_library),
		cmocka_unit_test(a_chain_takes_results_of_earlier_calls),
		cmocka_unit_test(promises_stand_inside_objects_that_are_passed),
		cmocka_unit_test(promises_stand_in_maps),
		cmocka_unit_test(a_chain_reaches_into_variants),
		cmocka_unit_test(what_needs_a_failed_call_of_a_chain_is_skipped),
		cmocka_unit_test(what_is_wrong_with_a_chain_is_said_when_it_is_asked),
		cmocka_unit_test(a_running_request_says_so),
		cmocka_unit_test(a_full_queue_is_refused),
		cmocka_unit_test(a_payload_over_the_limit_is_refused),
		cmocka_unit_test(what_waits_when_a_context_ends_is_told),
		cmocka_unit_test(a_closed_reader_is_never_another),
		cmocka_unit_test(streams_give_every_value),
		cmocka_unit_test(a_stream_may_fail_midway),
		cmocka_unit_test(a_stream_that_is_left_is_seen_by_the_library),
		cmocka_unit_test(a_slow_host_holds_a_stream_up),
		cmocka_unit_test(streams_go_side_by_side),
		cmocka_unit_test(a_stream_of_values_ends_with_its_context),
		cmocka_unit_test(questions_are_answered),
		cmocka_unit_test(questions_that_nobody_answers_end),
		cmocka_unit_test(a_question_is_answered_once),
		cmocka_unit_test(a_question_ends_with_its_call),
		cmocka_unit_test(questions_are_bounded),
		cmocka_unit_test(a_function_that_answers_may_call),
		cmocka_unit_test(a_context_ends_amid_a_question),
		cmocka_unit_test(events_reach_their_listeners),
		cmocka_unit_test(events_come_into_an_inbox),
		cmocka_unit_test(an_overflowing_listener_counts_what_it_lost_and_recovers),
		cmocka_unit_test(a_listener_may_end_itself_and_call),
		cmocka_unit_test(many_threads_get_their_own_replies),
		cmocka_unit_test(contexts_live_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
