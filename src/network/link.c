/* SPDX-License-Identifier: BSD-3-Clause */
/* See link.h. */
#include "link.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool is_service(const char *text)
{
	size_t bytes = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return bytes && !text[bytes] && bytes < NETWORK__SERVICE_BYTES;
}

bool network__address_read(struct network__address *address, const char *text, const char *service,
			   char reason[NETWORK__REASON_BYTES])
{
	const char *host = strstr(text, "://"), *slash;
	size_t bytes = strlen(text);

	*address = (struct network__address){
		.credentials = getenv("FERRY_NATS_CREDENTIALS"),
		.authorities = getenv("FERRY_NATS_CA"),
		.certificate = getenv("FERRY_NATS_CERT"),
		.key = getenv("FERRY_NATS_KEY"),
	};
	if (!host || (strncmp(text, "nats://", 7) != 0 && strncmp(text, "tls://", 6) != 0)) {
		snprintf(reason, NETWORK__REASON_BYTES, "the address has to begin with nats:// or tls://");
		return false;
	}
	if (strchr(text, '@')) {
		/* the text is not repeated here, since a password is in it */
		snprintf(reason, NETWORK__REASON_BYTES,
			 "an address may not have a user or a password; name a file in FERRY_NATS_CREDENTIALS");
		return false;
	}
	slash = strchr(host + 3, '/');
	if (slash) {
		bytes = (size_t)(slash - text);
		service = slash[1] ? slash + 1 : service;
	}
	if (bytes >= sizeof(address->url) || host[3] == '/' || !host[3] || !service || !is_service(service)) {
		snprintf(reason, NETWORK__REASON_BYTES,
			 "'%.*s' is no nats://HOST:PORT/SERVICE; a service has letters, digits, _ and -, at most %u",
			 200, text, NETWORK__SERVICE_BYTES - 1);
		return false;
	}
	memcpy(address->url, text, bytes);
	snprintf(address->service, sizeof(address->service), "%s", service);
	return true;
}

/* ---- what libnats calls ------------------------------------------------------------------------------------------ */

static void watch(struct network__link *link, int socket, int operation)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = socket };

	if (atomic_load(&link->writes))
		event.events |= EPOLLOUT;
	epoll_ctl(link->descriptor, operation, socket, &event);
}

/* A thread that connects, or libnats's that reconnects. */
static natsStatus attach(void **user, void *loop, natsConnection *connection, natsSock socket)
{
	struct network__link *link = loop;

	(void)connection;
	*user = link;
	atomic_store(&link->writes, true);
	watch(link, (int)socket, EPOLL_CTL_ADD);
	/* release: a thread that finds the socket finds the connection up */
	atomic_store_explicit(&link->socket, (int)socket, memory_order_release);
	network__link_wake(link);
	return NATS_OK;
}

/* The connection is interrupted if reading is to stop: libnats closes the socket next. */
static natsStatus reads(void *user, bool add)
{
	struct network__link *link = user;
	int socket;

	if (add)
		return NATS_OK;
	socket = atomic_exchange(&link->socket, -1);
	if (socket >= 0) {
		epoll_ctl(link->descriptor, EPOLL_CTL_DEL, socket, NULL);
		atomic_fetch_add(&link->interrupts, 1);
		network__link_wake(link);
	}
	return NATS_OK;
}

static natsStatus writes(void *user, bool add)
{
	struct network__link *link = user;

	atomic_store(&link->writes, add);
	return NATS_OK;
}

static natsStatus detach(void *user)
{
	return reads(user, false);
}

/* libnats prints errors on stderr where there is no handler; a link's owner finds them by what it lacks. */
static void ignore_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *user)
{
	(void)connection;
	(void)subscription;
	(void)status;
	(void)user;
}

/* ---- connecting -------------------------------------------------------------------------------------------------- */

static natsStatus secure(natsOptions *options, const struct network__address *address)
{
	natsStatus status = NATS_OK;

	if (address->credentials)
		status = natsOptions_SetUserCredentialsFromFiles(options, address->credentials, NULL);
	/* libnats 3.4 takes tls:// for nats://, and would talk in plain text to a server that has no certificate */
	if (status == NATS_OK && (address->authorities || strncmp(address->url, "tls://", 6) == 0))
		status = natsOptions_SetSecure(options, true);
	if (status == NATS_OK && address->authorities)
		status = natsOptions_LoadCATrustedCertificates(options, address->authorities);
	if (status == NATS_OK && address->certificate && address->key)
		status = natsOptions_LoadCertificatesChain(options, address->certificate, address->key);
	return status;
}

