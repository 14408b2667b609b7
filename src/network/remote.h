/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's end: a provider for the ingress of this process whose handlers are elsewhere. One library thread of the
 * ingress, and so one struct network__remote, serves one context after another; each has a session with a provider's
 * process. All of this belongs to the library thread, but for the link's descriptor, which others make readable.
 *
 *	remote.c	what the ingress calls; the life of a session
 *	flight.c	requests that were sent: their slots, and how each is answered exactly once
 *	chain.c		chains that wait, each in one place of `waiting`
 *	send.c		what waits becomes messages
 *	receive.c	what comes becomes answers and events
 *
 * Invariant: each request that the ingress has handed over is in exactly one place, `waiting` or a slot, until it is
 * answered; and it leaves a slot only by network__flight_answer. So it is answered once, whatever the network does. The
 * slot of an idempotent request that is to be sent again is in no flight (`is_again`), and keeps its id.
 */
#ifndef NETWORK_REMOTE_H
#define NETWORK_REMOTE_H

#include "link.h"
#include "message.h"

#include <ferry/network.h>

/* A library that was opened; never freed. */
struct network__library {
	struct ingress_library library; /* first: the ingress knows only this */
	struct ingress_options defaults;
	const struct ferry_network_interface *interface;
	struct network__address address;
	char wrong[NETWORK__REASON_BYTES];    /* what is wrong with the address, or "" */
	char subject[NETWORK__SUBJECT_BYTES]; /* ferry.SERVICE.HASH */
	struct network__library *next;
};

enum network__phase {
	NETWORK__NONE,	    /* no session */
	NETWORK__OPENING,   /* the constructor is under way, to any provider */
	NETWORK__ASKING,    /* no provider of this interface was there: is there one of another? */
	NETWORK__IS_OPEN,   /* the provider's own subject is known */
	NETWORK__IS_STATIC, /* the static context: each message goes to any provider */
	NETWORK__IS_GONE,   /* the provider, or its context, has ended */
};

/* A request that was sent. The low bits of its id are its index. */
struct network__slot {
	struct ingress_request *request; /* NULL: free */
	uint64_t id;
	uint32_t flight;
	uint8_t sends;	 /* how often it was sent */
	bool is_again;	 /* it is to be sent again, and is in no flight */
	bool is_chained; /* of a chain: it is never sent again */
};

/* A chain that was not sent yet. */
struct network__chain {
	struct ingress_request *requests[INGRESS_CHAIN_MAX];
	uint32_t count;
	uint64_t cancelled; /* its requests that were cancelled, as bits */
	size_t link_bytes;
	uint8_t links[]; /* as they travel */
};

/* What waits to be sent: a request, or a chain. */
struct network__waiting {
	struct ingress_request *request;
	struct network__chain *chain;
};

/* A message with requests that are not all answered. */
struct network__flight {
	uint64_t sequence;
	uint64_t heard_ns;   /* when it was sent, or was last heard of */
	size_t bytes;	     /* of its requests' payloads */
	uint32_t unanswered; /* 0: free */
};

struct network__remote {
	struct ingress_provider *provider;
	const struct network__library *library;
	struct network__link link;
	_Atomic bool is_linked; /* read by threads that listen */
	uint32_t interrupts_seen;
	natsInbox *inbox;
	natsSubscription *subscription;

	enum network__phase phase;
	uint64_t session, sent, heard; /* sequences of the session's messages */
	uint64_t heard_ns, looked_ns, down_ns, up_ns, hold_ns;
	char provider_subject[NETWORK__SUBJECT_BYTES];

	struct network__waiting *waiting; /* a ring, oldest first */
	uint32_t waiting_first, waiting_count, waiting_capacity;
	struct network__slot slots[NETWORK__REQUESTS_MAX];
	struct network__flight flights[NETWORK__REQUESTS_MAX];
	uint32_t free_slots[NETWORK__REQUESTS_MAX], free_flights[NETWORK__REQUESTS_MAX];
	uint32_t free_slot_count, free_flight_count;
	uint32_t again_count; /* slots that are to be sent again */
	uint64_t again_ns;    /* not before this */
	size_t flight_bytes;
	uint64_t serial;
	uint64_t cancels[NETWORK__REQUESTS_MAX]; /* ids of slots: the provider's process is to be told of them */
	uint32_t cancel_count;

