/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ingress while one thread is suspended at any point of it: freeze.h. What the others are promised stands in
 * docs/ingress-rules.md; each scenario says which part of it it checks.
 *
 * long: one list of scenarios, and what they do.
 */
#include "../../stress/freeze.h"

#include "../echo.h"

#include <ferry/ingress.h>
#include <ingress/context/context.h>
#include <ingress/memory/block.h>

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS_NS 1000000ll
/* A call that is not to end by its timeout. */
#define LONG_NS (FREEZE_PATIENCE_S * 2000 * MS_NS)
enum { LARGE_BYTES = 3000, SHORT_MS = 20 };

static const unsigned char large[LARGE_BYTES];

/* One that the victim has to do with, and one that it has not. */
static ingress_token context, other;
static ingress_token doomed;
static struct ingress_inbox *inbox;

static void nap(int64_t ns)
{
	const struct timespec time = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&time, NULL);
}

static ingress_token open_echo(const struct ingress_options *options)
{
	struct ingress_answer answer;
	ingress_token made;
	enum ingress_status status = ingress_context_create(&echo_library, options, ECHO_OPEN, INGRESS_WIRE_C, NULL, 0,
							    LONG_NS, &made, &answer);

	ingress_answer_release(&answer);
	freeze_check(status == INGRESS_OK);
	return made;
}

static enum ingress_status ask(ingress_token token, uint32_t method, const void *data, size_t bytes, int64_t timeout_ns)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_ask(token, method, INGRESS_WIRE_C, data, bytes, timeout_ns, &answer);

	ingress_answer_release(&answer);
	return status;
}

