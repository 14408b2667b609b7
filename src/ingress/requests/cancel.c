/* SPDX-License-Identifier: BSD-3-Clause */
/* See cancel.h. */
#include "ingress/requests/cancel.h"
#include "ingress/context/context_table.h"
#include "ingress/requests/chain_run.h"
#include "ingress/requests/reply.h"

/* ---- any thread -------------------------------------------------------------------------------------------------- */

uint64_t ingress_tickets(uint64_t count)
{
	static _Atomic uint64_t next = 1;
	uint64_t first = atomic_load_explicit(&next, memory_order_relaxed);

	/* relaxed: the numbers publish nothing */
	do {
		if (count > ((uint64_t)1 << INGRESS__TICKET_BITS) - first)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&next, &first, first + count, memory_order_relaxed,
							memory_order_relaxed));
	return first;
}

enum ingress_status ingress_cancel(ingress_token token, uint64_t ticket)
{
	struct ingress__context *context;
	enum ingress_status status;

	if (!ticket)
		return INGRESS_BAD_ARGUMENT;
	INGRESS__ENTER(INGRESS_REENTRANT);
	context = ingress__context_find(token, &status);
	if (!context)
		return status;
	if (!ingress__context_is_open(context, token))
		return INGRESS_CLOSED;
	/* no request has so high a number */
	if (ticket >> INGRESS__TICKET_BITS)
		return INGRESS_OK;
	if (!ingress__filed_put(&context->filed, ticket))
		return INGRESS_QUEUE_FULL;
	ingress__context_wake(context);
	return INGRESS_OK;
}

/* ---- library thread ---------------------------------------------------------------------------------------------- */

/* The running request in an entry of the running table, or NULL. */
static struct ingress__block *running_at(struct ingress__context *context, uint32_t index)
{
	struct ingress__running_table *table = atomic_load_explicit(&context->running_table, memory_order_relaxed);
	struct ingress__block *block = atomic_load_explicit(&table->at[index], memory_order_relaxed);
	enum ingress__phase phase;

	if (!block)
		return NULL;
	phase = ingress__phase_of(atomic_load_explicit(&block->state, memory_order_acquire));
	/* an entry may be out of date: another context's request, or one that has another entry by now */
	if ((phase != INGRESS__RUNNING && phase != INGRESS__NOTIFYING) ||
	    atomic_load_explicit(&block->context, memory_order_relaxed) != context || block->running_index != index)
		return NULL;
	return block;
}

/* Marks with the ticket of a running request, beside INGRESS__TICKET_WAITS. No ticket is so high a number. */
#define CANCELLED ((uint64_t)1 << 63) /* it was cancelled */
#define TOLD ((uint64_t)1 << 62)      /* its provider was told */
#define MARKS (CANCELLED | TOLD | INGRESS__TICKET_WAITS)
_Static_assert(INGRESS__TICKET_WAITS == (uint64_t)1 << INGRESS__TICKET_BITS, "the marks stand above a ticket");

/* Mark the running requests whose tickets are taken. Returns whether there are any. */
static bool mark_running(struct ingress__context *context)
{
	uint32_t used = atomic_load_explicit(&context->table_used, memory_order_relaxed);
	bool any = false;

	for (uint32_t index = 0; context->running_count && index < used; index++) {
		uint64_t ticket = context->tickets[index] & ~MARKS;

		if (!ticket || !ingress__filed_has(&context->filed, ticket) || !running_at(context, index))
			continue;
		context->tickets[index] |= CANCELLED;
		any = true;
	}
	return any;
}

/* Tell the provider of each running request that was marked, and answer those that wait in their chains. */
static void tell_running(struct ingress__context *context)
{
	uint32_t used = atomic_load_explicit(&context->table_used, memory_order_relaxed);

	for (uint32_t index = 0; index < used; index++) {
		struct ingress__block *block;

		if (!(context->tickets[index] & CANCELLED))
			continue;
		block = running_at(context, index);
		if (!block)
			continue;
		if (context->tickets[index] & INGRESS__TICKET_WAITS) {
			ingress__chain_cancel(context, block);
			continue;
		}
		if (!context->cancel_watch || context->tickets[index] & TOLD)
			continue;
		context->tickets[index] |= TOLD;
		ingress__library_out();
		context->cancel_watch(context->cancel_user, &block->request);
		ingress__library_back(context);
	}
}

