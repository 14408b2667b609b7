/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a request. Exactly one terminal reply reaches its host: who may give it is decided by one compare-and-swap
 * on the block's state.
 *
 *	RUNNING -> DELIVERING -> FREE		the library thread, when the provider answers
 *	RUNNING -> BUSY -> RUNNING		the event thread, to say INGRESS_STALE
 *	RUNNING -> BUSY -> CUT			the event thread, when destroying does not wait any longer
 *	CUT -> FREE				the library thread, when the provider answers at last
 *
 * The event thread finds blocks in the context's table, whose entries may be old: the block may have been used again,
 * for another request, by another context. It reads the state (acquire), then what it needs of the block, and only
 * then swaps that very state, number and all: if the swap succeeds, what it read belonged to that use, and the block
 * cannot be used again before the state is put back. If the block was used again, the number differs.
 *
 *	event thread					library thread
 *	state is 7,RUNNING
 *	reads whose request it is			answers: 7,RUNNING -> 7,DELIVERING -> 7,FREE
 *							the same block again, handed over: 8,RUNNING
 *	7,RUNNING -> 7,BUSY fails
 *
 * Memory orders. The state is stored with release and swapped with acq_rel: who holds the block sees what the holder
 * before wrote. `done` likewise: the exchange that answers a waiting thread carries the answer to it.
 */
#include "reply.h"
#include "inbox.h"

#include <string.h>
#include <time.h>

static uint64_t with_phase(uint64_t state, enum ingress__phase phase)
{
	return (state & ~(uint64_t)INGRESS__PHASE_MASK) | phase;
}

static enum ingress__phase phase_of(uint64_t state)
{
	return (enum ingress__phase)(state & INGRESS__PHASE_MASK);
}

static void set_phase(struct ingress__block *block, enum ingress__phase phase)
{
	/* relaxed: only the holder of the block stores it */
	uint64_t state = atomic_load_explicit(&block->state, memory_order_relaxed);

	atomic_store_explicit(&block->state, with_phase(state, phase), memory_order_release);
}

void ingress__reply_begin(struct ingress__context *context, struct ingress__block *block)
{
	struct ingress__table *table = atomic_load_explicit(&context->table, memory_order_relaxed);

	block->place = context->free_places[--context->free_place_count];
	atomic_store_explicit(&block->context, context, memory_order_relaxed);
	/* release: who sees the state sees whose request it is */
	atomic_store_explicit(&block->state, ++context->serial << INGRESS__PHASE_BITS | INGRESS__RUNNING,
			      memory_order_release);
	/* release: who finds the block there finds it made */
	atomic_store_explicit(&table->at[block->place], block, memory_order_release);
	if (block->place >= atomic_load_explicit(&context->table_used, memory_order_relaxed))
		atomic_store_explicit(&context->table_used, block->place + 1, memory_order_release);
	context->running++;
}

/* ---- giving a reply to its host ---------------------------------------------------------------------------------- */

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

/* The caller owns the block, which has its answer; the thread that waits, or this one, owns it afterwards. */
static void tell_waiter(struct ingress__block *block)
{
	/* acq_rel: the answer goes to the waiter; a waiter that left was done with the block */
	uint32_t done = atomic_exchange_explicit(&block->done, INGRESS__DONE, memory_order_acq_rel);

	if (done == INGRESS__WAITER_PARKED) {
		thread__futex_wake(&block->done, INT32_MAX);
		ingress__self.has_woken = true;
	} else if (done == INGRESS__WAITER_LEFT) {
		ingress__block_release_answer(block);
		ingress__block_give(block);
	}
}

void ingress__reply_unhandled(struct ingress__block *block, enum ingress_status status)
{
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
		tell_waiter(block);
		break;
	}
}

/* ---- the library thread's answers ----------------------------------------------------------------------------------
 */

/* Whether the library thread is to give the terminal reply. */
static bool claim(struct ingress__context *context, struct ingress__block *block)
{
	uint64_t state = atomic_load_explicit(&block->state, memory_order_acquire);

	for (;;) {
		switch (phase_of(state)) {
		case INGRESS__RUNNING:
			if (atomic_compare_exchange_strong_explicit(&block->state, &state,
								    with_phase(state, INGRESS__DELIVERING),
								    memory_order_acq_rel, memory_order_acquire))
				return true;
			break;
		case INGRESS__BUSY:
			/* `busy` is 1 for all of that phase: when it is 0 again, so is the phase over */
			thread__futex_wait(&context->busy, 1, UINT64_MAX);
			state = atomic_load_explicit(&block->state, memory_order_acquire);
			break;
		default:
			return false;
		}
	}
}

