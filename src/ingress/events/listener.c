/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a listener: from ingress_listen until no thread will call it again; then its `release` is called, exactly
 * once. Three states:
 *
 *	LISTED -> REMOVED -> OVER
 *
 *	LISTED	It is in the list of its event: events are queued for it, and its callback may begin.
 *	REMOVED	`removed` is set: no callback begins any more; one may still be running (events->running).
 *	OVER	No callback is running either: `release` is called, without the lock.
 *
 * A listener is removed once: by ingress_unlisten, by the end of its context, or by an event for an inbox that was
 * closed. The thread that removes it calls `release`, unless the callback is running. Then the event thread calls
 * `release` when the callback returns. Only after `release` has returned is the listener no longer the running one, so
 * a thread that waits for the callback waits for both:
 *
 *	event thread				any other thread
 *	running = listener; unlock
 *	callback				lock; removed; it is running: leaves it to the event thread
 *	callback returns			waits on `ended`, where it may wait
 *	lock; removed: over; unlock
 *	release
 *	lock; running = NULL; ended += 1	continues: neither the callback nor `release` is running
 *
 * A listener is found by its id, which the process gives once, and not by its memory, which is used again. It is found
 * whatever has become of its context: while a context ends, the listeners are out of their lists already, but the one
 * that is running is still found, and waited for.
 *
 * The memory of a listener is freed when nothing refers to it (`refs`), which may be long after it is OVER.
 * tests/ingress/model/listener.pml enumerates all of this; change the model with the code. `running` may be cleared
 * only after `release` has returned, and a listener may be found only by its id.
 */
#include "ingress/events/listener.h"
#include "ingress/context/context_table.h"
#include "ingress/events/inbox.h"
#include "ingress/waiting/eventcount.h"

#include <stdlib.h>

static _Atomic uint64_t listener_ids;

/* ---- under the lock ---------------------------------------------------------------------------------------------- */

static void update_wires(struct ingress__context *context, uint32_t event)
{
	uint8_t wires = 0;

	for (struct ingress__listener *at = context->events.heads[event]; at; at = at->next)
		wires |= (uint8_t)(1u << at->wire);
	/* relaxed: a listener may or may not get an event that is emitted while it begins to listen */
	atomic_store_explicit(&context->events.wires[event], wires, memory_order_relaxed);
	if (context->events.watch) {
		int cancel = ingress__hold_cancel();

		context->events.watch(context->events.watch_user);
		ingress__resume_cancel(cancel);
	}
}

void ingress__listener_remove(struct ingress__context *context, struct ingress__listener *listener)
{
	struct ingress__listener **at = &context->events.heads[listener->event];

	while (*at != listener)
		at = &(*at)->next;
	*at = listener->next;
	/* relaxed: an inbox's consumer that has to see it was told of the removal by the thread that removed it */
	atomic_store_explicit(&listener->removed, true, memory_order_relaxed);
	ingress__listener_drop_events(&context->events, listener);
	update_wires(context, listener->event);
}

static bool is_running(const struct ingress__events *events, uint64_t id)
{
	return events->running && events->running->id == id;
}

/* Wait until the callback of the listener with that id has returned, and its `release`; 0: of any listener. */
static void wait_for_callback(struct ingress__events *events, uint64_t id)
{
	events->waiters++;
	while (id ? is_running(events, id) : events->running != NULL) {
		uint32_t ended = ingress__eventcount_read(&events->ended);

		ingress__unlock(&events->lock);
		thread__futex_wait(&events->ended, ended, UINT64_MAX);
		ingress__lock(&events->lock);
	}
	events->waiters--;
}

/* ---- without the lock -------------------------------------------------------------------------------------------- */

