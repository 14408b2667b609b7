/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory, a thread or a descriptor cannot be had, at each place where the core or its library asks for one. Whatever
 * fails says so; each accepted request has one terminal reply, each loan ends once, each event arrives or is counted as
 * lost, a context ends without memory; and when there is memory again, everything works.
 *
 * Each place fails in a process of its own, so that it fails on the first use, too, and a sanitizer looks for leaks.
 */
#include "ingress_tests.h"

#include "../../helpers/failing_memory.h"

enum { HANG_S = 300 };

#include "../../helpers/fork.h"

#ifdef __SANITIZE_THREAD__
/* it would wait a second at the end of each child, of which there are hundreds */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "atexit_sleep_ms=0";
}
#endif

enum { LARGE = 70000, MANY = 80, EVENTS = 40, EVENT_BYTES = 3000, HANDLES = 70 };

static unsigned char large[LARGE];
static _Atomic uint64_t lent, ended, events_heard, listeners_ended;

/* What the child prints when it fails, as the parent knows only that it did. */
#define check(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "call %llu of %llu, line %d: not %s\n",                                        \
				(unsigned long long)atomic_load(&failing_memory_first),                                \
				(unsigned long long)atomic_load(&failing_memory_calls), __LINE__, #condition);         \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* Whether a call went well; else memory was missing, and may have been. */
static bool went_well(enum ingress_status status)
{
	if (status == INGRESS_OK)
		return true;
	check(status == INGRESS_NO_MEMORY);
	check(atomic_load(&failing_memory_last));
	return false;
}

static void end_loan(void *owner, const void *data, size_t bytes)
{
	check(owner == &ended && data == large && bytes == LARGE);
	atomic_fetch_add(&ended, 1);
}

static void hear_event(void *user, const struct ingress_event *event)
{
	(void)user;
	check(event->bytes == EVENT_BYTES);
	atomic_fetch_add(&events_heard, event->lost + 1);
}

static void listener_ended(void *user)
{
	(void)user;
	atomic_fetch_add(&listeners_ended, 1);
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

static void ask_all(ingress_token context)
{
	const struct ingress_call loan = {
		.method = ECHO_SAME, .data = large, .bytes = LARGE, .release = end_loan, .owner = &ended
	};
	static const uint32_t asked[] = { ECHO_SAME, ECHO_LATER, ECHO_SAME };
	struct ingress_answer answer;

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		size_t bytes = i ? LARGE : 8;

		if (went_well(ingress_ask(context, asked[i], INGRESS_WIRE_C, large, bytes, LONG_NS, &answer)))
			check(answer.bytes == bytes && !memcmp(answer.data, large, bytes));
		else
			check(answer.bytes && answer.data);
		ingress_answer_release(&answer);
	}
	atomic_fetch_add(&lent, 1);
	if (went_well(ingress_ask_call(context, &loan, LONG_NS, &answer)))
		check(answer.bytes == LARGE);
	ingress_answer_release(&answer);
}

static void ask_chain(ingress_token context)
{
	static const unsigned char text[] = { 0x59, 3, 0 };
	unsigned char first[3 + 768] = { 0 };
	struct ingress_call calls[3] = {
		{ .method = ECHO_SAME, .wire = INGRESS_WIRE_CBOR, .data = first, .bytes = sizeof(first) },
		{ .method = ECHO_LATER, .wire = INGRESS_WIRE_CBOR, .data = "\x81\xf6", .bytes = 2 },
		{ .method = ECHO_SAME, .wire = INGRESS_WIRE_CBOR, .data = first, .bytes = sizeof(first) },
	};
	const struct ingress_link links[] = { { .request = 1, .source = 0, .place = 1, .path = "", .kind = 0 },
					      { .request = 2, .source = 1, .kind = INGRESS_LINK_AFTER } };
	struct ingress_answer answers[3];
	bool failed = false;

	memcpy(first, text, sizeof(text));
	if (went_well(ingress_ask_chain(context, calls, 3, links, 2, LONG_NS, answers, NULL))) {
		for (int i = 0; i < 3; i++)
			if (answers[i].status == INGRESS_SKIPPED)
				check(failed);
			else
				failed |= !went_well(answers[i].status);
	}
	for (int i = 0; i < 3; i++)
		ingress_answer_release(&answers[i]);
}

