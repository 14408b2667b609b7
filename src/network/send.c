/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What waits becomes messages. All that the ingress hands over in one drain travels in one message, and so does what
 * has come while messages were under way: at most NETWORK__HOLD_NS after it came. When fewer than
 * NETWORK__BUSY_MESSAGES messages are under way, nothing waits for company.
 *
 * The window: at most NETWORK__REQUESTS_MAX requests and NETWORK__FLIGHT_BYTES bytes are sent and not answered; the
 * rest waits here, where the context's queue_depth bounds it. An answer is what gives the room back.
 */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what waits -------------------------------------------------------------------------------------------------- */

bool network__waiting_add(struct network__remote *remote, struct network__waiting waiting)
{
	uint32_t capacity = remote->waiting_capacity;

	if (remote->waiting_count == capacity) {
		struct network__waiting *grown = malloc((capacity ? 2 * capacity : 256) * sizeof(*grown));

		if (!grown)
			return false;
		for (uint32_t i = 0; i < capacity; i++)
			grown[i] = remote->waiting[(remote->waiting_first + i) % capacity];
		free(remote->waiting);
		remote->waiting = grown;
		remote->waiting_first = 0;
		remote->waiting_capacity = capacity = capacity ? 2 * capacity : 256;
	}
	remote->waiting[(remote->waiting_first + remote->waiting_count++) % capacity] = waiting;
	return true;
}

/* Take the oldest of what waits, of which there is some. */
static struct network__waiting take(struct network__remote *remote)
{
	struct network__waiting waiting = remote->waiting[remote->waiting_first];

	remote->waiting_first = (remote->waiting_first + 1) % remote->waiting_capacity;
	remote->waiting_count--;
	return waiting;
}

/* Put what was taken last back: it is first in the next message. */
static void put_back(struct network__remote *remote)
{
	remote->waiting_first = (remote->waiting_first + remote->waiting_capacity - 1) % remote->waiting_capacity;
	remote->waiting_count++;
}

void network__waiting_fail(struct network__remote *remote, enum ingress_status status, const char *reason)
{
	while (remote->waiting_count) {
		struct network__waiting waiting = take(remote);

		if (waiting.chain)
			network__chain_fail(waiting.chain, status, reason);
		else
			ingress_answer_copy(waiting.request, status, reason, strlen(reason));
	}
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static uint8_t kind_of(const struct network__remote *remote, const struct ingress_request *request)
{
	return remote->library->interface->methods[request->method];
}

/* Append what the provider has to know of listeners, and how many events were taken. */
static void add_news(struct network__remote *remote)
{
	struct network__record record;

	for (uint32_t event = 0; event < remote->library->interface->event_count; event++) {
		uint8_t wires = (uint8_t)ingress_event_wires(remote->provider, event);

		if (wires == remote->wires[event])
			continue;
		record = (struct network__record){ .type = NETWORK__LISTEN, .number = event, .extra = wires };
		if (network__writer_add(&remote->writer, &record))
			remote->wires[event] = wires;
	}
	if (remote->unacknowledged >= NETWORK__EVENTS_ACKNOWLEDGED ||
	    (remote->unacknowledged && remote->waiting_count)) {
		record = (struct network__record){ .type = NETWORK__ACKNOWLEDGE, .extra = remote->unacknowledged };
		if (network__writer_add(&remote->writer, &record))
			remote->unacknowledged = 0;
	}
}

/* Whether the oldest of what waits has room in the window, and in a message with `bytes` of requests. */
static bool goes_along(const struct network__remote *remote, size_t bytes)
{
	const struct network__waiting *waiting = &remote->waiting[remote->waiting_first];
	uint32_t slots = 1;
	size_t more;

	if (!remote->waiting_count)
		return false;
	if (waiting->chain)
		slots = waiting->chain->count;
	if (remote->free_slot_count < slots || !remote->free_flight_count)
		return false;
	more = waiting->chain ? network__chain_bytes(waiting->chain) : waiting->request->bytes;
	if (bytes && bytes + more > NETWORK__MESSAGE_BYTES)
		return false;
	return !remote->flight_bytes || remote->flight_bytes + more <= NETWORK__FLIGHT_BYTES;
}

/* The record of a request, whose id is still to be given. */
static struct network__record record_of(const struct network__remote *remote, const struct ingress_request *request,
					int64_t left_ns)
{
	const uint8_t *idempotent = remote->library->interface->idempotent;

	return (struct network__record){
		.type = kind_of(remote, request) == INGRESS_DESTRUCTOR ? NETWORK__DESTRUCT
			: idempotent && idempotent[request->method]    ? NETWORK__IDEMPOTENT
								       : NETWORK__REQUEST,
		.wire = (uint8_t)request->wire,
		.number = request->method,
		.extra = left_ns == INGRESS_FOREVER ? 0 : (uint64_t)left_ns,
		.data = request->data,
		.bytes = request->bytes,
	};
}

/* Append the request of a slot. */
static void add_record(struct network__remote *remote, struct network__slot *slot, struct network__record *record)
{
	record->id = slot->id;
	if (!network__writer_add(&remote->writer, record))
		network__flight_answer(remote, slot, INGRESS_NO_MEMORY, NULL, 0);
}

static const char late[] = "the deadline passed before the request was sent";

/* Append requests that are to be sent again. */
static void add_again(struct network__remote *remote, size_t message_max)
{
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX && remote->again_count && remote->free_flight_count; i++) {
		struct network__slot *slot = &remote->slots[i];
		struct network__record record;
		int64_t left_ns;

		if (!slot->request || !slot->is_again)
			continue;
		left_ns = ingress_request_left_ns(slot->request);
		if (left_ns <= 0) {
			network__flight_answer(remote, slot, INGRESS_TIMEOUT, late, sizeof(late) - 1);
			continue;
		}
		record = record_of(remote, slot->request, left_ns);
		if (network__writer_has(&remote->writer) &&
		    (remote->writer.bytes + record.bytes > NETWORK__MESSAGE_BYTES ||
		     remote->writer.bytes + NETWORK__RECORD_BYTES + record.bytes > message_max))
			return;
		network__flight_repeat(remote, slot, remote->sent + 1);
		add_record(remote, slot, &record);
	}
}

