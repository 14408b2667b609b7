/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ferry ingress, the host's side: calling a library that runs on a thread of its own.
 *
 * A library opened here has contexts: running instances, each with a library thread, which runs every handler, and an
 * event thread, which runs listeners. Any number of host threads submit requests to a context, without a lock. Each
 * request that was accepted gets exactly one terminal reply, by callback, by a blocking call, or in an inbox with a
 * pollable descriptor; a request that was refused gets none, and the status that submitting returns says why. Requests
 * of one host thread reach their handlers in the order in which they were submitted; those of different threads reach
 * them in any order.
 *
 * Most programs use what `ferry bindgen` generates, which calls this. docs/ingress.md has both; the wire formats are
 * in spec/interface.md.
 *
 * Conventions. Functions return INGRESS_OK or another enum ingress_status, and never touch errno. Times are in
 * nanoseconds; INGRESS_FOREVER waits without limit. Every function may be called by any thread at any time, except
 * where it says otherwise; docs/ingress-life-cycle.md has a table of that. After fork the parent's contexts and inboxes
 * are closed in the child (INGRESS_CLOSED), which may open its own. A signal handler must not call these functions: one
 * that interrupts such a call of its thread is refused (INGRESS_REENTRANT), and functions without a status do nothing
 * in it. No function is a cancellation point. A library with a context cannot be unloaded: dlclose leaves it mapped.
 */
#ifndef FERRY_INGRESS_H
#define FERRY_INGRESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define INGRESS_ABI 1
#define INGRESS_FOREVER INT64_MAX

/* A context's name: an index and a generation, never a pointer. A stale, forged or recycled one is refused. 0: none. */
typedef uint64_t ingress_token;

/* What a library offers; a provider's shared object has a function that returns it. Immutable, never freed. */
struct ingress_library;

/* How payloads are encoded: spec/interface.md. A reply comes in the format of its request. */
enum ingress_wire { INGRESS_WIRE_CBOR = 0, INGRESS_WIRE_C = 1 };

/* What became of a request, or why it was refused. All but INGRESS_STALE are terminal. */
enum ingress_status {
	INGRESS_OK = 0,
	INGRESS_FAILED = 1,	   /* the handler failed; the reply's payload is its message, as UTF-8 */
	INGRESS_STALE = 2,	   /* not terminal: the handler is still running */
	INGRESS_CLOSED = 3,	   /* the context was destroyed, or is being; or it is the parent's, after a fork */
	INGRESS_TIMEOUT = 4,	   /* the deadline passed; what the library thread has taken may still run */
	INGRESS_QUEUE_FULL = 5,	   /* as many requests as the queue holds are unanswered: submit again later */
	INGRESS_TOO_LARGE = 6,	   /* the payload is over the limit */
	INGRESS_BAD_TOKEN = 7,	   /* no such context: stale, forged, or of another library */
	INGRESS_BAD_METHOD = 8,	   /* no method with that number */
	INGRESS_BAD_PAYLOAD = 9,   /* the payload cannot be decoded; the message has the path to the bad field */
	INGRESS_BAD_ARGUMENT = 10, /* a null pointer, an unknown wire format, both or neither of callback and inbox */
	INGRESS_BAD_HANDLE = 11,   /* a handle that was closed, or is of another kind or context */
	INGRESS_REENTRANT = 12,	   /* a handler called its own context, a callback waited, or a signal handler called */
	INGRESS_EVENTS_STUCK = 13, /* a listener's callback has not returned for too long */
	INGRESS_NO_CONTEXT = 14,   /* every context the limit allows is in use */
	INGRESS_NO_MEMORY = 15,	   /* memory, a thread or a descriptor could not be had */
	INGRESS_WRONG_INTERFACE = 16, /* the library was built from another interface than the binding */
	INGRESS_LOST = 17, /* the connection to the library's process was lost; nobody knows whether the handler ran */
	INGRESS_RAISED = 18,	/* the handler failed with the error that its method declares, which is the payload */
	INGRESS_CANCELLED = 19, /* the host cancelled the request, and the library did not do it, or not all of it */
	INGRESS_SKIPPED =
		20, /* an earlier request of the chain failed, so this one did not run; the message names it */
	INGRESS_STATUS_COUNT = 21,
};

