/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions, from the first message to the last reference. See serve.h. */
#include "serve.h"

#include <stdlib.h>
#include <string.h>

struct session *serve__session_make(struct serve *serve, uint64_t id, const char *host, bool is_static)
{
	struct session *session = calloc(1, sizeof(*session));
	uint32_t events = serve->library->event_count;

	if (!session)
		return NULL;
	session->listeners = calloc(2 * events + 1, sizeof(*session->listeners));
	session->events = calloc(events + 1, sizeof(*session->events));
	if (!session->listeners || !session->events || strlen(host) >= sizeof(session->host)) {
		free(session->listeners);
		free(session->events);
		free(session);
		return NULL;
	}
	session->serve = serve;
	session->id = id;
	session->is_static = is_static;
	/* nobody cancels a request of a static message, of which there may be millions in an hour */
	session->tickets = is_static ? 0 : ingress_tickets(NETWORK__SESSION_TICKETS);
	memcpy(session->host, host, strlen(host) + 1);
	pthread_mutex_init(&session->lock, NULL);
	atomic_store(&session->refs, 1);
	session->next = serve->sessions;
	serve->sessions = session;
	*(is_static ? &serve->static_count : &serve->session_count) += 1;
	return session;
}

struct session *serve__session_find(struct serve *serve, uint64_t id)
{
	struct session *session = serve->sessions;

	while (session && (session->id != id || session->is_static))
		session = session->next;
	return session;
}

void serve__session_unref(struct session *session)
{
	if (atomic_fetch_sub(&session->refs, 1) != 1)
		return;
	pthread_mutex_destroy(&session->lock);
	network__writer_free(&session->out);
	free(session->listeners);
	free(session->events);
	free(session);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

struct ending {
	struct session *session;
	uint64_t id;
	bool answers;
};

static void *end(void *argument)
{
	struct ending ending = *(struct ending *)argument;

	free(argument);
	ingress_context_destroy(ending.session->token, INGRESS_FOREVER);
	if (ending.answers)
		serve__answer(ending.session, ending.id, INGRESS_WIRE_CBOR, INGRESS_OK, NULL, 0);
	/* release: the network thread forgets it after this, and its context has ended */
	atomic_store_explicit(&ending.session->has_ended, true, memory_order_release);
	network__link_wake(&ending.session->serve->link);
	serve__session_unref(ending.session);
	return NULL;
}

void serve__session_end(struct session *session, uint64_t id, bool answers)
{
	struct ending *ending;
	pthread_t thread;

	if (session->is_ending || session->is_static)
		return;
	ending = malloc(sizeof(*ending));
	if (!ending)
		return;
	*ending = (struct ending){ session, id, answers };
	session->is_ending = true;
	atomic_fetch_add(&session->refs, 1);
	atomic_fetch_add(&session->unanswered, answers);
	if (pthread_create(&thread, NULL, end, ending) == 0) {
		pthread_detach(thread);
		return;
	}
	/* no thread can be had now: the next message of the host, or the next probe, tries again */
	session->is_ending = false;
	atomic_fetch_sub(&session->unanswered, answers);
	free(ending);
	serve__session_unref(session);
}

void serve__sessions_sweep(struct serve *serve)
{
	struct session **at = &serve->sessions, *session;

	while ((session = *at)) {
		bool is_over = atomic_load_explicit(&session->has_ended, memory_order_acquire);

		if (session->is_static && !is_over) {
			/* over when everything is answered and sent */
			pthread_mutex_lock(&session->lock);
			is_over = !atomic_load(&session->unanswered) && !session->flush_ns;
			pthread_mutex_unlock(&session->lock);
		}
		if (!is_over) {
			at = &session->next;
			continue;
		}
		*at = session->next;
		*(session->is_static ? &serve->static_count : &serve->session_count) -= 1;
		serve__session_unref(session);
	}
}
