/* SPDX-License-Identifier: BSD-3-Clause */
/* The network thread: what comes becomes requests to contexts. See serve.h. */
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_request(const struct network__record *record)
{
	return record->type == NETWORK__REQUEST || record->type == NETWORK__IDEMPOTENT;
}

static void refuse_all(struct session *session, const uint8_t *data, size_t bytes, size_t place,
		       enum ingress_status status)
{
	const char *text = ingress_status_text(status);
	struct network__record record;

	while (network__message_next(data, bytes, &place, &record))
		if (is_request(&record) || record.type == NETWORK__DESTRUCT) {
			atomic_fetch_add(&session->unanswered, 1);
			serve__answer(session, record.id, record.wire, status, text, strlen(text));
		}
}

/* Take the requests of a chain, which stand behind its record. */
static void take_chain(struct session *session, const struct network__record *chain, const uint8_t *data, size_t bytes,
		       size_t *place)
{
	struct network__record records[INGRESS_CHAIN_MAX];

	/* network__message_check has seen that they are there */
	for (uint32_t i = 0; i < chain->number; i++)
		network__message_next(data, bytes, place, &records[i]);
	serve__submit_chain(session, chain, records);
}

/* A message to a host with which this process has no session. */
static void tell(struct serve *serve, const char *host, uint64_t session, enum network__type type, const char *reply)
{
	const struct network__record record = { .type = (uint8_t)type };
	const struct network__header header = { NETWORK__REPLIES, serve->library->interface_hash, session, 0 };
	struct network__writer writer = { 0 };

	if (host && network__writer_add(&writer, &record)) {
		network__writer_end(&writer, &header);
		network__link_publish(&serve->link, host, reply, writer.data, writer.bytes);
	}
	network__writer_free(&writer);
}

/* ---- messages by kind -------------------------------------------------------------------------------------------- */

static void take_open(struct serve *serve, const struct network__header *header, const char *host, const uint8_t *data,
		      size_t bytes)
{
	size_t place = NETWORK__HEADER_BYTES;
	struct network__record record;
	struct session *session;

	if (serve__session_find(serve, header->session) || !network__message_next(data, bytes, &place, &record) ||
	    record.type != NETWORK__REQUEST)
		return;
	session = serve__session_make(serve, header->session, host, false);
	if (!session)
		return;
	session->heard = header->sequence;
	if (serve->session_count > serve->contexts_max || serve->is_draining) {
		refuse_all(session, data, bytes, NETWORK__HEADER_BYTES, INGRESS_NO_CONTEXT);
		atomic_store(&session->has_ended, true);
		return;
	}
	serve__start(session, &record);
}

static void take_static(struct serve *serve, const struct network__header *header, const char *host,
			const uint8_t *data, size_t bytes)
{
	size_t place = NETWORK__HEADER_BYTES;
	struct session *session = serve__session_make(serve, header->session, host, true);
	struct network__record record;
	enum ingress_status status = INGRESS_QUEUE_FULL;

	if (!session)
		return;
	session->message = header->sequence;
	if (serve->static_count <= NETWORK__STATIC_MESSAGES_MAX)
		status = ingress_static_context(serve->library, &session->token);
	if (status != INGRESS_OK) {
		refuse_all(session, data, bytes, place, status);
		return;
	}
	while (network__message_next(data, bytes, &place, &record))
		if (record.type == NETWORK__CHAIN)
			take_chain(session, &record, data, bytes, &place);
		else if (is_request(&record))
			serve__submit(session, &record);
}

static void take_record(struct session *session, const struct network__record *record)
{
	switch (record->type) {
	case NETWORK__REQUEST:
	case NETWORK__IDEMPOTENT:
		serve__submit(session, record);
		break;
	case NETWORK__LISTEN:
		if (record->number < session->serve->library->event_count)
			serve__listen(session, record);
		break;
	case NETWORK__ACKNOWLEDGE:
		pthread_mutex_lock(&session->lock);
		session->unacknowledged -=
			(uint32_t)(record->extra < session->unacknowledged ? record->extra : session->unacknowledged);
		pthread_mutex_unlock(&session->lock);
		break;
	case NETWORK__DESTRUCT:
		serve__session_end(session, record->id, true);
		break;
	case NETWORK__CANCEL:
		serve__cancel(session, record->id);
		break;
	case NETWORK__CLOSE:
		serve__session_end(session, 0, false);
		break;
	default:
		break;
	}
}

