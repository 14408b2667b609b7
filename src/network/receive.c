/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What comes from a provider's process becomes answers and events.
 *
 * Messages of a session are numbered. One that comes twice, or late, is dropped. When some are missing, answers may
 * have been in them, and nobody can say which: all requests that are under way are LOST, and their answers, should
 * they come, find no slot. Events have numbers of their own, so that what is missing of each event is known.
 */
#include "remote.h"

#include <stdio.h>
#include <string.h>

/* The provider, or this context in it, has ended. */
static void gone(struct network__remote *remote, const char *reason)
{
	remote->phase = NETWORK__IS_GONE;
	network__flights_fail(remote, 0, UINT64_MAX, INGRESS_LOST, reason);
}

static void take_event(struct network__remote *remote, const struct network__record *record)
{
	uint64_t before;

	if (record->number >= remote->library->interface->event_count)
		return;
	remote->unacknowledged++;
	before = remote->events[record->number];
	if (record->id <= before)
		return;
	/* the first one tells where the counting begins */
	if (before && record->id > before + 1)
		ingress_event_lost(remote->provider, record->number, record->id - before - 1);
	remote->events[record->number] = record->id;
	ingress_event_emit(remote->provider, record->number, record->wire, record->data, record->bytes);
}

static void take_record(struct network__remote *remote, const struct network__record *record, uint64_t now)
{
	struct network__slot *slot;

	switch (record->type) {
	case NETWORK__REPLY:
		slot = network__flight_find(remote, record->id);
		if (slot && record->status != INGRESS_STALE) {
			/* the context has ended: nothing is left to be closed */
			if (remote->library->interface->methods[slot->request->method] == INGRESS_DESTRUCTOR)
				remote->phase = NETWORK__IS_GONE;
			remote->flights[slot->flight].heard_ns = now;
			network__flight_answer(remote, slot, record->status, record->data, record->bytes);
		}
		break;
	case NETWORK__EVENT:
		take_event(remote, record);
		break;
	case NETWORK__ALIVE:
		for (uint32_t i = 0; record->id && i < NETWORK__REQUESTS_MAX; i++)
			if (remote->flights[i].sequence == record->id)
				remote->flights[i].heard_ns = now;
		break;
	case NETWORK__GAP:
		network__flights_lose(remote, record->id, record->extra,
				      "a message to the provider's process was lost; the handler did not run");
		break;
	case NETWORK__GONE:
		gone(remote, "the provider's process ended the context; nobody knows whether the handler ran");
		break;
	default:
		break;
	}
}

/* The provider's first message of a session says where the session is; while asking, which interface there is. */
static bool is_expected(struct network__remote *remote, const struct network__header *header, const char *reply)
{
	if (remote->phase == NETWORK__ASKING && header->session == remote->session) {
		struct ingress_request *constructor = NULL;

		/* a provider of this interface has come meanwhile */
		if (header->hash == remote->library->interface->hash)
			constructor = network__flight_withdraw(remote);
		if (constructor && network__waiting_add(remote, (struct network__waiting){ constructor, NULL })) {
			remote->phase = NETWORK__OPENING;
			return false;
		}
		/* it is in no flight any more, so nothing else would answer it */
		if (constructor)
			ingress_answer_copy(constructor, INGRESS_NO_MEMORY, NULL, 0);
		network__flights_fail(remote, 0, UINT64_MAX, INGRESS_WRONG_INTERFACE,
				      "the provider's library is of another interface than the binding; generate the "
				      "binding again");
		remote->phase = NETWORK__IS_GONE;
		return false;
	}
	if (header->hash != remote->library->interface->hash || header->session != remote->session)
		return false;
	if (remote->phase == NETWORK__OPENING && reply && strlen(reply) < sizeof(remote->provider_subject)) {
		memcpy(remote->provider_subject, reply, strlen(reply) + 1);
		remote->phase = NETWORK__IS_OPEN;
	}
	return true;
}

