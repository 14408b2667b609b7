/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The provider's end: a process that has a library's contexts for hosts elsewhere. It is a host of the library itself.
 *
 *	main.c		options, signals, the loop of the *network thread*, which alone reads the link
 *	dispatch.c	the network thread: what comes becomes requests to contexts
 *	session.c	sessions, from the first message to the last reference
 *	replies.c	replies and events, on the contexts' threads, become messages
 *	memory.c	idempotent requests, which may come again
 *
 * A session is what one context of a host's has here: a context of the library, or, for one message of requests to
 * static methods, a share of the static context. The network thread owns the table of sessions. A session is freed with
 * its last reference: the table has one, and each request under way, each listener, and the thread that ends the
 * context.
 *
 * Nothing that a message says is believed: a session, an id and a number are looked up, lengths were checked by
 * network__message_check, payloads are decoded by the library's own codec.
 */
#ifndef NETWORK_SERVE_H
#define NETWORK_SERVE_H

#include "network/link.h"
#include "network/message.h"

#include <ferry/ingress_provider.h>

struct serve {
	const struct ingress_library *library;
	struct network__address address;
	struct network__link link;
	char subject[NETWORK__SUBJECT_BYTES];  /* ferry.SERVICE.HASH */
	char instance[NETWORK__SUBJECT_BYTES]; /* where this process hears of its sessions */
	char probes[NETWORK__SUBJECT_BYTES];   /* where it hears that a host is gone: a prefix */
	natsSubscription *open, *statics, *who, *own, *gone;
	uint32_t contexts_max;
	bool is_draining;
	uint64_t alive_ns, probe_ns;

	/* For the network thread alone. */
	struct session *sessions; /* a list */
	uint32_t session_count;	  /* with a context */
	uint32_t static_count;

	/* Under `lock`: sessions whose hosts do not answer, as the thread of libnats that delivers hears. */
	pthread_mutex_t lock;
	uint64_t *gone_sessions;
	uint32_t gone_count, gone_capacity;
	struct memory *memory;
	_Atomic bool flush_wanted; /* a session has something that is to be sent by `flush_ns` of it */
};

struct session {
	struct serve *serve;
	struct session *next;
	_Atomic uint32_t refs;
	uint64_t id;
	uint64_t message; /* of a static one: the sequence of its message */
	bool is_static;
	ingress_token token;
	uint64_t tickets;		   /* the first of those by which its requests can be cancelled; 0: none can */
	char host[NETWORK__SUBJECT_BYTES]; /* where its replies go */

	/* For the network thread. */
	uint64_t heard;	     /* the sequence of the last message */
	bool is_ending;	     /* a thread is ending the context */
	bool is_gone;	     /* the host is: nothing is sent to it any more */
	uint64_t *listeners; /* ids, by 2 × event + wire; 0: none */

	_Atomic bool has_ended; /* the network thread is to forget it */
	_Atomic uint32_t unanswered;

	pthread_mutex_t lock; /* the rest is under it */
	struct network__writer out;
	uint64_t sent;	   /* the sequence of the last message */
	uint64_t flush_ns; /* when `out` is to be sent at the latest; 0: it is empty */
	uint64_t flushed_ns;
	uint64_t *events;	 /* how many of each event there were */
	uint32_t unacknowledged; /* events that were sent */
};

/* A request that the library has. */
struct under_way {
	struct session *session; /* under the memory's lock if it is idempotent */
	uint64_t id;
	struct memory *memory;	       /* NULL: it is not idempotent */
	struct remembered *remembered; /* under that lock; NULL: it was forgotten */
};

/* session.c. Network thread, but for serve__session_unref. */
struct session *serve__session_make(struct serve *serve, uint64_t id, const char *host, bool is_static);
struct session *serve__session_find(struct serve *serve, uint64_t id);
void serve__session_unref(struct session *session);
/* End the session's context in a thread of its own; answer request `id` when it has ended, if `answers`. */
void serve__session_end(struct session *session, uint64_t id, bool answers);
/* Forget the sessions that have ended. */
void serve__sessions_sweep(struct serve *serve);

/* replies.c. Any thread. */
void serve__answer(struct session *session, uint64_t id, uint32_t wire, enum ingress_status status, const void *data,
		   size_t bytes);
void serve__submit(struct session *session, const struct network__record *record);
/* Submit a chain: its record, and those of its requests. */
void serve__submit_chain(struct session *session, const struct network__record *chain,
			 const struct network__record *records);
/* The host has cancelled this request. */
void serve__cancel(struct session *session, uint64_t id);
void serve__start(struct session *session, const struct network__record *record);
void serve__listen(struct session *session, const struct network__record *record);
/* Append a record that is no reply, and send what there is. */
void serve__say(struct session *session, const struct network__record *record);
/* Network thread: send what has waited long enough. Returns ns until there is more to send; -1: nothing waits. */
int64_t serve__flush(struct serve *serve, uint64_t now);

/* memory.c. NULL: no memory. */
struct memory *serve__memory_make(void);
/* Network thread: whether an idempotent request is known; then it needs nothing else. */
bool serve__memory_has(struct session *session, uint64_t id);
/* Network thread: remember a request that is about to be submitted. */
void serve__memory_add(struct under_way *request);
/* Remember the answer; of NULL: forget the request, which was not done. After this its session does not change. */
void serve__memory_answer(struct under_way *request, const struct ingress_reply *reply);

/* dispatch.c */
bool serve__subscribe(struct serve *serve, char reason[NETWORK__REASON_BYTES]);
void serve__dispatch(struct serve *serve);
/* Take no more contexts and static requests. */
void serve__refuse(struct serve *serve);

#endif
