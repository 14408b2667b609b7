/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events: what waits for listeners, and the emitting side. listener.c has how listeners come and go; event_thread.c
 * calls them.
 *
 * Events for callbacks wait in one list of the context, in the order in which they were emitted, for the event thread;
 * events for inboxes wait in a list of their listener's, and the inbox holds one notice for all of them, so that what
 * waits can still be dropped or coalesced. Each listener counts what waits for it and never has more than its depth.
 *
 * All of that is under one lock, which the library thread takes once per event; the event thread takes up to 64 events
 * with it. The list would have to be locked anyway, since an overflow takes events out of its middle.
 */
#include "event.h"
#include "inbox.h"

#include <stdlib.h>
#include <string.h>

bool ingress__events_start(struct ingress__context *context)
{
	struct ingress__events *events = &context->events;
	uint32_t count = context->library->event_count;

	pthread_mutex_init(&events->lock, NULL);
	events->heads = calloc(count + 1, sizeof(*events->heads));
	events->wires = calloc(count + 1, sizeof(*events->wires));
	return events->heads && events->wires;
}

/* ---- under the lock ---------------------------------------------------------------------------------------------- */

static void end_event(struct ingress__block *block)
{
	ingress__block_release_payload(block);
	ingress__block_give(block);
}

/* Take an event of a callback's out of the context's list. */
static void unlink_event(struct ingress__events *events, struct ingress__block *block)
{
	*(block->before ? &block->before->after : &events->first) = block->after;
	*(block->after ? &block->after->before : &events->last) = block->before;
	/* relaxed: a hint for the event thread, which looks again under the lock */
	atomic_store_explicit(&events->pending, atomic_load_explicit(&events->pending, memory_order_relaxed) - 1,
			      memory_order_relaxed);
}

static void append_event(struct ingress__events *events, struct ingress__block *block)
{
	block->before = events->last;
	block->after = NULL;
	*(events->last ? &events->last->after : &events->first) = block;
	events->last = block;
	/* seq_cst: with `parked`, as in ingress__event_thread_wake() */
	atomic_store_explicit(&events->pending, atomic_load_explicit(&events->pending, memory_order_relaxed) + 1,
			      memory_order_seq_cst);
}

static void append_mine(struct ingress__listener *listener, struct ingress__block *block)
{
	block->sibling = NULL;
	*(listener->last ? &listener->last->sibling : &listener->first) = block;
	listener->last = block;
	listener->waiting++;
}

/* The oldest event that waits for the listener leaves its list. */
static struct ingress__block *oldest_of(struct ingress__events *events, struct ingress__listener *listener)
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

	while ((block = oldest_of(events, listener)))
		end_event(block);
}

/* Make room for one more; false: the new one is to be dropped. */
static bool make_room(struct ingress__events *events, struct ingress__listener *listener)
{
	if (listener->waiting < listener->depth)
		return true;
	if (listener->overflow == INGRESS_DROP_NEWEST) {
		listener->lost++;
		return false;
	}
	do {
		struct ingress__block *oldest = oldest_of(events, listener);

		if (!oldest)
			break;
		end_event(oldest);
		listener->lost++;
	} while (listener->overflow == INGRESS_COALESCE);
	return true;
}

struct ingress__block *ingress__events_take(struct ingress__events *events)
{
	struct ingress__block *batch = NULL, **end = &batch;