/* A sentence for a status: what is wrong and what to do. Static storage, never NULL. */
const char *ingress_status_text(enum ingress_status status);

/* ---- libraries and contexts ------------------------------------------------------------------------------------ */

/* Limits and times of a context; 0 stands for the default, which the library may have set. */
struct ingress_options {
	uint32_t queue_depth;	/* requests without a reply, at most; rounded up to a power of two */
	uint32_t event_depth;	/* events that wait for one listener, at most; rounded likewise */
	uint64_t payload_bytes; /* how large one request may be */
	int64_t stale_ns;	/* how often a host is told INGRESS_STALE of a running request */
	int64_t stuck_ns;	/* how long a listener may take before it counts as stuck */
	int64_t spin_ns;	/* how long a waiting thread spins at most before it sleeps; negative: not at all */
	uint64_t reserved[4];	/* zero */
};

/* Check that `library` has this ABI and was built from the interface the binding was generated from. */
enum ingress_status ingress_library_check(const struct ingress_library *library, uint64_t interface_hash);

/* Memory lent by the core: valid until released. Of an empty payload `data` is not NULL, and `bytes` is 0. */
struct ingress_answer {
	enum ingress_status status;
	uint32_t wire;
	/* INGRESS_OK: the result, encoded; INGRESS_RAISED: the error. Any other: a message in UTF-8, not terminated. */
	const void *data;
	size_t bytes;
	void *private_block;
};

/* Give back an answer's memory; once, by any thread. An answer of zeros is allowed. */
void ingress_answer_release(struct ingress_answer *answer);

/* ---- requests -------------------------------------------------------------------------------------------------- */

struct ingress_inbox;

/* A reply in a callback. `data` belongs to the core and is valid until the callback returns. */
struct ingress_reply {
	enum ingress_status status;
	uint32_t wire;
	const void *data; /* as in struct ingress_answer */
	size_t bytes;
};

/*
 * Takes a reply, on the library thread; with INGRESS_STALE on the event thread. Two callbacks of one request never run
 * at once. It should be short, since no handler runs meanwhile. It may submit; it may not wait (INGRESS_REENTRANT).
 */
typedef void ingress_reply_fn(void *user, const struct ingress_reply *reply);

/* Ends the loan of a payload: called exactly once, by any thread, also when submitting is refused. */
typedef void ingress_release_fn(void *owner, const void *data, size_t bytes);

/* One request. Everything is copied before submitting returns, except a payload with a `release`. */
struct ingress_call {
	uint32_t method; /* its number in the interface */
	uint32_t wire;	 /* enum ingress_wire */
	const void *data;
	size_t bytes;
	ingress_release_fn *release; /* NULL: the payload is copied */
	void *owner;		     /* for release */
	ingress_reply_fn *reply;     /* either this … */
	void *user;		     /* for reply */
	struct ingress_inbox *inbox; /* … or this takes the reply */
	uint64_t tag;		     /* what the inbox's item shows */
	uint64_t ticket;	     /* for ingress_cancel, from ingress_tickets; 0: it cannot be cancelled */
};

/* Submit one request. */
enum ingress_status ingress_submit(ingress_token token, const struct ingress_call *call);

/*
 * As ingress_submit; but if the library thread takes the request later than timeout_ns from now, no handler runs, and
 * the reply is INGRESS_TIMEOUT. It takes several at a time: one taken together with a slow request may begin late.
 */
enum ingress_status ingress_submit_until(ingress_token token, const struct ingress_call *call, int64_t timeout_ns);

/*
 * Submit calls[count], in order, up to 64 in one step. Returns how many were accepted. If that is fewer than `count`,
 * the next one was refused, and *status says why; those after it were not looked at, and their loans were not ended.
 */
size_t ingress_submit_many(ingress_token token, const struct ingress_call *calls, size_t count,
			   enum ingress_status *status);

/* Requests of a chain, its links, and bytes of a link's path, at most: spec/interface.md, C1 and C5. */
#define INGRESS_CHAIN_MAX 64
#define INGRESS_LINKS_MAX 256
#define INGRESS_PATH_MAX 255