/* ---- submitting ------------------------------------------------------------------------------------------------- */

static void submit_all(ingress_token context)
{
	static struct heard heard;
	struct ingress_call calls[MANY];
	enum ingress_status status;
	uint64_t accepted;

	memset(&heard, 0, sizeof(heard));
	for (uint32_t i = 0; i < MANY; i++)
		calls[i] = (struct ingress_call){ .method = i % 3 ? ECHO_SAME : ECHO_LATER,
						  .data = large,
						  .bytes = i % 4 ? 300 : LARGE,
						  .release = i % 8 ? NULL : end_loan,
						  .owner = &ended,
						  .reply = hear,
						  .user = &heard,
						  .ticket = ingress_tickets(1) };
	accepted = ingress_submit_many(context, calls, MANY, &status);
	check(went_well(status) == (accepted == MANY));
	/* the loan of the one that was refused has ended too */
	atomic_fetch_add(&lent, (accepted + 7 + (accepted < MANY)) / 8);
	for (uint32_t i = 0; i < 3; i++)
		accepted += went_well(ingress_submit_until(context, &calls[1 + i], LONG_NS));
	/* a request that is cancelled is answered, too */
	status = ingress_cancel(context, calls[3].ticket);
	check(status == INGRESS_OK);
	wait_for(&heard.terminal, accepted);
	check(heard.terminal == accepted);
}

/* Items of an inbox until `replies` terminal replies have come and `events` events have arrived or are lost. */
static void take_items(struct ingress_inbox *inbox, uint64_t replies)
{
	uint64_t terminal = 0;

	while (terminal < replies) {
		struct ingress_item items[4];
		size_t count = ingress_inbox_take(inbox, items, 4, LONG_NS);

		check(count > 0);
		for (size_t i = 0; i < count; i++)
			terminal += items[i].kind == INGRESS_ITEM_REPLY && items[i].status != INGRESS_STALE;
		ingress_items_release(items, count);
	}
	check(terminal == replies);
}

