/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Submitting: this is where a request begins. The submitter, a host's thread, checks the request, copies it into a
 * block of its own heap, and pushes the block to its lane of the context by one compare-and-swap. That also checks that
 * the context has not ended and that the queue is not full (lane.h). Submitting takes no lock, and a library thread
 * that is awake is not woken.
 *
 * The way of a request from here on:
 *
 *	submit.c	the submitter: check, copy, push
 *	lane.h		the queue; lanes.h: one for each submitter; credits.h: their bound
 *	serve.c		the library thread: take, batch, hand to the provider
 *	request.h	the request is running
 *	reply.c		the provider answers: callback, inbox or waiter
 *	ask.c, inbox.c	the host takes the answer, and releases it
 *	heap.c		the block goes home to the submitter's heap
 */
#include "ingress/host/submit.h"
#include "ingress/context/context_table.h"
#include "ingress/events/inbox.h"
#include "ingress/queues/credits.h"
#include "ingress/requests/chain.h"
#include "ingress/requests/links.h"
#include "ingress/waiting/wait.h"

#include <time.h>

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* The coarse clock costs 5 ns. It is 4 ms late at most, which does not matter for a listener that is stuck. */
static bool events_are_stuck(const struct ingress__context *context)
{
	uint64_t began = atomic_load_explicit(&context->events.began_ns, memory_order_relaxed);
	struct timespec now;

	if (__builtin_expect(!began, 1))
		return false;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (int64_t)((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec - began) >
	       (int64_t)atomic_load_explicit(&context->stuck_ns, memory_order_relaxed);
}

/* Whether this thread must not submit: it is in a handler of the same context, or would wait where it must not. */
static bool is_reentrant(const struct ingress__context *context, bool waits)
{
	const struct ingress__self *self = &ingress__self;

	if (__builtin_expect(!self->library_of && !self->events_of, 1))
		return false;
	if (waits && (self->callbacks || self->library_of == context))
		return true;
	return self->library_of == context && !self->callbacks;
}

static enum ingress_status check_call(const struct ingress__context *context, const struct ingress_call *call,
				      enum ingress_method_kind kind, bool waits)
{
	const struct ingress_library *library = context->library;
	enum ingress_method_kind is;

	/* above a ticket are the library thread's marks (cancel.c), which a host must not set */
	if (call->wire > INGRESS_WIRE_C || (call->bytes && !call->data) || call->ticket >> INGRESS__TICKET_BITS ||
	    (waits ? call->reply || call->inbox : !call->reply == !call->inbox))
		return INGRESS_BAD_ARGUMENT;
	if (call->inbox && !ingress__inbox_is_own(call->inbox))
		return INGRESS_CLOSED;
	if (is_reentrant(context, waits))
		return INGRESS_REENTRANT;
	if (call->method >= library->method_count)
		return INGRESS_BAD_METHOD;
	is = (enum ingress_method_kind)library->methods[call->method];
	if (is != kind && !(is == INGRESS_STATIC && kind == INGRESS_METHOD))
		return INGRESS_BAD_METHOD;
	if (call->bytes > atomic_load_explicit(&context->payload_max, memory_order_relaxed))
		return INGRESS_TOO_LARGE;
	return events_are_stuck(context) ? INGRESS_EVENTS_STUCK : INGRESS_OK;
}

static enum ingress_method_kind expected_kind(const struct ingress__context *context)
{
	return atomic_load_explicit(&context->is_static, memory_order_relaxed) ? INGRESS_STATIC : INGRESS_METHOD;
}

static void end_loan(const struct ingress_call *call)
{
	if (call->release)
		ingress__end_loan(call->release, call->owner, call->data, call->bytes);
}

/* ---- a block for the request ------------------------------------------------------------------------------------- */

/* A block with the request in it, which takes over the loan of the payload. NULL: no memory. */
static struct ingress__block *prepare(struct ingress__context *context, const struct ingress_call *call, bool waits,
				      uint64_t deadline_ns)
{
	struct ingress__block *block = ingress__block_take();

	if (!block)
		return NULL;
	if (call->release) {
		block->request.data = call->data ? call->data : block->payload;
		block->request.bytes = call->bytes;
		block->release = call->release;
		block->owner = call->owner;
		block->holds = INGRESS__HOLDS_LOAN;
	} else if (!ingress__block_fill(block, call->data, call->bytes)) {
		ingress__block_give(block);
		return NULL;
	}
	block->request.method = call->method;
	block->request.wire = call->wire;
	if (deadline_ns != THREAD__NEVER) {
		block->holds |= INGRESS__HOLDS_DEADLINE;
		block->deadline_ns = deadline_ns;
	}
	if (call->ticket) {
		block->holds |= INGRESS__HOLDS_TICKET;
		block->ticket = call->ticket;
	}
	block->after = ingress__self.pushed[ingress__self.pushes % INGRESS__AHEAD];
	ingress__self.pushed[ingress__self.pushes++ % INGRESS__AHEAD] = block;
	block->constructs = false;
	if (waits) {
		block->kind = INGRESS__WAITER;
		atomic_store_explicit(&block->done, INGRESS__WAITING, memory_order_relaxed);
	} else if (call->reply) {
		block->kind = INGRESS__CALLBACK;
		block->reply = call->reply;
		block->user = call->user;
	} else {
		block->kind = INGRESS__INBOX;
		ingress__inbox_expects(call->inbox, context);
		block->inbox = call->inbox;
		block->inbox_generation = ingress__inbox_generation(call->inbox);
		block->tag = call->tag;
	}
	return block;
}

/* ---- pushing ----------------------------------------------------------------------------------------------------- */

/*
 * Push the chain from `newest` to the oldest. If the push is refused, the caller owns the blocks again. The constructor
 * goes to the first lane, the only one that the library thread looks into until it has taken the constructor.
 */
static enum ingress_status push(struct ingress__context *context, uint32_t generation, struct ingress__block *newest,
				struct ingress__block *oldest, uint32_t count)
{
	struct ingress__lane *lane = &context->lanes.lane[oldest->constructs ? 0 : ingress__self.lane];
	uint32_t index = newest->index, below = INGRESS__LANE_EMPTY;
	enum ingress__pushed pushed;

	while ((pushed = ingress__lane_push(lane, generation, newest, oldest, count, &below)) == INGRESS__PUSH_FULL) {
		uint32_t depth = atomic_load_explicit(&context->depth, memory_order_relaxed);

		pushed = ingress__credits_find(&context->lanes, lane, generation, count, &context->answered, depth);
		if (pushed != INGRESS__PUSHED)
			break;
	}
	switch (pushed) {
	case INGRESS__PUSHED:
		if (__builtin_expect(ingress__lanes_consumer_will_look(&context->lanes, lane, below), 1)) {
			ingress__self.newest = index;
			return INGRESS_OK;
		}
		/* fall through */
	case INGRESS__PUSHED_WAKE:
		ingress__self.newest = index;
		ingress__lanes_mark_awake(&context->lanes, lane);
		ingress__context_wake(context);
		return INGRESS_OK;
	case INGRESS__PUSH_FULL:
		return INGRESS_QUEUE_FULL;
	default:
		return INGRESS_CLOSED;
	}
}

/*
 * Submit one request. If the submitter waits for the reply, `waited` is not NULL and *waited becomes the request's
 * block. Inline, since a call of this function would cost as much as the reentrancy guard of its callers.
 */
static inline __attribute__((always_inline)) enum ingress_status
submit(ingress_token token, const struct ingress_call *call, uint64_t deadline_ns, struct ingress__block **waited)
{
	struct ingress__context *context;
	struct ingress__block *block;
	enum ingress_status status;

	context = ingress__context_find(token, &status);
	if (!context)
		goto refused;
	status = check_call(context, call, expected_kind(context), waited);
	if (status != INGRESS_OK)
		goto refused;
	block = prepare(context, call, waited, deadline_ns);
	if (!block) {
		status = INGRESS_NO_MEMORY;
		goto refused;
	}
	/* before the push, because after it the block belongs to the library */
	if (waited)
		*waited = block;
	status = push(context, ingress__token_generation(token), block, block, 1);
	if (__builtin_expect(status == INGRESS_OK, 1))
		return INGRESS_OK;
	ingress__block_release_payload(block);
	ingress__block_give(block);
	return status;
refused:
	end_loan(call);
	return status;
}

enum ingress_status ingress_submit(ingress_token token, const struct ingress_call *call)
{
	enum ingress_status status;

	if (!call)
		return INGRESS_BAD_ARGUMENT;
	if (!ingress__enter())
		return ingress__submit_refuse(call, INGRESS_REENTRANT);
	status = submit(token, call, THREAD__NEVER, NULL);
	ingress__leave();
	return status;
}

enum ingress_status ingress_submit_until(ingress_token token, const struct ingress_call *call, int64_t timeout_ns)
{
	enum ingress_status status;

	if (!call)
		return INGRESS_BAD_ARGUMENT;
	if (!ingress__enter())
		return ingress__submit_refuse(call, INGRESS_REENTRANT);
	status = submit(token, call, ingress__deadline_ns(timeout_ns), NULL);
	ingress__leave();
	return status;
}

enum ingress_status ingress__submit_waiting(ingress_token token, const struct ingress_call *call, uint64_t deadline_ns,
					    struct ingress__block **block)
{
	return submit(token, call, deadline_ns, block);
}

enum ingress_status ingress__submit_constructor(struct ingress__context *context, ingress_token token,
						const struct ingress_call *call, struct ingress__block **block)
{
	enum ingress_status status = check_call(context, call, INGRESS_CONSTRUCTOR, block);
	struct ingress__block *made = status == INGRESS_OK ? prepare(context, call, block, THREAD__NEVER) : NULL;

	if (!made) {
		end_loan(call);
		return status == INGRESS_OK ? INGRESS_NO_MEMORY : status;
	}
	made->constructs = true;
	if (block)
		*block = made;
	/* release: a thread that finds the token also finds the context's options */
	atomic_store_explicit(&context->token, token, memory_order_release);
	/* The lanes are empty, of this generation, and no other thread has the token: this is the first request. */
	return push(context, ingress__token_generation(token), made, made, 1);
}

/* ---- many requests at once --------------------------------------------------------------------------------------- */

/* Push the prepared chain. Requests that do not fit are refused, the newest first. Returns how many were pushed. */
static size_t push_chain(struct ingress__context *context, uint32_t generation, struct ingress__block **chain,
			 size_t count, enum ingress_status *status)
{
	size_t pushed = count;

	while (pushed) {
		enum ingress_status result = push(context, generation, chain[pushed - 1], chain[0], (uint32_t)pushed);

		if (result == INGRESS_OK)
			break;
		*status = result;
		pushed--;
	}
	return pushed;
}

/* Requests that ingress_submit_many pushes in one step. */
#define CHAIN_MAX 64

/* Prepare a chain of at most calls[count], linked by `next`. Returns its length; *refused: why the next is left out. */
static size_t prepare_chain(struct ingress__context *context, const struct ingress_call *calls, size_t count,
			    struct ingress__block **chain, enum ingress_status *refused)
{
	size_t made = 0;

	for (; made < CHAIN_MAX && made < count; made++) {
		*refused = check_call(context, &calls[made], expected_kind(context), false);
		if (*refused != INGRESS_OK)
			break;
		chain[made] = prepare(context, &calls[made], false, THREAD__NEVER);
		if (!chain[made]) {
			*refused = INGRESS_NO_MEMORY;
			break;
		}
		if (made)
			chain[made]->next = chain[made - 1]->index;
	}
	return made;
}

size_t ingress_submit_many(ingress_token token, const struct ingress_call *calls, size_t count,
			   enum ingress_status *status)
{
	uint32_t generation = ingress__token_generation(token);
	struct ingress__block *chain[CHAIN_MAX];
	struct ingress__context *context;
	enum ingress_status why;
	size_t done = 0;

	if (!status)
		status = &why;
	*status = INGRESS_OK;
	if (!count)
		return 0;
	if (!calls) {
		*status = INGRESS_BAD_ARGUMENT;
		return 0;
	}
	INGRESS__ENTER((*status = ingress__submit_refuse(&calls[0], INGRESS_REENTRANT), 0));
	context = ingress__context_find(token, status);
	if (!context) {
		end_loan(&calls[0]);
		return 0;
	}
	*status = INGRESS_OK;
	while (done < count && *status == INGRESS_OK) {
		enum ingress_status refused = INGRESS_OK;
		size_t made = prepare_chain(context, &calls[done], count - done, chain, &refused);
		size_t pushed = push_chain(context, generation, chain, made, status);

		/* the loan of the first that was refused ends; the loans of those after it are not touched */
		for (size_t i = made; i-- > pushed;) {
			if (i > pushed)
				chain[i]->holds &= (uint8_t)~INGRESS__HOLDS_LOAN;
			ingress__block_release_payload(chain[i]);
			ingress__block_give(chain[i]);
		}
		done += pushed;
		if (*status == INGRESS_OK && refused != INGRESS_OK) {
			end_loan(&calls[done]);
			*status = refused;
		}
	}
	return done;
}

/* ---- chains ------------------------------------------------------------------------------------------------------ */

struct chain_calls {
	const struct ingress_call *calls;
	size_t count;
	const struct ingress_link *links;
	size_t link_count;
};

/* What refuses a chain before any of it is prepared. */
static enum ingress_status check_chain(const struct ingress__context *context, const struct chain_calls *of, bool waits,
				       struct ingress_refusal *error)
{
	enum ingress_status status;

	for (uint32_t i = 0; i < of->count; i++) {
		bool lends = of->calls[i].release;

		status = lends ? INGRESS_BAD_ARGUMENT
			       : check_call(context, &of->calls[i], expected_kind(context), waits);
		if (status == INGRESS_OK)
			continue;
		*error = (struct ingress_refusal){ i, UINT32_MAX,
						   lends ? "the payload of a chain's request is lent"
							 : ingress_status_text(status) };
		return status;
	}
	return ingress__links_check(of->calls, of->count, of->links, of->link_count, error) ? INGRESS_OK
											    : INGRESS_BAD_ARGUMENT;
}

/* Prepare the requests of a chain, linked by `next`. False: no memory; some may have been prepared. */
static bool prepare_all(struct ingress__context *context, struct ingress__chain *chain,
			const struct ingress_call *calls, bool waits, uint64_t deadline_ns)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		struct ingress__block *block = prepare(context, &calls[i], waits, deadline_ns);

		if (!block)
			return false;
		block->holds |= INGRESS__HOLDS_CHAIN;
		block->chain = chain;
		chain->members[i].block = block;
		if (i)
			block->next = chain->members[i - 1].block->index;
	}
	return true;
}

