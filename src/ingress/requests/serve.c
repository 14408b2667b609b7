/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Serving requests. The library thread takes the submitted requests from the lanes, chooses a batch of up to 256, and
 * calls the provider's ->requests() with it. The provider answers each request then or later (reply.c).
 *
 * A request whose deadline has passed is answered here instead: its handler does not begin. The deadline is looked at
 * once, when the request is collected, so one that stands behind a slow one in its batch may begin late. How long a
 * handler takes is its own affair.
 *
 * The constructor is the first request of a context, and the only one that is handed over before it has succeeded.
 */
#include "ingress/requests/serve.h"
#include "ingress/requests/chain_run.h"
#include "ingress/requests/watchdog.h"

#include "thread/clock.h"

/* Whether the oldest pending request may be handed over. */
static bool may_begin(struct ingress__context *context)
{
	if (atomic_load_explicit(&context->is_static, memory_order_relaxed))
		context->is_open = context->constructed = true;
	if (context->constructed)
		return true;
	if (context->is_open)
		return false;
	context->is_open = true;
	return true;
}

/*
 * Take the submitted requests from the lanes.
 *
 * The race: the constructor comes by the first lane, and other threads learn of the context only after it was pushed.
 * But the library thread may have looked at the first lane before:
 *
 *	library thread			starter			another thread
 *	first lane: empty
 *					pushes the constructor
 *								pushes to the second lane
 *	second lane: would take this request first
 *
 * So it takes from the first lane alone until it has the constructor.
 */
static void take_submitted(struct ingress__context *context)
{
	bool is_open = context->is_open || atomic_load_explicit(&context->is_static, memory_order_relaxed);

	ingress__request_take_lanes(context, is_open ? ingress__lanes_awake(&context->lanes) : 1);
	/* A lane that is awake has to be marked; the constructor's producer may be suspended before it does that. */
	if (!is_open)
		ingress__lanes_mark_awake(&context->lanes, &context->lanes.lane[0]);
}

/* Whether the host does not want the request to begin any more. *now_ns: the time, once it was read. */
static bool is_late(const struct ingress__block *block, uint64_t *now_ns)
{
	if (__builtin_expect(!(block->holds & INGRESS__HOLDS_DEADLINE), 1))
		return false;
	*now_ns = *now_ns ? *now_ns : thread__now_ns();
	return *now_ns >= block->deadline_ns;
}

int64_t ingress_request_left_ns(const struct ingress_request *request)
{
	const struct ingress__block *block = (const struct ingress__block *)request;

	return block->holds & INGRESS__HOLDS_DEADLINE ? (int64_t)(block->deadline_ns - thread__now_ns())
						      : INGRESS_FOREVER;
}

/* Take the oldest pending request, which is running from now on. */
static void begin(struct ingress__context *context, struct ingress__block *block)
{
	atomic_store_explicit(&context->pending, block->after, memory_order_relaxed);
	if (block->after)
		__builtin_prefetch(&block->after->state, 1);
	ingress__request_begin(context, block);
}

static bool is_in_chain(const struct ingress__block *block)
{
	return __builtin_expect(block->holds & INGRESS__HOLDS_CHAIN, 0);
}

/* Collect a whole chain, for a provider that passes it on. */
static uint32_t collect_chain(struct ingress__context *context, struct ingress_request **batch)
{
	struct ingress__block *block = atomic_load_explicit(&context->pending, memory_order_relaxed);
	const struct ingress__chain *chain = block->chain;
	uint32_t count = 0;

	do {
		begin(context, block);
		ingress__chain_begin(context, block);
		batch[count++] = &block->request;
		block = atomic_load_explicit(&context->pending, memory_order_relaxed);
	} while (block && is_in_chain(block) && block->chain == chain);
	return count;
}