static natsStatus choose(natsOptions *options, struct network__link *link, const struct network__address *address)
{
	natsStatus status = natsOptions_SetURL(options, address->url);

	if (status == NATS_OK)
		status = natsOptions_SetEventLoop(options, link, attach, reads, writes, detach);
	if (status == NATS_OK)
		status = natsOptions_SetTimeout(options, NETWORK__CONNECT_MS);
	if (status == NATS_OK)
		status = natsOptions_SetName(options, "ferry");
	if (status == NATS_OK)
		status = natsOptions_SetMaxReconnect(options, -1);
	if (status == NATS_OK)
		status = natsOptions_SetReconnectWait(options, 100);
	if (status == NATS_OK)
		status = natsOptions_SetReconnectJitter(options, 100, 100);
	/* nothing is kept for later: what could not be sent is known not to have been sent */
	if (status == NATS_OK)
		status = natsOptions_SetReconnectBufSize(options, 1);
	if (status == NATS_OK)
		status = natsOptions_SetPingInterval(options, 20000);
	if (status == NATS_OK)
		status = natsOptions_SetErrorHandler(options, ignore_error, NULL);
	/* 503 for a request that nobody hears comes with these */
	return status == NATS_OK ? secure(options, address) : status;
}

/* Whether the address names a host that nobody knows: libnats says the same of it as of one where nobody listens. */
static bool is_unknown(const char *url, char reason[NETWORK__REASON_BYTES])
{
	const char *host = strstr(url, "://") + 3;
	struct addrinfo *found = NULL;
	char name[NETWORK__URL_BYTES];
	size_t bytes = strcspn(host, ":");
	int failed;

	if (*host == '[')
		return false;
	memcpy(name, host, bytes);
	name[bytes] = 0;
	failed = getaddrinfo(name, NULL, NULL, &found);
	if (failed)
		snprintf(reason, NETWORK__REASON_BYTES, "%.200s: %s", url, gai_strerror(failed));
	else
		freeaddrinfo(found);
	return failed;
}

/* Why libnats could not connect. Its detail begins with a place in its source, and may be the same text. */
static void explain(const struct network__address *address, natsStatus status, char reason[NETWORK__REASON_BYTES])
{
	const char *text = natsStatus_GetText(status), *more = nats_GetLastError(NULL), *behind;

	if (status == NATS_NO_SERVER && is_unknown(address->url, reason))
		return;
	more = more ? more : "";
	behind = *more == '(' ? strstr(more, "): ") : NULL;
	more = behind ? behind + 3 : more;
	if (strcmp(more, text) == 0)
		more = "";
	snprintf(reason, NETWORK__REASON_BYTES, "%.200s: %s%s%.200s", address->url, text, *more ? ": " : "", more);
}

/* One attempt at a link. If it fails, `reason` says why, and nothing is left of it. */
static natsStatus attempt(struct network__link *link, const struct network__address *address,
			  char reason[NETWORK__REASON_BYTES])
{
	struct epoll_event event = { .events = EPOLLIN };
	natsOptions *options = NULL;
	natsStatus status = NATS_NO_MEMORY;

	*link = (struct network__link){ .descriptor = epoll_create1(EPOLL_CLOEXEC),
					.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) };
	atomic_store(&link->socket, -1);
	pthread_mutex_init(&link->lock, NULL);
	event.data.fd = link->wake;
	if (link->descriptor >= 0 && link->wake >= 0 &&
	    epoll_ctl(link->descriptor, EPOLL_CTL_ADD, link->wake, &event) == 0)
		status = natsOptions_Create(&options);
	if (status == NATS_OK)
		status = choose(options, link, address);
	if (status == NATS_OK)
		status = natsConnection_Connect(&link->connection, options);
	natsOptions_Destroy(options);
	if (status == NATS_OK)
		return status;
	explain(address, status, reason);
	network__link_close(link);
	return status;
}

/*
 * What took long was too slow, here or at the server, which gives a handshake up after 2 s as well: beside many other
 * programs that says nothing of the next attempt.
 */
static bool is_slow(uint64_t took_ns)
{
	return took_ns >= NETWORK__CONNECT_MS * UINT64_C(1000000) / 2;
}

/*
 * libnats before 3.8 sends no signature if its first byte is zero, which is so for one of 256 (nats.c, pull request
 * 705): each attempt signs another nonce, so a refusal of credentials is final after several. Every other refusal that
 * comes at once is.
 */
