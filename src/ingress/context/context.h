/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context: a running instance of a library, as its host sees it. This struct is an entry of the context table
 * (context_table.c), which serves one context after another of the same library. It has a library thread, an event
 * thread, lanes and a descriptor. An entry is made when a library needs one more than it has, and its memory is never
 * freed, so that any thread may look a token up at any time. The generation of its lanes says which context it is.
 *
 * Which thread may write a field: a part that is under a lock says so. The *starter* is the thread that starts a
 * context in an idle entry; the push of the constructor, or the store of the token, publishes what it wrote.
 */
#ifndef INGRESS_CONTEXT_H
#define INGRESS_CONTEXT_H

#include "ingress/context/filed.h"
#include "ingress/context/handles.h"
#include "ingress/context/placement.h"
#include "ingress/context/token.h"
#include "ingress/memory/block.h"
#include "ingress/queues/lanes.h"
#include "ingress/self/process.h"
#include "ingress/self/reentrancy.h"

#include "thread/processor.h"

#include <ferry/ingress_provider.h>

#include <pthread.h>
#include <stdatomic.h>

struct ingress__library_record;

/* Listeners, and the events that wait for them. Under `lock` except where it says otherwise. See event_queue.h. */
struct ingress__events {
	pthread_mutex_t lock;
	struct ingress__listener **heads;    /* the listeners of each event */
	_Atomic uint8_t *wires;		     /* the wire formats of each event's listeners; read without the lock */
	struct ingress__block *first, *last; /* events for callbacks, oldest first, of all listeners */
	struct ingress__listener *running;   /* the listener whose callback, or then its `release`, is running */
	uint32_t waiters;		     /* threads that wait until it has returned */
	_Atomic uint32_t ended;		     /* an eventcount: a callback has returned */
	_Atomic uint32_t pending;	     /* events in the list; read without the lock */
	/* the provider's, told under the lock when `wires` changes; written before the context's token is known */
	void (*watch)(void *user);
	void *watch_user;
	/* the event thread's parker: parker.h */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t parker;
	/* When the callback that runs began, or 0. Producers read it. */
	_Atomic uint64_t began_ns;
};

/*
 * The requests that were handed to the provider, by index. The event thread reads the table without a lock, so an entry
 * may be out of date; the state of the block shows that (request.h).
 */
struct ingress__running_table {
	struct ingress__running_table *older; /* kept, since the event thread may still be reading it */
	_Atomic(struct ingress__block *) at[];
};

struct ingress__context {
	/* Read by producers; written by a starter. */
	_Atomic ingress_token token; /* of the context that is here, or was here last */
	_Atomic uint64_t payload_max;
	_Atomic uint64_t stuck_ns;
	_Atomic int64_t spin_ns;
	_Atomic int64_t stale_ns;
	_Atomic uint32_t depth;
	_Atomic uint32_t event_depth;
	uint32_t index;		/* of this entry in the context table */
	uint32_t process;	/* ingress__process() when it was made */
	_Atomic bool is_static; /* relaxed: the token publishes it */
	const struct ingress_library *library;
	struct ingress__library_record *record;
	_Atomic uint32_t cpu;	      /* the processor on which the library thread was seen last */
	struct thread__runner runner; /* the library thread, for those that wait for it */
	struct ingress__placement placement;

	int wake_descriptor; /* wakes a library thread that is POLLING; -1 until it is needed */

	struct ingress__lanes lanes;

	/* Written by the library thread, read by others. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t answered; /* requests of this context, modulo 2^32 */
	_Atomic uint32_t activity;				 /* changes when requests are handed over */
	_Atomic uint32_t watchdog_awake; /* the event thread looks at the running requests without being woken */
	_Atomic(struct ingress__running_table *) running_table;
	_Atomic uint32_t table_used; /* entries from this index on were never used */

