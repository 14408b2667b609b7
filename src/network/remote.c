/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ingress calls, and the life of a session. See remote.h. */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char not_again[] = "the request was sent, and could not be repeated; nobody knows whether the handler ran";
static const char not_connected[] = "the connection to the NATS server did not come back; the request was not sent";

/* ---- the link ---------------------------------------------------------------------------------------------------- */

static void unlink_remote(struct network__remote *remote)
{
	natsSubscription_Destroy(remote->subscription);
	natsInbox_Destroy(remote->inbox);
	remote->subscription = NULL;
	remote->inbox = NULL;
	if (remote->is_linked)
		network__link_close(&remote->link);
	remote->is_linked = false;
}

/* Connect, unless that was done. False: `reason` says why not. */
static bool connect_remote(struct network__remote *remote, char reason[NETWORK__REASON_BYTES])
{
	natsStatus status;

	if (remote->is_linked)
		return true;
	if (remote->library->wrong[0]) {
		snprintf(reason, NETWORK__REASON_BYTES, "%s", remote->library->wrong);
		return false;
	}
	if (!network__link_open(&remote->link, &remote->library->address, reason))
		return false;
	remote->is_linked = true;
	remote->interrupts_seen = 0;
	status = natsInbox_Create(&remote->inbox);
	if (status == NATS_OK)
		status = natsConnection_SubscribeSync(&remote->subscription, remote->link.connection,
						      (const char *)remote->inbox);
	/* what was read is taken at once, so nothing piles up */
	if (status == NATS_OK)
		status = natsSubscription_SetPendingLimits(remote->subscription, -1, -1);
	if (status == NATS_OK)
		return true;
	snprintf(reason, NETWORK__REASON_BYTES, "%s", natsStatus_GetText(status));
	unlink_remote(remote);
	return false;
}

/* Whatever was under way when the connection was interrupted may have arrived or not, and so may its answer. */
static void look_at_connection(struct network__remote *remote, uint64_t now)
{
	uint32_t interrupts = atomic_load(&remote->link.interrupts);

	if (interrupts != remote->interrupts_seen) {
		remote->interrupts_seen = interrupts;
		remote->up_ns = 0;
		network__flights_lose(remote, 0, UINT64_MAX,
				      "the connection to the NATS server was interrupted; nobody knows whether the "
				      "handler ran");
		/* a constructor that was not sent yet waits for the connection */
		if ((remote->phase == NETWORK__OPENING && !remote->waiting_count) || remote->phase == NETWORK__ASKING)
			remote->phase = NETWORK__IS_GONE;
	}
	if (network__link_is_up(&remote->link)) {
		remote->down_ns = 0;
		remote->up_ns = remote->up_ns ? remote->up_ns : now;
	} else if (!remote->down_ns) {
		remote->down_ns = now;
	} else if (now - remote->down_ns > (uint64_t)NETWORK__RECONNECT_NS) {
		network__waiting_fail(remote, INGRESS_LOST, not_connected);
		network__again_fail(remote, INGRESS_LOST, not_again);
	}
}

/* ---- what the ingress calls -------------------------------------------------------------------------------------- */

static void listeners_changed(void *user)
{
	struct network__remote *remote = user;

	/* the library thread made the link before there was a context, or makes it in its first request */
	if (atomic_load(&remote->is_linked))
		network__link_wake(&remote->link);
}

static void request_cancelled(void *user, struct ingress_request *request)
{
	network__cancel(user, request);
}

/* A number that no other session has, and nobody guesses. */
static uint64_t draw_session(void)
{
	uint64_t session = 0;

	while (!session)
		if (getrandom(&session, sizeof(session), 0) != sizeof(session))
			session = thread__now_ns();
	return session;
}

static void begin_session(struct network__remote *remote, enum network__phase phase)
{
	remote->phase = phase;
	remote->session = draw_session();
	remote->sent = remote->heard = remote->heard_ns = 0;
	remote->unacknowledged = 0;
	memset(remote->wires, 0, remote->library->interface->event_count);
	memset(remote->events, 0, remote->library->interface->event_count * sizeof(*remote->events));
}

static const char ended[] = "the provider's process, or its context, has ended; open another context";

