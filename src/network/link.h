/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A link: one connection to a NATS server, by libnats, whose socket its owner's thread reads and writes itself.
 * libnats would otherwise have a thread that reads and one that delivers for every connection, and a request would
 * wait for both to wake up. The owner waits for `descriptor`, and then calls network__link_turn.
 *
 * Any thread may publish. Nothing of the credentials is in an address or in a message to people: they are files, which
 * the environment or an option names.
 */
#ifndef NETWORK_LINK_H
#define NETWORK_LINK_H

#include "limits.h"
#include "thread/clock.h"

#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where to connect, and with what. A NULL is nothing. */
struct network__address {
	char url[NETWORK__URL_BYTES];
	char service[NETWORK__SERVICE_BYTES]; /* what is behind the last `/` */
	const char *credentials;	      /* a file of NATS credentials (JWT and seed) */
	const char *authorities;	      /* a file of the certificates that sign the server's */
	const char *certificate, *key;	      /* files of this side's own */
};

/*
 * Read `nats://host:port/service` or `tls://…`, without a service if `service` is what stands for it. The files are
 * those that FERRY_NATS_CREDENTIALS, FERRY_NATS_CA, FERRY_NATS_CERT and FERRY_NATS_KEY name. False: `reason` says why.
 */
bool network__address_read(struct network__address *address, const char *text, const char *service,
			   char reason[NETWORK__REASON_BYTES]);

struct network__link {
	natsConnection *connection;
	int descriptor; /* readable when network__link_turn has something to do */
	int wake;	/* an eventfd in it */
	pthread_mutex_t lock;
	/* Written by threads of libnats too. */
	_Atomic int socket;	     /* -1: interrupted */
	_Atomic uint32_t interrupts; /* how often the connection was interrupted */
	_Atomic bool writes;	     /* what was published waits for the socket */
};

enum network__opened {
	NETWORK__OPENED,
	NETWORK__SLOW,	  /* the server, or the way there, or this machine: nothing is decided */
	NETWORK__ABSENT,  /* no server answers there, or nobody knows the name of its machine */
	NETWORK__REFUSED, /* the server lets nobody in like this, or is none, or an option is wrong */
};

/* Connect, or find at once or within NETWORK__CONNECT_MS why not, which is in `reason`. */
enum network__opened network__link_try(struct network__link *link, const struct network__address *address,
				       char reason[NETWORK__REASON_BYTES]);
/* Connect, within NETWORK__CONNECT_TRIES attempts where the server or the machine is slow. False: `reason` says why. */
bool network__link_open(struct network__link *link, const struct network__address *address,
			char reason[NETWORK__REASON_BYTES]);
void network__link_close(struct network__link *link);
/* Whether the connection will not come back: a server has refused it twice. Then `reason` says so. Any thread. */
bool network__link_is_over(struct network__link *link, const struct network__address *address,
			   char reason[NETWORK__REASON_BYTES]);
/* Make the descriptor readable. Any thread. */
void network__link_wake(struct network__link *link);
/* Owner: read and write what the socket has room for, without waiting. */
void network__link_turn(struct network__link *link);
/* Send a message at once; `reply` may be NULL. False: it was not sent, and never will be. Any thread. */
bool network__link_publish(struct network__link *link, const char *subject, const char *reply, const void *data,
			   size_t bytes);
static inline bool network__link_is_up(struct network__link *link)
{
	return atomic_load_explicit(&link->socket, memory_order_acquire) >= 0;
}
/* The longest message that the server takes. */
size_t network__link_message_max(struct network__link *link);

#endif
