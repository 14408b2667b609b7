/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ferry ingress, the provider's side: the functions that a library has to offer so that hosts can call it.
 *
 * The core owns the library thread and its loop. The loop takes requests in batches, hands them over, lets the provider
 * run the work that has become ready, and sleeps when there is nothing to do: on a futex, or, if the provider has a
 * descriptor of its own, in poll(2). All functions of struct ingress_library are called on the library thread, one at a
 * time; ingress_answer_post and ingress_provider_wake are how other threads reach it. A function below that says
 * "library thread only" does nothing on another thread. A thread that served one context serves the next: thread_begin
 * and thread_end come once, context_end after each context.
 *
 * A forked child has library threads of its own, for which thread_begin is called; the library's globals are what they
 * were in the parent. A child that was forked in one of these functions ends when that function returns.
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

	/* On a new library thread. *state is passed to the others. Anything but 0: the thread and its context fail. */
	int (*thread_begin)(struct ingress_provider *provider, void **state);
	/* Requests, those of one host thread in order. Each is answered with ingress_answer, now or later. */
	void (*requests)(void *state, struct ingress_request *const *requests, size_t count);
	/*
	 * Run what is ready, without waiting: one iteration of the provider's event loop. Returns nanoseconds until
	 * something is due, or INGRESS_FOREVER.
	 */
	int64_t (*turn)(void *state);
	/* A descriptor that is readable when `turn` has something to do; -1: there is nothing to wait for. */
	int (*descriptor)(void *state);
	/* The context has ended: forget everything of it. */
	void (*context_end)(void *state);
	void (*thread_end)(void *state);
};

/*
 * Answer a request: INGRESS_OK with the encoded result, INGRESS_RAISED with the encoded error of the method's type, or
 * INGRESS_FAILED, INGRESS_CANCELLED, INGRESS_BAD_PAYLOAD or INGRESS_BAD_HANDLE with a message in UTF-8. (A provider
 * that passes requests on to another process passes on any terminal status.) The payload is copied. The request is gone
 * afterwards. Library thread only.
 */
void ingress_answer_copy(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes);

/* As ingress_answer_copy, but the payload is lent until `release` is called, by any thread. */
void ingress_answer_lend(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner);

/*
 * Answer a request as ingress_answer_copy does, by any thread; with a `release`, as ingress_answer_lend does. The
 * library thread gives the reply. The answers of one thread are given in their order.
 */
void ingress_answer_post(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner);

/* Have the library thread call ->turn() soon; by any thread, also after the context's end. */
void ingress_provider_wake(struct ingress_provider *provider);

/*
 * For how many ns more the host waits for the answer; 0 or less: no longer; INGRESS_FOREVER: there is no deadline. Only
 * before the request is answered, and before it has a buffer for the answer.
 */
int64_t ingress_request_left_ns(const struct ingress_request *request);

/* A buffer of the request for a result of up to `bytes`: encode into it, and answer with it. NULL: no memory. */
void *ingress_answer_room(struct ingress_request *request, size_t bytes);

/*
 * Whether nobody waits for the result of a request any more: its host has cancelled it, or has left at its deadline, or
 * was told that the context has ended. For a handler that runs long, which may ask often: it costs a few loads. The
 * request is still to be answered, by INGRESS_CANCELLED or as usual. Library thread only.
 */
int ingress_request_cancelled(struct ingress_request *request);

/*
 * Have `cancelled` called when a host cancels a request that the provider has: on the library thread, between two calls
 * of the provider's functions. It may answer the request, unless another thread of the provider's may be doing that.
 * Only in thread_begin.
 */
void ingress_cancel_watch(struct ingress_provider *provider,
			  void (*cancelled)(void *user, struct ingress_request *request), void *user);

/*
 * A chain, in place of ->requests: its requests, in order, and the links between them, which are not resolved and valid
 * until this returns. A request that was answered before, since it was cancelled, is NULL. On the library thread.
 */
typedef void ingress_chain_fn(void *user, struct ingress_request *const *requests, size_t count,
			      const struct ingress_link *links, size_t link_count);

/* Have chains handed over whole. For a provider that passes requests on to another process. Only in thread_begin. */
void ingress_chain_pass(struct ingress_provider *provider, ingress_chain_fn *chain, void *user);

/* The wire formats in which listeners want this event, as bits 1 << enum ingress_wire. 0: none, encode nothing. */
unsigned int ingress_event_wires(struct ingress_provider *provider, uint32_t event);

/* Emit an event, encoded in `wire`; copied. Library thread only. */
void ingress_event_emit(struct ingress_provider *provider, uint32_t event, uint32_t wire, const void *data,
			size_t bytes);

/*
 * Tell the listeners of an event that `count` events were lost before the next one. Library thread only. For a provider
 * that passes on the events of another one.
 */
void ingress_event_lost(struct ingress_provider *provider, uint32_t event, uint64_t count);

/*
 * Have `changed` called whenever what ingress_event_wires returns may have changed for some event: by any thread, under
 * a lock of the core. It may not call the core; it may write to a descriptor. Only in thread_begin.
 */
void ingress_event_watch(struct ingress_provider *provider, void (*changed)(void *user), void *user);

/* The library that the provider's context is of. */
const struct ingress_library *ingress_provider_library(struct ingress_provider *provider);

/*
 * Handles: a provider's objects, as hosts hold them. An id is never 0 and never given twice. `kind` is the number of
 * the handle type. Library thread only.
 */
uint64_t ingress_handle_open(struct ingress_provider *provider, uint32_t kind, void *object); /* 0: no memory */
void *ingress_handle_object(struct ingress_provider *provider, uint32_t kind, uint64_t id);   /* NULL: no such */
void *ingress_handle_close(struct ingress_provider *provider, uint32_t kind, uint64_t id);    /* its object, or NULL */
/* Close any handle that is still open, and return its object; NULL when none is open. For a loop that closes all. */
void *ingress_handle_close_any(struct ingress_provider *provider, uint32_t *kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* FERRY_INGRESS_PROVIDER_H */
