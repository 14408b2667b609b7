/* SPDX-License-Identifier: BSD-3-Clause */
/* The provider of echo.h. */
#include "echo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_MAX = 4096 };

/* Requests to be answered later, oldest first. */
struct list {
	struct ingress_request *at[KEPT_MAX];
	size_t count;
};

struct state {
	struct ingress_provider *provider;
	struct list later, kept, piped;
	struct ingress_request *after;
	uint64_t after_ns;
	uint64_t counter, turn;
};

_Atomic uint64_t echo_opened, echo_closed, echo_ended, echo_threads, echo_threads_ended, echo_released, echo_turns;
_Atomic uint64_t echo_sleeps;
_Atomic int echo_refuses;
/* One for all contexts, made by the first ECHO_PIPE. */
static _Atomic int bell = -1;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t word(const struct ingress_request *request, size_t place)
{
	uint64_t value = 0;

	if (request->bytes >= (place + 1) * sizeof(value))
		memcpy(&value, (const char *)request->data + place * sizeof(value), sizeof(value));
	return value;
}

static void answer(struct ingress_request *request)
{
	ingress_answer_copy(request, INGRESS_OK, request->data, request->bytes);
}

static void answer_word(struct ingress_request *request, uint64_t value)
{
	ingress_answer_copy(request, INGRESS_OK, &value, sizeof(value));
}

static void keep(struct list *list, struct ingress_request *request)
{
	if (list->count == KEPT_MAX)
		ingress_answer_copy(request, INGRESS_FAILED, "too many are kept", 17);
	else
		list->at[list->count++] = request;
}

static void answer_all(struct list *list)
{
	size_t count = list->count;

	list->count = 0;
	for (size_t i = 0; i < count; i++)
		answer(list->at[i]);
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&time, NULL);
}

static void until(struct ingress_request *request)
{
	uint64_t end_ns = now_ns() + word(request, 0);

	while (now_ns() < end_ns)
		if (ingress_request_cancelled(request)) {
			ingress_answer_copy(request, INGRESS_CANCELLED, "until then", 10);
			return;
		}
	answer(request);
}

/* A host has cancelled a request. */
static void cancelled(void *given, struct ingress_request *request)
{
	struct list *kept = &((struct state *)given)->kept;
	size_t left = 0;

	if (!ingress_request_cancelled(request))
		abort();
	for (size_t i = 0; i < kept->count; i++)
		if (kept->at[i] == request)
			ingress_answer_copy(request, INGRESS_CANCELLED, "kept", 4);
		else
			kept->at[left++] = kept->at[i];
	kept->count = left;
}

static void emit(struct state *state, struct ingress_request *request)
{
	uint64_t count = word(request, 0), event = word(request, 1), bytes = word(request, 2);
	unsigned int wires = ingress_event_wires(state->provider, (uint32_t)event);
	unsigned char *data = calloc(1, bytes < 8 ? 8 : bytes);

	if (!data) {
		ingress_answer_copy(request, INGRESS_NO_MEMORY, "no memory", 9);
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		memcpy(data, &i, sizeof(i));
		for (uint32_t wire = 0; wire < 2; wire++)
			if (wires & 1u << wire)
				ingress_event_emit(state->provider, (uint32_t)event, wire, data, bytes < 8 ? 8 : bytes);
	}
	free(data);
	answer_word(request, count);
}

static void release(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)bytes;
	free((void *)data);
	atomic_fetch_add(&echo_released, 1);
}

static void lend(struct ingress_request *request)
{
	void *copy = malloc(request->bytes + 1);

	if (!copy) {
		ingress_answer_copy(request, INGRESS_NO_MEMORY, "no memory", 9);
		return;
	}
	memcpy(copy, request->data, request->bytes);
	ingress_answer_lend(request, INGRESS_OK, copy, request->bytes, release, NULL);
}

static void handle(struct state *state, struct ingress_request *request)
{
	uint64_t what = word(request, 0), id = word(request, 2), result = 0;
	uint32_t kind = (uint32_t)word(request, 1), found = 0;
	static char objects[1 << 16];

	if (what == 0)
		result = ingress_handle_open(state->provider, kind, &objects[++state->turn % sizeof(objects)]);
	else if (what == 1)
		result = (uint64_t)(uintptr_t)ingress_handle_object(state->provider, kind, id);
	else if (what == 2)
		result = (uint64_t)(uintptr_t)ingress_handle_close(state->provider, kind, id);
	else if (what == 3)
		result = (uint64_t)(uintptr_t)ingress_handle_close_any(state->provider, &found);
	else
		while (ingress_handle_open(state->provider, kind, objects))
			result++;
	if (what && what < 4 && result)
		result = (uint64_t)((char *)(uintptr_t)result - objects);
	answer_word(request, result);
}

static void unheard(void *user, const struct ingress_reply *reply)
{
	(void)user;
	(void)reply;
}

static void call(struct ingress_request *request)
{
	const struct ingress_call call = { .method = ECHO_SAME, .reply = unheard };
	struct ingress_answer got = { 0 };
	enum ingress_status status =
		word(request, 1) ? ingress_ask(word(request, 0), ECHO_SAME, 0, NULL, 0, INGRESS_FOREVER, &got)
				 : ingress_submit(word(request, 0), &call);

	ingress_answer_release(&got);
	answer_word(request, status);
}

static void answer_after(struct state *state, struct ingress_request *request, uint64_t ns)
{
	state->after = request;
	state->after_ns = now_ns() + ns;
}

/* How long a constructor with the payload "after" takes. */
#define CONSTRUCTOR_NS 5000000u