static void count_reply(void *user, const struct ingress_reply *reply)
{
	if (reply->status != INGRESS_STALE)
		atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

static enum ingress_status submit(ingress_token token, uint32_t method, size_t bytes, _Atomic uint32_t *replies)
{
	const struct ingress_call call = { .method = method,
					   .wire = INGRESS_WIRE_C,
					   .data = large,
					   .bytes = bytes,
					   .reply = count_reply,
					   .user = replies };

	return ingress_submit(token, &call);
}

/* A request that is answered by a timer of the library's, so much later. */
static enum ingress_status submit_late(ingress_token token, uint64_t ns, _Atomic uint32_t *replies)
{
	const struct ingress_call call = { .method = ECHO_AFTER,
					   .wire = INGRESS_WIRE_C,
					   .data = &ns,
					   .bytes = sizeof(ns),
					   .reply = count_reply,
					   .user = replies };

	return ingress_submit(token, &call);
}

static void wait_for(_Atomic uint32_t *counter, uint32_t least)
{
	/* without an end: the driver has run out of patience before */
	while (atomic_load(counter) < least)
		nap(MS_NS / 20);
}

/* ---- what others do ---------------------------------------------------------------------------------------------- */

static void call_it(ingress_token token)
{
	/* the replies may come after a failure */
	static _Atomic uint32_t replies;
	uint32_t before = atomic_load(&replies);

	freeze_check(ask(token, ECHO_SAME, "abc", 3, LONG_NS) == INGRESS_OK);
	freeze_check(ask(token, ECHO_LENT, large, sizeof(large), LONG_NS) == INGRESS_OK);
	freeze_check(submit(token, ECHO_SAME, 8, &replies) == INGRESS_OK);
	freeze_check(submit(token, ECHO_LATER, sizeof(large), &replies) == INGRESS_OK);
	wait_for(&replies, before + 2);
}

static void take_one(struct ingress_inbox *from)
{
	struct ingress_item item;
	struct pollfd pollfd = { .fd = ingress_inbox_descriptor(from), .events = POLLIN };

	/* by its descriptor, as an event loop does */
	do
		freeze_check(poll(&pollfd, 1, -1) == 1);
	while (!ingress_inbox_take(from, &item, 1, 0));
	ingress_items_release(&item, 1);
}

static void use_an_inbox(ingress_token token)
{
	const struct ingress_call call = { .method = ECHO_SAME, .wire = INGRESS_WIRE_C };
	struct ingress_call mine = call;

	freeze_check(ingress_inbox_create(&mine.inbox) == INGRESS_OK);
	freeze_check(ingress_submit(token, &mine) == INGRESS_OK);
	take_one(mine.inbox);
	ingress_inbox_close(mine.inbox);
}

static void count_event(void *user, const struct ingress_event *event)
{
	(void)event;
	atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

static void hear_events(ingress_token token)
{
	static _Atomic uint32_t events;
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = count_event, .user = &events };
	const uint64_t words[3] = { 3, 0, 8 };
	uint32_t before = atomic_load(&events);
	uint64_t id;

	freeze_check(ingress_listen(token, &listener, &id) == INGRESS_OK);
	freeze_check(ask(token, ECHO_EMIT, words, sizeof(words), LONG_NS) == INGRESS_OK);
	wait_for(&events, before + 3);
	freeze_check(ingress_unlisten(token, id) == INGRESS_OK);
}

static void have_a_context(void)
{
	ingress_token made = open_echo(NULL);

	call_it(made);
	freeze_check(ingress_context_destroy(made, LONG_NS) == INGRESS_OK);
}

/* A thread that has never called the core. */
static void *newcomer(void *token)
{
	call_it(*(ingress_token *)token);
	return NULL;
}

static void come_new(ingress_token token)
{
	pthread_t thread;

	freeze_check(pthread_create(&thread, NULL, newcomer, &token) == 0);
	pthread_join(thread, NULL);
}

static void do_everything(void)
{
	call_it(other);
	call_it(context);
	use_an_inbox(context);
	hear_events(context);
	have_a_context();
	come_new(context);
}

/* ---- a host's thread: no other thread waits for it, whatever it does --------------------------------------------- */

/* How the library's threads are met: asleep where a run is late enough. */
static void let_sleep(void)
{
	nap(MS_NS);
}

static _Atomic uint32_t heard;

static void submit_one(void)
{
	freeze_check(submit(context, ECHO_SAME, 8, &heard) == INGRESS_OK);
}

static void submit_many(void)
{
	const struct ingress_call call = { .method = ECHO_SAME, .reply = count_reply, .user = &heard };
	const struct ingress_call calls[3] = { call, call, call };

	freeze_check(ingress_submit_many(context, calls, 3, NULL) == 3);
}

/* The lane of the thread that runs the others. */
static uint32_t shared_lane;

static void submit_on_a_shared_lane(void)
{
	/* a thread gets its lane with its first block */
	freeze_spare(true);
	freeze_check(ask(other, ECHO_SAME, NULL, 0, LONG_NS) == INGRESS_OK);
	ingress__self.lane = shared_lane;
	nap(MS_NS);
	freeze_spare(false);
	submit_one();
}

static void note_lane(void)
{
	shared_lane = ingress__self.lane;
}

static void ask_one(void)
{
	freeze_check(ask(context, ECHO_SAME, "abc", 3, LONG_NS) == INGRESS_OK);
}

/* A request that only its cancellation ends. */
static void cancel_one(void)
{
	const struct ingress_call call = {
		.method = ECHO_KEEP, .reply = count_reply, .user = &heard, .ticket = ingress_tickets(1)
	};
	uint32_t before = atomic_load(&heard);

	freeze_check(ingress_submit(context, &call) == INGRESS_OK);
	freeze_check(ingress_cancel(context, call.ticket) == INGRESS_OK);
	wait_for(&heard, before + 1);
}

static _Atomic uint32_t cancelled;

static void do_everything_and_cancel(void)
{
	const struct ingress_call call = {
		.method = ECHO_KEEP, .reply = count_reply, .user = &cancelled, .ticket = ingress_tickets(1)
	};
	uint32_t before = atomic_load(&cancelled);

	do_everything();
	freeze_check(ingress_submit(context, &call) == INGRESS_OK);
	freeze_check(ingress_cancel(context, call.ticket) == INGRESS_OK);
	wait_for(&cancelled, before + 1);
}

/* The victim cancels a request that is not there yet. Another thread submits it, and cancels it all the same. */
static uint64_t common_ticket;

static void choose_a_ticket(void)
{
	common_ticket = ingress_tickets(1);
	let_sleep();
}

static void cancel_too_early(void)
{
	freeze_check(ingress_cancel(context, common_ticket) == INGRESS_OK);
}

static void cancel_the_same(void)
{
	const struct ingress_call call = {
		.method = ECHO_KEEP, .reply = count_reply, .user = &cancelled, .ticket = common_ticket
	};
	uint32_t before = atomic_load(&cancelled);

	freeze_check(ingress_submit(context, &call) == INGRESS_OK);
	freeze_check(ingress_cancel(context, call.ticket) == INGRESS_OK);
	wait_for(&cancelled, before + 1);
}

static void ask_large(void)
{
	freeze_check(ask(context, ECHO_SAME, large, sizeof(large), LONG_NS) == INGRESS_OK);
	freeze_check(ask(context, ECHO_LENT, large, sizeof(large), LONG_NS) == INGRESS_OK);
}

static void ask_in_vain(void)
{
	const uint64_t ns = 2 * MS_NS;
	enum ingress_status status = ask(other, ECHO_AFTER, &ns, sizeof(ns), MS_NS / 2);

	freeze_check(status == INGRESS_TIMEOUT || status == INGRESS_OK);
}

static void take_items(void)
{
	use_an_inbox(context);
}

static void listen_and_stop(void)
{
	hear_events(context);
}

static void listen_by_an_inbox(void)
{
	const uint64_t words[3] = { 3, 0, 8 };
	struct ingress_listener listener = { .wire = INGRESS_WIRE_C };
	uint64_t id;

	freeze_check(ingress_inbox_create(&listener.inbox) == INGRESS_OK);
	freeze_check(ingress_listen(context, &listener, &id) == INGRESS_OK);
	freeze_check(ask(context, ECHO_EMIT, words, sizeof(words), LONG_NS) == INGRESS_OK);
	take_one(listener.inbox);
	freeze_check(ingress_unlisten(context, id) == INGRESS_OK);
	ingress_inbox_close(listener.inbox);
}

static void destroy_what_runs(void)
{
	struct ingress_options options = { .stuck_ns = LONG_NS };
	ingress_token made = open_echo(&options);
	enum ingress_status status;

	freeze_check(submit_late(made, SHORT_MS * MS_NS, &heard) == INGRESS_OK);
	status = ingress_context_destroy(made, MS_NS);
	freeze_check(status == INGRESS_TIMEOUT || status == INGRESS_OK);
}

/* Two threads destroy one context: what the other asked of the event thread is not waited for. */
static void have_one_to_cut(void)
{
	/* the event thread does not wake up by itself to look for stale requests */
	struct ingress_options options = { .stuck_ns = LONG_NS, .stale_ns = 8 * LONG_NS };

	doomed = open_echo(&options);
	freeze_check(submit(doomed, ECHO_KEEP, 8, &heard) == INGRESS_OK);
	let_sleep();
}

static void cut_it(void)
{
	freeze_check(ingress_context_destroy(doomed, 0) != INGRESS_EVENTS_STUCK);
}

/* A library of its own for each run, since a static context is there for good. */
static void start_a_static_context(void)
{
	struct ingress_library *library = malloc(sizeof(*library));
	ingress_token token;

	*library = echo_library;
	freeze_check(ingress_static_context(library, &token) == INGRESS_OK);
	freeze_check(ask(token, ECHO_VERSION, NULL, 0, LONG_NS) == INGRESS_OK);
}

static void do_everything_and_static(void)
{
	do_everything();
	start_a_static_context();
}

/* ---- a library's thread: other contexts go on, and its own keeps to times ---------------------------------------- */

static bool is_library_thread(void)
{
	return ingress__self.library_of && atomic_load(&ingress__self.library_of->token) == doomed;
}

static bool is_event_thread(void)
{
	return ingress__self.events_of && atomic_load(&ingress__self.events_of->token) == doomed;
}

static void open_doomed(void)
{
	struct ingress_options options = { .stuck_ns = SHORT_MS * MS_NS, .stale_ns = MS_NS, .spin_ns = -1 };

	doomed = open_echo(&options);
	freeze_check(ingress_inbox_create(&inbox) == INGRESS_OK);
}

/* What a context does, its threads one way and another. */
static void use_doomed(void)
{
	const struct ingress_call call = { .method = ECHO_LATER, .wire = INGRESS_WIRE_C, .inbox = inbox };
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = count_event, .user = &heard };
	const uint64_t words[3] = { 3, 0, 8 }, ns = 3 * MS_NS;
	struct ingress_item items[4];
	uint64_t id;

	ingress_listen(doomed, &listener, &id);
	ingress_submit(doomed, &call);
	submit(doomed, ECHO_SAME, sizeof(large), &heard);
	ask(doomed, ECHO_EMIT, words, sizeof(words), LONG_NS);
	ask(doomed, ECHO_SLEEP, &ns, sizeof(ns), LONG_NS);
	/* its host hears that it is stale */
	submit(doomed, ECHO_AFTER, 0, &heard);
	ask(doomed, ECHO_SLEEP, &ns, sizeof(ns), LONG_NS);
	ingress_items_release(items, ingress_inbox_take(inbox, items, 4, MS_NS));
}

