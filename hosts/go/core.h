/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Go calls: include/ferry/ingress.h with many requests, and many replies, in one crossing of cgo. The queues are
 * the core's. Nothing here calls Go.
 */
#ifndef FERRY_GO_CORE_H
#define FERRY_GO_CORE_H

#include <ferry/ingress.h>

#include <stdbool.h>

/* How many items are taken from an inbox, and requests submitted, in one step. */
#define FERRY_GO_ITEMS_MAX 64
/* What ferry_go_cross returns when it took nothing because more requests wait to be submitted. */
#define FERRY_GO_SKIPPED (-1)

/* A request in an arena, before its payload; requests begin at multiples of 8 bytes. */
struct ferry_go_request {
	uint32_t method;
	uint32_t wire;
	uint64_t tag;
	uint64_t ticket;
	uint64_t bytes;
	uint32_t status;  /* written by ferry_go_cross: INGRESS_OK, or why the request was refused */
	uint32_t members; /* not 0: no request, but the head of a chain of so many, which follow; its payload is … */
};

/* … this, and the links, and the bytes of their paths. */
struct ferry_go_chain {
	int64_t timeout_ns;
	struct ingress_refusal refusal; /* written by ferry_go_cross, when the status is not INGRESS_OK */
	uint32_t link_count;
	uint32_t reserved;
};

/* A link of a chain in an arena: struct ingress_link, whose path begins at an offset from the head's payload. */
struct ferry_go_link {
	uint32_t request;
	uint32_t source;
	uint32_t kind;
	uint32_t place;
	uint32_t path_at;
	uint32_t path_bytes;
};

/*
 * A context's inbox, and what goroutines share with the C code. `submitting` is 1 while one goroutine submits, and
 * `queued` while there are requests that no goroutine has taken out of the queue yet.
 */
struct ferry_go_port {
	uint32_t submitting;
	uint32_t queued;
	struct ingress_inbox *inbox;
	int watch;   /* an epoll descriptor with the inbox's in it, or -1; not the port's to close */
	size_t held; /* items that Go has seen and whose memory is given back with the next take */
	struct ingress_item items[FERRY_GO_ITEMS_MAX];
};

/* Load a library, and check that it has this interface. The error is NULL, or allocated text. */
const struct ingress_library *ferry_go_load(const char *path, const char *symbol, uint64_t hash, uint32_t *status,
					    char **error);

/* NULL, with *status, when there is no memory or no descriptor. */
struct ferry_go_port *ferry_go_port_create(uint32_t *status);

/*
 * Make the port's epoll descriptor, which becomes readable when the inbox's descriptor does, but only while
 * ferry_go_watch() says so. Go's poller has it in place of the inbox's, so that it is not woken by each reply that a
 * thread in ferry_go_cross() waits for. -1: there is none to be had.
 */
int ferry_go_watch_create(struct ferry_go_port *port);
void ferry_go_watch(struct ferry_go_port *port, bool watches);

/*
 * Submit the requests of `arena`, then let other goroutines submit, then take items for at most timeout_ns. A negative
 * timeout takes none. Returns how many items there are, or FERRY_GO_SKIPPED.
 */
int ferry_go_cross(struct ferry_go_port *port, ingress_token token, void *arena, size_t bytes, int64_t timeout_ns);

/* Give back the memory of the items that Go has seen. */
void ferry_go_release(struct ferry_go_port *port);

/* Start a context whose constructor is the one request of `arena`. Returns a status. */
uint32_t ferry_go_start(const struct ingress_library *library, const struct ingress_options *options,
			struct ferry_go_port *port, void *arena, ingress_token *token);

/* Listen to an event by the port's inbox. Returns a status. */
uint32_t ferry_go_listen(ingress_token token, struct ferry_go_port *port, uint32_t event, uint32_t wire,
			 uint32_t overflow, uint32_t depth, uint64_t *id);

#endif /* FERRY_GO_CORE_H */
