/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ferry ingress, the provider's side: what a library has to offer so that hosts can call it.
 *
 * The core owns the library thread and its loop: it drains requests in batches, hands them over, lets the provider run
 * what has become ready, and sleeps when there is nothing to do, on a futex or, when the provider has a descriptor of
 * its own, on both. All functions of struct ingress_library are called on the library thread, one at a time. Called by
 * another thread, functions that are the library thread's do nothing.
 * A thread that served one context serves the next: thread_begin and thread_end come once, context_end after each.
 *
 * A process that forks has library threads of its own in the child, for which thread_begin is called; the library's
 * globals are what they were. A child that was forked in one of these functions ends when that returns.
 */
#ifndef FERRY_INGRESS_PROVIDER_H
#define FERRY_INGRESS_PROVIDER_H

#include <ferry/ingress.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The context, as its provider sees it. */
struct ingress_provider;

/* A request that is to be answered, once. `data` is valid until it is answered. */
struct ingress_request {
	uint32_t method;
	uint32_t wire; /* enum ingress_wire; the reply has to be in it */
	const void *data;
	size_t bytes;
};

enum ingress_method_kind {
	INGRESS_METHOD = 0,
	INGRESS_CONSTRUCTOR = 1, /* the first request of a context */
	INGRESS_DESTRUCTOR = 2,	 /* made by the core, without a payload, after the last handler ended */
	INGRESS_STATIC = 3,	 /* needs no constructor */
};

struct ingress_event_kind {
	uint32_t overflow; /* enum ingress_overflow, not the default */
	uint32_t depth;	   /* 0: the context's */
};

struct ingress_library {
	uint32_t abi; /* INGRESS_ABI */
	uint32_t contexts_max;
	const char *name;
	uint64_t interface_hash;
	uint32_t method_count;
	uint32_t event_count;
	const uint8_t *methods; /* enum ingress_method_kind of each */
	const struct ingress_event_kind *events;
	const struct ingress_options *defaults; /* or NULL */

	/* On a new library thread. *state is handed to the others. Returns 0, or not, and then there is no context. */
	int (*thread_begin)(struct ingress_provider *provider, void **state);
	/* Requests, those of one host thread in order. Each is answered with ingress_answer, now or later. */
	void (*requests)(void *state, struct ingress_request *const *requests, size_t count);
	/* Run what is ready, without waiting. Returns nanoseconds until something is due, or INGRESS_FOREVER. */
	int64_t (*turn)(void *state);
	/* A descriptor that becomes readable when `turn` has something to do, or -1 when there is nothing to wait for.
	 */
	int (*descriptor)(void *state);
	/* The context has ended: forget everything of it. */
	void (*context_end)(void *state);
	void (*thread_end)(void *state);
};

/*
 * Answer a request: INGRESS_OK with the encoded result, or INGRESS_FAILED, INGRESS_BAD_PAYLOAD or INGRESS_BAD_HANDLE
 * with a message in UTF-8. The payload is copied. The request is gone afterwards. Library thread only.
 */
void ingress_answer_copy(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes);

/* As ingress_answer_copy, but the payload is lent until `release` is called, by any thread. */
void ingress_answer_lend(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner);

/* Room for a result of up to `bytes` inside the request, to encode into before answering with it; NULL: none is free.
 */
void *ingress_answer_room(struct ingress_request *request, size_t bytes);

/* Which wire formats somebody listens to this event in: bit 1 << enum ingress_wire. 0: nobody, encode nothing. */
unsigned int ingress_event_wires(struct ingress_provider *provider, uint32_t event);

/* Emit an event, encoded in `wire`; copied. Library thread only. */
void ingress_event_emit(struct ingress_provider *provider, uint32_t event, uint32_t wire, const void *data,
			size_t bytes);

/*
 * Handles: a provider's objects, as hosts hold them. An id carries slot and generation, and is never 0 and never given
 * twice. `kind` is the number of the handle type. Library thread only.
 */
uint64_t ingress_handle_open(struct ingress_provider *provider, uint32_t kind, void *object); /* 0: no memory */
void *ingress_handle_object(struct ingress_provider *provider, uint32_t kind, uint64_t id);   /* NULL: no such */
void *ingress_handle_close(struct ingress_provider *provider, uint32_t kind, uint64_t id);    /* its object, or NULL */
/* The object of any handle that is still open, closing it; NULL when none is: to forget them all. */
void *ingress_handle_close_any(struct ingress_provider *provider, uint32_t *kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* FERRY_INGRESS_PROVIDER_H */
