/* SPDX-License-Identifier: BSD-3-Clause */
/* Emitting events, on the library thread: ingress_event_emit and its like. */
#include "ingress/events/inbox.h"
#include "ingress/events/listener.h"
#include "ingress/waiting/lock.h"

unsigned int ingress_event_wires(struct ingress_provider *provider, uint32_t event)
{
	struct ingress__context *context = ingress__context_of(provider);

	/* in a forked child no listener is left of the parent's context */
	if (event >= context->library->event_count || context->process != ingress__process())
		return 0;
	return atomic_load_explicit(&context->events.wires[event], memory_order_relaxed);
}

void ingress_event_emit(struct ingress_provider *provider, uint32_t event, uint32_t wire, const void *data,
			size_t bytes)
{
	struct ingress__context *context = ingress__context_of(provider);
	struct ingress__events *events = &context->events;
	const struct ingress_event emitted = { event, wire, data, bytes, 0 };
	struct ingress__listener *gone = NULL;
	bool has_callbacks;

	INGRESS__ENTER();
	if (!ingress__is_library_thread(provider))
		return;
	if (event >= context->library->event_count || wire > INGRESS_WIRE_C || !ingress_event_wires(provider, event))
		return;
	ingress__lock(&events->lock);
	for (struct ingress__listener *at = events->heads[event], *next; at; at = next) {
		struct ingress__block *notice = NULL;

		next = at->next;
		if (at->wire == wire)
			notice = ingress__event_enqueue(events, at, &emitted);
		/* The lane of a closed inbox refuses the notice: the listener has ended. */
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

void ingress_event_lost(struct ingress_provider *provider, uint32_t event, uint64_t count)
{
	struct ingress__context *context = ingress__context_of(provider);

	INGRESS__ENTER();
	if (!ingress__is_library_thread(provider) || event >= context->library->event_count)
		return;
	ingress__lock(&context->events.lock);
	for (struct ingress__listener *at = context->events.heads[event]; at; at = at->next)
		at->lost += count;
	ingress__unlock(&context->events.lock);
}

void ingress_event_watch(struct ingress_provider *provider, void (*changed)(void *user), void *user)
{
	struct ingress__context *context = ingress__context_of(provider);

	INGRESS__ENTER();
	if (!ingress__is_library_thread(provider))
		return;
	ingress__lock(&context->events.lock);
	context->events.watch = changed;
	context->events.watch_user = user;
	ingress__unlock(&context->events.lock);
}

const struct ingress_library *ingress_provider_library(struct ingress_provider *provider)
{
	return ingress__context_of(provider)->library;
}