static void submit_to_inbox(ingress_token context, struct ingress_inbox *inbox)
{
	uint64_t ns = 3 * MS_NS, accepted = 0;
	const struct ingress_call slow = { .method = ECHO_SLEEP, .data = &ns, .bytes = 8, .inbox = inbox };

	/* stale meanwhile */
	accepted += went_well(ingress_submit(context, &slow));
	for (int i = 0; i < 20; i++) {
		const struct ingress_call call = { .method = ECHO_SAME, .data = large, .bytes = 5000, .inbox = inbox };

		accepted += went_well(ingress_submit(context, &call));
	}
	take_items(inbox, accepted);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/*
 * Take what an inbox has, without waiting: of the `sent` events each has arrived, or the next one that arrives counts
 * it as lost. So no event waits in the core for a later one. Returns how many have arrived or are counted.
 */
static uint64_t take_events(struct ingress_inbox *inbox, uint64_t sent, uint64_t accounted)
{
	struct ingress_item item;

	while (ingress_inbox_take(inbox, &item, 1, 0)) {
		check(item.kind == INGRESS_ITEM_EVENT && item.bytes == EVENT_BYTES);
		accounted += item.lost + 1;
		check(accounted == sent);
		ingress_items_release(&item, 1);
	}
	return accounted;
}

/* `held`: an inbox that is not taken from, so that the blocks of the library thread are used up. */
static void listen_all(ingress_token context, struct ingress_inbox *inbox, struct ingress_inbox *held)
{
	const uint64_t words[] = { 1, ECHO_EVENT_OLDEST, EVENT_BYTES };
	const struct ingress_listener called = {
		.event = ECHO_EVENT_OLDEST, .wire = INGRESS_WIRE_C, .notify = hear_event, .release = listener_ended
	};
	const struct ingress_listener filled = { .event = ECHO_EVENT_OLDEST, .wire = INGRESS_WIRE_C, .inbox = inbox };
	const struct ingress_listener holds = { .event = ECHO_EVENT_OLDEST, .wire = INGRESS_WIRE_C, .inbox = held };
	uint64_t ids[3], sent = 0, accounted = 0, ends = atomic_load(&listeners_ended), paused;
	bool is_called, is_filled;

	atomic_store(&events_heard, 0);
	/* the last one listens first: its notice is the last block that an event takes */
	is_filled = went_well(ingress_listen(context, &filled, &ids[1]));
	is_called = went_well(ingress_listen(context, &called, &ids[0]));
	went_well(ingress_listen(context, &holds, &ids[2]));
	for (int i = 0; i < EVENTS; i++) {
		/* the library's own memory may be missing, and the request's: then it says so or emits nothing */
		sent += went_well(ask(context, ECHO_EMIT, words, sizeof(words)));
		accounted = take_events(inbox, sent, accounted);
	}
	/* one event that has memory tells of those before it that had none */
	paused = failing_memory_pause();
	sent += went_well(ask(context, ECHO_EMIT, words, sizeof(words)));
	accounted = take_events(inbox, sent, accounted);
	check(accounted == (is_filled ? sent : 0));
	if (is_called)
		wait_for(&events_heard, sent);
	check(events_heard == (is_called ? sent : 0));
	failing_memory_resume(paused);
	if (is_called)
		check(ingress_unlisten(context, ids[0]) == INGRESS_OK);
	check(atomic_load(&listeners_ended) == ends + 1);
	if (is_filled)
		check(ingress_unlisten(context, ids[1]) == INGRESS_OK);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void use_all(void)
{
	const struct ingress_options options = { .queue_depth = 256, .stale_ns = MS_NS };
	struct ingress_inbox *inbox = NULL, *held = NULL;
	struct ingress_answer answer;
	ingress_token context, fixed;

	if (went_well(ingress_static_context(&echo_library, &fixed)))
		went_well(ask(fixed, ECHO_VERSION, NULL, 0));
	if (!went_well(ingress_context_create(&echo_library, &options, ECHO_OPEN, INGRESS_WIRE_C, NULL, 0, LONG_NS,
					      &context, &answer))) {
		check(!context);
		ingress_answer_release(&answer);
		return;
	}
	ingress_answer_release(&answer);
	ask_all(context);
	ask_chain(context);
	submit_all(context);
	if (went_well(ingress_inbox_create(&inbox))) {
		submit_to_inbox(context, inbox);
		if (went_well(ingress_inbox_create(&held)))
			listen_all(context, inbox, held);
		ingress_inbox_close(held);
		ingress_inbox_close(inbox);
	}
	for (uint64_t i = 0; i < HANDLES; i++) {
		const uint64_t words[3] = { 0, 1, 0 };

		went_well(ask(context, ECHO_HANDLE, words, sizeof(words)));
	}
	check(ingress_context_destroy(context, LONG_NS) == INGRESS_OK);
	check(atomic_load(&lent) == atomic_load(&ended));
}

/* In a child: the calls from `first` on fail, `count` of them. The status says whether one did. */
enum { NONE_FAILED = 0, SOME_FAILED = 7 };

static int use_with(uint64_t first, uint64_t count)
{
	int status = -1;
	pid_t child = fork_child();

	if (child == 0) {
		bool any;

		failing_memory_begin(first, count);
		use_all();
		any = failing_memory_end();
		use_all();
		exit(any ? SOME_FAILED : NONE_FAILED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFEXITED(status) || (WEXITSTATUS(status) != NONE_FAILED && WEXITSTATUS(status) != SOME_FAILED))
		fail_msg("with failures from call %llu on the child ended with %#x", (unsigned long long)first,
			 (unsigned int)status);
	return WEXITSTATUS(status);
}

static void each_place_fails_once(void **state)
{
	uint64_t first = 1;

	(void)state;
	while (use_with(first, 1) == SOME_FAILED)
		first++;
	/* there are such places, and one more failed in each round */
	assert_true(first > 20);
	print_message("%llu places\n", (unsigned long long)first - 1);
}

static void from_each_place_on_all_fail(void **state)
{
	uint64_t first = 1;

	(void)state;
	while (use_with(first, UINT64_MAX / 2) == SOME_FAILED)
		first++;
	assert_true(first > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_place_fails_once),
		cmocka_unit_test(from_each_place_on_all_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