	struct network__writer writer;
	uint8_t *wires;	  /* what the provider was told of each event's listeners */
	uint64_t *events; /* how many of each event the provider had, as it says */
	uint32_t unacknowledged;
};

/* flight.c */
void network__flights_begin(struct network__remote *remote);
static inline uint32_t network__flights_count(const struct network__remote *remote)
{
	return NETWORK__REQUESTS_MAX - remote->free_flight_count;
}
/* A slot and a flight for a request that goes with message `sequence`. */
struct network__slot *network__flight_add(struct network__remote *remote, struct ingress_request *request,
					  uint64_t sequence);
/* The slot of an id; NULL: it is not under way (any more). */
struct network__slot *network__flight_find(struct network__remote *remote, uint64_t id);
/* The slot goes with message `sequence` from here on. */
void network__flight_repeat(struct network__remote *remote, struct network__slot *slot, uint64_t sequence);
void network__flight_answer(struct network__remote *remote, struct network__slot *slot, enum ingress_status status,
			    const void *data, size_t bytes);
/* Take the one request that is under way back, to be sent again: it is known not to have been received. */
struct ingress_request *network__flight_withdraw(struct network__remote *remote);
/* Of the messages from `first` to `last`, idempotent requests that were sent `sends` times or more are sent again. */
void network__flights_again(struct network__remote *remote, uint64_t first, uint64_t last, uint8_t sends);
/* No answer comes to these messages: idempotent requests in them are sent again, all others are LOST. */
void network__flights_lose(struct network__remote *remote, uint64_t first, uint64_t last, const char *reason);
/* Answer all requests that are to be sent again. */
void network__again_fail(struct network__remote *remote, enum ingress_status status, const char *reason);
/* Answer all requests of these messages. Of one that was sent several times nobody knows: it is LOST. */
void network__flights_fail(struct network__remote *remote, uint64_t first, uint64_t last, enum ingress_status status,
			   const char *reason);
/* Answer all requests of messages of which nothing was heard for too long. */
void network__flights_look(struct network__remote *remote);

/* chain.c */
/* The chain of requests[count], of which some may be NULL; they and `links` are as ingress_chain_pass gives them. */
struct network__chain *network__chain_make(struct ingress_request *const *requests, size_t count,
					   const struct ingress_link *links, size_t link_count);
/* Bytes of all its records. */
size_t network__chain_bytes(const struct network__chain *chain);
/* Answer all of its requests, and free it. */
void network__chain_fail(struct network__chain *chain, enum ingress_status status, const char *reason);
/* Note that a request of it was cancelled. False: it has no such request. */
bool network__chain_cancel(struct network__chain *chain, const struct ingress_request *request);

/* send.c */
bool network__waiting_add(struct network__remote *remote, struct network__waiting waiting);
void network__waiting_fail(struct network__remote *remote, enum ingress_status status, const char *reason);
/* Send what waits, as far as the window and the connection allow. Returns ns until it wants to be called again. */
int64_t network__send(struct network__remote *remote);
/* Send the records of `writer`, if it has any, to `subject`, with no effect on sequences; it is empty afterwards. */
void network__send_aside(struct network__remote *remote, const char *subject, enum network__kind kind, uint64_t session,
			 struct network__writer *writer);
/* The same with one record. */
void network__send_record(struct network__remote *remote, const char *subject, enum network__kind kind,
			  uint64_t session, const struct network__record *record);

/* cancel.c */
/* A host has cancelled this request: it is answered if it was not sent, else the provider's process is to be told. */
void network__cancel(struct network__remote *remote, struct ingress_request *request);
/* The provider's process is to be told that the request of this slot was cancelled. */
void network__cancel_sent(struct network__remote *remote, const struct network__slot *slot);
/* Tell it of all of them. */
void network__cancels_send(struct network__remote *remote, size_t message_max);

/* receive.c */
void network__receive(struct network__remote *remote);

#endif