/* If the submitter waits for the replies, `waited` is not NULL and gets the requests' blocks. */
static enum ingress_status submit_chain(ingress_token token, const struct chain_calls *of, uint64_t deadline_ns,
					struct ingress__block **waited, struct ingress_refusal *error)
{
	enum ingress_status status;
	struct ingress__context *context = ingress__context_find(token, &status);
	struct ingress__chain *chain;

	if (!context)
		return status;
	status = check_chain(context, of, waited, error);
	if (status != INGRESS_OK)
		return status;
	chain = ingress__chain_make(of->count, of->links, of->link_count);
	if (!chain)
		return INGRESS_NO_MEMORY;
	status = INGRESS_NO_MEMORY;
	if (prepare_all(context, chain, of->calls, waited, deadline_ns)) {
		for (uint32_t i = 0; waited && i < of->count; i++)
			waited[i] = chain->members[i].block;
		status = push(context, ingress__token_generation(token), chain->members[of->count - 1].block,
			      chain->members[0].block, (uint32_t)of->count);
	}
	if (status == INGRESS_OK)
		return INGRESS_OK;
	for (uint32_t i = 0; i < of->count; i++) {
		struct ingress__block *block = chain->members[i].block;

		if (block) {
			ingress__block_release_payload(block);
			ingress__block_give(block);
		}
		ingress__chain_unref(chain);
	}
	return status;
}

