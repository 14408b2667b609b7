/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks: the memory of one request and its reply, or of one event, with room for small payloads.
 *
 * Each thread has a heap of its own, takes blocks from it without any atomic operation, and gets them back from
 * whoever ends their use: by itself through a plain list, from others through a stack that it empties whole. A heap
 * whose thread has gone serves the next new thread. Blocks and heaps are never given back to the system, so a pointer
 * to one can always be looked at; whether it is still what it was is told by its state (reply.h).
 *
 * A block that is under way has one owner at a time, which changes by being pushed to a lane, by `state` and by `done`.
 */
#ifndef INGRESS_BLOCK_H
#define INGRESS_BLOCK_H

#include "limits.h"

#include <ferry/ingress_provider.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ingress__context;
struct ingress__heap;
struct ingress__listener;

/* Whom a block's answer goes to, or what else it is. */
enum ingress__kind {
	INGRESS__CALLBACK,
	INGRESS__INBOX,
	INGRESS__WAITER, /* a thread in ingress_ask */
	INGRESS__NOBODY, /* the destructor's */
	INGRESS__EVENT,
	INGRESS__NOTICE, /* in an inbox: a listener has events */
};

/* What a block holds besides itself, as bits. */
enum ingress__holds {
	INGRESS__HOLDS_LOAN = 1,     /* a payload that is lent */
	INGRESS__HOLDS_BUFFER = 2,   /* a payload that is copied and large */
	INGRESS__HOLDS_ROOM = 4,     /* room for an answer */
	INGRESS__HOLDS_LISTENER = 8, /* its event's listener: the last one that a notice stood for */
};

struct ingress__block {
	/*
	 * The first line is what travels between threads; a small request touches it and the next. First of all stands
	 * what a provider gets a pointer to.
	 */
	struct ingress_request request;
	uint32_t next;	 /* index of the next older one in a lane, or of the next free one; 0: none */
	uint32_t index;	 /* its own; never changes */
	uint8_t kind;	 /* enum ingress__kind */
	uint8_t holds;	 /* enum ingress__holds */
	uint8_t status;	 /* of an answer that is kept */
	bool constructs; /* the first request of its context */
	/* Between a waiting thread and who answers: enum ingress__done. */
	_Atomic uint32_t done;
	union {
		ingress_reply_fn *reply;
		struct ingress_inbox *inbox;
	};
	union {
		void *user;
		uint64_t tag;
	};
	/* In a list of its owner's; in a lane, a block that the taker will come to a little later, or NULL. */
	struct ingress__block *after;

	/* Its phase and how often it was used: reply.h. */
	_Atomic uint64_t state;
	_Atomic(struct ingress__context *) context;
	struct ingress__heap *heap; /* never changes */
	uint32_t place;		    /* in its context's table of running requests */
	uint32_t inbox_generation;
	/* A small payload; afterwards a small answer, which may be made of it. */
	_Alignas(INGRESS__LINE_BYTES / 2) unsigned char payload[INGRESS__INLINE_BYTES];

	union {
		/* An answer that is kept for whoever waits for it. */
		struct {
			const void *answer;
			size_t answer_bytes;
			ingress_release_fn *answer_release;
			void *answer_owner;
		};
		/* An event, or a notice of events. */
		struct {
			struct ingress__listener *listener;
			struct ingress__block *before;	/* in the context's list */
			struct ingress__block *sibling; /* in its listener's list */
			uint64_t lost;
		};
	};
	/* As `holds` says. */
	ingress_release_fn *release;
	void *owner; /* for release */
	void *buffer;
	void *answer_buffer;
};
_Static_assert(sizeof(struct ingress__block) == 5UL * INGRESS__LINE_BYTES, "blocks are whole lines");

/* A block from this thread's heap, or NULL: no memory, or INGRESS__BLOCKS_MAX are in use. */
struct ingress__block *ingress__block_take(void);
/* End a block's use; what it points to has been released. */
void ingress__block_give(struct ingress__block *block);
/* Library and event threads: give what is kept back for others to their heaps now. */
void ingress__blocks_flush(void);
/* The block of an index that was in a lane. */
struct ingress__block *ingress__block_at(uint32_t index);
/* How far ahead of use a block is fetched into the cache. */
#define INGRESS__AHEAD 4u
/* The list that a lane gave, oldest first, linked by `after`. *last may be NULL. */
struct ingress__block *ingress__blocks_turn(uint32_t newest, struct ingress__block **last);

/* Copy a payload into the block, or into a buffer when it is large. False: no memory. */
bool ingress__block_fill(struct ingress__block *block, const void *data, size_t bytes);
/* End the block's hold on its payload: release it, or free its buffer. */
void ingress__block_release_payload(struct ingress__block *block);
void ingress__block_release_answer(struct ingress__block *block);
void ingress__block_release_room(struct ingress__block *block);

/* Memory for large payloads, kept for use again. */
void *ingress__buffer_take(size_t bytes);
void ingress__buffer_give(void *data);

/* This thread's state for waiting, and whose thread it is. */
struct ingress__self {
	struct ingress__heap *heap;
	volatile sig_atomic_t inside;	     /* inside.h */
	struct ingress__context *library_of; /* it is this context's library thread */
	struct ingress__context *events_of;  /* it is this context's event thread */
	uint32_t callbacks;		     /* replies that it is delivering just now */
	uint32_t spin_ns;		     /* how long a wait for an answer may spin: wait.h */
	bool has_woken;			     /* a thread that slept, since it last waited */
	uint32_t lane;			     /* of each context, that it pushes to: with its first heap, for good */
	bool has_lane;
	uint32_t pushes;
	uint32_t newest;			       /* index of the last block that it pushed: lanes.h */
	struct ingress__block *pushed[INGRESS__AHEAD]; /* the last ones, for `after` of the next */
};
extern __thread struct ingress__self ingress__self __attribute__((tls_model("initial-exec")));

#endif
