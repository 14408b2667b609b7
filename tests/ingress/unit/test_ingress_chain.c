/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains, rule by rule: C1 to C9 of spec/interface.md. */
#include "ingress_chain.h"

/* ---- fields ------------------------------------------------------------------------------------------------------ */

/* {"a": {"b": [1, "two", null]}, "n": null, "long": "twenty-four bytes and one"} */
#define RESULT                                                                                                         \
	"\xa3"                                                                                                         \
	"aa\xa1"                                                                                                       \
	"ab\x83\x01"                                                                                                   \
	"ctwo\xf6"                                                                                                     \
	"an\xf6"                                                                                                       \
	"dlong\x78\x19twenty-four bytes and one"

static const struct {
	const char *path;
	uint32_t kind;
	enum ingress_status status;
	const char *answer;
	size_t bytes;
} fields[] = {
#define FOUND(path, bytes)                                                                                             \
	{                                                                                                              \
		path, INGRESS_LINK_FIELD, INGRESS_OK, bytes, sizeof(bytes) - 1                                         \
	}
#define WRONG(path, kind, text)                                                                                        \
	{                                                                                                              \
		path, kind, INGRESS_BAD_PAYLOAD, text, sizeof(text) - 1                                                \
	}
	FOUND("", "\x82\x07" RESULT),
	FOUND("a", "\x82\x07\xa1"
		   "ab\x83\x01"
		   "ctwo\xf6"),
	FOUND("a.b[0]", "\x82\x07\x01"),
	FOUND("a.b[1]", "\x82\x07"
			"ctwo"),
	FOUND("long", "\x82\x07\x78\x19twenty-four bytes and one"),
	{ "n", INGRESS_LINK_OPTION, INGRESS_OK, "\x82\x07\xf6", 3 },
	{ "none", INGRESS_LINK_OPTION, INGRESS_OK, "\x82\x07\xf6", 3 },
	{ "a.b[3]", INGRESS_LINK_OPTION, INGRESS_OK, "\x82\x07\xf6", 3 },
	WRONG("n", INGRESS_LINK_FIELD, "request 0 of the chain, n: missing"),
	WRONG("none", INGRESS_LINK_FIELD, "request 0 of the chain, none: missing"),
	WRONG("a.b[3]", INGRESS_LINK_FIELD, "request 0 of the chain, a.b[3]: missing"),
	WRONG("none.c", INGRESS_LINK_OPTION, "request 0 of the chain, none.c: missing"),
	WRONG("n.c", INGRESS_LINK_OPTION, "request 0 of the chain, n.c: missing"),
	WRONG("a[0]", INGRESS_LINK_FIELD, "request 0 of the chain, a[0]: wrong type"),
	WRONG("long.x", INGRESS_LINK_FIELD, "request 0 of the chain, long.x: wrong type"),
};

static void a_field_becomes_an_argument(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct made *made = make_chain();

		ADD(made, i % 2 ? ECHO_LATER : ECHO_SAME, RESULT);
		ADD(made, i % 3 ? ECHO_SAME : ECHO_LATER, "\x82\x07\xf6");
		link_to(made, 1, 0, fields[i].kind, 2, fields[i].path);
		run(context, made);
		ASSERT_ANSWER(made, 0, INGRESS_OK, RESULT);
		assert_answer(made, 1, fields[i].status, fields[i].answer, fields[i].bytes);
		free(made);
	}
	close_echo(context);
}

/* Results that are not what an encoder writes: the field is not found, or is, and nothing outside is looked at. */
static void a_malformed_result_is_an_error(void **state)
{
	static const struct {
		const char *result;
		size_t bytes;
	} malformed[] = {
		{ "", 0 },
		{ "\xa1", 1 },
		{ "\xa1"
		  "aa",
		  3 },
		{ "\xa1\x61", 2 },
		{ "\xbf"
		  "ab\x01",
		  4 },
		{ "\xa1"
		  "aa\xff",
		  4 },
		{ "\xa1"
		  "aa\x78\xff",
		  5 },
		{ "\xbb\xff\xff\xff\xff\xff\xff\xff\xff", 9 },
	};
	ingress_token context = open_echo(&echo_library, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		struct made *made = make_chain();

		add(made, ECHO_SAME, malformed[i].result, malformed[i].bytes);
		ADD(made, ECHO_SAME, "\xf6");
		link_to(made, 1, 0, INGRESS_LINK_FIELD, 0, "a");
		run(context, made);
		assert_int_equal(made->heard[1].status, INGRESS_BAD_PAYLOAD);
		free(made);
	}
	close_echo(context);
}