static void open_context(struct state *state, struct ingress_request *request)
{
	if (request->bytes == 3 && !memcmp(request->data, "bad", 3)) {
		ingress_answer_copy(request, INGRESS_BAD_PAYLOAD, "path: missing", 13);
		return;
	}
	atomic_fetch_add(&echo_opened, 1);
	if (request->bytes == 5 && !memcmp(request->data, "later", 5))
		keep(&state->later, request);
	else if (request->bytes == 5 && !memcmp(request->data, "after", 5))
		answer_after(state, request, CONSTRUCTOR_NS);
	else
		answer(request);
}

void echo_make_bell(void)
{
	int none = -1, made = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	if (!atomic_compare_exchange_strong(&bell, &none, made))
		close(made);
}

static void serve_rarely(struct state *state, struct ingress_request *request)
{
	switch (request->method) {
	case ECHO_HANDLE:
		handle(state, request);
		break;
	case ECHO_AFTER:
		answer_after(state, request, word(request, 0));
		break;
	case ECHO_PIPE:
		echo_make_bell();
		keep(&state->piped, request);
		break;
	case ECHO_CALL:
		call(request);
		break;
	case ECHO_UNTIL:
		until(request);
		break;
	default:
		answer_word(request, 1);
		break;
	}
}

static void serve(struct state *state, struct ingress_request *request)
{
	switch (request->method) {
	case ECHO_SAME:
		answer(request);
		break;
	case ECHO_OPEN:
		open_context(state, request);
		break;
	case ECHO_CLOSE:
		atomic_fetch_add(&echo_closed, 1);
		answer(request);
		break;
	case ECHO_LATER:
		keep(&state->later, request);
		break;
	case ECHO_SLEEP:
		atomic_fetch_add(&echo_sleeps, 1);
		sleep_ns(word(request, 0));
		answer(request);
		break;
	case ECHO_KEEP:
		keep(&state->kept, request);
		break;
	case ECHO_LET:
		answer_all(&state->kept);
		answer(request);
		break;
	case ECHO_EMIT:
		emit(state, request);
		break;
	case ECHO_LENT:
		lend(request);
		break;
	case ECHO_FAIL:
		ingress_answer_copy(request, INGRESS_FAILED, request->data, request->bytes);
		break;
	case ECHO_COUNTER:
		answer_word(request, state->counter++);
		break;
	default:
		serve_rarely(state, request);
		break;
	}
}

/* ---- what the core calls ----------------------------------------------------------------------------------------- */

static int thread_begin(struct ingress_provider *provider, void **given)
{
	struct state *state;

	if (atomic_load(&echo_refuses))
		return -1;
	state = calloc(1, sizeof(*state));
	if (!state)
		return -1;
	state->provider = provider;
	ingress_cancel_watch(provider, cancelled, state);
	*given = state;
	atomic_fetch_add(&echo_threads, 1);
	return 0;
}

static void thread_end(void *state)
{
	free(state);
	atomic_fetch_add(&echo_threads_ended, 1);
}

static void requests(void *state, struct ingress_request *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		serve(state, list[i]);
}

static int64_t turn(void *given)
{
	struct state *state = given;
	uint64_t count, now;

	atomic_fetch_add(&echo_turns, 1);
	answer_all(&state->later);
	if (state->piped.count && read(atomic_load(&bell), &count, sizeof(count)) > 0)
		answer_all(&state->piped);
	if (!state->after)
		return INGRESS_FOREVER;
	now = now_ns();
	if (now < state->after_ns)
		return (int64_t)(state->after_ns - now);
	answer(state->after);
	state->after = NULL;
	return INGRESS_FOREVER;
}

static int descriptor(void *given)
{
	const struct state *state = given;

	return state->piped.count ? atomic_load(&bell) : -1;
}

static void context_end(void *given)
{
	struct state *state = given;

	state->later.count = state->kept.count = state->piped.count = 0;
	state->after = NULL;
	state->counter = 0;
	atomic_fetch_add(&echo_ended, 1);
}

void echo_ring(void)
{
	const uint64_t one = 1;

	if (write(atomic_load(&bell), &one, sizeof(one)) < 0)
		abort();
}

static const uint8_t methods[ECHO_METHODS] = {
	[ECHO_OPEN] = INGRESS_CONSTRUCTOR, [ECHO_CLOSE] = INGRESS_DESTRUCTOR, [ECHO_VERSION] = INGRESS_STATIC
};
static const struct ingress_event_kind events[ECHO_EVENTS] = {
	[ECHO_EVENT_OLDEST] = { INGRESS_DROP_OLDEST, 0 },
	[ECHO_EVENT_NEWEST] = { INGRESS_DROP_NEWEST, 4 },
	[ECHO_EVENT_COALESCED] = { INGRESS_COALESCE, 4 },
};

#define LIBRARY(its_name, contexts)                                                                                    \
	{                                                                                                              \
		.abi = INGRESS_ABI, .contexts_max = (contexts), .name = (its_name), .interface_hash = ECHO_HASH,       \
		.method_count = ECHO_METHODS, .event_count = ECHO_EVENTS, .methods = methods, .events = events,        \
		.thread_begin = thread_begin, .requests = requests, .turn = turn, .descriptor = descriptor,            \
		.context_end = context_end, .thread_end = thread_end,                                                  \
	}

const struct ingress_library echo_library = LIBRARY("echo", 0);
const struct ingress_library echo_other_library = LIBRARY("other", 0);
const struct ingress_library echo_small_library = LIBRARY("small", 3);

__attribute__((visibility("default"))) const struct ingress_library *echo_get_library(void)
{
	return &echo_library;
}