static void take_message(struct network__remote *remote, natsMsg *message)
{
	const uint8_t *data = (const uint8_t *)natsMsg_GetData(message);
	size_t bytes = (size_t)natsMsg_GetDataLength(message), place = NETWORK__HEADER_BYTES;
	const char *reply = natsMsg_GetReply(message);
	uint64_t now = thread__now_ns();
	struct network__header header;
	struct network__record record;

	if (!network__message_check(data, bytes, &header) || header.kind != NETWORK__REPLIES)
		return;
	if (!is_expected(remote, &header, reply)) {
		network__message_next(data, bytes, &place, &record);
		/* a session that this side has given up: the provider may end it */
		if (record.type == NETWORK__PROBE && reply)
			network__send_record(remote, reply, NETWORK__REQUESTS, header.session,
					     &(struct network__record){ .type = NETWORK__CLOSE });
		return;
	}
	remote->heard_ns = now;
	if (header.sequence && remote->phase != NETWORK__IS_STATIC) {
		if (header.sequence <= remote->heard)
			return;
		if (header.sequence > remote->heard + 1)
			network__flights_lose(remote, 0, UINT64_MAX,
					      "messages of the provider's process were lost; nobody knows whether the "
					      "handler ran");
		remote->heard = header.sequence;
	}
	while (network__message_next(data, bytes, &place, &record))
		take_record(remote, &record, now);
}

/* The server says that no process listens to the subject of a message that this process has sent. */
static void take_no_responders(struct network__remote *remote)
{
	char text[NETWORK__REASON_BYTES], subject[NETWORK__SUBJECT_BYTES];
	bool may_return;

	switch (remote->phase) {
	case NETWORK__OPENING:
		remote->phase = NETWORK__ASKING;
		snprintf(subject, sizeof(subject), "ferry.%s.who", remote->library->address.service);
		network__send_record(remote, subject, NETWORK__OPEN, remote->session,
				     &(struct network__record){ .type = NETWORK__PROBE });
		break;
	case NETWORK__ASKING:
	case NETWORK__IS_STATIC:
		/* one that was sent before may have been done, and somebody may come to do it */
		network__flights_again(remote, 0, UINT64_MAX, 2);
		snprintf(text, sizeof(text), "nobody serves '%s' at %.200s; start `ferry serve` there",
			 remote->library->address.service, remote->library->address.url);
		if (remote->phase == NETWORK__ASKING)
			remote->phase = NETWORK__IS_GONE;
		network__flights_fail(remote, 0, UINT64_MAX, INGRESS_NO_CONTEXT, text);
		break;
	case NETWORK__IS_OPEN:
		/* after an interruption of both connections the provider's may be back later than this process's */
		may_return = thread__now_ns() - remote->up_ns < (uint64_t)NETWORK__RECONNECT_NS;
		if (may_return)
			network__flights_again(remote, 0, UINT64_MAX, 1);
		/* of a single message it is known that it was not received */
		if (network__flights_count(remote) == 1)
			network__flights_fail(remote, 0, UINT64_MAX, INGRESS_CLOSED,
					      "the provider's process does not hear; the handler did not run");
		if (may_return)
			network__flights_lose(remote, 0, UINT64_MAX,
					      "the provider's process does not hear; nobody knows whether the handler "
					      "ran");
		else
			gone(remote, "the provider's process has ended; nobody knows whether the handler ran");
		break;
	case NETWORK__NONE:
	case NETWORK__IS_GONE:
		break;
	}
}

void network__receive(struct network__remote *remote)
{
	uint64_t queued = 0;

	while (natsSubscription_QueuedMsgs(remote->subscription, &queued) == NATS_OK && queued) {
		natsMsg *message = NULL;
		natsStatus status = natsSubscription_NextMsg(&message, remote->subscription, 0);

		if (status == NATS_NO_RESPONDERS)
			take_no_responders(remote);
		else if (status == NATS_OK)
			take_message(remote, message);
		else
			break;
		natsMsg_Destroy(message);
	}
}