static void large_values_fit_or_are_refused(void **state)
{
	enum { TEXT = 3000 };
	const struct ingress_options options = { .payload_bytes = 2 * TEXT };
	ingress_token context = open_echo(&echo_library, &options);
	struct made *made = make_chain();
	static char result[TEXT + 3] = { 0x59, TEXT >> 8, (char)(TEXT & 0xff) };
	static char two[1000] = { (char)0x83, (char)0xf6, (char)0xf6, 0x59, 993 >> 8, (char)(993 & 0xff) };

	(void)state;
	memset(result + 3, 'x', TEXT);
	add(made, ECHO_LENT, result, sizeof(result));
	ADD(made, ECHO_SAME, "\x81\xf6");
	/* from a large payload to a small one: two texts of one byte */
	ADD(made, ECHO_SAME, "ay");
	add(made, ECHO_SAME, two, sizeof(two));
	add(made, ECHO_SAME, two, sizeof(two));
	link_to(made, 1, 0, INGRESS_LINK_FIELD, 1, "");
	link_to(made, 3, 2, INGRESS_LINK_FIELD, 1, "");
	link_to(made, 3, 2, INGRESS_LINK_FIELD, 2, "");
	link_to(made, 4, 0, INGRESS_LINK_FIELD, 1, "");
	link_to(made, 4, 0, INGRESS_LINK_FIELD, 2, "");
	/* what is kept of a chain is bounded too */
	add(made, ECHO_LENT, result, sizeof(result));
	ADD(made, ECHO_SAME, "\x81\xf6");
	link_to(made, 6, 5, INGRESS_LINK_FIELD, 1, "");
	run(context, made);
	assert_int_equal(made->heard[5].status, INGRESS_OK);
	assert_int_equal(made->heard[6].status, INGRESS_TOO_LARGE);
	assert_int_equal(made->heard[1].status, INGRESS_OK);
	assert_int_equal(made->heard[1].bytes, TEXT + 4);
	assert_memory_equal(made->kept[1].data + 1, result, sizeof(result));
	assert_int_equal(made->heard[3].bytes, sizeof(two) + 2);
	assert_memory_equal(made->kept[3].data,
			    "\x83"
			    "ayay\x59",
			    6);
	assert_int_equal(made->heard[4].status, INGRESS_TOO_LARGE);
	free(made);
	close_echo(context);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static void what_needs_a_failed_one_is_skipped(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct made *made = make_chain();

	(void)state;
	ADD(made, ECHO_SAME, "\x01");
	ADD(made, ECHO_FAIL, "no");
	ADD(made, ECHO_SAME, "\xf6");
	ADD(made, ECHO_COUNTER, "");
	ADD(made, ECHO_SAME, "\xf6");
	ADD(made, ECHO_COUNTER, "");
	link_to(made, 2, 1, INGRESS_LINK_FIELD, 0, "");
	link_to(made, 3, 2, INGRESS_LINK_AFTER, 0, "");
	link_to(made, 4, 0, INGRESS_LINK_FIELD, 0, "");
	run(context, made);
	ASSERT_ANSWER(made, 1, INGRESS_FAILED, "no");
	ASSERT_ANSWER(made, 2, INGRESS_SKIPPED, "request 1 of the chain failed, so this one did not run");
	ASSERT_ANSWER(made, 3, INGRESS_SKIPPED, "request 1 of the chain failed, so this one did not run");
	ASSERT_ANSWER(made, 4, INGRESS_OK, "\x01");
	/* the one that was skipped did not run, the last one did */
	assert_int_equal(made->heard[5].word, 0);
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 1);
	free(made);
	close_echo(context);
}

static void one_that_waits_can_be_cancelled(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct made *made = make_chain();

	(void)state;
	ADD(made, ECHO_KEEP, "\x01");
	ADD(made, ECHO_COUNTER, "");
	ADD(made, ECHO_COUNTER, "");
	ADD(made, ECHO_SAME, "\x02");
	link_to(made, 2, 1, INGRESS_LINK_AFTER, 0, "");
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, NULL), INGRESS_OK);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(ingress_cancel(context, made->tickets + 1), INGRESS_OK);
	wait_for(&made->heard[1].terminal, 1);
	assert_int_equal(made->heard[1].status, INGRESS_CANCELLED);
	assert_int_equal(made->heard[2].terminal, 0);
	assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
	wait_for(&made->heard[3].terminal, 1);
	ASSERT_ANSWER(made, 2, INGRESS_SKIPPED, "request 1 of the chain failed, so this one did not run");
	ASSERT_ANSWER(made, 3, INGRESS_OK, "\x02");
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 0);
	free(made);
	/* the one that runs, which the library answers */
	made = make_chain();
	ADD(made, ECHO_KEEP, "\x01");
	ADD(made, ECHO_SAME, "\xf6");
	link_to(made, 1, 0, INGRESS_LINK_FIELD, 0, "");
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, NULL), INGRESS_OK);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(ingress_cancel(context, made->tickets), INGRESS_OK);
	wait_for(&made->heard[1].terminal, 1);
	assert_int_equal(made->heard[0].status, INGRESS_CANCELLED);
	ASSERT_ANSWER(made, 1, INGRESS_SKIPPED, "request 0 of the chain failed, so this one did not run");
	free(made);
	close_echo(context);
}

