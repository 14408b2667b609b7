/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call of each public function of the ingress, for test_ingress_life_cycle.c, which makes it at every place; and the
 * scene that it is made in. A probe
 * says what became of it in a word; it does nothing else that is a cancellation point or unsafe in a signal handler.
 */
#ifndef LIFE_CYCLE_PROBES_H
#define LIFE_CYCLE_PROBES_H

#include "ingress_anywhere.h"

/* What probes call with: made anew for each cell, before its place. */
static struct scene {
	ingress_token token, made; /* the cell's context; one that the probe started */
	struct ingress_answer answer;
	struct ingress_item item;
	struct ingress_inbox *inbox; /* with an item */
	uint64_t plain_id, release_id;
	_Atomic uint32_t heard_events, heard_last, released; /* events of the probe's, and of hear_event()'s */
	struct heard kept;				     /* of `request` */
	struct ingress_provider *provider;
	struct ingress_request *request; /* one that is not answered yet */
	uint64_t handle;
	bool emits; /* the result shows when the event has been heard, or another after it */
} scene;

static const char *const status_names[INGRESS_STATUS_COUNT] = {
	"OK",	      "FAILED",	    "STALE",	       "CLOSED",       "TIMEOUT",    "QUEUE_FULL", "TOO_LARGE",
	"BAD_TOKEN",  "BAD_METHOD", "BAD_PAYLOAD",     "BAD_ARGUMENT", "BAD_HANDLE", "REENTRANT",  "EVENTS_STUCK",
	"NO_CONTEXT", "NO_MEMORY",  "WRONG_INTERFACE", "LOST",	       "RAISED",     "CANCELLED",  "SKIPPED",
};

static void ignore(void *user, const struct ingress_reply *reply)
{
	(void)user;
	(void)reply;
}

static void count_event(void *user, const struct ingress_event *event)
{
	(void)user;
	/* those of ANYWHERE_EMIT have more */
	atomic_fetch_add(event->bytes == 1 ? &scene.heard_events : &scene.heard_last, 1);
}

static void count_release(void *user)
{
	(void)user;
	atomic_fetch_add(&scene.released, 1);
}

static const struct ingress_call plain_call = { .method = ANYWHERE_RUN, .wire = INGRESS_WIRE_C, .reply = ignore };
static const struct ingress_call asked_call = { .method = ANYWHERE_RUN, .wire = INGRESS_WIRE_C };
static const struct ingress_call constructor_call = { .method = ANYWHERE_OPEN,
						      .wire = INGRESS_WIRE_C,
						      .reply = ignore };

/* ---- ferry/ingress.h -------------------------------------------------------------------------------------------- */

static const char *probe_status_text(void)
{
	return ingress_status_text(INGRESS_OK) ? "a text" : "NULL";
}

static const char *probe_library_check(void)
{
	return status_names[ingress_library_check(&anywhere_library, 0)];
}

static const char *probe_answer_release(void)
{
	ingress_answer_release(&scene.answer);
	return scene.answer.private_block ? "nothing" : "done";
}

static const char *probe_submit(void)
{
	return status_names[ingress_submit(scene.token, &plain_call)];
}

static const char *probe_submit_until(void)
{
	return status_names[ingress_submit_until(scene.token, &plain_call, LONG_NS)];
}

static const char *probe_submit_many(void)
{
	enum ingress_status status;
	size_t count = ingress_submit_many(scene.token, &plain_call, 1, &status);

	return (count == 1) == (status == INGRESS_OK) ? status_names[status] : "both";
}

static const char *probe_submit_chain(void)
{
	return status_names[ingress_submit_chain(scene.token, &plain_call, 1, NULL, 0, LONG_NS, NULL)];
}

static const char *probe_ask(void)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_ask(scene.token, ANYWHERE_RUN, 0, NULL, 0, LONG_NS, &answer);

	ingress_answer_release(&answer);
	return status_names[status];
}