enum ingress_status ingress__submit_chain(ingress_token token, const struct ingress_call *calls, size_t count,
					  const struct ingress_link *links, size_t link_count, uint64_t deadline_ns,
					  struct ingress__block **waited, struct ingress_refusal *error)
{
	const struct chain_calls of = { calls, count, links, link_count };
	struct ingress_refusal why;
	enum ingress_status status;

	if (!error)
		error = &why;
	*error = (struct ingress_refusal){ UINT32_MAX, UINT32_MAX, "" };
	if (!calls || (link_count && !links) || !count || count > INGRESS_CHAIN_MAX || link_count > INGRESS_LINKS_MAX) {
		error->text = "a chain has 1 to 64 requests, and 256 links at most";
		return INGRESS_BAD_ARGUMENT;
	}
	if (ingress__enter()) {
		status = submit_chain(token, &of, deadline_ns, waited, error);
		ingress__leave();
	} else {
		status = INGRESS_REENTRANT;
	}
	if (!*error->text)
		error->text = ingress_status_text(status);
	return status;
}

enum ingress_status ingress_submit_chain(ingress_token token, const struct ingress_call *calls, size_t count,
					 const struct ingress_link *links, size_t link_count, int64_t timeout_ns,
					 struct ingress_refusal *error)
{
	return ingress__submit_chain(token, calls, count, links, link_count, ingress__deadline_ns(timeout_ns), NULL,
				     error);
}