/* Under take_lock: take the pending requests whose tickets are taken out of their list, linked by `after`. */
static struct ingress__block *take_pending(struct ingress__context *context)
{
	struct ingress__block *block = atomic_load_explicit(&context->pending, memory_order_relaxed);
	struct ingress__block *kept = NULL, *kept_last = NULL, *found = NULL, *after;

	for (; block; block = after) {
		after = block->after;
		if (block->holds & INGRESS__HOLDS_TICKET && ingress__filed_has(&context->filed, block->ticket)) {
			block->after = found;
			found = block;
		} else {
			if (kept_last)
				kept_last->after = block;
			else
				kept = block;
			kept_last = block;
		}
	}
	if (kept_last)
		kept_last->after = NULL;
	atomic_store_explicit(&context->pending, kept, memory_order_relaxed);
	context->pending_last = kept_last;
	return found;
}

/* Find the requests that were not handed over and whose tickets are taken. answer_pending() has to follow. */
static struct ingress__block *find_pending(struct ingress__context *context)
{
	struct ingress__block *list;

	pthread_mutex_lock(&context->take_lock);
	ingress__request_take_lanes(context, ingress__lanes_awake(&context->lanes));
	list = take_pending(context);
	if (list)
		atomic_store_explicit(&context->refusing, 1, memory_order_relaxed);
	pthread_mutex_unlock(&context->take_lock);
	return list;
}

static void answer_pending(struct ingress__context *context, struct ingress__block *list)
{
	struct ingress__block *block;

	if (!list)
		return;
	while ((block = list)) {
		list = block->after;
		ingress__request_count_answered(context);
		ingress__reply_unserved(block, INGRESS_CANCELLED);
		ingress__library_came_back(context);
	}
	/* release: the callbacks have returned */
	atomic_store_explicit(&context->refusing, 0, memory_order_release);
}

void ingress__cancel_filed(struct ingress__context *context)
{
	bool any_running = false;

	/* until no more are filed: the provider is told of a request with those that were cancelled before (filed.h) */
	for (uint32_t round = 0; round < INGRESS__FILED_ROUNDS && ingress__filed_take(&context->filed); round++) {
		struct ingress__block *pending = find_pending(context);

		any_running |= mark_running(context);
		/* before the callouts, in which more tickets may be taken */
		ingress__filed_drop(&context->filed);
		answer_pending(context, pending);
	}
	if (any_running)
		tell_running(context);
}

void ingress__cancel_forget(struct ingress__context *context)
{
	if (ingress__filed_any(&context->filed) && ingress__filed_take(&context->filed))
		ingress__filed_drop(&context->filed);
}

/* ---- the provider's side ----------------------------------------------------------------------------------------- */

int ingress_request_cancelled(struct ingress_request *request)
{
	struct ingress__block *block = (struct ingress__block *)request;
	struct ingress__context *context = atomic_load_explicit(&block->context, memory_order_relaxed);
	uint64_t *ticket;

	INGRESS__ENTER(0);
	if (ingress__self.library_of != context)
		return 0;
	ticket = &context->tickets[block->running_index];
	/* a ticket that is taken here stays for the loop, whose look may find a request that does not run yet */
	if (ingress__filed_any(&context->filed) && ingress__filed_take(&context->filed) &&
	    ingress__filed_has(&context->filed, *ticket & ~MARKS))
		*ticket |= CANCELLED;
	if (*ticket & CANCELLED)
		return 1;
	/* relaxed: only whether anybody still waits */
	if (block->kind == INGRESS__WAITER &&
	    atomic_load_explicit(&block->done, memory_order_relaxed) == INGRESS__WAITER_LEFT)
		return 1;
	return ingress__phase_of(atomic_load_explicit(&block->state, memory_order_relaxed)) == INGRESS__ABANDONED;
}

void ingress_cancel_watch(struct ingress_provider *provider,
			  void (*cancelled)(void *user, struct ingress_request *request), void *user)
{
	struct ingress__context *context = ingress__context_of(provider);

	INGRESS__ENTER();
	if (!ingress__is_library_thread(provider))
		return;
	context->cancel_watch = cancelled;
	context->cancel_user = user;
}
