/* SPDX-License-Identifier: BSD-3-Clause */
/* See request.h. */
#include "ingress/context/request.h"

#include "thread/futex.h"

#include <stdlib.h>

/* ---- pending ----------------------------------------------------------------------------------------------------- */

void ingress__request_take_lanes(struct ingress__context *context, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1) {
		uint32_t newest = ingress__lane_take(&context->lanes.lane[__builtin_ctz(lanes)]);
		struct ingress__block *last, *list;

		if (!newest)
			continue;
		list = ingress__blocks_reverse(newest, &last);
		if (atomic_load_explicit(&context->pending, memory_order_relaxed))
			context->pending_last->after = list;
		else
			atomic_store_explicit(&context->pending, list, memory_order_relaxed);
		context->pending_last = last;
	}
}

struct ingress__block *ingress__request_take_all(struct ingress__context *context)
{
	struct ingress__block *list;

	/* also from lanes that are not marked: their producers may be suspended before they mark them */
	ingress__request_take_lanes(context, INGRESS__LANES_ALL);
	list = atomic_load_explicit(&context->pending, memory_order_relaxed);
	atomic_store_explicit(&context->pending, NULL, memory_order_relaxed);
	return list;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

bool ingress__request_table_grow(struct ingress__context *context, uint32_t capacity)
{
	struct ingress__running_table *table;
	uint32_t *indices;
	uint64_t *tickets;

	if (capacity <= context->table_capacity)
		return true;
	table = calloc(1, sizeof(*table) + capacity * sizeof(table->at[0]));
	indices = malloc(capacity * sizeof(*indices));
	tickets = calloc(capacity, sizeof(*tickets));
	if (!table || !indices || !tickets) {
		free(table);
		free(indices);
		free(tickets);
		return false;
	}
	free(context->free_indices);
	free(context->tickets);
	context->free_indices = indices;
	context->tickets = tickets;
	context->table_capacity = capacity;
	context->free_count = capacity;
	for (uint32_t i = 0; i < capacity; i++)
		indices[i] = capacity - 1 - i;
	/*
	 * The event thread may be reading the old table, which is therefore kept: capacities are powers of two, so all
	 * old tables together are no larger than the new one. Nothing is running now, so there is nothing to copy.
	 */
	table->older = atomic_load_explicit(&context->running_table, memory_order_relaxed);
	atomic_store_explicit(&context->running_table, table, memory_order_release);
	return true;
}

void ingress__request_begin(struct ingress__context *context, struct ingress__block *block)
{
	struct ingress__running_table *table = atomic_load_explicit(&context->running_table, memory_order_relaxed);

	block->running_index = context->free_indices[--context->free_count];
	/* from now on another thread may write its answer where the ticket lies: post.c */
	context->tickets[block->running_index] = block->holds & INGRESS__HOLDS_TICKET ? block->ticket : 0;
	atomic_store_explicit(&block->context, context, memory_order_relaxed);
	/* release: a thread that sees the state sees whose request it is */
	atomic_store_explicit(&block->state, ++context->serial << INGRESS__PHASE_BITS | INGRESS__RUNNING,
			      memory_order_release);
	/* release: a thread that finds the block in the table finds it filled */
	atomic_store_explicit(&table->at[block->running_index], block, memory_order_release);
	if (block->running_index >= atomic_load_explicit(&context->table_used, memory_order_relaxed))
		atomic_store_explicit(&context->table_used, block->running_index + 1, memory_order_release);
	context->running_count++;
}

/* ---- held by the event thread ------------------------------------------------------------------------------------ */

bool ingress__request_hold(struct ingress__context *context, struct ingress__block *block, uint64_t state)
{
	if (ingress__phase_of(state) != INGRESS__RUNNING ||
	    atomic_load_explicit(&block->context, memory_order_relaxed) != context)
		return false;
	/* relaxed: the swap publishes it */
	atomic_store_explicit(&context->notifying, 1, memory_order_relaxed);
	if (atomic_compare_exchange_strong_explicit(&block->state, &state,
						    ingress__with_phase(state, INGRESS__NOTIFYING),
						    memory_order_acq_rel, memory_order_relaxed))
		return true;
	atomic_store_explicit(&context->notifying, 0, memory_order_relaxed);
	return false;
}

void ingress__request_let_go(struct ingress__context *context, struct ingress__block *block, enum ingress__phase phase)
{
	ingress__request_set_phase(block, phase);
	/*
	 * Clear and wake in one step, so that an event thread that is suspended here stops no other thread. It costs a
	 * system call for each request that is stale or abandoned, which are few.
	 */
	thread__futex_wake_clear(&context->notifying, 1);
}
