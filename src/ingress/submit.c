/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Submitting: from a host's thread into its lane of a context, and waiting for the answer where the host wants to.
 *
 * A request is checked, copied into a block of the thread's own heap, and pushed by one compare-and-swap, which also
 * checks that the context has not ended and that the queue has room (lane.h). Nothing here takes a lock, and nothing
 * wakes a library thread that is awake.
 */
#include "context.h"
#include "inbox.h"

#include <string.h>
#include <time.h>

/* The coarse clock costs 5 ns; it is 4 ms late at most, which does not matter for a listener that is stuck. */
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

/* Whether this thread may submit: not from a handler into its own context. */
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

	if (call->wire > INGRESS_WIRE_C || (call->bytes && !call->data) ||
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

static void end_loan(const struct ingress_call *call)
{
	if (call->release)
		ingress__end_loan(call->release, call->owner, call->data, call->bytes);
}

/* Before this thread is inside, or in a signal handler while it is: only the loan ends. */
static enum ingress_status refuse(const struct ingress_call *call, enum ingress_status status)
{
	if (call->release)
		call->release(call->owner, call->data, call->bytes);
	return status;
}

/* A block with the request in it, or NULL: no memory. The loan of the payload goes with it. */
static struct ingress__block *prepare(const struct ingress_call *call, bool waits)
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
		block->inbox = call->inbox;
		block->inbox_generation = ingress__inbox_generation(call->inbox);
		block->tag = call->tag;
	}
	return block;
}

/*
 * Push newest … oldest. When that is refused the blocks are the caller's again. The constructor comes by the first
 * lane, which alone is looked at until it has been taken.
 */
static enum ingress_status push(struct ingress__context *context, uint32_t generation, struct ingress__block *newest,
				struct ingress__block *oldest, uint32_t count)
{
	struct ingress__lane *lane = &context->lanes.lane[oldest->constructs ? 0 : ingress__self.lane];
	uint32_t index = newest->index, below;
	enum ingress__pushed pushed;

	while ((pushed = ingress__lane_push(lane, generation, newest, oldest, count, &below)) == INGRESS__PUSH_FULL) {
		uint32_t depth = atomic_load_explicit(&context->depth, memory_order_relaxed);

		pushed = ingress__lanes_make_room(&context->lanes, lane, generation, count, &context->answered, depth);
		if (pushed != INGRESS__PUSHED)
			break;
	}
	switch (pushed) {
	case INGRESS__PUSHED:
		if (__builtin_expect(ingress__lanes_is_watched(&context->lanes, lane, below), 1)) {
			ingress__self.newest = index;
			return INGRESS_OK;
		}
		/* fall through */
	case INGRESS__PUSHED_WAKE:
		ingress__self.newest = index;
		ingress__lanes_awaken(&context->lanes, lane);
		ingress__context_wake(context);
		return INGRESS_OK;
	case INGRESS__PUSH_FULL:
		return INGRESS_QUEUE_FULL;
	default:
		return INGRESS_CLOSED;
	}
}

/*
 * Submit one; *waited, unless that is NULL: the block that its submitter waits for. Inline, since a call of it would
 * cost as much as the mark of its callers.
 */
static inline __attribute__((always_inline)) enum ingress_status
submit(ingress_token token, const struct ingress_call *call, struct ingress__block **waited)
{
	struct ingress__context *context;
	struct ingress__block *block;
	enum ingress_status status;

	context = ingress__context_find(token, &status);
	if (!context)
		goto refused;
	status = check_call(context, call,
			    atomic_load_explicit(&context->is_static, memory_order_relaxed) ? INGRESS_STATIC
											    : INGRESS_METHOD,
			    waited);
	if (status != INGRESS_OK)
		goto refused;
	block = prepare(call, waited);
	if (!block) {
		status = INGRESS_NO_MEMORY;
		goto refused;
	}
	/* before the push: the block is the library's after it */
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
		return refuse(call, INGRESS_REENTRANT);
	status = submit(token, call, NULL);
	ingress__leave();
	return status;
}