/* The request no longer counts, so that whoever hears of its end may submit the next. */
static void uncount(struct ingress__context *context, struct ingress__block *block)
{
	context->free_places[context->free_place_count++] = block->place;
	context->running--;
	/* release: pushers that make use of the room come after. Only the library thread writes it. */
	atomic_store_explicit(&context->answered, atomic_load_explicit(&context->answered, memory_order_relaxed) + 1,
			      memory_order_release);
}

/* An answer, as the provider gives it. */
struct answer {
	enum ingress_status status;
	const void *data;
	size_t bytes;
	ingress_release_fn *release; /* NULL: it is to be copied */
	void *owner;
};

/* Room for an answer, instead of what there was; NULL: no memory. */
static void *make_room(struct ingress__block *block, size_t bytes)
{
	ingress__block_release_room(block);
	block->answer_buffer = ingress__buffer_take(bytes);
	if (block->answer_buffer)
		block->holds |= INGRESS__HOLDS_ROOM;
	return block->answer_buffer;
}

/* Keep the answer in the block, for those who take it later. */
static void keep_answer(struct ingress__block *block, const struct answer *answer)
{
	block->status = (uint8_t)answer->status;
	block->answer = answer->data ? answer->data : block->payload;
	block->answer_bytes = answer->bytes;
	block->answer_release = answer->release;
	block->answer_owner = answer->owner;
	if (answer->release || ((block->holds & INGRESS__HOLDS_ROOM) && answer->data == block->answer_buffer))
		return; /* a room that was not used stays until the answer is released */
	/* The request is over: its payload's room is free, also when the answer lies there. */
	block->answer = block->payload;
	if (answer->bytes > sizeof(block->payload)) {
		block->answer = make_room(block, answer->bytes);
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
		if (answer->release)
			ingress__end_loan(answer->release, answer->owner, answer->data, answer->bytes);
		ingress__block_release_payload(block);
		ingress__block_release_room(block);
		set_phase(block, INGRESS__FREE);
		ingress__block_give(block);
		break;
	case INGRESS__INBOX:
		keep_answer(block, answer);
		ingress__block_release_payload(block);
		set_phase(block, INGRESS__FREE);
		ingress__inbox_put(block->inbox, block->inbox_generation, block);
		break;
	case INGRESS__WAITER:
		keep_answer(block, answer);
		ingress__block_release_payload(block);
		set_phase(block, INGRESS__FREE);
		tell_waiter(block);
		break;
	default:
		if (answer->release)
			ingress__end_loan(answer->release, answer->owner, answer->data, answer->bytes);
		ingress__block_release_room(block);
		set_phase(block, INGRESS__FREE);
		break;
	}
}

/* Its terminal reply was given by the event thread. */
static void drop(struct ingress__block *block, const struct answer *answer)
{
	if (answer->release)
		ingress__end_loan(answer->release, answer->owner, answer->data, answer->bytes);
	ingress__block_release_payload(block);
	ingress__block_release_room(block);
	set_phase(block, INGRESS__FREE);
	ingress__block_give(block);
}

static void answer_request(struct ingress_request *request, const struct answer *answer)
{
	struct ingress__block *block = (struct ingress__block *)request;
	struct ingress__context *context = atomic_load_explicit(&block->context, memory_order_relaxed);

	/* of a context of the parent's, or a mistake: the request stays as it is */
	if (__builtin_expect(ingress__self.library_of != context, 0)) {
		if (answer->release)
			ingress__end_loan(answer->release, answer->owner, answer->data, answer->bytes);
		return;
	}
	if (block->constructs) {
		context->constructed = answer->status == INGRESS_OK;
		context->constructor_failed = !context->constructed;
	}
	if (!claim(context, block)) {
		uncount(context, block);
		drop(block, answer);
		return;
	}
	uncount(context, block);
	if (block->constructs && context->constructor_failed) {
		/* its host hears of it when the place is idle again, so that it can start another */
		keep_answer(block, answer);
		set_phase(block, INGRESS__FREE);
		context->constructor = block;
		return;
	}
	deliver(block, answer);
}

void ingress__reply_failed_constructor(struct ingress__block *block)
{
	const struct answer answer = { block->status, block->answer, block->answer_bytes, block->answer_release,
				       block->answer_owner };

	deliver(block, &answer);
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
		/* a signal handler's: the loan is over, and nothing else has happened */
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
	/* not in the block: the answer may be made of the payload, which lies there */
	return make_room(block, bytes);
}

/* ---- the event thread's replies ------------------------------------------------------------------------------------
 */