/* What a request of a chain has from an earlier one. */
enum ingress_link_kind {
	INGRESS_LINK_FIELD = 0,	 /* a field of its result; without one the request fails */
	INGRESS_LINK_OPTION = 1, /* likewise; an absent field is null */
	INGRESS_LINK_AFTER = 2,	 /* nothing: it only has to have succeeded */
};

/* A link of a chain: request number `request` needs number `source`, which is smaller. */
struct ingress_link {
	uint32_t request;
	uint32_t source;
	uint32_t kind;	     /* enum ingress_link_kind */
	uint32_t place;	     /* where the null stands that the field replaces: an offset in the request's payload */
	const char *path;    /* of the field, in the source's result: "", "note.title", "notes[3]"; not terminated */
	uint32_t path_bytes; /* AFTER: 0, as `place` */
};

/* Why a chain was refused. */
struct ingress_refusal {
	uint32_t request; /* whose refusal it is; UINT32_MAX: of the chain itself */
	uint32_t link;	  /* UINT32_MAX: of none */
	const char *text; /* static storage; never NULL */
};

/*
 * Submit calls[count] as a chain: they run one after another, and links[link_count] say what each takes from the
 * results of earlier ones (spec/interface.md, C1 to C9). All are accepted, or none; then *error, if it is not NULL,
 * says why. A request that the library thread comes to later than timeout_ns from now is answered INGRESS_TIMEOUT and
 * does not run; INGRESS_FOREVER: there is no deadline. Each request is answered, and may be cancelled, as any other.
 * No payload is lent. A request that takes a field, and the one that the field is taken from, are in format `cbor`.
 * A chain needs credits of the queue for all its requests at once, and what its thread submits later does not wait for
 * its end.
 */
enum ingress_status ingress_submit_chain(ingress_token token, const struct ingress_call *calls, size_t count,
					 const struct ingress_link *links, size_t link_count, int64_t timeout_ns,
					 struct ingress_refusal *error);

/*
 * Submit and wait for the terminal reply, at most timeout_ns; `data` is copied before this waits. Returns
 * answer->status. Whatever it is, the answer's memory is given back with ingress_answer_release.
 *
 * A handler may ask another context. It blocks its own context meanwhile: nothing else runs there. Contexts that ask
 * each other in a cycle (a handler of A asks B while a handler of B asks A) wait until a timeout ends one of the calls,
 * and for ever with INGRESS_FOREVER: only a call to the caller's own context is noticed (INGRESS_REENTRANT). Give
 * contexts an order and ask one way only, or submit with a reply callback, which blocks no thread.
 */
enum ingress_status ingress_ask(ingress_token token, uint32_t method, uint32_t wire, const void *data, size_t bytes,
				int64_t timeout_ns, struct ingress_answer *answer);

/* As ingress_ask, for a payload that is lent: `release` and `owner` of the call; its `reply` and `inbox` are NULL. */
enum ingress_status ingress_ask_call(ingress_token token, const struct ingress_call *call, int64_t timeout_ns,
				     struct ingress_answer *answer);

/*
 * As ingress_submit_chain, and wait for all replies, at most timeout_ns: answers[count], each as that of ingress_ask.
 * The `reply` and the `inbox` of the calls are NULL. INGRESS_OK: the chain was accepted, and every answer has its own
 * status. Whatever is returned, the answers' memory is given back with ingress_answer_release.
 */
enum ingress_status ingress_ask_chain(ingress_token token, const struct ingress_call *calls, size_t count,
				      const struct ingress_link *links, size_t link_count, int64_t timeout_ns,
				      struct ingress_answer *answers, struct ingress_refusal *error);

/*
 * Get `count` numbers, this one and the next, that no other request of the process has as its ticket. There are 2^61 of
 * them, so take thousands at once and not a number that is never needed. 0: not so many are left.
 */
uint64_t ingress_tickets(uint64_t count);

