/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A request between the lanes and its reply. The library thread takes requests from the lanes into the *pending* list;
 * it hands them to the provider, and from then on they are *running*: each has a phase and an entry in the context's
 * running table. Exactly one terminal reply reaches the host: which thread may give it is decided by one
 * compare-and-swap on the block's state, which is the phase and the number of the use.
 *
 *	RUNNING -> DELIVERING -> FREE		the library thread, when the provider answers
 *	RUNNING -> NOTIFYING -> RUNNING		the event thread, to report INGRESS_STALE
 *	RUNNING -> NOTIFYING -> ABANDONED	the event thread, when destroying does not wait any longer (abandon.c)
 *	ABANDONED -> FREE			the library thread, when the provider answers at last
 *
 * The race. The event thread finds blocks in the running table, whose entries may be out of date: the block may have
 * been used again, for another request, by another context. So it reads the state (acquire), then what it needs of the
 * block, and then swaps that very state, number and phase. If the swap succeeds, what it read belongs to that use, and
 * the block cannot be used again before the phase changes back. If the block was used again, the number differs:
 *
 *	event thread					library thread
 *	state is 7,RUNNING
 *	reads whose request it is			answers: 7,RUNNING -> 7,DELIVERING -> 7,FREE
 *							hands the same block over again: 8,RUNNING
 *	7,RUNNING -> 7,NOTIFYING fails
 *
 * Memory orders. The state is stored with release and swapped with acq_rel: a thread that holds the block sees what the
 * holder before it wrote.
 */
#ifndef INGRESS_REQUEST_H
#define INGRESS_REQUEST_H

#include "ingress/context/context.h"

#include "thread/futex.h"

/*
 * The low bits of block->state; above them is a number that no two uses of a block share. It is at least 1: the state
 * of a block whose memory went back to the system is 0 (heap_trim.c). Numbers do not begin again with such a block,
 * since the context counts them.
 */
enum ingress__phase {
	INGRESS__FREE,	     /* not running: the block has one owner */
	INGRESS__RUNNING,    /* the provider has it */
	INGRESS__NOTIFYING,  /* the provider has it, and the event thread is telling its host something */
	INGRESS__DELIVERING, /* the library thread is giving the terminal reply */
	INGRESS__ABANDONED,  /* the event thread gave the terminal reply; the provider still has the request */
};
#define INGRESS__PHASE_BITS 3
#define INGRESS__PHASE_MASK ((1u << INGRESS__PHASE_BITS) - 1)
/* Where the index of a context begins in a number: no two contexts give the same. Each gives 2^45 before it repeats. */
#define INGRESS__SERIAL_INDEX_SHIFT 45
_Static_assert(INGRESS__CONTEXTS_MAX <= 1u << (64 - INGRESS__PHASE_BITS - INGRESS__SERIAL_INDEX_SHIFT),
	       "a context's index fits above the numbers that it gives");

static inline enum ingress__phase ingress__phase_of(uint64_t state)
{
	return (enum ingress__phase)(state & INGRESS__PHASE_MASK);
}

static inline uint64_t ingress__with_phase(uint64_t state, enum ingress__phase phase)
{
	return (state & ~(uint64_t)INGRESS__PHASE_MASK) | phase;
}

/* Starter: make the running table large enough for `capacity` entries, while no request runs. False: no memory. */
bool ingress__request_table_grow(struct ingress__context *context, uint32_t capacity);

/* Under take_lock: move the requests in these lanes (one bit each) to the pending list. */
void ingress__request_take_lanes(struct ingress__context *context, uint32_t lanes);
/* Under take_lock: take all requests from all lanes and the pending list, oldest first, linked by `after`. */
struct ingress__block *ingress__request_take_all(struct ingress__context *context);

/* Library thread: the request is about to be handed to the provider. It is running from now on. */
void ingress__request_begin(struct ingress__context *context, struct ingress__block *block);
/* A mark with the ticket of a running request: it waits in its chain (chain.h); its provider does not have it yet. */
#define INGRESS__TICKET_WAITS ((uint64_t)1 << 61)
static inline void ingress__request_waits(struct ingress__context *context, const struct ingress__block *block)
{
	context->tickets[block->running_index] |= INGRESS__TICKET_WAITS;
}
static inline void ingress__request_is_handed_over(struct ingress__context *context, const struct ingress__block *block)
{
	context->tickets[block->running_index] &= ~INGRESS__TICKET_WAITS;
}
/* Library thread, when the provider answers: whether this thread gives the terminal reply. False: it was abandoned. */
static inline bool ingress__request_claim(struct ingress__context *context, struct ingress__block *block)
{
	uint64_t state = atomic_load_explicit(&block->state, memory_order_acquire);

	for (;;) {
		switch (ingress__phase_of(state)) {
		case INGRESS__RUNNING:
			if (atomic_compare_exchange_strong_explicit(&block->state, &state,
								    ingress__with_phase(state, INGRESS__DELIVERING),
								    memory_order_acq_rel, memory_order_acquire))
				return true;
			break;
		case INGRESS__NOTIFYING:
			/* `notifying` is 1 throughout that phase: when it is 0 again, the phase is over */
			thread__futex_wait(&context->notifying, 1, UINT64_MAX);
			state = atomic_load_explicit(&block->state, memory_order_acquire);
			break;
		default:
			return false;
		}
	}
}

/* Library thread: one more request is answered, or is about to be, so a host that hears of it may submit the next. */
static inline void ingress__request_count_answered(struct ingress__context *context)
{
	/* release: a producer that spends the freed credit comes after. Only the library thread writes it. */
	atomic_store_explicit(&context->answered, atomic_load_explicit(&context->answered, memory_order_relaxed) + 1,
			      memory_order_release);
}

/* Library thread: the request is not running any more. */
static inline void ingress__request_uncount(struct ingress__context *context, struct ingress__block *block)
{
	context->free_indices[context->free_count++] = block->running_index;
	context->running_count--;
	ingress__request_count_answered(context);
}

/* The thread that holds the block: change its phase. */
static inline void ingress__request_set_phase(struct ingress__block *block, enum ingress__phase phase)
{
	/* relaxed: only the thread that holds the block stores it */
	uint64_t state = atomic_load_explicit(&block->state, memory_order_relaxed);

	atomic_store_explicit(&block->state, ingress__with_phase(state, phase), memory_order_release);
}

/*
 * Event thread: hold a request that is running in `state`, so that the provider's answer to it waits. False: it is not
 * running in that state any more, or is another context's.
 */
bool ingress__request_hold(struct ingress__context *context, struct ingress__block *block, uint64_t state);
void ingress__request_let_go(struct ingress__context *context, struct ingress__block *block, enum ingress__phase phase);

#endif