/* The library thread sleeps in a handler while the chain is in its lane. */
static void one_that_was_not_taken_can_be_cancelled(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	const uint64_t sleep_ns = 50 * MS_NS;

	(void)state;
	for (uint32_t which = 0; which < 3; which++) {
		struct made *made = make_chain();
		struct heard slow = { 0 };
		uint64_t begun = atomic_load(&echo_sleeps);

		assert_int_equal(submit(context, ECHO_SLEEP, &sleep_ns, sizeof(sleep_ns), &slow), INGRESS_OK);
		wait_for(&echo_sleeps, begun + 1);
		ADD(made, ECHO_SAME, "\x01");
		ADD(made, ECHO_SAME, "\xf6");
		ADD(made, ECHO_SAME, "\x02");
		link_to(made, 1, 0, INGRESS_LINK_FIELD, 0, "");
		assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, NULL), INGRESS_OK);
		assert_int_equal(ingress_cancel(context, made->tickets + which), INGRESS_OK);
		for (uint32_t i = 0; i < 3; i++)
			wait_for(&made->heard[i].terminal, 1);
		assert_int_equal(made->heard[0].status, which == 0 ? INGRESS_CANCELLED : INGRESS_OK);
		assert_int_equal(made->heard[1].status, which == 0   ? INGRESS_SKIPPED
							: which == 1 ? INGRESS_CANCELLED
								     : INGRESS_OK);
		assert_int_equal(made->heard[2].status, which == 2 ? INGRESS_CANCELLED : INGRESS_OK);
		free(made);
	}
	close_echo(context);
}

static void what_is_late_does_not_begin(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct made *made = make_chain();
	static const uint64_t sleep_ns = 50 * MS_NS;

	(void)state;
	add(made, ECHO_SLEEP, (const char *)&sleep_ns, sizeof(sleep_ns));
	ADD(made, ECHO_COUNTER, "");
	ADD(made, ECHO_SAME, "\x01");
	link_to(made, 2, 1, INGRESS_LINK_AFTER, 0, "");
	assert_int_equal(submit_chain(context, made, 20 * MS_NS, NULL), INGRESS_OK);
	for (uint32_t i = 0; i < 3; i++)
		wait_for(&made->heard[i].terminal, 1);
	/* beside busy neighbours the first one may be late too */
	assert_true(made->heard[0].status == INGRESS_OK || made->heard[0].status == INGRESS_TIMEOUT);
	assert_int_equal(made->heard[1].status, INGRESS_TIMEOUT);
	assert_int_equal(made->heard[2].status, INGRESS_SKIPPED);
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 0);
	free(made);
	close_echo(context);
}

static void a_context_that_ends_answers_all(void **state)
{
	(void)state;
	/* given up while the first one runs; then while the library thread runs a handler that never asks */
	for (int sleeps = 0; sleeps < 2; sleeps++) {
		ingress_token context = open_echo(&echo_library, NULL);
		struct made *made = make_chain();
		static const uint64_t sleep_ns = 100 * MS_NS;

		add(made, sleeps ? ECHO_SLEEP : ECHO_KEEP, (const char *)&sleep_ns, sizeof(sleep_ns));
		ADD(made, ECHO_SAME, "\xf6");
		ADD(made, ECHO_SAME, "\xf6");
		made->calls[0].wire = INGRESS_WIRE_C;
		link_to(made, 1, 0, INGRESS_LINK_AFTER, 0, "");
		link_to(made, 2, 1, INGRESS_LINK_FIELD, 0, "");
		assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, NULL), INGRESS_OK);
		nap(10 * MS_NS);
		cut_echo(context, 10 * MS_NS);
		for (uint32_t i = 0; i < 3; i++) {
			assert_int_equal(made->heard[i].terminal, 1);
			assert_int_equal(made->heard[i].status, INGRESS_CLOSED);
		}
		nap(sleeps ? 200 * MS_NS : 0);
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(made->heard[i].terminal, 1);
		free(made);
	}
}

