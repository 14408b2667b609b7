/* SPDX-License-Identifier: BSD-3-Clause */
/* See cancel.h. */
#include "cancel.h"
#include "chain_run.h"
#include "context_table.h"
#include "reply.h"

/* ---- any thread -------------------------------------------------------------------------------------------------- */

uint64_t ingress_tickets(uint64_t count)
{
	static _Atomic uint64_t next = 1;

	/* relaxed: the numbers publish nothing */
	return atomic_fetch_add_explicit(&next, count, memory_order_relaxed);
}

enum ingress_status ingress_cancel(ingress_token token, uint64_t ticket)
{
	struct ingress__context *context;
	struct ingress__block *block;
	enum ingress_status status;

	if (!ticket)
		return INGRESS_BAD_ARGUMENT;
	INGRESS__ENTER(INGRESS_REENTRANT);
	context = ingress__context_find(token, &status);
	if (!context)
		return status;
	if (!ingress__context_is_open(context, token))
		return INGRESS_CLOSED;
	block = ingress__block_take();
	if (!block)
		return INGRESS_NO_MEMORY;
	block->ticket = ticket;
	block->after = atomic_load_explicit(&context->filed, memory_order_relaxed);
	/* seq_cst: before the look at the parker; release: the requests that this thread has submitted come before */
	while (!atomic_compare_exchange_weak_explicit(&context->filed, &block->after, block, memory_order_seq_cst,
						      memory_order_relaxed))
		;
	ingress__context_wake(context);
	return INGRESS_OK;
}

/* ---- library thread ---------------------------------------------------------------------------------------------- */

/* Tickets by the low bits of their numbers, so that one pass over all requests suffices for many of them. */
#define BUCKETS 64u

struct tickets {
	struct ingress__block *bucket[BUCKETS];
};

/* Take the tickets that were filed, and those that are left from an earlier look. False: there are none. */
static bool take(struct ingress__context *context, struct tickets *tickets)
{
	struct ingress__block *left = context->filed_left, *block;
	bool any = false;

	*tickets = (struct tickets){ { NULL } };
	context->filed_left = NULL;
	/* acquire: the requests of these tickets are in the lanes, or have been there */
	block = atomic_exchange_explicit(&context->filed, NULL, memory_order_acquire);
	for (; block || left; any = true) {
		struct ingress__block **list = block ? &block : &left, *each = *list;
		struct ingress__block **bucket = &tickets->bucket[each->ticket % BUCKETS];

		*list = each->after;
		each->after = *bucket;
		*bucket = each;
	}
	return any;
}

static bool names(const struct tickets *tickets, uint64_t ticket)
{
	const struct ingress__block *each = tickets->bucket[ticket % BUCKETS];

	while (each && each->ticket != ticket)
		each = each->after;
	return each;
}

/* Keep the tickets for the loop, or give their blocks home. */
static void put_back(struct ingress__context *context, struct tickets *tickets, bool keep)
{
	struct ingress__block *block;

	for (uint32_t i = 0; i < BUCKETS; i++)
		while ((block = tickets->bucket[i])) {
			tickets->bucket[i] = block->after;
			if (keep) {
				block->after = context->filed_left;
				context->filed_left = block;
			} else {
				ingress__block_give(block);
			}
		}
}

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

/*
 * Mark the running requests that are named. If `tells`, tell the provider of each, and answer those that wait in their
 * chains. Those that came later, which have later entries unless they took one that was free, are told first: behind a
 * network they may wait for an earlier one, and would begin when that ends.
 */
static void mark_running(struct ingress__context *context, const struct tickets *tickets, bool tells)
{
	uint32_t used = atomic_load_explicit(&context->table_used, memory_order_relaxed);

	for (uint32_t index = used; context->running_count && index-- > 0;) {
		struct ingress__block *block;

		if (!names(tickets, context->tickets[index] & ~MARKS))
			continue;
		block = running_at(context, index);
		if (!block)
			continue;
		if (context->tickets[index] & INGRESS__TICKET_WAITS) {
			if (tells)
				ingress__chain_cancel(context, block);
			continue;
		}
		context->tickets[index] |= CANCELLED;
		if (!tells || !context->cancel_watch || context->tickets[index] & TOLD)
			continue;
		context->tickets[index] |= TOLD;
		ingress__library_out();
		context->cancel_watch(context->cancel_user, &block->request);
		ingress__library_back(context);
	}
}

/* Under take_lock: take the pending requests that are named out of their list. Returns them, linked by `after`. */
static struct ingress__block *take_pending(struct ingress__context *context, const struct tickets *tickets)
{
	struct ingress__block *block = atomic_load_explicit(&context->pending, memory_order_relaxed);
	struct ingress__block *kept = NULL, *kept_last = NULL, *found = NULL, *after;

	for (; block; block = after) {
		after = block->after;
		if (block->holds & INGRESS__HOLDS_TICKET && names(tickets, block->ticket)) {
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

/* Answer the requests that are named and were not handed over. */
static void answer_pending(struct ingress__context *context, const struct tickets *tickets)
{
	struct ingress__block *list, *block;

	pthread_mutex_lock(&context->take_lock);
	ingress__request_take_lanes(context, ingress__lanes_awake(&context->lanes));
	list = take_pending(context, tickets);
	if (list)
		atomic_store_explicit(&context->refusing, 1, memory_order_relaxed);
	pthread_mutex_unlock(&context->take_lock);
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
	struct tickets tickets;

	if (!take(context, &tickets))
		return;
	answer_pending(context, &tickets);
	mark_running(context, &tickets, true);
	put_back(context, &tickets, false);
}

void ingress__cancel_forget(struct ingress__context *context)
{
	struct tickets tickets;

	if (take(context, &tickets))
		put_back(context, &tickets, false);
}

/* ---- the provider's side ----------------------------------------------------------------------------------------- */

int ingress_request_cancelled(struct ingress_request *request)
{
	struct ingress__block *block = (struct ingress__block *)request;
	struct ingress__context *context = atomic_load_explicit(&block->context, memory_order_relaxed);
	struct tickets tickets;

	INGRESS__ENTER(0);
	if (ingress__self.library_of != context)
		return 0;
	if (atomic_load_explicit(&context->filed, memory_order_relaxed) && take(context, &tickets)) {
		mark_running(context, &tickets, false);
		put_back(context, &tickets, true);
	}
	if (context->tickets[block->running_index] & CANCELLED)
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