/*
 * Cancel the request with this ticket, for which submitting has returned; any thread may call this, and it waits for
 * nothing. A request that waits for its handler is answered INGRESS_CANCELLED. One that runs goes on; its library can
 * see that it was cancelled, and answers INGRESS_CANCELLED or whatever else it likes. So its terminal reply comes once,
 * as always. Nothing happens if the request was answered or cancelled before. To cancel takes no memory, so it makes no
 * submit fail. INGRESS_CLOSED: the context is ending or has ended. INGRESS_QUEUE_FULL: while the library thread was
 * busy, about four times as many different requests were cancelled as queue_depth allows; a host that cancels only
 * requests without a reply never gets it. Of several requests cancel the last one first: else the next one may begin as
 * soon as an earlier one ends.
 */
enum ingress_status ingress_cancel(ingress_token token, uint64_t ticket);

/*
 * Start a context: its constructor is the first request, with a reply like any other; *token may be used at once, and
 * is written before that reply can come. When the constructor fails, the context ends by itself after the reply.
 * options may be NULL.
 */
enum ingress_status ingress_context_start(const struct ingress_library *library, const struct ingress_options *options,
					  const struct ingress_call *constructor, ingress_token *token);

/* Start a context and wait for its constructor, as ingress_ask does. *token is 0 unless INGRESS_OK is returned. */
enum ingress_status ingress_context_create(const struct ingress_library *library, const struct ingress_options *options,
					   uint32_t method, uint32_t wire, const void *data, size_t bytes,
					   int64_t timeout_ns, ingress_token *token, struct ingress_answer *answer);

/*
 * End a context. Later requests are refused. Requests that wait for their handler are answered INGRESS_CLOSED. This
 * waits for handlers that run, at most timeout_ns; then their requests are answered INGRESS_CLOSED too. The destructor
 * runs last. When this returns no callback of the context runs or will run.
 *
 * INGRESS_TIMEOUT: handlers were still running; the context counts as in use until they end. INGRESS_EVENTS_STUCK: a
 * callback of the host's has not returned for stuck_ns more; only with this status may a callback still run.
 * INGRESS_CLOSED: another thread was ending the context already, and this call has waited for that too; or the context
 * had ended. INGRESS_REENTRANT: the caller is a handler or a callback of this context, or the callback of any reply;
 * nothing has been done. INGRESS_BAD_ARGUMENT: it is the static context, which cannot be ended.
 */
enum ingress_status ingress_context_destroy(ingress_token token, int64_t timeout_ns);

/*
 * Let a context end by itself, without waiting. Any thread may call this, even in a handler or a callback of the
 * context itself. The context ends as with ingress_context_destroy and INGRESS_FOREVER: later requests are refused,
 * handlers that run finish, and hosts get their replies and events. To wait for the end, call ingress_context_destroy
 * afterwards. INGRESS_CLOSED: the context was being ended already, or has ended.
 */
enum ingress_status ingress_context_close(ingress_token token);

/* The context in which a library's static methods run. It is started when first asked for, and never destroyed. */
enum ingress_status ingress_static_context(const struct ingress_library *library, ingress_token *token);

/* ---- events ---------------------------------------------------------------------------------------------------- */

/* What happens to a new event when `depth` events wait for the listener. `lost` counts the events that are dropped. */
enum ingress_overflow {
	INGRESS_OVERFLOW_DEFAULT = 0, /* as the interface declares */
	INGRESS_DROP_OLDEST = 1,
	INGRESS_DROP_NEWEST = 2,
	INGRESS_COALESCE = 3, /* only the newest of this event is kept */
};

/* An event in a callback; `data` is valid until the callback returns. */
struct ingress_event {
	uint32_t number;
	uint32_t wire;
	const void *data;
	size_t bytes;
	uint64_t lost; /* how many events this listener has lost between the one before and this one */
};

/* Takes an event, on the event thread. It may submit, wait, and remove itself. */
typedef void ingress_event_fn(void *user, const struct ingress_event *event);

/*
 * Gives a listener's `user` back to the host: the listener's callback is not running and never will. Called exactly
 * once, without a lock of the core, by the thread that ends the listener, or by the event thread if the callback was
 * running then. On a thread of the core it may submit but not wait (INGRESS_REENTRANT).
 */
typedef void ingress_end_fn(void *user);