static void take_requests(struct serve *serve, const struct network__header *header, const char *host,
			  const uint8_t *data, size_t bytes)
{
	struct session *session = serve__session_find(serve, header->session);
	size_t place = NETWORK__HEADER_BYTES;
	struct network__record record;

	if (!session) {
		tell(serve, host, header->session, NETWORK__GONE, NULL);
		return;
	}
	/* a message without a sequence is about the session itself */
	if (header->sequence) {
		if (header->sequence <= session->heard)
			return;
		if (header->sequence > session->heard + 1) {
			record = (struct network__record){ .type = NETWORK__GAP,
							   .id = session->heard + 1,
							   .extra = header->sequence - 1 };
			serve__say(session, &record);
		}
		session->heard = header->sequence;
	}
	if (serve->is_draining || session->is_ending) {
		refuse_all(session, data, bytes, place, INGRESS_CLOSED);
		return;
	}
	while (network__message_next(data, bytes, &place, &record))
		if (record.type == NETWORK__CHAIN)
			take_chain(session, &record, data, bytes, &place);
		else
			take_record(session, &record);
}

static void take_message(struct serve *serve, natsMsg *message, unsigned int kinds)
{
	const uint8_t *data = (const uint8_t *)natsMsg_GetData(message);
	size_t bytes = (size_t)natsMsg_GetDataLength(message);
	const char *host = natsMsg_GetReply(message);
	struct network__header header;

	if (!network__message_check(data, bytes, &header) || !(kinds >> header.kind & 1) || !host)
		return;
	if (header.hash != serve->library->interface_hash)
		return;
	if (header.kind == NETWORK__OPEN)
		take_open(serve, &header, host, data, bytes);
	else if (header.kind == NETWORK__STATIC)
		take_static(serve, &header, host, data, bytes);
	else if (header.kind == NETWORK__REQUESTS)
		take_requests(serve, &header, host, data, bytes);
}

/* A host of another interface asks who is there. */
static void take_who(struct serve *serve, natsMsg *message)
{
	struct network__header header;

	if (network__message_check((const uint8_t *)natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message),
				   &header))
		tell(serve, natsMsg_GetReply(message), header.session, NETWORK__ALIVE, NULL);
}

/* ---- hosts that are gone ----------------------------------------------------------------------------------------- */

/* A thread of libnats: a host does not hear our probe, or does not know the session. The subject ends with its id. */
static void on_gone(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *user)
{
	struct serve *serve = user;
	const char *last = strrchr(natsMsg_GetSubject(message), '.');
	uint64_t id = last ? strtoull(last + 1, NULL, 16) : 0;

	(void)connection;
	(void)subscription;
	pthread_mutex_lock(&serve->lock);
	if (serve->gone_count < serve->gone_capacity)
		serve->gone_sessions[serve->gone_count++] = id;
	pthread_mutex_unlock(&serve->lock);
	network__link_wake(&serve->link);
	natsMsg_Destroy(message);
}

static void end_gone(struct serve *serve)
{
	uint64_t id = 0;

	do {
		struct session *session;

		pthread_mutex_lock(&serve->lock);
		id = serve->gone_count ? serve->gone_sessions[--serve->gone_count] : 0;
		pthread_mutex_unlock(&serve->lock);
		session = id ? serve__session_find(serve, id) : NULL;
		if (session) {
			session->is_gone = true;
			serve__session_end(session, 0, false);
		}
	} while (id);
}

/* ---- the rest of the network thread ------------------------------------------------------------------------------ */

/* Say to hosts that wait for something that this process is alive, and ask all now and then whether they are. */
static void keep_alive(struct serve *serve)
{
	uint64_t now = thread__now_ns();
	bool probes = now - serve->probe_ns >= (uint64_t)NETWORK__PROBE_NS;
	char reply[NETWORK__SUBJECT_BYTES + 32];

	if (now - serve->alive_ns < (uint64_t)NETWORK__ALIVE_NS)
		return;
	serve->alive_ns = now;
	if (probes)
		serve->probe_ns = now;
	for (struct session *session = serve->sessions; session; session = session->next) {
		const struct network__record alive = { .type = NETWORK__ALIVE, .id = session->message };

		if (atomic_load(&session->unanswered))
			serve__say(session, &alive);
		if (probes && !session->is_static) {
			snprintf(reply, sizeof(reply), "%s.%016llx", serve->probes, (unsigned long long)session->id);
			tell(serve, session->host, session->id, NETWORK__PROBE, reply);
		}
	}
}

