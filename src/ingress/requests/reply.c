/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This file gives replies; see reply.h. The provider's functions for answering are here too: ingress_answer_copy,
 * ingress_answer_lend and ingress_answer_room.
 *
 * What may go wrong: the terminal reply to a request may be given once only (request.h says which thread gives it), and
 * a thread that is told of a reply by an inbox or as a waiter owns the block at once. So the order of the steps here
 * matters: the block's answer is complete, and the block's phase is FREE, before the inbox or the waiter gets the
 * block. A callback gets no block; deliver() calls it first, then sets the phase to FREE and sends the block home. What
 * may not change is this order.
 *
 * Memory orders of `done`: the exchange that answers a waiting thread is acq_rel, since it carries the answer.
 */
#include "ingress/requests/reply.h"
#include "ingress/events/inbox.h"
#include "ingress/requests/chain.h"

#include "thread/futex.h"

#include <string.h>
#include <time.h>

/* ---- to each kind of host ---------------------------------------------------------------------------------------- */

static void call_back(ingress_reply_fn *reply, void *user, const struct ingress_reply *what)
{
	const uint32_t callbacks = ingress__self.callbacks;
	int inside = ingress__call_out();

	ingress__self.callbacks = callbacks + 1;
	reply(user, what);
	ingress__self.callbacks = callbacks;
	ingress__call_returned(inside);
}

static void call_back_text(struct ingress__block *block, enum ingress_status status)
{
	const char *text = ingress_status_text(status);
	const struct ingress_reply reply = { status, block->request.wire, text, strlen(text) };

	call_back(block->reply, block->user, &reply);
}

static void answer_with_text(struct ingress__block *block, enum ingress_status status)
{
	block->status = (uint8_t)status;
	block->answer = ingress_status_text(status);
	block->answer_bytes = strlen(block->answer);
	block->answer_release = NULL;
}

/*
 * Answer a thread in a blocking call. The block already has its answer. The caller owns the block before this call, the
 * waiter afterwards.
 */
static void answer_waiter(struct ingress__block *block)
{
	/* acq_rel: the answer goes to the waiter; a waiter that has left was done with the block */
	uint32_t done = atomic_exchange_explicit(&block->done, INGRESS__DONE, memory_order_acq_rel);

	if (done == INGRESS__WAITER_PARKED) {
		thread__futex_wake(&block->done, INT32_MAX);
		ingress__self.has_woken = true;
	} else if (done == INGRESS__WAITER_LEFT) {
		ingress__block_release_answer(block);
		ingress__block_give(block);
	}
}

void ingress__reply_unserved(struct ingress__block *block, enum ingress_status status)
{
	if (__builtin_expect(block->holds & INGRESS__HOLDS_CHAIN, 0))
		ingress__chain_unserved(block, status);
	ingress__block_release_payload(block);
	switch (block->kind) {
	case INGRESS__CALLBACK:
		call_back_text(block, status);
		ingress__block_give(block);
		break;
	case INGRESS__INBOX:
		answer_with_text(block, status);
		ingress__inbox_put(block->inbox, block->inbox_generation, block);
		break;
	default:
		answer_with_text(block, status);
		answer_waiter(block);
		break;
	}
}

/* ---- the provider's answer, on the library thread ---------------------------------------------------------------- */

/* An answer, as the provider gives it. */
struct answer {
	enum ingress_status status;
	const void *data;
	size_t bytes;
	ingress_release_fn *release; /* NULL: the data is to be copied */
	void *owner;
};

static void end_answer_loan(const struct answer *answer)
{
	if (answer->release)
		ingress__end_loan(answer->release, answer->owner, answer->data, answer->bytes);
}

/* Keep the answer in the block until the host takes it. */
static void keep_answer(struct ingress__block *block, const struct answer *answer)
{
	block->status = (uint8_t)answer->status;
	block->answer = answer->data ? answer->data : block->payload;
	block->answer_bytes = answer->bytes;
	block->answer_release = answer->release;
	block->answer_owner = answer->owner;
	/* an answer buffer that the provider did not use stays in the block until the answer is released */
	if (answer->release || ((block->holds & INGRESS__HOLDS_ANSWER_BUFFER) && answer->data == block->answer_buffer))
		return;
	/* The request is over: the memory of its payload is free, also when the answer lies there. */
	block->answer = block->payload;
	if (answer->bytes > sizeof(block->payload)) {
		block->answer = ingress__block_take_answer_buffer(block, answer->bytes);
		if (!block->answer) {
			answer_with_text(block, INGRESS_NO_MEMORY);
			return;
		}
	}
	if (answer->bytes)
		memmove((void *)block->answer, answer->data, answer->bytes);
}

