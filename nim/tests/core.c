/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A core without threads or queues, for tests of one thread: it keeps the last answer and the events, and hands out
 * handles. When the library does something that the contract forbids, it aborts.
 */
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define EVENTS_MAX 256
#define HANDLES_MAX 64

struct ingress_provider {
	int unused;
};

struct ingress_provider test_provider;
struct test_answer test_last;
size_t test_answers;
struct test_answer test_events[EVENTS_MAX];
size_t test_event_count;
unsigned int test_wires;
int test_has_room;

static struct {
	void *object;
	uint32_t kind;
	uint64_t id;
} handles[HANDLES_MAX];
static uint64_t next_id = 1000;

static void keep(struct test_answer *answer, uint32_t status, uint32_t wire, const void *data, size_t bytes)
{
	void *copy = malloc(bytes + 1);

	if (!copy || (bytes && !data))
		abort();
	if (bytes)
		memcpy(copy, data, bytes);
	free(answer->data);
	*answer = (struct test_answer){ status, wire, copy, bytes };
}

void ingress_answer_copy(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes)
{
	keep(&test_last, status, request->wire, data, bytes);
	test_last.request = request;
	test_answers++;
}

void ingress_answer_lend(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner)
{
	ingress_answer_copy(request, status, data, bytes);
	test_last.was_lent = 1;
	release(owner, data, bytes);
}

void *ingress_answer_room(struct ingress_request *request, size_t bytes)
{
	static uint64_t room[32];

	(void)request;
	return test_has_room && bytes <= sizeof(room) ? room : NULL;
}

/* No host of these tests cancels. */
int ingress_request_cancelled(struct ingress_request *request)
{
	(void)request;
	return 0;
}

void ingress_cancel_watch(struct ingress_provider *provider,
			  void (*cancelled)(void *user, struct ingress_request *request), void *user)
{
	(void)provider;
	(void)cancelled;
	(void)user;
}

unsigned int ingress_event_wires(struct ingress_provider *provider, uint32_t event)
{
	(void)event;
	if (provider != &test_provider)
		abort();
	return test_wires;
}

void ingress_event_emit(struct ingress_provider *provider, uint32_t event, uint32_t wire, const void *data,
			size_t bytes)
{
	if (provider != &test_provider || test_event_count == EVENTS_MAX || !(test_wires >> wire & 1))
		abort();
	keep(&test_events[test_event_count++], event, wire, data, bytes);
}

uint64_t ingress_handle_open(struct ingress_provider *provider, uint32_t kind, void *object)
{
	(void)provider;
	for (int i = 0; i < HANDLES_MAX; i++) {
		if (handles[i].object)
			continue;
		handles[i].object = object;
		handles[i].kind = kind;
		handles[i].id = next_id++;
		return handles[i].id;
	}
	return 0;
}

void *ingress_handle_object(struct ingress_provider *provider, uint32_t kind, uint64_t id)
{
	(void)provider;
	for (int i = 0; i < HANDLES_MAX; i++)
		if (handles[i].object && handles[i].id == id && handles[i].kind == kind)
			return handles[i].object;
	return NULL;
}

void *ingress_handle_close(struct ingress_provider *provider, uint32_t kind, uint64_t id)
{
	void *object = ingress_handle_object(provider, kind, id);

	for (int i = 0; i < HANDLES_MAX; i++)
		if (handles[i].object && handles[i].id == id)
			handles[i].object = NULL;
	return object;
}

void *ingress_handle_close_any(struct ingress_provider *provider, uint32_t *kind)
{
	(void)provider;
	for (int i = 0; i < HANDLES_MAX; i++) {
		void *object = handles[i].object;

		if (!object)
			continue;
		*kind = handles[i].kind;
		handles[i].object = NULL;
		return object;
	}
	return NULL;
}

void test_forget(void)
{
	while (test_event_count)
		free(test_events[--test_event_count].data);
	memset(test_events, 0, sizeof(test_events));
	free(test_last.data);
	memset(&test_last, 0, sizeof(test_last));
	test_answers = 0;
}