struct ingress_listener {
	uint32_t event;		  /* its number in the interface */
	uint32_t wire;		  /* enum ingress_wire */
	uint32_t overflow;	  /* enum ingress_overflow */
	uint32_t depth;		  /* events that may wait; 0: the context's event_depth */
	ingress_event_fn *notify; /* either this … */
	void *user;
	ingress_end_fn *release;     /* for `user`, or NULL */
	struct ingress_inbox *inbox; /* … or this */
	uint64_t tag;
};

/*
 * Listen from now on. *id is for ingress_unlisten, never 0. A `release` is called exactly once: before this returns if
 * listening is refused; otherwise when the listener was removed or its context ends.
 */
enum ingress_status ingress_listen(ingress_token token, const struct ingress_listener *listener, uint64_t *id);

/*
 * Stop listening. When this returns, with any status but INGRESS_REENTRANT, the callback is not running and never will
 * be, even while another thread destroys the context; with INGRESS_OK `release` has returned too. For an inbox: a take
 * that begins later hands out no event of this listener. On threads of the core it is different:
 *
 *	in the listener's own callback: that runs on, and `release` is called when it returns;
 *	in any other callback or handler, if the listener has a `release`: this does not wait. If the callback is
 *	running, `release` is called when it returns;
 *	in a reply's callback or a handler of this context, if it has none: INGRESS_REENTRANT, since this would have
 *	to wait; the listener stays.
 *
 * INGRESS_CLOSED: the context is ending or has ended, and the listener with it. INGRESS_BAD_ARGUMENT: there is no such
 * listener, or it was removed before.
 */
enum ingress_status ingress_unlisten(ingress_token token, uint64_t id);

/*
 * Be told of each event thread that ends: ended(user) is the last that it calls. A host frees there what its language
 * keeps for each thread that runs a callback. The core keeps the threads of some contexts that have ended for the next
 * ones, so an event thread may outlive its context. `ended` may not wait for the core. INGRESS_NO_MEMORY: there are
 * eight watchers already.
 */
enum ingress_status ingress_event_threads_watch(ingress_end_fn *ended, void *user);

/*
 * No more. When this returns INGRESS_OK, `ended` is not running for this watcher and never will. INGRESS_BAD_ARGUMENT:
 * there is no such watcher. INGRESS_REENTRANT: called on an event thread, which may be the one that it would wait for.
 */
enum ingress_status ingress_event_threads_unwatch(ingress_end_fn *ended, void *user);

/* ---- inboxes: for event loops ----------------------------------------------------------------------------------- */

enum ingress_item_kind { INGRESS_ITEM_REPLY = 0, INGRESS_ITEM_EVENT = 1 };

/* A reply or an event. `data` is valid until the item is released. */
struct ingress_item {
	uint32_t kind;	 /* enum ingress_item_kind */
	uint32_t status; /* enum ingress_status, of a reply; INGRESS_STALE is reported too */
	uint32_t wire;
	uint32_t number; /* of an event */
	uint64_t tag;	 /* of the call or the listener */
	uint64_t lost;	 /* of an event */
	const void *data;
	size_t bytes;
	void *private_block;
};

/* Make an inbox. It may serve any number of contexts, and be filled by any number of threads; one thread takes. */
enum ingress_status ingress_inbox_create(struct ingress_inbox **inbox);

/*
 * The inbox's descriptor, which is readable while the inbox may have items: for poll, epoll, select, asyncio. It
 * belongs to the inbox. -1: there is no inbox, or it belongs to the process that this one was forked from. Never read
 * the descriptor: ingress_inbox_take does. It stays readable until a take has found nothing, so one take each time that
 * it is readable is enough.
 */
int ingress_inbox_descriptor(const struct ingress_inbox *inbox);

/* Take up to `capacity` items, waiting up to timeout_ns for the first; 0 does not wait. Returns how many. */
size_t ingress_inbox_take(struct ingress_inbox *inbox, struct ingress_item *items, size_t capacity, int64_t timeout_ns);

/* Give back the memory of items[count]. */
void ingress_items_release(struct ingress_item *items, size_t count);

/*
 * Close an inbox. Replies that are still to come are dropped, and listeners into it are removed. No thread may use it
 * afterwards. A forked child closes an inbox of its parent's for itself alone.
 */
void ingress_inbox_close(struct ingress_inbox *inbox);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* FERRY_INGRESS_H */
