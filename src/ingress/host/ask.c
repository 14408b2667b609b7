/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking calls: submit a request, and wait for its reply until a deadline. The waiter spins for a while and then
 * sleeps on its block's `done` (enum ingress__done), which decides in one step who owns the block afterwards:
 *
 *	WAITING -> WAITER_PARKED		the waiter, before it sleeps
 *	WAITING or WAITER_PARKED -> DONE	the library thread, with the answer: the block is the waiter's
 *	WAITER_PARKED -> WAITER_LEFT		the waiter, at its deadline: the block is the library's
 *	… -> DONE_ABANDONED			the event thread (abandon.c): the block is the library's
 */
#include "ingress/host/ask.h"
#include "ingress/context/context_table.h"
#include "ingress/host/submit.h"
#include "ingress/waiting/wait.h"

#include <string.h>

enum ingress_status ingress__ask_text(struct ingress_answer *answer, enum ingress_status status, uint32_t wire)
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

	/* The library thread has yet to wake up, perhaps on this processor: sleep soon, so that it can run. */
	if (ingress__self.has_woken)
		ingress__spin_skip_eager(&spin);
	ingress__self.has_woken = false;
	/* acquire: the answer was written before */
	while (atomic_load_explicit(&block->done, memory_order_acquire) == INGRESS__WAITING &&
	       ingress__spin_step(&spin))
		;
	answered = !atomic_compare_exchange_strong_explicit(&block->done, &waiting, INGRESS__WAITER_PARKED,
							    memory_order_acq_rel, memory_order_acquire);
	if (spin.was_here)
		ingress__placement_is_colocated(&context->placement);
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

enum ingress_status ingress__ask_finish(struct ingress__context *context, struct ingress__block *block,
					uint64_t deadline_ns, uint32_t wire, struct ingress_answer *answer)
{
	if (!block)
		return ingress__ask_text(answer, INGRESS_NO_MEMORY, wire);
	if (!wait_for_answer(context, block, deadline_ns))
		return ingress__ask_text(answer, INGRESS_TIMEOUT, wire);
	if (atomic_load_explicit(&block->done, memory_order_relaxed) == INGRESS__DONE_ABANDONED)
		return ingress__ask_text(answer, INGRESS_CLOSED, wire);
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
		return call ? ingress__submit_refuse(call, INGRESS_BAD_ARGUMENT) : INGRESS_BAD_ARGUMENT;
	INGRESS__ENTER(ingress__ask_text(answer, ingress__submit_refuse(call, INGRESS_REENTRANT), call->wire));
	/* the flag may be left from an earlier request, for which this thread did not wait */
	ingress__self.has_woken = false;
	status = ingress__submit_waiting(token, call, deadline_ns, &block);
	if (status != INGRESS_OK)
		return ingress__ask_text(answer, status, call->wire);
	return ingress__ask_finish(ingress__context_at(token), block, deadline_ns, call->wire, answer);
}

enum ingress_status ingress_ask(ingress_token token, uint32_t method, uint32_t wire, const void *data, size_t bytes,
				int64_t timeout_ns, struct ingress_answer *answer)
{
	const struct ingress_call call = { .method = method, .wire = wire, .data = data, .bytes = bytes };

	return ingress_ask_call(token, &call, timeout_ns, answer);
}

enum ingress_status ingress_ask_chain(ingress_token token, const struct ingress_call *calls, size_t count,
				      const struct ingress_link *links, size_t link_count, int64_t timeout_ns,
				      struct ingress_answer *answers, struct ingress_refusal *error)
{
	uint64_t deadline_ns = ingress__deadline_ns(timeout_ns);
	struct ingress__block *blocks[INGRESS_CHAIN_MAX];
	enum ingress_status status;

	if (!answers)
		return INGRESS_BAD_ARGUMENT;
	memset(answers, 0, count * sizeof(*answers));
	/* as in ingress_ask_call() */
	ingress__self.has_woken = false;
	status = ingress__submit_chain(token, calls, count, links, link_count, deadline_ns, blocks, error);
	if (status != INGRESS_OK)
		return status;
	INGRESS__ENTER(INGRESS_REENTRANT);
	/* the last one first, after which the others were answered too: one wake-up for all */
	while (count--)
		ingress__ask_finish(ingress__context_at(token), blocks[count], deadline_ns, calls[count].wire,
				    &answers[count]);
	return INGRESS_OK;
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
