/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replies and events become messages. They are written on the context's threads, and sent there: the network thread is
 * not woken for them.
 *
 * When a session's last unanswered request is answered, its message is sent at once: nothing waits for company when the
 * line is idle. While others are unanswered, a reply waits for them, for NETWORK__REPLY_HOLD_NS at most or until the
 * message is NETWORK__MESSAGE_BYTES long. An event goes at once unless another message was sent just before.
 */
#include "serve.h"

#include <stdlib.h>
#include <string.h>

/* Under the session's lock. */
static void send_out(struct session *session)
{
	struct serve *serve = session->serve;
	const struct network__header header = { NETWORK__REPLIES, serve->library->interface_hash, session->id,
						++session->sent };

	/*
	 * What cannot be sent is a gap in the sequence, which the host sees; or the host is cut off as this is. So is a
	 * message for whose first record there was no memory.
	 */
	if (network__writer_has(&session->out)) {
		network__writer_end(&session->out, &header);
		network__link_publish(&serve->link, session->host, serve->instance, session->out.data,
				      session->out.bytes);
	}
	network__writer_reset(&session->out);
	session->flush_ns = 0;
	session->flushed_ns = thread__now_ns();
}

/* Under the session's lock: make room for a record. False: it is longer than the server's messages. */
static bool make_room(struct session *session, size_t bytes)
{
	size_t most = network__link_message_max(&session->serve->link);

	if (NETWORK__HEADER_BYTES + NETWORK__RECORD_BYTES + bytes > most)
		return false;
	if (session->out.bytes + NETWORK__RECORD_BYTES + bytes > most)
		send_out(session);
	return true;
}

/* Under the session's lock: send now, or soon. */
static void send_or_hold(struct session *session, bool now)
{
	if (now || session->out.bytes >= NETWORK__MESSAGE_BYTES) {
		send_out(session);
	} else if (!session->flush_ns) {
		session->flush_ns = thread__now_ns() + NETWORK__REPLY_HOLD_NS;
		if (!atomic_exchange(&session->serve->flush_wanted, true))
			network__link_wake(&session->serve->link);
	}
}

/* ---- replies ----------------------------------------------------------------------------------------------------- */

void serve__answer(struct session *session, uint64_t id, uint32_t wire, enum ingress_status status, const void *data,
		   size_t bytes)
{
	static const char large[] = "the reply is over what the NATS server takes (max_payload)";
	struct network__record record = { .type = NETWORK__REPLY,
					  .wire = (uint8_t)wire,
					  .status = (uint8_t)status,
					  .id = id,
					  .data = data,
					  .bytes = bytes };

	pthread_mutex_lock(&session->lock);
	if (!make_room(session, bytes)) {
		record.status = INGRESS_TOO_LARGE;
		record.data = (const uint8_t *)large;
		record.bytes = sizeof(large) - 1;
		make_room(session, record.bytes);
	}
	if (!network__writer_add(&session->out, &record)) {
		record.status = INGRESS_NO_MEMORY;
		record.bytes = 0;
		network__writer_add(&session->out, &record);
	}
	send_or_hold(session, atomic_fetch_sub(&session->unanswered, 1) == 1);
	pthread_mutex_unlock(&session->lock);
	if (session->is_static && !atomic_load(&session->unanswered))
		network__link_wake(&session->serve->link);
}

static void on_reply(void *user, const struct ingress_reply *reply)
{
	struct under_way *request = user;

	if (reply->status == INGRESS_STALE)
		return;
	if (request->memory)
		serve__memory_answer(request, reply);
	serve__answer(request->session, request->id, reply->wire, reply->status, reply->data, reply->bytes);
	serve__session_unref(request->session);
	free(request);
}

static struct under_way *begin(struct session *session, const struct network__record *record)
{
	struct under_way *request = malloc(sizeof(*request));

	atomic_fetch_add(&session->unanswered, 1);
	if (!request) {
		serve__answer(session, record->id, record->wire, INGRESS_NO_MEMORY, NULL, 0);
		return NULL;
	}
	*request = (struct under_way){ .session = session,
				       .id = record->id,
				       .memory = record->type == NETWORK__IDEMPOTENT ? session->serve->memory : NULL };
	atomic_fetch_add(&session->refs, 1);
	return request;
}

static void refuse(struct under_way *request, uint32_t wire, enum ingress_status status, const char *text)
{
	if (request->memory)
		serve__memory_answer(request, NULL);
	serve__answer(request->session, request->id, wire, status, text, strlen(text));
	serve__session_unref(request->session);
	free(request);
}

/* The low bits of the ids of requests that are under way differ: their lowest are the host's slot. */
_Static_assert(NETWORK__SESSION_TICKETS >= NETWORK__REQUESTS_MAX, "a slot's number is part of the ticket");
static uint64_t ticket_of(const struct session *session, uint64_t id)
{
	return session->tickets ? session->tickets + id % NETWORK__SESSION_TICKETS : 0;
}

void serve__cancel(struct session *session, uint64_t id)
{
	ingress_cancel(session->token, ticket_of(session, id));
}

static struct ingress_call call_of(const struct network__record *record, struct under_way *request)
{
	return (struct ingress_call){ .method = record->number,
				      .wire = record->wire,
				      .data = record->bytes ? record->data : NULL,
				      .bytes = record->bytes,
				      .reply = on_reply,
				      .user = request,
				      .ticket = ticket_of(request->session, request->id) };
}