static const char large[] = "the request is over what the NATS server takes (max_payload)";
static const char large_chain[] = "the chain is over what the NATS server takes in one message (max_payload)";

/* Append a request, which is in a slot from here on. False: it is for the next message. */
static bool add_request(struct network__remote *remote, struct ingress_request *request, size_t message_max)
{
	int64_t left_ns = ingress_request_left_ns(request);
	struct network__record record = record_of(remote, request, left_ns);

	if (left_ns <= 0)
		ingress_answer_copy(request, INGRESS_TIMEOUT, late, sizeof(late) - 1);
	else if (request->bytes + (size_t)8 * NETWORK__RECORD_BYTES > message_max)
		ingress_answer_copy(request, INGRESS_TOO_LARGE, large, sizeof(large) - 1);
	else if (remote->writer.bytes + NETWORK__RECORD_BYTES + request->bytes > message_max)
		return false;
	else
		add_record(remote, network__flight_add(remote, request, remote->sent + 1), &record);
	return true;
}

/* Append a chain, whose requests are in slots from here on. False: it is for the next message. */
static bool add_chain(struct network__remote *remote, struct network__chain *chain, size_t message_max)
{
	int64_t left_ns = ingress_request_left_ns(chain->requests[0]);
	size_t bytes = network__chain_bytes(chain);
	struct network__record record = { .type = NETWORK__CHAIN,
					  .number = chain->count,
					  .extra = left_ns == INGRESS_FOREVER ? 0 : (uint64_t)left_ns,
					  .data = chain->links,
					  .bytes = chain->link_bytes };

	if (left_ns <= 0) {
		network__chain_fail(chain, INGRESS_TIMEOUT, late);
		return true;
	}
	if (bytes + (size_t)8 * NETWORK__RECORD_BYTES > message_max) {
		network__chain_fail(chain, INGRESS_TOO_LARGE, large_chain);
		return true;
	}
	if (remote->writer.bytes + bytes > message_max)
		return false;
	if (!network__writer_reserve(&remote->writer, bytes)) {
		network__chain_fail(chain, INGRESS_NO_MEMORY, "");
		return true;
	}
	network__writer_add(&remote->writer, &record);
	for (uint32_t i = 0; i < chain->count; i++) {
		struct network__slot *slot = network__flight_add(remote, chain->requests[i], remote->sent + 1);

		slot->is_chained = true;
		if (chain->cancelled >> i & 1)
			network__cancel_sent(remote, slot);
		record = record_of(remote, slot->request, INGRESS_FOREVER);
		record.type = NETWORK__REQUEST;
		add_record(remote, slot, &record);
	}
	free(chain);
	return true;
}

