/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See abandon.h.
 *
 * The race: when a destroyer's wish to abandon comes late, it must not reach the next context in the entry. Under
 * life_lock, either the event thread sees that the context is ending, or the library thread sees that the event thread
 * is abandoning, and waits:
 *
 *	event thread				library thread
 *	abandoning = true			ending = generation; abandoning: waits until it is not
 *	or: sees `ending`: does nothing		continues
 */
#include "ingress/requests/abandon.h"
#include "ingress/events/listener.h"
#include "ingress/requests/reply.h"
#include "ingress/waiting/eventcount.h"

#include "thread/futex.h"

#include <time.h>

void ingress__abandon_ask(struct ingress__context *context, uint32_t wanted)
{
	uint32_t before = atomic_load_explicit(&context->abandon_wanted, memory_order_relaxed);

	/*
	 * Several destroyers may ask; one that was suspended for long may even mean an earlier context of this entry.
	 * The highest generation counts. relaxed: `abandon_asked` publishes it.
	 */
	while (before < wanted && !atomic_compare_exchange_weak_explicit(&context->abandon_wanted, &before, wanted,
									 memory_order_relaxed, memory_order_relaxed))
		;
	atomic_store_explicit(&context->abandon_asked, 1, memory_order_seq_cst);
	ingress__event_thread_wake(context);
}

/* Abandon one request of the running table, whose state was `state`. */
static void abandon(struct ingress__context *context, struct ingress__block *block, uint64_t state)
{
	if (!ingress__request_hold(context, block, state))
		return;
	if (block->kind == INGRESS__NOBODY) {
		ingress__request_let_go(context, block, INGRESS__RUNNING);
		return;
	}
	if (block->kind != INGRESS__WAITER)
		ingress__reply_meanwhile(context, block, INGRESS_CLOSED);
	else if (atomic_exchange_explicit(&block->done, INGRESS__DONE_ABANDONED, memory_order_acq_rel) ==
		 INGRESS__WAITER_PARKED)
		thread__futex_wake(&block->done, INT32_MAX);
	ingress__request_let_go(context, block, INGRESS__ABANDONED);
}

/* Answer the requests that wait, then those that run. When this returns, no thread is giving a reply of the context. */
static void abandon_all(struct ingress__context *context)
{
	const struct timespec moment = { 0, 50000 };
	struct ingress__block *list, *block;
	uint32_t used;

	pthread_mutex_lock(&context->take_lock);
	list = ingress__request_take_all(context);
	pthread_mutex_unlock(&context->take_lock);
	while ((block = list)) {
		list = block->after;
		ingress__reply_unserved(block, INGRESS_CLOSED);
		ingress__events_came_back(context);
	}
	used = atomic_load_explicit(&context->table_used, memory_order_acquire);
	for (uint32_t index = 0; index < used; index++) {
		struct ingress__running_table *table =
			atomic_load_explicit(&context->running_table, memory_order_acquire);

		block = atomic_load_explicit(&table->at[index], memory_order_acquire);
		if (!block)
			continue;
		abandon(context, block, atomic_load_explicit(&block->state, memory_order_acquire));
		while (ingress__phase_of(atomic_load_explicit(&block->state, memory_order_acquire)) ==
			       INGRESS__DELIVERING &&
		       atomic_load_explicit(&block->context, memory_order_relaxed) == context)
			nanosleep(&moment, NULL);
	}
	/* acquire: the callbacks that the library thread was making have returned */
	while (atomic_load_explicit(&context->refusing, memory_order_acquire))
		nanosleep(&moment, NULL);
}

bool ingress__abandon_if_asked(struct ingress__context *context)
{
	uint32_t wanted;
	bool abandons;

	/* acquire: what the destroyer did before it asked */
	if (!atomic_exchange_explicit(&context->abandon_asked, 0, memory_order_acq_rel))
		return false;
	wanted = atomic_load_explicit(&context->abandon_wanted, memory_order_relaxed);
	pthread_mutex_lock(&context->life_lock);
	/* if the context is ending by itself already, its destroyer waits for that */
	abandons = wanted > context->ending && wanted > atomic_load_explicit(&context->abandoned, memory_order_relaxed);
	context->abandoning = abandons;
	pthread_mutex_unlock(&context->life_lock);
	if (abandons) {
		ingress__listeners_end(context);
		abandon_all(context);
		pthread_mutex_lock(&context->life_lock);
		context->abandoning = false;
		pthread_mutex_unlock(&context->life_lock);
		/* release: the replies come before */
		atomic_store_explicit(&context->abandoned, wanted, memory_order_release);
		ingress__eventcount_advance(&context->life);
	}
	return true;
}

void ingress__abandon_stop(struct ingress__context *context, uint32_t generation)
{
	for (;;) {
		uint32_t life = ingress__eventcount_read(&context->life);
		bool abandoning;

		pthread_mutex_lock(&context->life_lock);
		context->ending = generation;
		abandoning = context->abandoning;
		pthread_mutex_unlock(&context->life_lock);
		if (!abandoning)
			return;
		thread__futex_wait(&context->life, life, UINT64_MAX);
	}
}