/* Counted from now: the two machines' clocks need not agree, and the way here is not in it. */
static int64_t left_ns(const struct network__record *record)
{
	return record->extra && record->extra <= INT64_MAX ? (int64_t)record->extra : INGRESS_FOREVER;
}

void serve__submit(struct session *session, const struct network__record *record)
{
	struct under_way *request;
	struct ingress_call call;
	enum ingress_status status;

	if (record->type == NETWORK__IDEMPOTENT && serve__memory_has(session, record->id))
		return;
	request = begin(session, record);
	if (!request)
		return;
	if (request->memory)
		serve__memory_add(request);
	call = call_of(record, request);
	status = left_ns(record) == INGRESS_FOREVER ? ingress_submit(session->token, &call)
						    : ingress_submit_until(session->token, &call, left_ns(record));
	if (status != INGRESS_OK)
		refuse(request, record->wire, status, ingress_status_text(status));
}

void serve__submit_chain(struct session *session, const struct network__record *chain,
			 const struct network__record *records)
{
	struct under_way *requests[INGRESS_CHAIN_MAX];
	struct ingress_call calls[INGRESS_CHAIN_MAX];
	struct ingress_link links[INGRESS_LINKS_MAX];
	uint32_t count = chain->number, begun = 0, link_count = network__links_read(chain, links);
	struct ingress_refusal error = { 0, 0, ingress_status_text(INGRESS_NO_MEMORY) };
	enum ingress_status status = INGRESS_OK;

	for (uint32_t i = 0; i < count; i++) {
		requests[begun] = begin(session, &records[i]);
		if (!requests[begun]) {
			status = INGRESS_NO_MEMORY;
			continue;
		}
		calls[begun] = call_of(&records[i], requests[begun]);
		begun++;
	}
	if (status == INGRESS_OK)
		status = ingress_submit_chain(session->token, calls, count, links, link_count, left_ns(chain), &error);
	for (uint32_t i = 0; i < begun && status != INGRESS_OK; i++)
		refuse(requests[i], calls[i].wire, status, error.text);
}

void serve__start(struct session *session, const struct network__record *record)
{
	struct under_way *request = begin(session, record);
	struct ingress_call call;
	enum ingress_status status;

	if (!request) {
		atomic_store(&session->has_ended, true);
		return;
	}
	call = call_of(record, request);
	status = ingress_context_start(session->serve->library, NULL, &call, &session->token);
	if (status == INGRESS_OK)
		return;
	refuse(request, record->wire, status, ingress_status_text(status));
	atomic_store(&session->has_ended, true);
}

void serve__say(struct session *session, const struct network__record *record)
{
	pthread_mutex_lock(&session->lock);
	if (network__writer_add(&session->out, record))
		send_out(session);
	pthread_mutex_unlock(&session->lock);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void on_event(void *user, const struct ingress_event *event)
{
	struct session *session = user;
	struct network__record record = { .type = NETWORK__EVENT,
					  .wire = (uint8_t)event->wire,
					  .number = event->number,
					  .data = event->data,
					  .bytes = event->bytes };

	pthread_mutex_lock(&session->lock);
	/* those that are not sent are counted too, so that the host sees how many it lacks */
	session->events[event->number] += 1 + event->lost;
	record.id = session->events[event->number];
	if (session->unacknowledged < NETWORK__EVENTS_MAX && make_room(session, record.bytes) &&
	    network__writer_add(&session->out, &record)) {
		session->unacknowledged++;
		send_or_hold(session, thread__now_ns() - session->flushed_ns > NETWORK__REPLY_HOLD_NS);
	}
	pthread_mutex_unlock(&session->lock);
}

static void on_listener_end(void *user)
{
	serve__session_unref(user);
}

void serve__listen(struct session *session, const struct network__record *record)
{
	for (uint32_t wire = 0; wire < 2; wire++) {
		uint64_t *id = &session->listeners[2 * record->number + wire];
		bool wanted = record->extra >> wire & 1;
		const struct ingress_listener listener = {
			.event = record->number,
			.wire = wire,
			.notify = on_event,
			.user = session,
			.release = on_listener_end,
		};

		if (wanted && !*id) {
			atomic_fetch_add(&session->refs, 1);
			ingress_listen(session->token, &listener, id);
		} else if (!wanted && *id) {
			ingress_unlisten(session->token, *id);
			*id = 0;
		}
	}
}

/* ---- what waits -------------------------------------------------------------------------------------------------- */

int64_t serve__flush(struct serve *serve, uint64_t now)
{
	int64_t next_ns = -1;

	if (!atomic_exchange(&serve->flush_wanted, false))
		return -1;
	for (struct session *session = serve->sessions; session; session = session->next) {
		pthread_mutex_lock(&session->lock);
		if (session->flush_ns && session->flush_ns <= now) {
			send_out(session);
		} else if (session->flush_ns) {
			int64_t left = (int64_t)(session->flush_ns - now);

			next_ns = next_ns < 0 || left < next_ns ? left : next_ns;
		}
		pthread_mutex_unlock(&session->lock);
	}
	if (next_ns >= 0)
		atomic_store(&serve->flush_wanted, true);
	return next_ns;
}
