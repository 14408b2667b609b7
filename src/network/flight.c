/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that were sent. See remote.h. */
#include "remote.h"

#include <string.h>

void network__flights_begin(struct network__remote *remote)
{
	remote->free_slot_count = remote->free_flight_count = NETWORK__REQUESTS_MAX;
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX; i++)
		remote->free_slots[i] = remote->free_flights[i] = NETWORK__REQUESTS_MAX - 1 - i;
}

/* The flight of message `sequence`: the one that was added to last, or a new one. */
static uint32_t flight_of(struct network__remote *remote, uint64_t sequence)
{
	uint32_t index;

	if (remote->free_flight_count < NETWORK__REQUESTS_MAX) {
		index = remote->free_flights[remote->free_flight_count];
		if (remote->flights[index].unanswered && remote->flights[index].sequence == sequence)
			return index;
	}
	index = remote->free_flights[--remote->free_flight_count];
	remote->flights[index] = (struct network__flight){ sequence, thread__now_ns(), 0, 0 };
	return index;
}

static void join(struct network__remote *remote, struct network__slot *slot, uint64_t sequence)
{
	slot->flight = flight_of(remote, sequence);
	slot->sends++;
	remote->flights[slot->flight].unanswered++;
	remote->flights[slot->flight].bytes += slot->request->bytes;
	remote->flight_bytes += slot->request->bytes;
}

/* The slot is in no flight any more. */
static void part(struct network__remote *remote, struct network__slot *slot)
{
	struct network__flight *flight = &remote->flights[slot->flight];

	flight->bytes -= slot->request->bytes;
	remote->flight_bytes -= slot->request->bytes;
	if (!--flight->unanswered)
		remote->free_flights[remote->free_flight_count++] = (uint32_t)(flight - remote->flights);
}

struct network__slot *network__flight_add(struct network__remote *remote, struct ingress_request *request,
					  uint64_t sequence)
{
	uint32_t index = remote->free_slots[--remote->free_slot_count];
	struct network__slot *slot = &remote->slots[index];

	*slot = (struct network__slot){ .request = request, .id = ++remote->serial * NETWORK__REQUESTS_MAX + index };
	join(remote, slot, sequence);
	return slot;
}

void network__flight_repeat(struct network__remote *remote, struct network__slot *slot, uint64_t sequence)
{
	slot->is_again = false;
	remote->again_count--;
	join(remote, slot, sequence);
}

struct network__slot *network__flight_find(struct network__remote *remote, uint64_t id)
{
	struct network__slot *slot = &remote->slots[id % NETWORK__REQUESTS_MAX];

	return slot->request && slot->id == id ? slot : NULL;
}

/* The request leaves its slot. */
static struct ingress_request *leave(struct network__remote *remote, struct network__slot *slot)
{
	struct ingress_request *request = slot->request;

	if (slot->is_again)
		remote->again_count--;
	else
		part(remote, slot);
	slot->request = NULL;
	remote->free_slots[remote->free_slot_count++] = (uint32_t)(slot - remote->slots);
	return request;
}

void network__flight_answer(struct network__remote *remote, struct network__slot *slot, enum ingress_status status,
			    const void *data, size_t bytes)
{
	ingress_answer_copy(leave(remote, slot), status, data, bytes);
}

struct ingress_request *network__flight_withdraw(struct network__remote *remote)
{
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX; i++)
		if (remote->slots[i].request)
			return leave(remote, &remote->slots[i]);
	return NULL;
}

/* Whether a slot has a request of one of these messages. */
static bool is_in(const struct network__remote *remote, const struct network__slot *slot, uint64_t first, uint64_t last)
{
	uint64_t sequence = remote->flights[slot->flight].sequence;

	return slot->request && !slot->is_again && sequence >= first && sequence <= last;
}

void network__flights_fail(struct network__remote *remote, uint64_t first, uint64_t last, enum ingress_status status,
			   const char *reason)
{
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX && network__flights_count(remote); i++) {
		struct network__slot *slot = &remote->slots[i];

		if (is_in(remote, slot, first, last))
			network__flight_answer(remote, slot, slot->sends > 1 ? INGRESS_LOST : status, reason,
					       strlen(reason));
	}
}

void network__flights_again(struct network__remote *remote, uint64_t first, uint64_t last, uint8_t sends)
{
	const uint8_t *idempotent = remote->library->interface->idempotent;

	for (uint32_t i = 0; idempotent && i < NETWORK__REQUESTS_MAX && network__flights_count(remote); i++) {
		struct network__slot *slot = &remote->slots[i];

		if (!is_in(remote, slot, first, last) || slot->is_chained || !idempotent[slot->request->method] ||
		    slot->sends < sends || slot->sends >= NETWORK__SENDS_MAX)
			continue;
		part(remote, slot);
		slot->is_again = true;
		remote->again_count++;
		remote->again_ns = thread__now_ns() + NETWORK__AGAIN_NS;
	}
}

void network__flights_lose(struct network__remote *remote, uint64_t first, uint64_t last, const char *reason)
{
	network__flights_again(remote, first, last, 1);
	network__flights_fail(remote, first, last, INGRESS_LOST, reason);
}

void network__again_fail(struct network__remote *remote, enum ingress_status status, const char *reason)
{
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX && remote->again_count; i++)
		if (remote->slots[i].request && remote->slots[i].is_again)
			network__flight_answer(remote, &remote->slots[i], status, reason, strlen(reason));
}

void network__flights_look(struct network__remote *remote)
{
	/* read here: a message that was sent a moment ago is not from the future then */
	uint64_t now = thread__now_ns();
	/* a thread that did not run for long, since the process was stopped, has not listened either */
	bool was_away = now - remote->looked_ns > (uint64_t)NETWORK__SILENCE_NS / 2;

	remote->looked_ns = now;
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX && network__flights_count(remote); i++) {
		struct network__flight *flight = &remote->flights[i];
		uint64_t heard = flight->heard_ns;

		if (!flight->unanswered)
			continue;
		if (was_away)
			flight->heard_ns = now;
		else if (remote->phase != NETWORK__IS_STATIC && remote->heard_ns > heard)
			heard = remote->heard_ns;
		if (!was_away && now - heard > (uint64_t)NETWORK__SILENCE_NS)
			network__flights_lose(remote, flight->sequence, flight->sequence,
					      "the provider's process is silent; nobody knows whether the handler ran");
	}
}
