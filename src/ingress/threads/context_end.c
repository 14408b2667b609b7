/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a context, in the order in which the library thread does it, once the context is closing:
 *
 *	1. It answers the requests that were not handed over, with INGRESS_CLOSED; those of a chain (chain.h) when the
 *	   provider has answered the one before them.
 *	2. It waits until the provider has answered the others, which the event thread may abandon (abandon.c).
 *	3. It hands over the destructor's request, and waits for its answer.
 *	4. It ends the provider's state, the handles and the listeners, and gives the entry back. From here on the next
 *	   context may be using the entry.
 *	5. It tells the host of a constructor that failed, and publishes the end (`ended`, `life`).
 *
 * A thread that ends with its context does step 5 first: the thread of the next context would not wait for that, and
 * would publish a later end before this one.
 */
#include "ingress/threads/context_end.h"
#include "ingress/context/context_table.h"
#include "ingress/events/listener.h"
#include "ingress/requests/abandon.h"
#include "ingress/requests/cancel.h"
#include "ingress/requests/chain_run.h"
#include "ingress/requests/reply.h"
#include "ingress/threads/event_thread.h"
#include "ingress/waiting/eventcount.h"

/* Answer the requests that were not handed over. */
static void refuse_pending(struct ingress__context *context)
{
	struct ingress__block *list, *block;

	pthread_mutex_lock(&context->take_lock);
	/* from all lanes, marked or not: what stayed in one would meet the next context in this entry */
	list = ingress__request_take_all(context);
	atomic_store_explicit(&context->refusing, 1, memory_order_relaxed);
	pthread_mutex_unlock(&context->take_lock);
	while ((block = list)) {
		list = block->after;
		ingress__reply_unserved(block, INGRESS_CLOSED);
		ingress__library_came_back(context);
	}
	/* release: the callbacks have returned */
	atomic_store_explicit(&context->refusing, 0, memory_order_release);
}

/* The number of the library's destructor, or -1. */
static int64_t destructor_of(const struct ingress_library *library)
{
	for (uint32_t method = 0; method < library->method_count; method++)
		if (library->methods[method] == INGRESS_DESTRUCTOR)
			return method;
	return -1;
}

static void destruct(struct ingress__context *context, uint32_t method)
{
	struct ingress__block *block = &context->destructor_block;
	struct ingress_request *request = &block->request;

	context->destructing = true;
	block->kind = INGRESS__NOBODY;
	block->holds = 0;
	block->constructs = false;
	*request = (struct ingress_request){ method, INGRESS_WIRE_C, block->payload, 0 };
	pthread_mutex_lock(&context->take_lock);
	ingress__request_begin(context, block);
	pthread_mutex_unlock(&context->take_lock);
	ingress__library_out();
	context->library->requests(context->state, &request, 1);
	ingress__library_back(context);
}

/* Whether the library thread ends with the context; its event thread has ended then. */
static bool leave(struct ingress__context *context)
{
	if (ingress__context_keeps_threads(context))
		return false;
	ingress__event_thread_stop(context);
	pthread_detach(pthread_self());
	return true;
}

/* Nothing runs any more: end the context. False: this thread has to end too. */
static bool end(struct ingress__context *context)
{
	/* the generation of the lanes, which is one more than the context's */
	uint32_t generation = ingress__lanes_generation(&context->lanes);
	struct ingress__block *failed_constructor = context->failed_constructor;
	bool leaves;

	if (context->is_open) {
		ingress__library_out();
		context->library->context_end(context->state);
		ingress__library_back(context);
	}
	ingress__handles_end(&context->handles);
	ingress__listeners_end(context);
	ingress__cancel_forget(context);
	context->failed_constructor = NULL;
	context->is_open = context->constructed = context->constructor_failed = context->destructing = false;
	context->due_ns = UINT64_MAX;
	leaves = leave(context);
	if (leaves && context->library->thread_end) {
		ingress__library_out();
		context->library->thread_end(context->state);
		ingress__library_back(context);
	}
	ingress__abandon_stop(context, generation);
	ingress__context_uncount(context);
	/* From here on the next context may be using the entry; its requests wait in the lanes for this thread. */
	if (!leaves)
		ingress__context_recycle(context);
	if (failed_constructor) {
		ingress__reply_failed_constructor(failed_constructor);
		ingress__library_came_back(context);
	}
	/* release: all of the context comes before */
	atomic_store_explicit(&context->ended, generation, memory_order_release);
	ingress__eventcount_advance(&context->life);
	ingress__blocks_flush();
	/* the next context has threads of its own, so nothing of this one may come after its end */
	if (leaves)
		ingress__context_recycle(context);
	return !leaves;
}

enum ingress__ending ingress__context_end_further(struct ingress__context *context)
{
	int64_t destructor;

	refuse_pending(context);
	ingress__chains_close(context);
	if (context->running_count)
		return INGRESS__ENDING_WAITS;
	destructor = context->constructed && !context->destructing ? destructor_of(context->library) : -1;
	if (destructor >= 0) {
		destruct(context, (uint32_t)destructor);
		return INGRESS__ENDING_GOES_ON;
	}
	return end(context) ? INGRESS__ENDING_GOES_ON : INGRESS__ENDING_LEAVES;
}