static void release_user(ingress_end_fn *release, void *user)
{
	/* on a thread of the core the `release` is like a reply's callback: it may submit, but not wait */
	bool is_core = ingress__self_is_core();
	const uint32_t callbacks = ingress__self.callbacks;
	int inside = ingress__call_out(), cancel = ingress__hold_cancel();

	ingress__self.callbacks = callbacks + is_core;
	release(user);
	ingress__self.callbacks = callbacks;
	ingress__resume_cancel(cancel);
	ingress__call_returned(inside);
}

void ingress__listener_release(const struct ingress__listener *listener)
{
	release_user(listener->release, listener->user);
}

void ingress__listeners_release(struct ingress__context *context, struct ingress__listener *gone)
{
	struct ingress__listener *listener = gone;

	for (; listener; listener = listener->next) {
		ingress__listener_release(listener);
		/* in a child that was forked there, the other listeners and the lock are the parent's */
		if (context->process != ingress__process())
			return;
	}
	ingress__lock(&context->events.lock);
	while ((listener = gone)) {
		gone = listener->next;
		ingress__listener_unref(listener);
	}
	ingress__unlock(&context->events.lock);
}

/* ---- ingress_listen ---------------------------------------------------------------------------------------------- */

static enum ingress_status check_listener(const struct ingress__context *context,
					  const struct ingress_listener *listener)
{
	if (listener->event >= context->library->event_count || listener->wire > INGRESS_WIRE_C ||
	    listener->overflow > INGRESS_COALESCE || listener->depth > INGRESS__EVENT_DEPTH_MAX ||
	    !listener->notify == !listener->inbox)
		return INGRESS_BAD_ARGUMENT;
	return listener->inbox && !ingress__inbox_is_own(listener->inbox) ? INGRESS_CLOSED : INGRESS_OK;
}

/* A listener that no other thread knows yet; NULL: no memory. */
static struct ingress__listener *make_listener(struct ingress__context *context, ingress_token token,
					       const struct ingress_listener *asked)
{
	const struct ingress_event_kind *kind = &context->library->events[asked->event];
	struct ingress__listener *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	*made = (struct ingress__listener){
		/* relaxed: all that matters is that no two ids are equal */
		.id = atomic_fetch_add_explicit(&listener_ids, 1, memory_order_relaxed) + 1,
		.context = context,
		.generation = ingress__token_generation(token),
		.event = asked->event,
		.wire = asked->wire,
		.overflow = asked->overflow ? asked->overflow : kind->overflow,
		.depth = asked->depth  ? asked->depth
			 : kind->depth ? kind->depth
				       : atomic_load_explicit(&context->event_depth, memory_order_relaxed),
		.notify = asked->notify,
		.user = asked->user,
		.release = asked->release,
		.inbox = asked->inbox,
		.tag = asked->tag,
		.refs = 1,
	};
	if (made->inbox) {
		ingress__inbox_expects(made->inbox, context);
		made->inbox_generation = ingress__inbox_generation(made->inbox);
	}
	return made;
}

static enum ingress_status begin_listening(ingress_token token, const struct ingress_listener *listener, uint64_t *id)
{
	struct ingress__context *context;
	struct ingress__listener *made;
	enum ingress_status status;

	context = ingress__context_find(token, &status);
	if (!context)
		return status;
	status = check_listener(context, listener);
	if (status != INGRESS_OK)
		return status;
	made = make_listener(context, token, listener);
	if (!made)
		return INGRESS_NO_MEMORY;
	ingress__lock(&context->events.lock);
	/* Under the lock, since the end of a context removes its listeners under it. */
	if (!ingress__context_is_open(context, token)) {
		ingress__unlock(&context->events.lock);
		free(made);
		return INGRESS_CLOSED;
	}
	*id = made->id;
	made->next = context->events.heads[made->event];
	context->events.heads[made->event] = made;
	update_wires(context, made->event);
	ingress__unlock(&context->events.lock);
	return INGRESS_OK;
}

/* A signal handler calls ingress_listen in the middle of another call: only `release` is called. */
static enum ingress_status refuse(const struct ingress_listener *listener)
{
	if (listener->release)
		listener->release(listener->user);
	return INGRESS_REENTRANT;
}

