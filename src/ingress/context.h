/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context: a place in the table of contexts, with a library thread, an event thread, lanes and a descriptor that
 * serve one context after another of the same library. It is made when a library needs one more than it had at once,
 * and its memory is never given back, so that a token can always be looked up.
 *
 * Who writes what: a part with a lock says so. `Starter` is the thread that starts a context in an idle place; the
 * push of the constructor, or the store of the token, hands what it wrote to the others.
 */
#ifndef INGRESS_CONTEXT_H
#define INGRESS_CONTEXT_H

#include "block.h"
#include "fork.h"
#include "inside.h"
#include "lanes.h"
#include "lock.h"
#include "wait.h"

#include <ferry/ingress_provider.h>

#include <pthread.h>
#include <stdatomic.h>

/* What a blocking call and who answers it say to each other in block->done. */
enum ingress__done {
	INGRESS__WAITING,
	INGRESS__WAITER_PARKED,
	INGRESS__DONE,	      /* answered: the block is the waiter's */
	INGRESS__DONE_CUT,    /* answered INGRESS_CLOSED while the handler runs: the block is still the library's */
	INGRESS__WAITER_LEFT, /* its deadline has passed: the block is the library's */
};

struct ingress__handle {
	uint64_t id; /* 0: free */
	uint32_t kind;
	uint32_t next_free;
	void *object;
};

struct ingress__handles {
	struct ingress__handle *table;
	uint32_t room, used, first_free; /* entries, entries ever used, place + 1 */
	uint64_t serial, serial_end;	 /* numbers that the context may give */
};

/* Listeners and the events that wait for them. All under `lock`, except what says otherwise. */
struct ingress__events {
	pthread_mutex_t lock;
	struct ingress__listener **heads;    /* of each event */
	_Atomic uint8_t *wires;		     /* of each event; written under the lock, read by the library thread */
	struct ingress__block *first, *last; /* events for callbacks, oldest first, all listeners */
	struct ingress__listener *running;   /* whose callback is being called, and then its `release` */
	uint32_t waiters;		     /* threads that wait for it to end */
	_Atomic uint32_t ended;		     /* an eventcount: one has ended */
	_Atomic uint32_t pending;	     /* events in the list; written under the lock */
	/* the event thread's parker: wait.h */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t parked;
	/* When the callback that runs began, or 0: pushers look at it. */
	_Atomic uint64_t began_ns;
};

/* Requests that were handed over, by place; entries may be old, and then the block's state says so. */
struct ingress__table {
	struct ingress__table *older; /* kept, since the event thread may still be looking at it */
	_Atomic(struct ingress__block *) at[];
};

struct ingress__context {
	/* Read by pushers; written by a starter. */
	_Atomic ingress_token token; /* of the context that is here, or was last */
	_Atomic uint64_t payload_max;
	_Atomic uint64_t stuck_ns;
	_Atomic int64_t spin_ns;
	_Atomic int64_t stale_ns;
	_Atomic uint32_t depth;
	_Atomic uint32_t event_depth;
	uint32_t number;	/* its place */
	uint32_t process;	/* ingress__process() in which it was made */
	_Atomic bool is_static; /* relaxed: the token publishes it */
	const struct ingress_library *library;
	struct ingress__library *known;
	_Atomic uint32_t cpu;	      /* the processor on which the library thread was seen last */
	struct thread__runner runner; /* the library thread, with that processor */
	_Atomic uint32_t crossed;     /* how often a waiting thread found it on its own */

	int wake_descriptor; /* for INGRESS__POLLING; -1 until it is needed */

	struct ingress__lanes lanes;

	/* Written by the library thread, read by others. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t answered; /* requests of this context, modulo 2^32 */
	_Atomic uint32_t activity;				 /* changes when requests are handed over */
	_Atomic uint32_t watching; /* the event thread looks at what runs without being woken */
	_Atomic(struct ingress__table *) table;
	_Atomic uint32_t table_used; /* places below this have an entry */

	/* The library thread's own. */
	_Alignas(INGRESS__LINE_BYTES) void *state;
	/* Taken, not handed over yet; oldest first. Under take_lock, but for a first look at whether there are any. */
	_Atomic(struct ingress__block *) pending;
	struct ingress__block *pending_last;
	struct ingress__block *constructor; /* handed over, or failed and not told yet */
	uint32_t *free_places;
	uint32_t free_place_count;
	uint32_t table_room;
	uint32_t running; /* requests that were handed over and are not answered */
	uint32_t budget_ns;
	uint32_t polls;	       /* sleeps on descriptors: INGRESS__POLL_ONE each */
	uint32_t crossed_seen; /* and when; library_thread.c */
	uint64_t crossed_ns, moved_ns;
	uint64_t serial; /* of uses of blocks */
	uint64_t due_ns; /* when the provider has something to do */
	bool is_open;	 /* a context is here, its constructor has been taken */
	bool constructed;
	bool destructing;
	bool constructor_failed;
	struct ingress__handles handles;
	struct ingress__block farewell; /* the destructor's request */

	/* 1 from when the context begins to end until its place is idle. */
	_Atomic uint32_t closing;
	/* Taking from the lanes and giving requests places is one step for the event thread, which may do it too. */
	pthread_mutex_t take_lock;

	struct ingress__events events;