/* A batch is handed over together: its requests stand at the front of `request`, late ones from its end backwards. */
struct batch {
	struct ingress_request *request[INGRESS__BATCH_MAX];
	uint32_t count;
	uint32_t late;	/* whose deadlines have passed */
	bool awaited;	/* whether a thread waits for one of them */
	bool is_passed; /* they are a chain, for a provider that passes it on */
};

/* Whether the oldest pending request may join. One that waits in its chain does not count. */
static bool may_join(struct ingress__context *context, const struct batch *batch, const struct ingress__block *block)
{
	return block &&
	       (batch->count + batch->late < INGRESS__BATCH_MAX || (is_in_chain(block) && block->chain->has_begun)) &&
	       may_begin(context);
}

/* Collect the next batch. */
static void collect(struct ingress__context *context, struct batch *batch)
{
	struct ingress__block *block;
	uint64_t now_ns = 0;

	if (!atomic_load_explicit(&context->pending, memory_order_relaxed) && ingress__lanes_are_empty(&context->lanes))
		return;
	/* The event thread abandons under this lock: a request of the batch is in the running table before it looks. */
	pthread_mutex_lock(&context->take_lock);
	take_submitted(context);
	while (may_join(context, batch, block = atomic_load_explicit(&context->pending, memory_order_relaxed))) {
		if (is_in_chain(block) && context->chain_pass) {
			batch->is_passed = !batch->count && !batch->late;
			if (batch->is_passed)
				batch->count = collect_chain(context, batch->request);
			break;
		}
		begin(context, block);
		if (is_in_chain(block) && !ingress__chain_begin(context, block))
			continue;
		batch->awaited |= block->kind == INGRESS__WAITER;
		if (is_late(block, &now_ns))
			batch->request[INGRESS__BATCH_MAX - ++batch->late] = &block->request;
		else
			batch->request[batch->count++] = &block->request;
	}
	pthread_mutex_unlock(&context->take_lock);
}

/* Show the threads that wait for answers where this thread runs: wait.h. */
static void show_processor(struct ingress__context *context)
{
	const volatile uint32_t *own = thread__cpu_word();
	uint32_t now = own ? *own : 0;

	/* relaxed: a hint */
	if (now != atomic_load_explicit(&context->cpu, memory_order_relaxed))
		atomic_store_explicit(&context->cpu, now, memory_order_relaxed);
}

/* A smaller batch than this is small. */
#define SMALL_BATCH 64u

/*
 * Pause after a small batch for which no thread waits, so that more requests come together. If the library thread took
 * each request as it came, the cache line of the lane would travel to and fro with each of them, and a push would cost
 * its thread 150 ns instead of 35.
 */
static void pause_for_more(uint32_t count)
{
	if (count < SMALL_BATCH)
		for (uint32_t pauses = 64; pauses; pauses--)
			thread__relax();
}

static const char too_late[] = "the deadline passed before the handler began; it did not run";

bool ingress__serve(struct ingress__context *context)
{
	struct batch batch;

	batch.count = ingress__chains_step(context, batch.request, INGRESS__BATCH_MAX / 2);
	batch.late = 0;
	batch.awaited = batch.count;
	batch.is_passed = false;
	collect(context, &batch);
	if (!batch.count && !batch.late)
		return false;
	show_processor(context);
	ingress__watchdog_note_activity(context);
	if (batch.is_passed) {
		ingress__chain_hand_over(context, batch.request, batch.count);
		return true;
	}
	ingress__library_out();
	for (; batch.late; batch.late--) {
		ingress_answer_copy(batch.request[INGRESS__BATCH_MAX - batch.late], INGRESS_TIMEOUT, too_late,
				    sizeof(too_late) - 1);
		/* in a child that was forked in its callback, the rest of the batch is the parent's */
		ingress__library_came_back(context);
	}
	if (batch.count)
		context->library->requests(context->state, batch.request, batch.count);
	ingress__library_back(context);
	if (!batch.awaited && !context->ready)
		pause_for_more(batch.count);
	return true;
}