/* Whether there is a session to which requests can be sent; static ones need none. */
static bool has_session(struct network__remote *remote)
{
	if (!remote->session)
		begin_session(remote, NETWORK__IS_STATIC);
	return remote->phase == NETWORK__IS_OPEN || remote->phase == NETWORK__IS_STATIC;
}

/* Answer a request that needs no provider. False: it has to be sent. */
static bool answer_here(struct network__remote *remote, struct ingress_request *request)
{
	uint8_t kind = remote->library->interface->methods[request->method];

	if (kind == INGRESS_CONSTRUCTOR) {
		begin_session(remote, NETWORK__OPENING);
		return false;
	}
	if (has_session(remote))
		return false;
	if (kind == INGRESS_DESTRUCTOR)
		ingress_answer_copy(request, INGRESS_OK, NULL, 0);
	else
		ingress_answer_copy(request, INGRESS_CLOSED, ended, sizeof(ended) - 1);
	return true;
}

/* Before requests are sent. False: there is no connection, and `reason` says why. */
static bool get_ready(struct network__remote *remote, char reason[NETWORK__REASON_BYTES])
{
	if (!connect_remote(remote, reason))
		return false;
	/* before the first flight, so that the silence is not counted from an earlier one */
	if (!network__flights_count(remote))
		remote->looked_ns = thread__now_ns();
	return true;
}