	/*
	 * Begin and end of a context. `life` is the eventcount of all of it, so that who starts or destroys one waits
	 * for no lock, and no longer than it wants to.
	 */
	_Atomic uint32_t life;
	_Atomic uint32_t ended; /* generations below this have ended */
	_Atomic uint32_t
		cut_wanted;	   /* of which a destroyer asked the event thread to answer what runs, the one after */
	_Atomic uint32_t cut_done; /* likewise: what ran is answered */
	_Atomic int begun;	   /* 0: not yet; 1: thread_begin succeeded; -1: it failed */
	pthread_mutex_t life_lock; /* of the library thread and the event thread, for the next two */
	uint32_t ending;	   /* generations below this are not cut any more */
	bool cutting;		   /* the event thread is at it */
	_Atomic uint32_t cut;	   /* 1: the event thread is asked */
	_Atomic uint32_t delivering; /* the library thread answers what it did not hand over */
	_Atomic uint32_t busy;	     /* the event thread holds a request: reply.c */

	/* Under the lock of the table of contexts. */
	struct ingress__context *next_idle;
	struct ingress__context *before; /* of the parent process, at this place */
	bool has_threads;
	_Atomic bool stopping; /* its event thread is to end */
	pthread_t library_thread, event_thread;
};

static inline struct ingress__context *ingress__context_of(struct ingress_provider *provider)
{
	return (struct ingress__context *)provider;
}

/*
 * Whether this thread is the context's library thread, which alone may answer, emit and hold handles. In a child that
 * was forked in a handler it is not any more.
 */
static inline bool ingress__serves(struct ingress_provider *provider)
{
	return __builtin_expect(ingress__self.library_of == ingress__context_of(provider), 1);
}

/* The context of a token, or NULL and in *why whether it has ended or never was. */
struct ingress__context *ingress__context_find(ingress_token token, enum ingress_status *why);
/* Likewise, but also the place of a token whose context ends or has ended, whichever context is there now. */
struct ingress__context *ingress__context_once(ingress_token token, enum ingress_status *why);
/* The place of a token that was good once. */
struct ingress__context *ingress__context_at(ingress_token token);
static inline uint32_t ingress__token_generation(ingress_token token)
{
	return (uint32_t)(token >> 16) & INGRESS__GENERATION_MAX;
}

/*
 * Library thread: around code of the library's or the host's that it calls. A thread that comes back and is not this
 * context's any more was forked there.
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
/* Event thread: likewise, after a callback. */
static inline void ingress__events_came_back(const struct ingress__context *context)
{
	if (__builtin_expect(ingress__self.events_of != context, 0))
		ingress__child_ends();
}

/* token.c. Under the lock of the table of contexts: a key, before the first token. */
void ingress__token_draw_key(void);
/* The token of a context at a place, of that generation. */
ingress_token ingress__token_make(uint32_t number, uint32_t generation);

/* Whether requests of this token are still accepted. */
bool ingress__context_is_open(struct ingress__context *context, ingress_token token);

/* Library thread: the place is idle again. */
void ingress__context_recycle(struct ingress__context *context);
/* Library thread: nothing of the context before `generation` will be heard again. */
void ingress__context_ended(struct ingress__context *context, uint32_t generation);
/* Library thread: leave, when enough others of the library are idle; its event thread has ended then. */
bool ingress__context_leave(struct ingress__context *context);
/* End a context's lanes, once: false when that has been done. Wakes the library thread. */
bool ingress__context_close(struct ingress__context *context, uint32_t generation);
void ingress__context_wake(struct ingress__context *context);

/* options.c: fill the options in; false: one is over its maximum. */
bool ingress__options_choose(const struct ingress_library *library, const struct ingress_options *options,
			     struct ingress_options *chosen);
/* Starter. */
void ingress__options_set(struct ingress__context *context, const struct ingress_options *options);

/* threads.c. Starter: have both run, and the library's begun. False: no memory, or it refused. */
bool ingress__threads_start(struct ingress__context *context);
/* Library thread, or a starter without one: returns when the event thread has ended. */
void ingress__event_thread_stop(struct ingress__context *context);
void *ingress__library_thread(void *argument);
void *ingress__event_thread(void *argument);
/* Under take_lock: move what is in these lanes, as bits, to what is pending. */
void ingress__take_lanes(struct ingress__context *context, uint32_t lanes);
/* Starter: places for `room` requests. False: no memory. */
bool ingress__table_grow(struct ingress__context *context, uint32_t room);

/*
 * submit.c: the first request of a context, whose token is published when nothing can fail any more. *block, unless
 * that is NULL: who submits will wait for it.
 */
enum ingress_status ingress__submit_constructor(struct ingress__context *context, ingress_token token,
						const struct ingress_call *call, struct ingress__block **block);
/* A context whose constructor has been submitted. */
enum ingress_status ingress__context_open(const struct ingress_library *library, const struct ingress_options *options,
					  const struct ingress_call *constructor, ingress_token *token,
					  struct ingress__block **block);

/* event.c */
bool ingress__events_start(struct ingress__context *context);
/* listener.c: drop every listener and event; returns when no callback runs, and all were released. */
void ingress__events_end(struct ingress__context *context);
void ingress__event_thread_wake(struct ingress__context *context);

/* handle.c */
void ingress__handles_end(struct ingress__handles *handles);

#endif
