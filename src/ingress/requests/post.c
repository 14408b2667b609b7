/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Posting: any thread may answer a request, and may have the library thread call ->turn(). The library thread gives the
 * reply, as it does for an answer of its own, so all rules of reply.c hold for posted answers too.
 *
 * The algorithm is Treiber's stack, which its one consumer empties whole: `posted` is the newest block, linked by
 * `after` down to 0; or WAKE, when nothing but a call of ->turn() is wanted. An answer lies in its block until it is
 * taken, so posting allocates nothing unless the answer is to be copied and is large.
 *
 * Why the block may be written: from the time at which the provider gets a request until it answers, no other thread
 * reads `status`, `after` or the answer of its block (request.h has what the event thread reads). The push is a release
 * and the take an acquire.
 *
 * The race is that of a lost wake-up; the rule is the one for `closing` (library_thread.c):
 *
 *	library thread				a thread that posts
 *	stores PARKED into its parker
 *						posts
 *	nothing is posted: sleeps
 *						PARKED: wakes it
 *
 * Each thread that posts looks at the parker, also when it was not the first: the first may be suspended before it
 * does. A thread that looks late may wake the next context of the entry, which does no harm: entries are never freed.
 */
#include "ingress/requests/post.h"
#include "ingress/requests/reply.h"

#include <string.h>

/* An address of a block is never 1. */
#define WAKE ((uintptr_t)1)

static void post(struct ingress__context *context, struct ingress__block *block)
{
	uintptr_t before = atomic_load_explicit(&context->posted, memory_order_relaxed);

	do
		block->after = before == WAKE ? NULL : (struct ingress__block *)before;
	while (!atomic_compare_exchange_weak_explicit(&context->posted, &before, (uintptr_t)block, memory_order_seq_cst,
						      memory_order_relaxed));
	ingress__context_wake(context);
}

/* Keep a copy of the answer in the block, whose payload is over. */
static void copy_answer(struct ingress__block *block, const void *data, size_t bytes)
{
	block->answer = block->payload;
	if (bytes > sizeof(block->payload))
		block->answer = ingress__block_take_answer_buffer(block, bytes);
	if (!block->answer) {
		block->status = INGRESS_NO_MEMORY;
		block->answer = ingress_status_text(INGRESS_NO_MEMORY);
		bytes = strlen(block->answer);
	} else if (bytes) {
		memmove((void *)block->answer, data, bytes);
	}
	block->answer_bytes = bytes;
}

void ingress_answer_post(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner)
{
	struct ingress__block *block = (struct ingress__block *)request;
	struct ingress__context *context = atomic_load_explicit(&block->context, memory_order_relaxed);

	if (ingress__self.library_of == context) {
		if (release)
			ingress_answer_lend(request, status, data, bytes, release, owner);
		else
			ingress_answer_copy(request, status, data, bytes);
		return;
	}
	/* in a signal handler, or in a child for a context of the parent's: the loan ends, and nothing else happens */
	if (!ingress__enter()) {
		if (release)
			release(owner, data, bytes);
		return;
	}
	if (context->process != ingress__process()) {
		if (release)
			ingress__end_loan(release, owner, data, bytes);
		ingress__leave();
		return;
	}
	block->status = (uint8_t)status;
	block->answer_release = release;
	block->answer_owner = owner;
	block->answer = data;
	block->answer_bytes = bytes;
	if (!release)
		copy_answer(block, data, bytes);
	post(context, block);
	ingress__leave();
}

void ingress_provider_wake(struct ingress_provider *provider)
{
	struct ingress__context *context = ingress__context_of(provider);
	uintptr_t before;

	INGRESS__ENTER();
	if (context->process != ingress__process())
		return;
	before = atomic_load_explicit(&context->posted, memory_order_relaxed);
	/*
	 * What was posted before has the thread call ->turn() too; the word is swapped for itself then, since only a
	 * store hands on what this thread has done (release). seq_cst: this, then the load of the parker
	 */
	while (!atomic_compare_exchange_weak_explicit(&context->posted, &before, before ? before : WAKE,
						      memory_order_seq_cst, memory_order_relaxed))
		;
	ingress__context_wake(context);
}

void ingress__posts_take(struct ingress__context *context)
{
	struct ingress__block *newest, *oldest = NULL;
	uintptr_t posted;

	if (!ingress__has_posts(context))
		return;
	/* acquire: the answers */
	posted = atomic_exchange_explicit(&context->posted, 0, memory_order_acq_rel);
	newest = posted == WAKE ? NULL : (struct ingress__block *)posted;
	while (newest) {
		struct ingress__block *block = newest;

		newest = block->after;
		block->after = oldest;
		oldest = block;
	}
	while (oldest) {
		struct ingress__block *block = oldest;

		oldest = block->after;
		ingress__reply_posted(block);
		ingress__library_came_back(context);
	}
}