/* Destroy it once the victim has stopped it. */
static void destroy_doomed(void)
{
	enum ingress_status status;

	if (!doomed)
		return;
	status = ingress_context_destroy(doomed, SHORT_MS * MS_NS);
	freeze_check(status == INGRESS_OK || status == INGRESS_TIMEOUT || status == INGRESS_EVENTS_STUCK ||
		     status == INGRESS_CLOSED);
	doomed = 0;
}

static void others_beside_a_library(void)
{
	enum ingress_status status;

	call_it(other);
	use_an_inbox(other);
	hear_events(other);
	have_a_context();
	if (!doomed)
		return;
	/* accepted and given up in time, or refused at once if the victim has been in a listener for `stuck_ns` */
	status = submit(doomed, ECHO_SAME, 8, &heard);
	freeze_check(status == INGRESS_OK || status == INGRESS_EVENTS_STUCK);
	status = ask(doomed, ECHO_SAME, NULL, 0, MS_NS);
	freeze_check(status == INGRESS_TIMEOUT || status == INGRESS_OK || status == INGRESS_EVENTS_STUCK);
	destroy_doomed();
}

/*
 * Its end: the thread that destroys it comes back in time. A context cannot be started while a library thread is kept
 * from putting its place back, which no signal does.
 */
static _Atomic uint32_t destroyed;

