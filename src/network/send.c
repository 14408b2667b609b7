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

bool network__waiting_add(struct network__remote *remote, struct ingress_request *request)
{
	uint32_t capacity = remote->waiting_capacity;

	if (remote->waiting_count == capacity) {
		struct ingress_request **grown = malloc((capacity ? 2 * capacity : 256) * sizeof(*grown));

		if (!grown)
			return false;
		for (uint32_t i = 0; i < capacity; i++)
			grown[i] = remote->waiting[(remote->waiting_first + i) % capacity];
		free(remote->waiting);
		remote->waiting = grown;
		remote->waiting_first = 0;
		remote->waiting_capacity = capacity = capacity ? 2 * capacity : 256;
	}
	remote->waiting[(remote->waiting_first + remote->waiting_count++) % capacity] = request;
	return true;
}

static struct ingress_request *oldest(const struct network__remote *remote)
{
	return remote->waiting_count ? remote->waiting[remote->waiting_first] : NULL;
}

static struct ingress_request *take(struct network__remote *remote)
{
	struct ingress_request *request = oldest(remote);

	remote->waiting_first = (remote->waiting_first + 1) % remote->waiting_capacity;
	remote->waiting_count--;
	return request;
}

void network__waiting_fail(struct network__remote *remote, enum ingress_status status, const char *reason)
{
	while (remote->waiting_count)
		ingress_answer_copy(take(remote), status, reason, strlen(reason));
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

/* Whether the oldest request that waits has room in the window, and in a message with `bytes` of requests. */
static bool goes_along(const struct network__remote *remote, size_t bytes)
{
	const struct ingress_request *request = oldest(remote);

	if (!request || !remote->free_slot_count || !remote->free_flight_count)
		return false;
	if (bytes && bytes + request->bytes > NETWORK__MESSAGE_BYTES)
		return false;
	return !remote->flight_bytes || remote->flight_bytes + request->bytes <= NETWORK__FLIGHT_BYTES;
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

/* Append requests; each is in a slot from here on. */
static void add_requests(struct network__remote *remote, size_t message_max)
{
	static const char large[] = "the request is over what the NATS server takes (max_payload)";
	size_t bytes = 0;

	while (goes_along(remote, bytes)) {
		struct ingress_request *request = take(remote);
		int64_t left_ns = ingress_request_left_ns(request);
		struct network__record record = record_of(remote, request, left_ns);

		if (left_ns <= 0) {
			ingress_answer_copy(request, INGRESS_TIMEOUT, late, sizeof(late) - 1);
			continue;
		}
		if (request->bytes + (size_t)8 * NETWORK__RECORD_BYTES > message_max) {
			ingress_answer_copy(request, INGRESS_TOO_LARGE, large, sizeof(large) - 1);
			continue;
		}
		if (remote->writer.bytes + NETWORK__RECORD_BYTES + request->bytes > message_max) {
			/* first in the next message */
			remote->waiting_first =
				(remote->waiting_first + remote->waiting_capacity - 1) % remote->waiting_capacity;
			remote->waiting_count++;
			break;
		}
		add_record(remote, network__flight_add(remote, request, remote->sent + 1), &record);
		bytes += NETWORK__RECORD_BYTES + request->bytes;
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

void network__send_record(struct network__remote *remote, const char *subject, enum network__kind kind,
			  uint64_t session, const struct network__record *record)
{
	const struct network__header header = { kind, remote->library->interface->hash, session, 0 };
	struct network__writer writer = { 0 };

	if (network__writer_add(&writer, record)) {
		network__writer_end(&writer, &header);
		network__link_publish(&remote->link, subject, (const char *)remote->inbox, writer.data, writer.bytes);
	}
	network__writer_free(&writer);
}

/* Take a request out of those that wait. False: it is not there. */
static bool take_out(struct network__remote *remote, const struct ingress_request *request)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < remote->waiting_count; i++) {
		struct ingress_request **at = &remote->waiting[(remote->waiting_first + i) % remote->waiting_capacity];

		if (*at != request)
			remote->waiting[(remote->waiting_first + kept++) % remote->waiting_capacity] = *at;
	}
	if (kept == remote->waiting_count)
		return false;
	remote->waiting_count = kept;
	return true;
}

void network__cancel(struct network__remote *remote, struct ingress_request *request)
{
	static const char unsent[] = "the request was cancelled before it was sent";
	struct network__record record = { .type = NETWORK__CANCEL };

	if (take_out(remote, request)) {
		ingress_answer_copy(request, INGRESS_CANCELLED, unsent, sizeof(unsent) - 1);
		return;
	}
	/* which process has a static request is not known; one that is to be sent again may have been done */
	for (uint32_t i = 0; remote->phase == NETWORK__IS_OPEN && i < NETWORK__REQUESTS_MAX; i++) {
		if (remote->slots[i].request != request || remote->slots[i].is_again)
			continue;
		record.id = remote->slots[i].id;
		network__send_record(remote, remote->provider_subject, NETWORK__REQUESTS, remote->session, &record);
	}
}

/* ---- when -------------------------------------------------------------------------------------------------------- */

/* Whether a small drain waits for company: ns until it goes; 0: now. */
static int64_t hold(struct network__remote *remote)
{
	uint64_t now;

	if (network__flights_count(remote) < NETWORK__BUSY_MESSAGES || remote->waiting_count >= 64)
		return 0;
	now = network__now_ns();
	if (!remote->hold_ns)
		remote->hold_ns = now + NETWORK__HOLD_NS;
	return now < remote->hold_ns ? (int64_t)(remote->hold_ns - now) : 0;
}

/* How long requests that are to be sent again still wait: 0: no longer, or there are none. */
static int64_t until_again(const struct network__remote *remote)
{
	uint64_t now = remote->again_count ? network__now_ns() : 0;

	return now < remote->again_ns && remote->again_count ? (int64_t)(remote->again_ns - now) : 0;
}

int64_t network__send(struct network__remote *remote)
{
	size_t message_max;
	int64_t wait_ns, again_ns;

	if (!remote->is_linked || !network__link_is_up(&remote->link))
		return INGRESS_FOREVER;
	again_ns = until_again(remote);
	wait_ns = remote->waiting_count ? hold(remote) : 0;
	if (wait_ns)
		return again_ns && again_ns < wait_ns ? again_ns : wait_ns;
	remote->hold_ns = 0;
	message_max = network__link_message_max(&remote->link);
	for (;;) {
		if (!network__writer_begin(&remote->writer))
			break;
		if (remote->phase == NETWORK__IS_OPEN)
			add_news(remote);
		if (!again_ns)
			add_again(remote, message_max);
		add_requests(remote, message_max);
		if (!network__writer_has(&remote->writer))
			break;
		if (!publish(remote))
			break;
	}
	return again_ns ? again_ns : INGRESS_FOREVER;
}