enum ingress_status ingress_listen(ingress_token token, const struct ingress_listener *listener, uint64_t *id)
{
	enum ingress_status status = INGRESS_BAD_ARGUMENT;

	if (!listener)
		return INGRESS_BAD_ARGUMENT;
	if (id)
		*id = 0;
	INGRESS__ENTER(refuse(listener));
	if (id) {
		status = begin_listening(token, listener, id);
	}
	if (status != INGRESS_OK && listener->release)
		release_user(listener->release, listener->user);
	return status;
}

/* ---- ingress_unlisten -------------------------------------------------------------------------------------------- */

static struct ingress__listener *find_listener(struct ingress__context *context, uint32_t generation, uint64_t id)
{
	for (uint32_t event = 0; event < context->library->event_count; event++)
		for (struct ingress__listener *at = context->events.heads[event]; at; at = at->next)
			if (at->id == id && at->generation == generation)
				return at;
	return NULL;
}

/*
 * Whether this thread waits for the callback of a listener. The event thread does not: the callback runs on it. Another
 * thread of the core does not either if the listener has a `release`, before which its user stays: what the callback
 * waits for may wait for this thread. Two listeners of two contexts may even remove each other.
 */
static bool waits_for(const struct ingress__context *context, const struct ingress__listener *listener)
{
	if (ingress__self.events_of == context)
		return false;
	return !listener->release || !ingress__self_is_core();
}

/* Whether this thread would have to wait, but must not: it is in a handler or in a reply's callback. */
static bool must_not_wait(const struct ingress__context *context, const struct ingress__listener *listener)
{
	return listener->notify && waits_for(context, listener) &&
	       (ingress__self.library_of == context || ingress__self.callbacks);
}

enum ingress_status ingress_unlisten(ingress_token token, uint64_t id)
{
	struct ingress__listener *found, *listener;
	struct ingress__context *context;
	struct ingress__events *events;
	enum ingress_status status;
	bool releases = false;

	INGRESS__ENTER(INGRESS_REENTRANT);
	context = ingress__context_find_ended(token, &status);
	if (!context)
		return status;
	events = &context->events;
	ingress__lock(&events->lock);
	found = find_listener(context, ingress__token_generation(token), id);
	listener = !found && is_running(events, id) ? events->running : found;
	status = found ? INGRESS_OK : ingress__context_is_open(context, token) ? INGRESS_BAD_ARGUMENT : INGRESS_CLOSED;
	if (listener && must_not_wait(context, listener)) {
		ingress__unlock(&events->lock);
		return INGRESS_REENTRANT;
	}
	if (found)
		ingress__listener_remove(context, found);
	if (found && !is_running(events, id))
		releases = found->release;
	else if (listener && waits_for(context, listener))
		wait_for_callback(events, id);
	if (found && !releases)
		ingress__listener_unref(found);
	ingress__unlock(&events->lock);
	if (releases) {
		found->next = NULL;
		ingress__listeners_release(context, found);
	}
	return status;
}

/* ---- the end of the context -------------------------------------------------------------------------------------- */

void ingress__listeners_end(struct ingress__context *context)
{
	struct ingress__events *events = &context->events;
	struct ingress__listener *listener, *gone = NULL;

	ingress__lock(&events->lock);
	for (uint32_t event = 0; event < context->library->event_count; event++)
		while ((listener = events->heads[event])) {
			ingress__listener_remove(context, listener);
			if (listener != events->running && listener->release) {
				listener->next = gone;
				gone = listener;
			} else {
				ingress__listener_unref(listener);
			}
		}
	ingress__unlock(&events->lock);
	ingress__listeners_release(context, gone);
	if (context->process != ingress__process())
		ingress__child_ends();
	ingress__lock(&events->lock);
	/* when the event thread is the caller, no callback is running */
	wait_for_callback(events, 0);
	ingress__unlock(&events->lock);
}