static void use_and_destroy(void)
{
	ingress_token token = doomed;
	enum ingress_status status;

	freeze_check(submit(token, ECHO_LATER, sizeof(large), &heard) == INGRESS_OK);
	freeze_check(submit_late(token, 2 * SHORT_MS * MS_NS, &heard) == INGRESS_OK);
	status = ingress_context_destroy(token, SHORT_MS * MS_NS);
	freeze_check(status == INGRESS_OK || status == INGRESS_TIMEOUT || status == INGRESS_EVENTS_STUCK);
	atomic_store(&destroyed, 1);
}

static void open_and_forget(void)
{
	atomic_store(&destroyed, 0);
	open_doomed();
}

static void others_beside_an_end(void)
{
	call_it(other);
	use_an_inbox(other);
	hear_events(other);
	wait_for(&destroyed, 1);
	freeze_check(ingress_context_destroy(doomed, 0) != INGRESS_OK);
}

static void end_doomed(void)
{
	ingress_token token = doomed;

	doomed = 0;
	if (token)
		ingress_context_destroy(token, LONG_NS);
	ingress_inbox_close(inbox);
}

/* ---- an inbox that two contexts fill ----------------------------------------------------------------------------- */

static void fill_from(ingress_token token)
{
	const struct ingress_call call = { .method = ECHO_SAME, .wire = INGRESS_WIRE_C, .inbox = inbox };

	freeze_check(ingress_submit(token, &call) == INGRESS_OK);
}