static void drain_subscription(struct serve *serve, natsSubscription *subscription, unsigned int kinds)
{
	uint64_t queued = 0;

	while (subscription && natsSubscription_QueuedMsgs(subscription, &queued) == NATS_OK && queued) {
		natsMsg *message = NULL;
		natsStatus status = natsSubscription_NextMsg(&message, subscription, 0);

		if (status == NATS_OK && kinds)
			take_message(serve, message, kinds);
		else if (status == NATS_OK)
			take_who(serve, message);
		else if (status != NATS_NO_RESPONDERS)
			break;
		natsMsg_Destroy(message);
	}
}

void serve__dispatch(struct serve *serve)
{
	network__link_turn(&serve->link);
	drain_subscription(serve, serve->own, 1u << NETWORK__REQUESTS);
	drain_subscription(serve, serve->open, 1u << NETWORK__OPEN);
	drain_subscription(serve, serve->statics, 1u << NETWORK__STATIC);
	drain_subscription(serve, serve->who, 0);
	end_gone(serve);
	keep_alive(serve);
	serve__sessions_sweep(serve);
}

/* ---- subjects ---------------------------------------------------------------------------------------------------- */

static natsStatus listen_to(struct serve *serve, natsSubscription **subscription, const char *subject, bool is_shared)
{
	natsStatus status =
		is_shared ? natsConnection_QueueSubscribeSync(subscription, serve->link.connection, subject, "ferry")
			  : natsConnection_SubscribeSync(subscription, serve->link.connection, subject);

	return status == NATS_OK ? natsSubscription_SetPendingLimits(*subscription, -1, -1) : status;
}

bool serve__subscribe(struct serve *serve, char reason[NETWORK__REASON_BYTES])
{
	char subject[NETWORK__SUBJECT_BYTES + 16];
	natsInbox *unique = NULL;
	natsStatus status = natsInbox_Create(&unique);

	snprintf(serve->subject, sizeof(serve->subject), "ferry.%s.%016llx", serve->address.service,
		 (unsigned long long)serve->library->interface_hash);
	if (status == NATS_OK) {
		const char *name = strrchr((const char *)unique, '.');

		snprintf(serve->instance, sizeof(serve->instance), "%.120s.i%.60s", serve->subject, name ? name : ".0");
		snprintf(serve->probes, sizeof(serve->probes), "%.120s.p%.60s", serve->subject, name ? name : ".0");
		status = listen_to(serve, &serve->own, serve->instance, false);
	}
	natsInbox_Destroy(unique);
	snprintf(subject, sizeof(subject), "%s.*", serve->probes);
	if (status == NATS_OK)
		status = natsConnection_Subscribe(&serve->gone, serve->link.connection, subject, on_gone, serve);
	snprintf(subject, sizeof(subject), "%s.open", serve->subject);
	if (status == NATS_OK)
		status = listen_to(serve, &serve->open, subject, true);
	snprintf(subject, sizeof(subject), "%s.static", serve->subject);
	if (status == NATS_OK)
		status = listen_to(serve, &serve->statics, subject, true);
	snprintf(subject, sizeof(subject), "ferry.%s.who", serve->address.service);
	if (status == NATS_OK)
		status = listen_to(serve, &serve->who, subject, true);
	if (status != NATS_OK)
		snprintf(reason, NETWORK__REASON_BYTES, "cannot subscribe: %s", natsStatus_GetText(status));
	network__link_turn(&serve->link);
	return status == NATS_OK;
}

void serve__refuse(struct serve *serve)
{
	natsSubscription_Unsubscribe(serve->open);
	natsSubscription_Unsubscribe(serve->statics);
	natsSubscription_Unsubscribe(serve->who);
	serve->is_draining = true;
	network__link_turn(&serve->link);
}