/* Append what waits. */
static void add_waiting(struct network__remote *remote, size_t message_max)
{
	size_t begin = remote->writer.bytes;

	while (goes_along(remote, remote->writer.bytes - begin)) {
		struct network__waiting waiting = take(remote);

		if (waiting.chain ? add_chain(remote, waiting.chain, message_max)
				  : add_request(remote, waiting.request, message_max))
			continue;
		put_back(remote);
		break;
	}
}

/* False: the connection is interrupted. */
static bool publish(struct network__remote *remote)
{
	bool is_static = remote->phase == NETWORK__IS_STATIC, is_sent;
	char subject[NETWORK__SUBJECT_BYTES + 16];
	struct network__header header = {
		.kind = is_static			    ? NETWORK__STATIC
			: remote->phase == NETWORK__OPENING ? NETWORK__OPEN
							    : NETWORK__REQUESTS,
		.hash = remote->library->interface->hash,
		.session = remote->session,
		.sequence = ++remote->sent,
	};

	if (header.kind == NETWORK__REQUESTS)
		snprintf(subject, sizeof(subject), "%s", remote->provider_subject);
	else
		snprintf(subject, sizeof(subject), "%s.%s", remote->library->subject, is_static ? "static" : "open");
	network__writer_end(&remote->writer, &header);
	is_sent = network__link_publish(&remote->link, subject, (const char *)remote->inbox, remote->writer.data,
					remote->writer.bytes);
	if (!is_sent)
		network__flights_lose(remote, header.sequence, header.sequence,
				      "the connection to the NATS server was interrupted; the request was not sent");
	network__writer_reset(&remote->writer);
	return is_sent;
}

void network__send_aside(struct network__remote *remote, const char *subject, enum network__kind kind, uint64_t session,
			 struct network__writer *writer)
{
	const struct network__header header = { kind, remote->library->interface->hash, session, 0 };

	if (network__writer_has(writer)) {
		network__writer_end(writer, &header);
		network__link_publish(&remote->link, subject, (const char *)remote->inbox, writer->data, writer->bytes);
	}
	network__writer_reset(writer);
}

void network__send_record(struct network__remote *remote, const char *subject, enum network__kind kind,
			  uint64_t session, const struct network__record *record)
{
	struct network__writer writer = { 0 };

	network__writer_add(&writer, record);
	network__send_aside(remote, subject, kind, session, &writer);
	network__writer_free(&writer);
}

/* ---- when -------------------------------------------------------------------------------------------------------- */

/* Whether a small drain waits for company: ns until it goes; 0: now. */
static int64_t hold(struct network__remote *remote)
{
	uint64_t now;

	if (network__flights_count(remote) < NETWORK__BUSY_MESSAGES || remote->waiting_count >= 64)
		return 0;
	now = thread__now_ns();
	if (!remote->hold_ns)
		remote->hold_ns = now + NETWORK__HOLD_NS;
	return now < remote->hold_ns ? (int64_t)(remote->hold_ns - now) : 0;
}

/* How long requests that are to be sent again still wait: 0: no longer, or there are none. */
static int64_t until_again(const struct network__remote *remote)
{
	uint64_t now = remote->again_count ? thread__now_ns() : 0;

	return now < remote->again_ns && remote->again_count ? (int64_t)(remote->again_ns - now) : 0;
}

int64_t network__send(struct network__remote *remote)
{
	size_t message_max;
	int64_t wait_ns, again_ns;

	if (!remote->is_linked || !network__link_is_up(&remote->link))
		return INGRESS_FOREVER;
	message_max = network__link_message_max(&remote->link);
	network__cancels_send(remote, message_max);
	again_ns = until_again(remote);
	wait_ns = remote->waiting_count ? hold(remote) : 0;
	if (wait_ns)
		return again_ns && again_ns < wait_ns ? again_ns : wait_ns;
	remote->hold_ns = 0;
	for (;;) {
		if (!network__writer_begin(&remote->writer))
			break;
		if (remote->phase == NETWORK__IS_OPEN)
			add_news(remote);
		if (!again_ns)
			add_again(remote, message_max);
		add_waiting(remote, message_max);
		if (!network__writer_has(&remote->writer))
			break;
		if (!publish(remote))
			break;
		network__cancels_send(remote, message_max);
	}
	return again_ns ? again_ns : INGRESS_FOREVER;
}