	/* For the library thread alone, except where it says otherwise. */
	_Alignas(INGRESS__LINE_BYTES) void *state;
	/*
	 * Requests that were taken from the lanes and not handed over yet, oldest first. Under take_lock, except for a
	 * first look at whether there are any.
	 */
	_Atomic(struct ingress__block *) pending;
	struct ingress__block *pending_last;
	struct ingress__block *failed_constructor; /* its host has not been told yet */
	uint32_t *free_indices;			   /* of the running table */
	uint64_t *tickets;			   /* of the requests in that table, and marks: cancel.h */
	uint32_t free_count;
	uint32_t table_capacity;
	uint32_t running_count; /* requests that were handed over and are not answered */
	uint32_t budget_ns;	/* for spinning: wait.h */
	uint32_t polls;		/* sleeps in poll(2): INGRESS__POLL_ONE for each */
	uint64_t serial;	/* of uses of blocks: INGRESS__SERIAL_INDEX_SHIFT */
	uint64_t due_ns;	/* when the provider has something to do */
	bool is_open;		/* a context is here: its constructor was taken */
	bool constructed;
	bool destructing;
	bool constructor_failed;
	void (*cancel_watch)(void *user, struct ingress_request *request); /* the provider's */
	void *cancel_user;
	struct ingress__chain *ready, *ready_last; /* chains whose next request may begin: chain.h */
	ingress_chain_fn *chain_pass;		   /* the provider's */
	void *chain_user;
	struct ingress__handles handles;
	struct ingress__block destructor_block; /* of the destructor's request */

	/* 1 from when the context begins to end until its entry is idle. */
	_Atomic uint32_t closing;
	/* What other threads have for the library thread: post.c. */
	_Atomic uintptr_t posted;
	/* Tickets of requests that hosts want to cancel. Any thread files them. */
	struct ingress__filed filed;
	/*
	 * Held while a thread takes from the lanes and enters the requests in the running table. The event thread
	 * does the first too, to abandon the requests of a context.
	 */
	pthread_mutex_t take_lock;

	struct ingress__events events;

	/*
	 * The begin and the end of a context. `life` is an eventcount that advances with all of it, so that a thread
	 * that starts or destroys a context waits for no lock, and no longer than it wants to.
	 */
	_Atomic uint32_t life;
	_Atomic uint32_t ended; /* contexts of generations below this have ended */
	/* Abandoning (abandon.c): a destroyer wants the running requests of generations below this answered. */
	_Atomic uint32_t abandon_wanted;
	_Atomic uint32_t abandoned;	/* the running requests of generations below this have been answered */
	_Atomic uint32_t abandon_asked; /* 1: the event thread is to look at abandon_wanted */
	pthread_mutex_t life_lock;	/* the library thread and the event thread take it, for the next two */
	uint32_t ending;		/* contexts of generations below this are not abandoned any more */
	bool abandoning;		/* the event thread is answering the running requests */
	_Atomic int begun;		/* 0: not yet; 1: thread_begin succeeded; -1: it failed */
	_Atomic uint32_t refusing;	/* the library thread answers requests that it did not hand over */
	_Atomic uint32_t notifying;	/* 1: the event thread holds a request: request.h */

	/* Under the lock of the context table. */
	struct ingress__context *next_idle;
	struct ingress__context *before; /* the parent process's, in this entry of its table */
	bool has_threads;
	_Atomic bool stopping; /* its event thread is to end */
	pthread_t library_thread, event_thread;
};

static inline struct ingress__context *ingress__context_of(struct ingress_provider *provider)
{
	return (struct ingress__context *)provider;
}

/*
 * Whether this thread is the provider's library thread, which alone may answer, emit and hold handles. In a child that
 * was forked in a handler no thread is.
 */
static inline bool ingress__is_library_thread(struct ingress_provider *provider)
{
	return __builtin_expect(ingress__self.library_of == ingress__context_of(provider), 1);
}

/* Whether requests with this token are still accepted. */
static inline bool ingress__context_is_open(const struct ingress__context *context, ingress_token token)
{
	return ingress__lanes_generation(&context->lanes) == ingress__token_generation(token);
}

/*
 * Library thread: before and after a callout. A thread that comes back and is no library thread of this context is in a
 * child that was forked there, and ends the child.
 */
static inline void ingress__library_out(void)
{
	(void)ingress__call_out();
}

static inline void ingress__library_came_back(const struct ingress__context *context)
{
	if (__builtin_expect(ingress__self.library_of != context, 0))
		ingress__child_ends();
}

static inline void ingress__library_back(const struct ingress__context *context)
{
	ingress__call_returned(1);
	ingress__library_came_back(context);
}

/* Event thread: likewise, after a callout. */
static inline void ingress__events_came_back(const struct ingress__context *context)
{
	if (__builtin_expect(ingress__self.events_of != context, 0))
		ingress__child_ends();
}

/*
 * Close a context: end its lanes, so that every later push fails, and have the library thread end it. False: another
 * thread has closed it before.
 */
bool ingress__context_close(struct ingress__context *context, uint32_t generation);
/* Wake the library thread, if it sleeps. */
void ingress__context_wake(struct ingress__context *context);
/* Wake the event thread, if it sleeps. */
void ingress__event_thread_wake(struct ingress__context *context);

#endif