enum network__opened network__link_try(struct network__link *link, const struct network__address *address,
				       char reason[NETWORK__REASON_BYTES])
{
	for (unsigned int i = 1;; i++) {
		const uint64_t began = thread__now_ns();
		const natsStatus status = attempt(link, address, reason);

		if (status == NATS_OK)
			return NETWORK__OPENED;
		if (status == NATS_CONNECTION_AUTH_FAILED && address->credentials && i < NETWORK__CONNECT_TRIES)
			continue;
		if (is_slow(thread__now_ns() - began))
			return NETWORK__SLOW;
		return status == NATS_NO_SERVER ? NETWORK__ABSENT : NETWORK__REFUSED;
	}
}

bool network__link_open(struct network__link *link, const struct network__address *address,
			char reason[NETWORK__REASON_BYTES])
{
	enum network__opened opened = network__link_try(link, address, reason);

	for (unsigned int i = 1; opened == NETWORK__SLOW && i < NETWORK__CONNECT_TRIES; i++)
		opened = network__link_try(link, address, reason);
	return opened == NETWORK__OPENED;
}

bool network__link_is_over(struct network__link *link, const struct network__address *address,
			   char reason[NETWORK__REASON_BYTES])
{
	const char *last = NULL;

	if (!natsConnection_IsClosed(link->connection))
		return false;
	natsConnection_GetLastError(link->connection, &last);
	snprintf(reason, NETWORK__REASON_BYTES, "%.200s: the connection was lost, and refused twice since: %.200s",
		 address->url, last && *last ? last : "no reason given");
	return true;
}

void network__link_close(struct network__link *link)
{
	natsConnection_Destroy(link->connection);
	link->connection = NULL;
	if (link->descriptor >= 0)
		close(link->descriptor);
	if (link->wake >= 0)
		close(link->wake);
	pthread_mutex_destroy(&link->lock);
}

/* ---- use --------------------------------------------------------------------------------------------------------- */

void network__link_wake(struct network__link *link)
{
	const uint64_t one = 1;
	int saved = errno;

	while (write(link->wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	errno = saved;
}

/* Under the lock: write what waits, and have the owner woken when the socket has room for the rest. */
static void write_out(struct network__link *link)
{
	int socket;

	if (natsConnection_Buffered(link->connection) > 0)
		natsConnection_ProcessWriteEvent(link->connection);
	else
		atomic_store(&link->writes, false);
	socket = atomic_load(&link->socket);
	if (socket >= 0 && atomic_load(&link->writes))
		watch(link, socket, EPOLL_CTL_MOD);
}

void network__link_turn(struct network__link *link)
{
	struct epoll_event events[2];
	int count = epoll_wait(link->descriptor, events, 2, 0);

	for (int i = 0; i < count; i++) {
		uint64_t woken;

		if (events[i].data.fd == link->wake) {
			while (read(link->wake, &woken, sizeof(woken)) < 0 && errno == EINTR)
				;
			continue;
		}
		if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
			natsConnection_ProcessReadEvent(link->connection);
		if (events[i].events & EPOLLOUT) {
			pthread_mutex_lock(&link->lock);
			write_out(link);
			if (!atomic_load(&link->writes) && atomic_load(&link->socket) == events[i].data.fd)
				watch(link, events[i].data.fd, EPOLL_CTL_MOD);
			pthread_mutex_unlock(&link->lock);
		}
	}
	/* what libnats itself answers, such as a ping */
	if (atomic_load(&link->writes)) {
		pthread_mutex_lock(&link->lock);
		write_out(link);
		pthread_mutex_unlock(&link->lock);
	}
}

bool network__link_publish(struct network__link *link, const char *subject, const char *reply, const void *data,
			   size_t bytes)
{
	natsStatus status = NATS_CONNECTION_DISCONNECTED;

	pthread_mutex_lock(&link->lock);
	if (network__link_is_up(link)) {
		status = reply ? natsConnection_PublishRequest(link->connection, subject, reply, data, (int)bytes)
			       : natsConnection_Publish(link->connection, subject, data, (int)bytes);
		write_out(link);
	}
	pthread_mutex_unlock(&link->lock);
	return status == NATS_OK;
}

size_t network__link_message_max(struct network__link *link)
{
	int64_t most = natsConnection_GetMaxPayload(link->connection);

	return most > 0 ? (size_t)most : 1u << 20;
}
