/* SPDX-License-Identifier: BSD-3-Clause */
/* Every limit of the network room. Both ends are built from this file. */
#ifndef NETWORK_LIMITS_H
#define NETWORK_LIMITS_H

/* Requests of one host's context that the provider has and has not answered: its default queue_depth. */
#define NETWORK__REQUESTS_MAX 4096u
/* Tickets that a session takes of the core's 2^61; a request's id modulo this is its own. */
#define NETWORK__SESSION_TICKETS (UINT64_C(1) << 24)
/* Bytes of such requests. One request larger than this travels alone. */
#define NETWORK__FLIGHT_BYTES (4u << 20)
/* A message takes no further record once it is this long; one record may be longer, up to the server's max_payload. */
#define NETWORK__MESSAGE_BYTES (256u << 10)
/* Messages that may be under way before a small drain waits for company, and how long it waits at most. */
#define NETWORK__BUSY_MESSAGES 4u
#define NETWORK__HOLD_NS 200000
/* How long a reply or an event waits for company at most. */
#define NETWORK__REPLY_HOLD_NS 100000
/* Events that a provider sends before the host has to acknowledge some, and how many the host acknowledges at once. */
#define NETWORK__EVENTS_MAX 1024u
#define NETWORK__EVENTS_ACKNOWLEDGED 256u
/* A provider says this often that it is alive while it owes a host anything. */
#define NETWORK__ALIVE_NS 1000000000LL
/* How often an idempotent request is sent, before it is LOST as any other, and the pause before it is sent again. */
#define NETWORK__SENDS_MAX 12u
#define NETWORK__AGAIN_NS 500000000
/* What a provider's process remembers of idempotent requests that it has, or has answered: the last ones, and bytes. */
#define NETWORK__REMEMBERED 8192u
#define NETWORK__REMEMBERED_BYTES (8u << 20)
/* A host that has heard nothing for this long of what it waits for calls it lost. */
#define NETWORK__SILENCE_NS 3000000000LL
/* A provider asks this often whether the host of a session is still there. */
#define NETWORK__PROBE_NS 5000000000LL
/* Requests wait this long for a connection that was interrupted to come back, unsent. */
#define NETWORK__RECONNECT_NS 5000000000LL
/* How long one attempt to connect may take, in ms as libnats has it, and how often one that may yet pass is made. */
#define NETWORK__CONNECT_MS 2000
#define NETWORK__CONNECT_TRIES 4u
/* A provider whose server is not there yet pauses before it tries again; when it says so again, and from then on. */
#define NETWORK__RETRY_MS 250
#define NETWORK__FIRST_NOTICE_S 10u
#define NETWORK__NOTICE_S 60u
/* How long a provider that was told to end waits for handlers that run. */
#define NETWORK__DRAIN_NS 10000000000LL
/* Contexts that one provider's process has for hosts, unless --contexts says otherwise; and at most. */
#define NETWORK__CONTEXTS 64u
#define NETWORK__CONTEXTS_MAX 4096u
/* Messages of static methods whose requests a provider's process has not answered. */
#define NETWORK__STATIC_MESSAGES_MAX 4096u
/* A subject, an address and a reason, with their zero byte. */
#define NETWORK__SUBJECT_BYTES 192u
#define NETWORK__URL_BYTES 512u
#define NETWORK__REASON_BYTES 512u
/* A service's name. */
#define NETWORK__SERVICE_BYTES 65u

#endif