static void requests(void *state, struct ingress_request *const *list, size_t count)
{
	struct network__remote *remote = state;
	char reason[NETWORK__REASON_BYTES];

	if (!get_ready(remote, reason)) {
		for (size_t i = 0; i < count; i++)
			ingress_answer_copy(list[i], INGRESS_NO_CONTEXT, reason, strlen(reason));
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (!answer_here(remote, list[i]) &&
		    !network__waiting_add(remote, (struct network__waiting){ list[i], NULL }))
			ingress_answer_copy(list[i], INGRESS_NO_MEMORY, NULL, 0);
	network__send(remote);
}

static void pass_chain(void *user, struct ingress_request *const *list, size_t count, const struct ingress_link *links,
		       size_t link_count)
{
	struct network__remote *remote = user;
	struct network__chain *chain = network__chain_make(list, count, links, link_count);
	char reason[NETWORK__REASON_BYTES];

	if (!chain) {
		for (size_t i = 0; i < count; i++)
			if (list[i])
				ingress_answer_copy(list[i], INGRESS_NO_MEMORY, NULL, 0);
		return;
	}
	if (!get_ready(remote, reason))
		network__chain_fail(chain, INGRESS_NO_CONTEXT, reason);
	else if (!has_session(remote))
		network__chain_fail(chain, INGRESS_CLOSED, ended);
	else if (!network__waiting_add(remote, (struct network__waiting){ NULL, chain }))
		network__chain_fail(chain, INGRESS_NO_MEMORY, "");
	else
		network__send(remote);
}

/* How often a host looks whether what it waits for is silent. */
#define LOOK_NS (NETWORK__SILENCE_NS / 6)

static int64_t turn(void *state)
{
	struct network__remote *remote = state;
	int64_t due_ns;
	uint64_t now;

	if (!remote->is_linked)
		return INGRESS_FOREVER;
	network__link_turn(&remote->link);
	network__receive(remote);
	now = thread__now_ns();
	look_at_connection(remote, now);
	if (remote->phase == NETWORK__IS_GONE)
		network__waiting_fail(remote, INGRESS_CLOSED,
				      "the provider's process, or its context, has ended; open another context");
	if (remote->phase == NETWORK__IS_GONE || remote->phase == NETWORK__NONE)
		network__again_fail(remote, INGRESS_LOST, not_again);
	due_ns = network__send(remote);
	if (!network__flights_count(remote) && !remote->waiting_count && !remote->again_count)
		return INGRESS_FOREVER;
	if (now - remote->looked_ns >= (uint64_t)LOOK_NS)
		network__flights_look(remote);
	return due_ns < LOOK_NS ? due_ns : LOOK_NS;
}

static int descriptor(void *state)
{
	const struct network__remote *remote = state;

	return remote->is_linked ? remote->link.descriptor : -1;
}

static void context_end(void *state)
{
	struct network__remote *remote = state;

	/* an idle provider finds out by its next probe; one that is told need not wait for that */
	if (remote->is_linked && remote->phase == NETWORK__IS_OPEN)
		network__send_record(remote, remote->provider_subject, NETWORK__REQUESTS, remote->session,
				     &(struct network__record){ .type = NETWORK__CLOSE });
	remote->phase = NETWORK__NONE;
	remote->session = 0;
}

static int thread_begin(struct ingress_provider *provider, void **state)
{
	const struct ingress_library *library = ingress_provider_library(provider);
	struct network__remote *remote = calloc(1, sizeof(*remote));

	if (!remote)
		return -1;
	remote->provider = provider;
	remote->library = (const struct network__library *)library;
	remote->wires = calloc(library->event_count + 1, sizeof(*remote->wires));
	remote->events = calloc(library->event_count + 1, sizeof(*remote->events));
	if (!remote->wires || !remote->events) {
		free(remote->wires);
		free(remote->events);
		free(remote);
		return -1;
	}
	network__flights_begin(remote);
	ingress_event_watch(provider, listeners_changed, remote);
	ingress_cancel_watch(provider, request_cancelled, remote);
	ingress_chain_pass(provider, pass_chain, remote);
	*state = remote;
	return 0;
}

static void thread_end(void *state)
{
	struct network__remote *remote = state;

	unlink_remote(remote);
	network__writer_free(&remote->writer);
	free(remote->waiting);
	free(remote->wires);
	free(remote->events);
	free(remote);
}

/* ---- libraries --------------------------------------------------------------------------------------------------- */

static pthread_mutex_t libraries_lock = PTHREAD_MUTEX_INITIALIZER;
static struct network__library *libraries;

/* What the environment says of a library's address. */
static const char *address_in_environment(const char *name)
{
	char variable[NETWORK__SERVICE_BYTES + sizeof("_LIBRARY")];
	const char *value;
	size_t i;

	for (i = 0; name[i] && i < NETWORK__SERVICE_BYTES - 1; i++)
		variable[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
	memcpy(variable + i, "_LIBRARY", sizeof("_LIBRARY"));
	value = getenv(variable);
	if (value && strstr(value, "://"))
		return value;
	value = getenv("FERRY_NATS_URL");
	return value ? value : "nats://127.0.0.1:4222";
}

static struct network__library *make(const struct ferry_network_interface *interface, const char *text)
{
	struct network__library *library = calloc(1, sizeof(*library));

	if (!library)
		return NULL;
	library->interface = interface;
	if (!network__address_read(&library->address, text, interface->name, library->wrong))
		library->address.url[0] = 0;
	snprintf(library->subject, sizeof(library->subject), "ferry.%s.%016llx", library->address.service,
		 (unsigned long long)interface->hash);
	/* spinning for what comes from another process would take the processor from that */
	library->defaults.spin_ns = -1;
	library->library = (struct ingress_library){
		.abi = INGRESS_ABI,
		.name = interface->name,
		.interface_hash = interface->hash,
		.method_count = interface->method_count,
		.event_count = interface->event_count,
		.methods = interface->methods,
		.events = interface->events,
		.defaults = &library->defaults,
		.thread_begin = thread_begin,
		.requests = requests,
		.turn = turn,
		.descriptor = descriptor,
		.context_end = context_end,
		.thread_end = thread_end,
	};
	return library;
}

const struct ingress_library *ferry_network_library(const struct ferry_network_interface *interface,
						    const char *address)
{
	struct network__library *library, *made;

	if (!address)
		address = address_in_environment(interface->name);
	made = make(interface, address);
	if (!made)
		return NULL;
	pthread_mutex_lock(&libraries_lock);
	for (library = libraries; library; library = library->next)
		if (library->interface == interface && !strcmp(library->address.url, made->address.url) &&
		    !strcmp(library->subject, made->subject) && !strcmp(library->wrong, made->wrong))
			break;
	if (!library) {
		made->next = libraries;
		library = libraries = made;
		made = NULL;
	}
	pthread_mutex_unlock(&libraries_lock);
	free(made);
	return &library->library;
}