enum ingress_status ingress__submit_constructor(struct ingress__context *context, ingress_token token,
						const struct ingress_call *call, struct ingress__block **block)
{
	enum ingress_status status = check_call(context, call, INGRESS_CONSTRUCTOR, block);
	struct ingress__block *made = status == INGRESS_OK ? prepare(call, block) : NULL;

	if (!made) {
		end_loan(call);
		return status == INGRESS_OK ? INGRESS_NO_MEMORY : status;
	}
	made->constructs = true;
	if (block)
		*block = made;
	/* release: who finds the token finds its options */
	atomic_store_explicit(&context->token, token, memory_order_release);
	/* The lanes are empty and of this generation, and nobody else has the token yet: this is the first request. */
	return push(context, ingress__token_generation(token), made, made, 1);
}

enum ingress_status ingress_context_start(const struct ingress_library *library, const struct ingress_options *options,
					  const struct ingress_call *constructor, ingress_token *token)
{
	if (!constructor || !token)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	INGRESS__ENTER(refuse(constructor, INGRESS_REENTRANT));
	return ingress__context_open(library, options, constructor, token, NULL);
}

/* Push the prepared chain; what does not fit is refused, the newest first. Returns how many were pushed. */
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

/* Requests that submit_many pushes in one step. */
#define CHAIN_MAX 64

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
	INGRESS__ENTER((*status = refuse(&calls[0], INGRESS_REENTRANT), 0));
	context = ingress__context_find(token, status);
	if (!context) {
		end_loan(&calls[0]);
		return 0;
	}
	*status = INGRESS_OK;
	while (done < count && *status == INGRESS_OK) {
		enum ingress_status refused = INGRESS_OK;
		size_t made = 0, pushed;

		while (made < CHAIN_MAX && done + made < count && refused == INGRESS_OK) {
			const struct ingress_call *call = &calls[done + made];

			refused = check_call(context, call,
					     atomic_load_explicit(&context->is_static, memory_order_relaxed)
						     ? INGRESS_STATIC
						     : INGRESS_METHOD,
					     false);
			if (refused != INGRESS_OK)
				break;
			chain[made] = prepare(call, false);
			if (!chain[made]) {
				refused = INGRESS_NO_MEMORY;
				break;
			}
			if (made)
				chain[made]->next = chain[made - 1]->index;
			made++;
		}
		pushed = push_chain(context, generation, chain, made, status);
		/* the first that was refused is released, those after it are not touched */
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

/* ---- waiting for the answer -------------------------------------------------------------------------------------- */

static enum ingress_status answer_text(struct ingress_answer *answer, enum ingress_status status, uint32_t wire)
{
	const char *text = ingress_status_text(status);

	*answer = (struct ingress_answer){ status, wire, text, strlen(text), NULL };
	return status;
}

/* Wait until the block is answered. False: the deadline has passed, and the block is the library's. */
static bool wait_for_answer(struct ingress__context *context, struct ingress__block *block, uint64_t deadline_ns)
{
	struct ingress__spin spin =
		ingress__spin_begin(&ingress__self.spin_ns,
				    atomic_load_explicit(&context->spin_ns, memory_order_relaxed), &context->runner);
	uint32_t waiting = INGRESS__WAITING;
	bool answered;

	/* It has yet to wake up, on this processor perhaps, which it gets the sooner the sooner this thread sleeps. */
	if (ingress__self.has_woken)
		ingress__spin_hurry(&spin);
	ingress__self.has_woken = false;
	/* acquire: the answer was written before */
	while (atomic_load_explicit(&block->done, memory_order_acquire) == INGRESS__WAITING &&
	       ingress__spin_step(&spin))
		;
	answered = !atomic_compare_exchange_strong_explicit(&block->done, &waiting, INGRESS__WAITER_PARKED,
							    memory_order_acq_rel, memory_order_acquire);
	/* relaxed: a hint */
	if (spin.was_here)
		atomic_fetch_add_explicit(&context->crossed, 1, memory_order_relaxed);
	if (answered) {
		ingress__spin_end(&spin);
		return true;
	}
	while (atomic_load_explicit(&block->done, memory_order_acquire) == INGRESS__WAITER_PARKED) {
		if (thread__futex_wait(&block->done, INGRESS__WAITER_PARKED, deadline_ns))
			continue;
		waiting = INGRESS__WAITER_PARKED;
		/* release: this thread is done with the block */
		if (atomic_compare_exchange_strong_explicit(&block->done, &waiting, INGRESS__WAITER_LEFT,
							    memory_order_acq_rel, memory_order_acquire))
			return false;
	}
	ingress__spin_slept(&spin);
	return true;
}

static enum ingress_status finish(struct ingress__context *context, struct ingress__block *block, uint64_t deadline_ns,
				  uint32_t wire, struct ingress_answer *answer)
{
	if (!block)
		return answer_text(answer, INGRESS_NO_MEMORY, wire);
	if (!wait_for_answer(context, block, deadline_ns))
		return answer_text(answer, INGRESS_TIMEOUT, wire);
	if (atomic_load_explicit(&block->done, memory_order_relaxed) == INGRESS__DONE_CUT)
		return answer_text(answer, INGRESS_CLOSED, wire);
	*answer = (struct ingress_answer){ (enum ingress_status)block->status, block->request.wire, block->answer,
					   block->answer_bytes, block };
	return answer->status;
}

enum ingress_status ingress_ask_call(ingress_token token, const struct ingress_call *call, int64_t timeout_ns,
				     struct ingress_answer *answer)
{
	uint64_t deadline_ns = ingress__deadline_ns(timeout_ns);
	struct ingress__block *block = NULL;
	enum ingress_status status;

	if (!answer || !call)
		return call ? refuse(call, INGRESS_BAD_ARGUMENT) : INGRESS_BAD_ARGUMENT;
	INGRESS__ENTER(answer_text(answer, refuse(call, INGRESS_REENTRANT), call->wire));
	/* it may be true of an earlier request that nobody waited for */
	ingress__self.has_woken = false;
	status = submit(token, call, &block);
	if (status != INGRESS_OK)
		return answer_text(answer, status, call->wire);
	return finish(ingress__context_at(token), block, deadline_ns, call->wire, answer);
}

enum ingress_status ingress_ask(ingress_token token, uint32_t method, uint32_t wire, const void *data, size_t bytes,
				int64_t timeout_ns, struct ingress_answer *answer)
{
	const struct ingress_call call = { .method = method, .wire = wire, .data = data, .bytes = bytes };

	return ingress_ask_call(token, &call, timeout_ns, answer);
}

enum ingress_status ingress_context_create(const struct ingress_library *library, const struct ingress_options *options,
					   uint32_t method, uint32_t wire, const void *data, size_t bytes,
					   int64_t timeout_ns, ingress_token *token, struct ingress_answer *answer)
{
	const struct ingress_call call = { .method = method, .wire = wire, .data = data, .bytes = bytes };
	uint64_t deadline_ns = ingress__deadline_ns(timeout_ns);
	struct ingress__context *context;
	struct ingress__block *block;
	enum ingress_status status;
	ingress_token made;

	if (!token || !answer)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	INGRESS__ENTER(answer_text(answer, INGRESS_REENTRANT, wire));
	if (ingress__self.callbacks)
		return answer_text(answer, INGRESS_REENTRANT, wire);
	status = ingress__context_open(library, options, &call, &made, &block);
	if (status != INGRESS_OK)
		return answer_text(answer, status, wire);
	context = ingress__context_at(made);
	status = finish(context, block, deadline_ns, wire, answer);
	if (status == INGRESS_OK)
		*token = made;
	else
		/* the constructor took too long; when it failed its context has ended, and this does nothing */
		ingress__context_close(context, ingress__token_generation(made));
	return status;
}

void ingress_answer_release(struct ingress_answer *answer)
{
	struct ingress__block *block;

	if (!answer)
		return;
	INGRESS__ENTER();
	block = answer->private_block;
	*answer = (struct ingress_answer){ 0 };
	if (!block)
		return;
	ingress__block_release_answer(block);
	ingress__block_give(block);
}