	for (uint32_t i = 0; i < INGRESS__EVENT_BATCH_MAX && events->first; i++) {
		struct ingress__block *block = events->first;
		struct ingress__listener *listener = block->listener;

		/* the first of all is the first of its listener's */
		oldest_of(events, listener);
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

/* ---- emitting ---------------------------------------------------------------------------------------------------- */

unsigned int ingress_event_wires(struct ingress_provider *provider, uint32_t event)
{
	struct ingress__context *context = ingress__context_of(provider);

	/* in a child that was forked nobody listens to the parent's */
	if (event >= context->library->event_count || context->process != ingress__process())
		return 0;
	return atomic_load_explicit(&context->events.wires[event], memory_order_relaxed);
}

/* An inbox's listener has something: make sure that a notice is there. */
static struct ingress__block *make_notice(struct ingress__listener *listener)
{
	struct ingress__block *notice;

	if (listener->noticed || !(notice = ingress__block_take()))
		return NULL;
	notice->kind = INGRESS__NOTICE;
	notice->listener = listener;
	atomic_store_explicit(&notice->context, listener->context, memory_order_relaxed);
	listener->noticed = true;
	listener->refs++;
	return notice;
}

/* Queue one event for one listener; a notice to put into its inbox, or NULL. */
static struct ingress__block *emit_to(struct ingress__events *events, struct ingress__listener *listener,
				      const struct ingress_event *event)
{
	struct ingress__block *block;

	if (!make_room(events, listener))
		return NULL;
	block = ingress__block_take();
	if (!block || !ingress__block_fill(block, event->data, event->bytes)) {
		if (block)
			ingress__block_give(block);
		listener->lost++;
		return NULL;
	}
	block->kind = INGRESS__EVENT;
	block->request.method = event->number;
	block->request.wire = event->wire;
	block->listener = listener;
	block->tag = listener->tag;
	append_mine(listener, block);
	if (listener->notify) {
		append_event(events, block);
		return NULL;
	}
	return make_notice(listener);
}

void ingress_event_emit(struct ingress_provider *provider, uint32_t event, uint32_t wire, const void *data,
			size_t bytes)
{
	struct ingress__context *context = ingress__context_of(provider);
	struct ingress__events *events = &context->events;
	const struct ingress_event what = { event, wire, data, bytes, 0 };
	struct ingress__listener *gone = NULL;
	bool has_callbacks;

	INGRESS__ENTER();
	if (!ingress__serves(provider))
		return;
	if (event >= context->library->event_count || wire > INGRESS_WIRE_C || !ingress_event_wires(provider, event))
		return;
	ingress__lock(&events->lock);
	for (struct ingress__listener *at = events->heads[event], *next; at; at = next) {
		struct ingress__block *notice = NULL;

		next = at->next;
		if (at->wire == wire)
			notice = emit_to(events, at, &what);
		/* The lane of a closed inbox refuses it, and then nobody listens. */
		if (notice && !ingress__inbox_put(at->inbox, at->inbox_generation, notice)) {
			ingress__block_give(notice);
			at->refs--;
			ingress__listener_remove(context, at);
			if (at->release) {
				at->next = gone;
				gone = at;
			} else {
				ingress__listener_unref(at);
			}
		}
	}
	has_callbacks = events->first;
	ingress__unlock(&events->lock);
	if (has_callbacks)
		ingress__event_thread_wake(context);
	if (gone)
		ingress__listeners_release(context, gone);
}

struct ingress__block *ingress__notice_take(struct ingress__block *notice)
{
	struct ingress__context *context = atomic_load_explicit(&notice->context, memory_order_relaxed);
	struct ingress__listener *listener = notice->listener;
	struct ingress__block *list = NULL, *last = NULL, *block;

	ingress__lock(&context->events.lock);
	while ((block = oldest_of(&context->events, listener))) {
		block->lost = listener->lost;
		listener->lost = 0;
		block->after = NULL;
		*(last ? &last->after : &list) = block;
		last = block;
	}
	listener->noticed = false;
	/* the notice's hold on the listener goes with the last of them: ingress__event_goes_out() looks at it */
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
	/* relaxed: who removed it has told this thread, or this event was on its way out before */
	bool goes = !atomic_load_explicit(&listener->removed, memory_order_relaxed);

	if (block->holds & INGRESS__HOLDS_LISTENER) {
		block->holds &= (uint8_t)~INGRESS__HOLDS_LISTENER;
		ingress__lock(&context->events.lock);
		ingress__listener_unref(listener);
		ingress__unlock(&context->events.lock);
	}
	return goes;
}