/* A block for an item of an inbox besides the request's own; waits for memory, since the item must not be lost. */
static struct ingress__block *another(const struct ingress__block *block)
{
	const struct timespec moment = { 0, 1000000 };
	struct ingress__block *copy;

	while (!(copy = ingress__block_take()))
		nanosleep(&moment, NULL);
	copy->request.wire = block->request.wire;
	copy->kind = INGRESS__INBOX;
	copy->tag = block->tag;
	copy->holds = 0;
	return copy;
}

/* Hold a request that runs in `state`, so that its provider's answer waits. False: it does not run, or is another's. */
static bool hold(struct ingress__context *context, struct ingress__block *block, uint64_t state)
{
	if (phase_of(state) != INGRESS__RUNNING ||
	    atomic_load_explicit(&block->context, memory_order_relaxed) != context)
		return false;
	/* relaxed: the swap publishes it */
	atomic_store_explicit(&context->busy, 1, memory_order_relaxed);
	if (atomic_compare_exchange_strong_explicit(&block->state, &state, with_phase(state, INGRESS__BUSY),
						    memory_order_acq_rel, memory_order_relaxed))
		return true;
	atomic_store_explicit(&context->busy, 0, memory_order_relaxed);
	return false;
}

static void let_go(struct ingress__context *context, struct ingress__block *block, enum ingress__phase phase)
{
	set_phase(block, phase);
	/*
	 * In one step, so that an event thread that is suspended here keeps nobody. It costs a system call for each
	 * request that is stale or cut, which are few.
	 */
	thread__futex_wake_clear(&context->busy, 1);
}

bool ingress__reply_stale(struct ingress__context *context, struct ingress__block *block, uint64_t state)
{
	struct ingress__block *item;

	if (!hold(context, block, state))
		return false;
	if (block->kind == INGRESS__CALLBACK) {
		call_back_text(block, INGRESS_STALE);
		ingress__events_came_back(context);
	} else if (block->kind == INGRESS__INBOX) {
		item = another(block);
		answer_with_text(item, INGRESS_STALE);
		ingress__inbox_put(block->inbox, block->inbox_generation, item);
	}
	let_go(context, block, INGRESS__RUNNING);
	return true;
}

static void cut(struct ingress__context *context, struct ingress__block *block, uint64_t state)
{
	struct ingress__block *item;

	if (!hold(context, block, state))
		return;
	if (block->kind == INGRESS__NOBODY) {
		let_go(context, block, INGRESS__RUNNING);
		return;
	}
	if (block->kind == INGRESS__CALLBACK) {
		call_back_text(block, INGRESS_CLOSED);
		ingress__events_came_back(context);
	} else if (block->kind == INGRESS__INBOX) {
		item = another(block);
		answer_with_text(item, INGRESS_CLOSED);
		ingress__inbox_put(block->inbox, block->inbox_generation, item);
	} else if (atomic_exchange_explicit(&block->done, INGRESS__DONE_CUT, memory_order_acq_rel) ==
		   INGRESS__WAITER_PARKED) {
		thread__futex_wake(&block->done, INT32_MAX);
	}
	let_go(context, block, INGRESS__CUT);
}

void ingress__reply_cut_all(struct ingress__context *context)
{
	const struct timespec moment = { 0, 50000 };
	struct ingress__block *list, *block;
	uint32_t used;

	pthread_mutex_lock(&context->take_lock);
	ingress__take_lanes(context, INGRESS__LANES_ALL);
	list = atomic_load_explicit(&context->pending, memory_order_relaxed);
	atomic_store_explicit(&context->pending, NULL, memory_order_relaxed);
	pthread_mutex_unlock(&context->take_lock);
	while ((block = list)) {
		list = block->after;
		ingress__reply_unhandled(block, INGRESS_CLOSED);
		ingress__events_came_back(context);
	}
	used = atomic_load_explicit(&context->table_used, memory_order_acquire);
	for (uint32_t place = 0; place < used; place++) {
		struct ingress__table *table = atomic_load_explicit(&context->table, memory_order_acquire);

		block = atomic_load_explicit(&table->at[place], memory_order_acquire);
		if (!block)
			continue;
		cut(context, block, atomic_load_explicit(&block->state, memory_order_acquire));
		while (phase_of(atomic_load_explicit(&block->state, memory_order_acquire)) == INGRESS__DELIVERING &&
		       atomic_load_explicit(&block->context, memory_order_relaxed) == context)
			nanosleep(&moment, NULL);
	}
	/* acquire: the callbacks that the library thread made meanwhile have returned */
	while (atomic_load_explicit(&context->delivering, memory_order_acquire))
		nanosleep(&moment, NULL);
}