static const char *probe_ask_call(void)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_ask_call(scene.token, &asked_call, LONG_NS, &answer);

	ingress_answer_release(&answer);
	return status_names[status];
}

static const char *probe_ask_chain(void)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_ask_chain(scene.token, &asked_call, 1, NULL, 0, LONG_NS, &answer, NULL);

	status = status == INGRESS_OK ? answer.status : status;
	ingress_answer_release(&answer);
	return status_names[status];
}

static const char *probe_tickets(void)
{
	return ingress_tickets(1) ? "a number" : "0";
}

static const char *probe_cancel(void)
{
	return status_names[ingress_cancel(scene.token, UINT64_MAX)];
}

static const char *probe_context_start(void)
{
	return status_names[ingress_context_start(&anywhere_library, NULL, &constructor_call, &scene.made)];
}

static const char *probe_context_create(void)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_context_create(&anywhere_library, NULL, ANYWHERE_OPEN, INGRESS_WIRE_C,
							    NULL, 0, LONG_NS, &scene.made, &answer);

	ingress_answer_release(&answer);
	return status_names[status];
}

static const char *probe_context_destroy(void)
{
	return status_names[ingress_context_destroy(scene.token, LONG_NS)];
}

static const char *probe_context_close(void)
{
	return status_names[ingress_context_close(scene.token)];
}

static const char *probe_static_context(void)
{
	ingress_token token;

	return status_names[ingress_static_context(&anywhere_library, &token)];
}

static const char *probe_listen(void)
{
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = count_event };
	uint64_t id;

	return status_names[ingress_listen(scene.token, &listener, &id)];
}

static const char *probe_unlisten(void)
{
	return status_names[ingress_unlisten(scene.token, scene.plain_id)];
}

static const char *probe_unlisten_release(void)
{
	return status_names[ingress_unlisten(scene.token, scene.release_id)];
}

static void nothing_ended(void *user)
{
	(void)user;
}

static const char *probe_threads_watch(void)
{
	enum ingress_status status = ingress_event_threads_watch(nothing_ended, NULL);

	ingress_event_threads_unwatch(nothing_ended, NULL);
	return status_names[status];
}

static const char *probe_threads_unwatch(void)
{
	ingress_event_threads_watch(nothing_ended, &scene);
	return status_names[ingress_event_threads_unwatch(nothing_ended, &scene)];
}

static const char *probe_inbox_create(void)
{
	struct ingress_inbox *inbox;
	enum ingress_status status = ingress_inbox_create(&inbox);

	ingress_inbox_close(inbox);
	return status_names[status];
}

static const char *probe_inbox_descriptor(void)
{
	return ingress_inbox_descriptor(scene.inbox) >= 0 ? "a descriptor" : "-1";
}

static const char *probe_inbox_take(void)
{
	struct ingress_item item;
	size_t count = ingress_inbox_take(scene.inbox, &item, 1, LONG_NS);

	ingress_items_release(&item, count);
	return count ? "1" : "0";
}

static const char *probe_items_release(void)
{
	ingress_items_release(&scene.item, 1);
	return scene.item.private_block ? "nothing" : "done";
}

/* An inbox that was closed is the next that is made. */
static const char *probe_inbox_close(void)
{
	struct ingress_inbox *again = NULL;
	bool same;

	ingress_inbox_close(scene.inbox);
	ingress_inbox_create(&again);
	same = again == scene.inbox;
	if (same)
		scene.inbox = NULL;
	ingress_inbox_close(again);
	return same ? "done" : "nothing";
}

/* ---- ferry/ingress_provider.h ----------------------------------------------------------------------------------- */

/* An answer is heard before answering returns; a destructor's by nobody, but nothing else ends its context. */
static const char *answered(void)
{
	bool is_constructor = scene.request == anywhere_request;

	if (scene.request && scene.request == anywhere_request && scene.request->method == ANYWHERE_CLOSE) {
		anywhere_request = NULL;
		return "done";
	}
	if (!atomic_load(&scene.kept.terminal))
		return "nothing";
	if (is_constructor)
		anywhere_request = NULL;
	else
		anywhere_kept[0] = NULL;
	return "done";
}