/* Destroying waits for the one that runs, and runs none of those that wait. */
static void a_context_that_is_destroyed_runs_no_further_one(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct made *made = make_chain();
	static const uint64_t sleep_ns = 100 * MS_NS;
	uint64_t begun = atomic_load(&echo_sleeps);

	(void)state;
	add(made, ECHO_SLEEP, (const char *)&sleep_ns, sizeof(sleep_ns));
	ADD(made, ECHO_SAME, "\x01");
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, NULL), INGRESS_OK);
	wait_for(&echo_sleeps, begun + 1);
	close_echo(context);
	assert_int_equal(made->heard[0].status, INGRESS_OK);
	assert_int_equal(made->heard[1].terminal, 1);
	assert_int_equal(made->heard[1].status, INGRESS_CLOSED);
	free(made);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void break_link(struct made *made, int how)
{
	struct ingress_link *link = &made->links[1];

	switch (how) {
	case 0:
		link->request = 9;
		break;
	case 1:
		link->source = 2;
		break;
	case 2:
		link->source = 7;
		break;
	case 3:
		link->kind = 3;
		break;
	case 4:
		link->place = 3;
		break;
	case 5:
		link->place = 0;
		break;
	case 6:
		link->place = 1;
		break;
	case 7:
		link->path = "a..b";
		link->path_bytes = 4;
		break;
	case 8:
		link->path = "[1";
		link->path_bytes = 2;
		break;
	case 9:
		link->path_bytes = INGRESS_PATH_MAX + 1;
		break;
	case 10:
		made->calls[1].wire = INGRESS_WIRE_C;
		break;
	case 11:
		made->calls[2].wire = INGRESS_WIRE_C;
		break;
	case 12:
		link->kind = INGRESS_LINK_AFTER;
		break;
	case 13:
		made->calls[2].data = "\x82\xf6\x01";
		break;
	default:
		made->links[0].request = 2;
		link->request = 1;
		break;
	}
}

static void a_wrong_link_is_named(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct ingress_refusal error;

	(void)state;
	for (int how = 0; how < 15; how++) {
		struct made *made = make_chain();

		ADD(made, ECHO_COUNTER, "");
		ADD(made, ECHO_SAME, "\x01");
		ADD(made, ECHO_SAME, "\x82\xf6\xf6");
		link_to(made, 2, 0, INGRESS_LINK_FIELD, 1, "");
		link_to(made, 2, 1, INGRESS_LINK_FIELD, 2, "");
		break_link(made, how);
		assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_BAD_ARGUMENT);
		assert_true(error.link < 2 && strlen(error.text) > 20);
		if (how)
			assert_int_equal(error.request, how == 14 ? 1 : 2);
		assert_int_equal(made->heard[0].terminal, 0);
		free(made);
	}
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 0);
	close_echo(context);
}

static void never_released(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
	abort();
}

static void all_are_accepted_or_none(void **state)
{
	const struct ingress_options options = { .queue_depth = 16, .payload_bytes = 8 };
	ingress_token context = open_echo(&echo_library, &options);
	struct ingress_refusal error;
	struct made *made = make_chain();

	(void)state;
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_BAD_ARGUMENT);
	for (int i = 0; i < 17; i++)
		ADD(made, ECHO_SAME, "\x01");
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_QUEUE_FULL);
	assert_int_equal(error.request, UINT32_MAX);
	made->count = 16;
	made->calls[15].method = ECHO_OPEN;
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_BAD_METHOD);
	assert_int_equal(error.request, 15);
	made->calls[15].method = ECHO_SAME;
	made->calls[14].bytes = 9;
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_TOO_LARGE);
	made->calls[14].bytes = 1;
	made->calls[13].release = never_released;
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_BAD_ARGUMENT);
	assert_int_equal(error.request, 13);
	made->calls[13].release = NULL;
	assert_int_equal(submit_chain(0, made, INGRESS_FOREVER, &error), INGRESS_BAD_TOKEN);
	for (int i = 0; i < 16; i++)
		assert_int_equal(made->heard[i].terminal, 0);
	/* nothing was kept of those that were refused: the queue has room for all */
	run(context, made);
	close_echo(context);
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, &error), INGRESS_CLOSED);
	free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_becomes_an_argument),
		cmocka_unit_test(a_malformed_result_is_an_error),
		cmocka_unit_test(large_values_fit_or_are_refused),
		cmocka_unit_test(what_needs_a_failed_one_is_skipped),
		cmocka_unit_test(one_that_waits_can_be_cancelled),
		cmocka_unit_test(one_that_was_not_taken_can_be_cancelled),
		cmocka_unit_test(what_is_late_does_not_begin),
		cmocka_unit_test(a_context_that_ends_answers_all),
		cmocka_unit_test(a_context_that_is_destroyed_runs_no_further_one),
		cmocka_unit_test(a_wrong_link_is_named),
		cmocka_unit_test(all_are_accepted_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
