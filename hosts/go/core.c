/* SPDX-License-Identifier: BSD-3-Clause */
/* What core.h declares. cgo compiles this file with the package. */
#include "core.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define ALIGN 8

const struct ingress_library *ferry_go_load(const char *path, const char *symbol, uint64_t hash, uint32_t *status,
					    char **error)
{
	const struct ingress_library *(*get)(void);
	const struct ingress_library *library;
	void *object;

	*status = INGRESS_OK;
	*error = NULL;
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object) {
		*error = strdup(dlerror());
		return NULL;
	}
	get = (const struct ingress_library *(*)(void))dlsym(object, symbol);
	if (!get) {
		*error = strdup(dlerror());
		return NULL;
	}
	library = get();
	*status = ingress_library_check(library, hash);
	return *status == INGRESS_OK ? library : NULL;
}

struct ferry_go_port *ferry_go_port_create(uint32_t *status)
{
	struct ferry_go_port *port = calloc(1, sizeof(*port));

	*status = INGRESS_NO_MEMORY;
	if (!port)
		return NULL;
	port->watch = -1;
	*status = ingress_inbox_create(&port->inbox);
	if (*status != INGRESS_OK) {
		free(port);
		return NULL;
	}
	return port;
}

int ferry_go_watch_create(struct ferry_go_port *port)
{
	struct epoll_event event = { .events = 0 };

	port->watch = epoll_create1(EPOLL_CLOEXEC);
	if (port->watch < 0)
		return -1;
	/* Go's poller takes descriptors that do not block */
	if (fcntl(port->watch, F_SETFL, O_NONBLOCK) < 0 ||
	    epoll_ctl(port->watch, EPOLL_CTL_ADD, ingress_inbox_descriptor(port->inbox), &event) < 0) {
		close(port->watch);
		port->watch = -1;
	}
	return port->watch;
}

void ferry_go_watch(struct ferry_go_port *port, bool watches)
{
	struct epoll_event event = { .events = watches ? EPOLLIN : 0 };

	/* it cannot fail: both descriptors are open, and the one is in the other */
	epoll_ctl(port->watch, EPOLL_CTL_MOD, ingress_inbox_descriptor(port->inbox), &event);
	/*
	 * Take it out of the kernel's list of descriptors that are ready, where it may be since it was read: one that
	 * is in that list is not reported when it is ready at the next beginning of the watch.
	 */
	if (!watches)
		epoll_wait(port->watch, &event, 1, 0);
}

static struct ingress_call call_of(struct ferry_go_port *port, struct ferry_go_request *request)
{
	return (struct ingress_call){
		.method = request->method,
		.wire = request->wire,
		.data = request + 1,
		.bytes = request->bytes,
		.inbox = port->inbox,
		.tag = request->tag,
		.ticket = request->ticket,
	};
}

/* Submit calls[count]; a request that is refused does not keep later ones from being submitted. */
static void submit_all(ingress_token token, const struct ingress_call *calls, struct ferry_go_request **requests,
		       size_t count)
{
	size_t done = 0;

	while (done < count) {
		enum ingress_status status = INGRESS_OK;
		size_t accepted = ingress_submit_many(token, calls + done, count - done, &status);

		for (size_t i = 0; i < accepted; i++)
			requests[done + i]->status = INGRESS_OK;
		done += accepted;
		if (done < count)
			requests[done++]->status = status;
	}
}

/* Where the request behind this one begins. */
static struct ferry_go_request *next_of(struct ferry_go_request *request)
{
	return (struct ferry_go_request *)((char *)(request + 1) + (request->bytes + ALIGN - 1) / ALIGN * ALIGN);
}

/* Submit the chain that begins with `head`. Returns where the next request begins. */
static struct ferry_go_request *submit_chain(struct ferry_go_port *port, ingress_token token,
					     struct ferry_go_request *head)
{
	struct ferry_go_chain *chain = (struct ferry_go_chain *)(head + 1);
	const struct ferry_go_link *packed = (const struct ferry_go_link *)(chain + 1);
	struct ferry_go_request *first = next_of(head), *request = first;
	struct ingress_call calls[INGRESS_CHAIN_MAX];
	struct ingress_link links[INGRESS_LINKS_MAX];

	for (uint32_t i = 0; i < head->members; i++, request = next_of(request))
		calls[i] = call_of(port, request);
	for (uint32_t i = 0; i < chain->link_count; i++)
		links[i] = (struct ingress_link){
			.request = packed[i].request,
			.source = packed[i].source,
			.kind = packed[i].kind,
			.place = packed[i].place,
			.path = (const char *)chain + packed[i].path_at,
			.path_bytes = packed[i].path_bytes,
		};
	head->status = ingress_submit_chain(token, calls, head->members, links, chain->link_count, chain->timeout_ns,
					    &chain->refusal);
	request = first;
	for (uint32_t i = 0; i < head->members; i++, request = next_of(request))
		request->status = head->status;
	return request;
}

static void submit_arena(struct ferry_go_port *port, ingress_token token, char *arena, size_t bytes)
{
	struct ferry_go_request *request = (struct ferry_go_request *)arena;
	const struct ferry_go_request *end = (const struct ferry_go_request *)(arena + bytes);
	struct ferry_go_request *requests[FERRY_GO_ITEMS_MAX];
	struct ingress_call calls[FERRY_GO_ITEMS_MAX];

	while (request < end) {
		size_t count = 0;

		if (request->members) {
			request = submit_chain(port, token, request);
			continue;
		}
		for (; request < end && !request->members && count < FERRY_GO_ITEMS_MAX; count++) {
			requests[count] = request;
			calls[count] = call_of(port, request);
			request = next_of(request);
		}
		submit_all(token, calls, requests, count);
	}
}

void ferry_go_release(struct ferry_go_port *port)
{
	ingress_items_release(port->items, port->held);
	port->held = 0;
}

int ferry_go_cross(struct ferry_go_port *port, ingress_token token, void *arena, size_t bytes, int64_t timeout_ns)
{
	if (bytes) {
		submit_arena(port, token, arena, bytes);
		/*
		 *	this thread			a goroutine on another thread
		 *	--------------------------	--------------------------------
		 *	submitting = 0			queued = 1
		 *	queued?				submitting was 0, becomes 1?
		 *
		 * Both are sequentially consistent: either the goroutine submits its request itself, or this thread
		 * sees that it is queued and returns to submit it, instead of waiting while the request lies there.
		 */
		__atomic_store_n(&port->submitting, 0, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&port->queued, __ATOMIC_SEQ_CST))
			return FERRY_GO_SKIPPED;
	}
	if (timeout_ns < 0)
		return FERRY_GO_SKIPPED;
	if (port->held)
		ferry_go_release(port);
	port->held = ingress_inbox_take(port->inbox, port->items, FERRY_GO_ITEMS_MAX, timeout_ns);
	return (int)port->held;
}

uint32_t ferry_go_start(const struct ingress_library *library, const struct ingress_options *options,
			struct ferry_go_port *port, void *arena, ingress_token *token)
{
	struct ingress_call constructor = call_of(port, arena);

	return ingress_context_start(library, options, &constructor, token);
}

uint32_t ferry_go_listen(ingress_token token, struct ferry_go_port *port, uint32_t event, uint32_t wire,
			 uint32_t overflow, uint32_t depth, uint64_t *id)
{
	struct ingress_listener listener = {
		.event = event,
		.wire = wire,
		.overflow = overflow,
		.depth = depth,
		.inbox = port->inbox,
	};

	return ingress_listen(token, &listener, id);
}