static const char *probe_answer_copy(void)
{
	ingress_answer_copy(scene.request, INGRESS_OK, NULL, 0);
	return answered();
}

/* The loan ends in any case. */
static const char *probe_answer_lend(void)
{
	uint64_t ended = atomic_load(&anywhere_ended);
	const char *result;

	ingress_answer_lend(scene.request, INGRESS_OK, "x", 1, anywhere_end, NULL);
	result = answered();
	return atomic_load(&anywhere_ended) == ended + 1 ? result : "loan not ended";
}

static const char *probe_answer_room(void)
{
	return ingress_answer_room(scene.request, 1000) ? "a buffer" : "NULL";
}

static const char *probe_request_cancelled(void)
{
	return scene.request && ingress_request_cancelled(scene.request) ? "1" : "0";
}

static const char *probe_event_wires(void)
{
	return ingress_event_wires(scene.provider, 0) ? "the formats" : "0";
}

static const char *probe_event_emit(void)
{
	scene.emits = true;
	ingress_event_emit(scene.provider, 0, INGRESS_WIRE_C, "x", 1);
	return NULL;
}

static const char *probe_handle_open(void)
{
	return ingress_handle_open(scene.provider, 1, &scene) ? "an id" : "0";
}

static const char *probe_handle_object(void)
{
	return ingress_handle_object(scene.provider, 1, scene.handle) ? "its object" : "NULL";
}

static const char *probe_handle_close(void)
{
	return ingress_handle_close(scene.provider, 1, scene.handle) ? "its object" : "NULL";
}

static const char *probe_handle_close_any(void)
{
	return ingress_handle_close_any(scene.provider, NULL) ? "its object" : "NULL";
}

typedef const char *probe_fn(void);

/* ---- a scene ---------------------------------------------------------------------------------------------------- */

/* A context for what is not about the cell's own; and what the cell calls. */
static ingress_token other;
static probe_fn *probe;

static void listen_twice(void)
{
	struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = count_event };

	ingress_listen(scene.token, &listener, &scene.plain_id);
	listener.release = count_release;
	ingress_listen(scene.token, &listener, &scene.release_id);
}

/* In a handler: what only a provider has. */
static void show_provider(void *argument)
{
	(void)argument;
	scene.provider = anywhere_provider;
	scene.request = anywhere_kept[0] ? anywhere_kept[0] : anywhere_request;
	scene.handle = ingress_handle_open(anywhere_provider, 1, &scene);
}

static void set_items(void)
{
	struct ingress_call call = { .method = ANYWHERE_RUN };

	assert_int_equal(ingress_ask(other, ANYWHERE_RUN, 0, NULL, 0, LONG_NS, &scene.answer), INGRESS_OK);
	assert_int_equal(ingress_inbox_create(&scene.inbox), INGRESS_OK);
	call.inbox = scene.inbox;
	assert_int_equal(ingress_submit(other, &call), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(scene.inbox, &scene.item, 1, LONG_NS), 1);
	assert_int_equal(ingress_submit(other, &call), INGRESS_OK);
	assert_int_equal(ask(other, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
}

/* A context in which two listeners listen, a handle is open and a request is kept, unless the end would wait for it. */
static void set_context(void)
{
	scene.token = open_anywhere(NULL);
	listen_twice();
	if (probe != probe_context_destroy && probe != probe_context_close)
		assert_int_equal(submit(scene.token, ANYWHERE_KEEP, NULL, 0, &scene.kept), INGRESS_OK);
	assert_int_equal(run_inside(scene.token, show_provider, NULL), INGRESS_OK);
}

static void clear_scene(void)
{
	ingress_answer_release(&scene.answer);
	ingress_items_release(&scene.item, 1);
	ingress_inbox_close(scene.inbox);
	if (scene.made)
		close_echo(scene.made);
	memset(&scene, 0, sizeof(scene));
}

#endif
