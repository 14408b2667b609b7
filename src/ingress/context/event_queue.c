/* SPDX-License-Identifier: BSD-3-Clause */
/* See event_queue.h. */
#include "ingress/context/event_queue.h"
#include "ingress/waiting/lock.h"

#include <stdlib.h>

bool ingress__events_start(struct ingress__context *context)
{
	struct ingress__events *events = &context->events;
	uint32_t count = context->library->event_count;

	events->heads = calloc(count + 1, sizeof(*events->heads));
	events->wires = calloc(count + 1, sizeof(*events->wires));
	if (!events->heads || !events->wires) {
		free(events->heads);
		free((void *)events->wires);
		return false;
	}
	pthread_mutex_init(&events->lock, NULL);
	return true;
}

/* ---- the lists --------------------------------------------------------------------------------------------------- */

void ingress__listener_unref(struct ingress__listener *listener)
{
	if (--listener->refs == 0)
		free(listener);
}

static void end_event(struct ingress__block *block)
{
	ingress__block_release_payload(block);
	ingress__block_give(block);
}

/* Take an event for a callback out of the context's list. */
static void unlink_event(struct ingress__events *events, struct ingress__block *block)
{
	*(block->before ? &block->before->after : &events->first) = block->after;
	*(block->after ? &block->after->before : &events->last) = block->before;
	/* relaxed: a hint for the event thread, which looks again under the lock */
	atomic_store_explicit(&events->pending, atomic_load_explicit(&events->pending, memory_order_relaxed) - 1,
			      memory_order_relaxed);
}

static void append_to_context(struct ingress__events *events, struct ingress__block *block)
{
	block->before = events->last;
	block->after = NULL;
	*(events->last ? &events->last->after : &events->first) = block;
	events->last = block;
	/* seq_cst: with the event thread's parker, as in ingress__event_thread_wake() */
	atomic_store_explicit(&events->pending, atomic_load_explicit(&events->pending, memory_order_relaxed) + 1,
			      memory_order_seq_cst);
}

static void append_to_listener(struct ingress__listener *listener, struct ingress__block *block)
{
	block->sibling = NULL;
	*(listener->last ? &listener->last->sibling : &listener->first) = block;
	listener->last = block;
	listener->waiting++;
}

struct ingress__block *ingress__event_dequeue(struct ingress__events *events, struct ingress__listener *listener)
{
	struct ingress__block *block = listener->first;

	if (!block)
		return NULL;
	listener->first = block->sibling;
	if (!listener->first)
		listener->last = NULL;
	listener->waiting--;
	if (listener->notify)
		unlink_event(events, block);
	return block;
}

void ingress__listener_drop_events(struct ingress__events *events, struct ingress__listener *listener)
{
	struct ingress__block *block;

	while ((block = ingress__event_dequeue(events, listener)))
		end_event(block);
}

/* ---- queueing events --------------------------------------------------------------------------------------------- */

/* Apply the overflow policy. False: the new event is to be dropped. */
static bool apply_overflow(struct ingress__events *events, struct ingress__listener *listener)
{
	if (listener->waiting < listener->depth)
		return true;
	if (listener->overflow == INGRESS_DROP_NEWEST) {
		listener->lost++;
		return false;
	}
	do {
		struct ingress__block *oldest = ingress__event_dequeue(events, listener);

		if (!oldest)
			break;
		end_event(oldest);
		listener->lost++;
	} while (listener->overflow == INGRESS_COALESCE);
	return true;
}

/* A block with the event in it; NULL: no memory. */
static struct ingress__block *make_event(struct ingress__listener *listener, const struct ingress_event *event)
{
	struct ingress__block *block = ingress__block_take();

	if (!block)
		return NULL;
	if (!ingress__block_fill(block, event->data, event->bytes)) {
		ingress__block_give(block);
		return NULL;
	}
	block->kind = INGRESS__EVENT;
	block->request.method = event->number;
	block->request.wire = event->wire;
	block->listener = listener;
	block->tag = listener->tag;
	return block;
}

/* A notice for the listener's inbox, in which there is none; NULL: no memory. */
static struct ingress__block *make_notice(struct ingress__listener *listener)
{
	struct ingress__block *notice = ingress__block_take();

	if (!notice)
		return NULL;
	notice->kind = INGRESS__NOTICE;
	notice->listener = listener;
	atomic_store_explicit(&notice->context, listener->context, memory_order_relaxed);
	listener->noticed = true;
	listener->refs++;
	return notice;
}

struct ingress__block *ingress__event_enqueue(struct ingress__events *events, struct ingress__listener *listener,
					      const struct ingress_event *event)
{
	struct ingress__block *block, *notice = NULL;

	if (!apply_overflow(events, listener))
		return NULL;
	block = make_event(listener, event);
	/* without a notice the event would wait until another one comes, which may be never: it is lost */
	if (block && !listener->notify && !listener->noticed && !(notice = make_notice(listener))) {
		end_event(block);
		block = NULL;
	}
	if (!block) {
		listener->lost++;
		return NULL;
	}
	append_to_listener(listener, block);
	if (listener->notify)
		append_to_context(events, block);
	return notice;
}

/* ---- taking events ----------------------------------------------------------------------------------------------- */

struct ingress__block *ingress__events_take(struct ingress__events *events)
{
	struct ingress__block *batch = NULL, **end = &batch;

	for (uint32_t i = 0; i < INGRESS__EVENT_BATCH_MAX && events->first; i++) {
		struct ingress__block *block = events->first;
		struct ingress__listener *listener = block->listener;

		/* the oldest event of the context is also the oldest of its listener */
		ingress__event_dequeue(events, listener);
		listener->refs++;
		block->lost = listener->lost;
		listener->lost = 0;
		block->after = NULL;
		*end = block;
		end = &block->after;
	}
	return batch;
}

void ingress__event_done(struct ingress__block *block)
{
	ingress__listener_unref(block->listener);
	end_event(block);
}

struct ingress__block *ingress__notice_take(struct ingress__block *notice)
{
	struct ingress__context *context = atomic_load_explicit(&notice->context, memory_order_relaxed);
	struct ingress__listener *listener = notice->listener;
	struct ingress__block *list = NULL, *last = NULL, *block;

	ingress__lock(&context->events.lock);
	while ((block = ingress__event_dequeue(&context->events, listener))) {
		block->lost = listener->lost;
		listener->lost = 0;
		block->after = NULL;
		*(last ? &last->after : &list) = block;
		last = block;
	}
	listener->noticed = false;
	/* the last event takes over the notice's reference: ingress__event_goes_out() reads the listener */
	if (last)
		last->holds |= INGRESS__HOLDS_LISTENER;
	else
		ingress__listener_unref(listener);
	ingress__unlock(&context->events.lock);
	ingress__block_give(notice);
	return list;
}

bool ingress__event_goes_out(struct ingress__block *block)
{
	struct ingress__listener *listener = block->listener;
	struct ingress__context *context = listener->context;
	/*
	 * relaxed: either the thread that removed the listener has told this thread, or this event went out before the
	 * removal
	 */
	bool goes = !atomic_load_explicit(&listener->removed, memory_order_relaxed);

	if (block->holds & INGRESS__HOLDS_LISTENER) {
		block->holds &= (uint8_t)~INGRESS__HOLDS_LISTENER;
		ingress__lock(&context->events.lock);
		ingress__listener_unref(listener);
		ingress__unlock(&context->events.lock);
	}
	return goes;
}