static void deliver(struct ingress__block *block, const struct answer *answer)
{
	struct ingress_reply reply;

	switch (block->kind) {
	case INGRESS__CALLBACK:
		reply = (struct ingress_reply){ answer->status, block->request.wire,
						answer->data ? answer->data : block->payload, answer->bytes };
		call_back(block->reply, block->user, &reply);
		end_answer_loan(answer);
		ingress__block_release_payload(block);
		ingress__block_release_answer_buffer(block);
		ingress__request_set_phase(block, INGRESS__FREE);
		ingress__block_give(block);
		break;
	case INGRESS__INBOX:
		keep_answer(block, answer);
		ingress__block_release_payload(block);
		ingress__request_set_phase(block, INGRESS__FREE);
		ingress__inbox_put(block->inbox, block->inbox_generation, block);
		break;
	case INGRESS__WAITER:
		keep_answer(block, answer);
		ingress__block_release_payload(block);
		ingress__request_set_phase(block, INGRESS__FREE);
		answer_waiter(block);
		break;
	default:
		/* INGRESS__NOBODY: no host waits for the destructor's reply, and the block lies in the context */
		end_answer_loan(answer);
		ingress__block_release_answer_buffer(block);
		ingress__request_set_phase(block, INGRESS__FREE);
		break;
	}
}

/* End an abandoned request: the event thread gave its terminal reply before. */
static void drop(struct ingress__block *block, const struct answer *answer)
{
	end_answer_loan(answer);
	ingress__block_release_payload(block);
	ingress__block_release_answer_buffer(block);
	ingress__request_set_phase(block, INGRESS__FREE);
	ingress__block_give(block);
}

static void answer_request(struct ingress_request *request, const struct answer *answer)
{
	struct ingress__block *block = (struct ingress__block *)request;
	struct ingress__context *context = atomic_load_explicit(&block->context, memory_order_relaxed);

	/* the context is the parent process's, or the provider made a mistake: the request stays as it is */
	if (__builtin_expect(ingress__self.library_of != context, 0)) {
		end_answer_loan(answer);
		return;
	}
	if (block->constructs) {
		context->constructed = answer->status == INGRESS_OK;
		context->constructor_failed = !context->constructed;
	}
	if (__builtin_expect(block->holds & INGRESS__HOLDS_CHAIN, 0))
		ingress__chain_answered(context, block, answer->status, answer->data, answer->bytes);
	if (!ingress__request_claim(context, block)) {
		ingress__request_uncount(context, block);
		drop(block, answer);
		return;
	}
	ingress__request_uncount(context, block);
	if (block->constructs && context->constructor_failed) {
		/*
		 * the host is told only when the context's entry is idle again, so that the host can start another
		 * context at once
		 */
		keep_answer(block, answer);
		ingress__request_set_phase(block, INGRESS__FREE);
		context->failed_constructor = block;
		return;
	}
	deliver(block, answer);
}

/* The answer that lies in the block. */
static struct answer answer_in(const struct ingress__block *block)
{
	return (struct answer){ block->status, block->answer, block->answer_bytes, block->answer_release,
				block->answer_owner };
}

void ingress__reply_failed_constructor(struct ingress__block *block)
{
	const struct answer answer = answer_in(block);

	deliver(block, &answer);
}

void ingress__reply_posted(struct ingress__block *block)
{
	const struct answer answer = answer_in(block);

	answer_request(&block->request, &answer);
}

void ingress_answer_copy(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes)
{
	const struct answer answer = { status, data, bytes, NULL, NULL };

	INGRESS__ENTER();
	answer_request(request, &answer);
}

static void release_nothing(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
}

void ingress_answer_lend(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner)
{
	const struct answer answer = { status, data, bytes, release ? release : release_nothing, owner };

	if (!ingress__enter()) {
		/* a signal handler calls: the loan ends, and nothing else happens */
		answer.release(owner, data, bytes);
		return;
	}
	answer_request(request, &answer);
	ingress__leave();
}

void *ingress_answer_room(struct ingress_request *request, size_t bytes)
{
	struct ingress__block *block = (struct ingress__block *)request;

	INGRESS__ENTER(NULL);
	if (ingress__self.library_of != atomic_load_explicit(&block->context, memory_order_relaxed))
		return NULL;
	/*
	 * the buffer is not the block's own memory, because the payload lies there and the provider may make the answer
	 * from the payload
	 */
	return ingress__block_take_answer_buffer(block, bytes);
}

/* ---- on the event thread, while the request runs ----------------------------------------------------------------- */

/*
 * Make an item for an inbox in a block of its own, because the request still uses its block. The terminal reply must
 * not be lost, so this function waits until there is memory. INGRESS_STALE may be: the request's own reply waits until
 * this returns, and might wait for ever. NULL: no memory.
 */
static struct ingress__block *make_item(const struct ingress__block *block, enum ingress_status status)
{
	const struct timespec moment = { 0, 1000000 };
	struct ingress__block *item;

	while (!(item = ingress__block_take())) {
		if (status == INGRESS_STALE)
			return NULL;
		nanosleep(&moment, NULL);
	}
	item->request.wire = block->request.wire;
	item->kind = INGRESS__INBOX;
	item->tag = block->tag;
	item->holds = 0;
	return item;
}

void ingress__reply_meanwhile(struct ingress__context *context, struct ingress__block *block,
			      enum ingress_status status)
{
	struct ingress__block *item;

	if (block->kind == INGRESS__CALLBACK) {
		call_back_text(block, status);
		ingress__events_came_back(context);
	} else if (block->kind == INGRESS__INBOX) {
		item = make_item(block, status);
		if (!item)
			return;
		answer_with_text(item, status);
		ingress__inbox_put(block->inbox, block->inbox_generation, item);
	}
}