static void fill_from_doomed(void)
{
	nap(MS_NS);
	fill_from(doomed);
	/* until it has */
	freeze_check(ask(doomed, ECHO_SAME, NULL, 0, LONG_NS) == INGRESS_OK);
}

/* The inbox stays: one that is used again may be readable by what the victim has written since. */
static void end_filling(void)
{
	freeze_check(ingress_context_destroy(doomed, LONG_NS) == INGRESS_OK);
	doomed = 0;
}

static void take_from_the_other(void)
{
	struct ingress_item items[8];

	/* what comes from the other is seen, whatever came first */
	fill_from(other);
	freeze_check(ask(other, ECHO_SAME, NULL, 0, LONG_NS) == INGRESS_OK);
	take_one(inbox);
	ingress_items_release(items, ingress_inbox_take(inbox, items, 8, 0));
}

static const struct freeze_scenario scenarios[] = {
	{ "submit", let_sleep, submit_one, NULL, do_everything, NULL },
	{ "submit-many", let_sleep, submit_many, NULL, do_everything, NULL },
	{ "submit-shared-lane", note_lane, submit_on_a_shared_lane, NULL, do_everything, NULL },
	{ "ask", let_sleep, ask_one, NULL, do_everything, NULL },
	{ "cancel", let_sleep, cancel_one, NULL, do_everything_and_cancel, NULL },
	{ "cancel-early", choose_a_ticket, cancel_too_early, NULL, cancel_the_same, NULL },
	{ "ask-large", let_sleep, ask_large, NULL, do_everything, NULL },
	{ "ask-timeout", let_sleep, ask_in_vain, NULL, do_everything, NULL },
	{ "inbox", let_sleep, take_items, NULL, do_everything, NULL },
	{ "listen", let_sleep, listen_and_stop, NULL, do_everything, NULL },
	{ "listen-inbox", let_sleep, listen_by_an_inbox, NULL, do_everything, NULL },
	{ "context", let_sleep, have_a_context, NULL, do_everything, NULL },
	{ "cut", let_sleep, destroy_what_runs, NULL, do_everything, NULL },
	/* the request is never answered, so its place is lost */
	{ "cut-together", have_one_to_cut, cut_it, NULL, cut_it, NULL },
	{ "static-context", let_sleep, start_a_static_context, NULL, do_everything_and_static, NULL },
	{ "shared-inbox", open_doomed, fill_from_doomed, is_library_thread, take_from_the_other, end_filling },
	{ "library-thread", open_doomed, use_doomed, is_library_thread, others_beside_a_library, end_doomed },
	{ "event-thread", open_doomed, use_doomed, is_event_thread, others_beside_a_library, end_doomed },
	{ "library-end", open_and_forget, use_and_destroy, is_library_thread, others_beside_an_end, end_doomed },
	{ "event-end", open_and_forget, use_and_destroy, is_event_thread, others_beside_an_end, end_doomed },
};

int main(int count, char **arguments)
{
	const struct ingress_options options = { .spin_ns = -1 };

	context = open_echo(&options);
	other = open_echo(NULL);
	return freeze_main(count, arguments, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
