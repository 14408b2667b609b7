/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks: a block is the memory of one request and its reply, or of one event, with memory for a small payload.
 *
 * Each thread has a heap. It takes blocks from its own heap without an atomic operation. A thread that ends the use of
 * a block gives it home, to the heap that it came from: its own heap has a plain list, another thread's heap a stack
 * that the owner empties whole. The heap of a thread that has ended goes to the next new thread. heap.c has heaps.
 *
 * Invariants. The addresses of blocks and heaps are never given back to the system, so that any thread may look at a
 * block whose pointer it once had; the block's `state` tells whether it is still the same request (request.h). The
 * memory behind the addresses of a free block may go back to the system (heap_trim.h): then the block reads as zeros,
 * and a `state` of zero is no request's. A block that is under way has one owner at a time; it changes hands by a push
 * to a lane, by `state`, or by `done`.
 */
#ifndef INGRESS_BLOCK_H
#define INGRESS_BLOCK_H

#include "ingress/limits.h"
#include "ingress/self/self.h"

#include <ferry/ingress_provider.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ingress__chain;
struct ingress__listener;

/* Where the answer to a request goes; or what the block is, if it is no request. */
enum ingress__kind {
	INGRESS__CALLBACK,
	INGRESS__INBOX,
	INGRESS__WAITER, /* a thread in a blocking call: ask.c */
	INGRESS__NOBODY, /* the destructor's request */
	INGRESS__EVENT,
	INGRESS__NOTICE, /* in an inbox: a listener has events */
};

/* What belongs to a block besides its own memory, as bits. */
enum ingress__holds {
	INGRESS__HOLDS_LOAN = 1,	  /* a payload that the host lends */
	INGRESS__HOLDS_BUFFER = 2,	  /* a large payload, copied into a buffer */
	INGRESS__HOLDS_ANSWER_BUFFER = 4, /* a buffer for a large answer */
	INGRESS__HOLDS_LISTENER = 8,	  /* a reference to its event's listener: the last event of a notice */
	INGRESS__HOLDS_TICKET = 16,	  /* a ticket, by which its host may cancel it: cancel.h */
	INGRESS__HOLDS_CHAIN = 32,	  /* a place in a chain, and no loan: chain.h */
	INGRESS__HOLDS_DEADLINE = 64,	  /* a time after which its handler is not to begin */
};

/*
 * What a thread in a blocking call and the thread that answers tell each other in block->done. Only WAITING and
 * WAITER_PARKED are states in which the waiter still waits. DONE_ABANDONED is 0, so that a waiter reads it also when
 * the memory of the block has gone back to the system before the waiter looks: heap_trim.c.
 */
enum ingress__done {
	INGRESS__DONE_ABANDONED, /* answered INGRESS_CLOSED while the handler runs: the block is the library's */
	INGRESS__WAITING,	 /* the waiter spins */
	INGRESS__WAITER_PARKED,	 /* the waiter sleeps on the word */
	INGRESS__DONE,		 /* answered: the block is the waiter's */
	INGRESS__WAITER_LEFT,	 /* the waiter's deadline has passed: the block is the library's */
};

struct ingress__block {
	/*
	 * The first cache line travels between threads; a small request touches it and the next. The request stands
	 * first, since a provider gets a pointer to it.
	 */
	struct ingress_request request;
	uint32_t next;	 /* index of the next older block in a lane, or of the next free one; 0: none */
	uint32_t index;	 /* its own; never changes */
	uint8_t kind;	 /* enum ingress__kind */
	uint8_t holds;	 /* enum ingress__holds */
	uint8_t status;	 /* of the answer that is kept here */
	bool constructs; /* whether it is the constructor, the first request of its context */
	/* An enum ingress__done: what a thread in a blocking call and the thread that answers tell each other. */
	_Atomic uint32_t done;
	union {
		ingress_reply_fn *reply;
		struct ingress_inbox *inbox;
	};
	union {
		void *user;
		uint64_t tag;
	};
	/*
	 * The next block in a list of its owner's. In a lane: a block that the consumer will come to a little later, to
	 * be prefetched, or NULL.
	 */
	struct ingress__block *after;

	/* The phase of its request, and a number of the use: request.h. */
	_Atomic uint64_t state;
	_Atomic(struct ingress__context *) context;
	struct ingress__heap *heap; /* never changes */
	uint32_t running_index;	    /* in its context's table of running requests */
	uint32_t inbox_generation;
	/* A small payload; then a small answer, which the handler may have made in place. */
	_Alignas(INGRESS__LINE_BYTES / 2) unsigned char payload[INGRESS__INLINE_BYTES];

	union {
		/* Of a request that is not running yet, if it holds one: cancel.h. */
		uint64_t ticket;
		/* An answer that is kept for the host. */
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
	/* The owner of what `holds` says, and how to release that. */
	ingress_release_fn *release;
	union {
		void *owner;		      /* for release */
		struct ingress__chain *chain; /* of a request that lends nothing */
	};
	void *buffer;
	union {
		void *answer_buffer;
		uint64_t deadline_ns; /* before there is a buffer */
	};
};
_Static_assert(sizeof(struct ingress__block) == 5UL * INGRESS__LINE_BYTES, "blocks are whole lines");

/* A block from this thread's heap, or NULL: no memory, or INGRESS__BLOCKS_MAX are in use. */
struct ingress__block *ingress__block_take(void);
/* End a block's use; what it held has been released. */
void ingress__block_give(struct ingress__block *block);
/* Threads of the core: give home now the blocks that this thread has collected for another thread's heap. */
void ingress__blocks_flush(void);
/* The block of an index that was in a lane. */
struct ingress__block *ingress__block_at(uint32_t index);
/*
 * Turn the blocks that were taken from a lane, newest first, into a list linked by `after`, oldest first. *last becomes
 * the newest block; `last` may be NULL.
 */
struct ingress__block *ingress__blocks_reverse(uint32_t newest, struct ingress__block **last);

/*
 * Any thread: the heap has a surplus, or there are many free buffers; have an event thread trim them (heap_trim.h). The
 * event thread is that of the caller's context if the caller is a thread of the core, or else of `context`. That may be
 * NULL or have ended; then the next event thread that is awake does it.
 */
void ingress__heap_ask_trim(struct ingress__heap *heap, struct ingress__context *context);

/* Copy a payload into the block, or into a buffer when it is large. False: no memory. */
bool ingress__block_fill(struct ingress__block *block, const void *data, size_t bytes);
/* A buffer of `bytes` for the answer, in place of the one that the block has; NULL: no memory. */
void *ingress__block_take_answer_buffer(struct ingress__block *block, size_t bytes);
/* Release the payload: end its loan, or give its buffer back. */
void ingress__block_release_payload(struct ingress__block *block);
/* Release the answer that the block keeps, in the same way. */
void ingress__block_release_answer(struct ingress__block *block);
void ingress__block_release_answer_buffer(struct ingress__block *block);

#endif
