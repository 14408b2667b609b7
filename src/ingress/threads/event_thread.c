/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event thread of a context has four tasks: it calls listeners, it reports requests that run for long (the
 * watchdog), it abandons the requests of a context when destroying does not wait any longer, and it gives the memory of
 * a burst of requests back to the system (heap_trim.h). It has its own thread, since the library thread may be in a
 * handler for any time.
 *
 * What may go wrong: a callback may fork (then this thread ends the child), may remove its own listener, and may not
 * return for long (`began_ns` is what producers then report as INGRESS_EVENTS_STUCK).
 */
#include "ingress/threads/event_thread.h"
#include "ingress/events/listener.h"
#include "ingress/process/event_thread_watch.h"
#include "ingress/process/heap_trim.h"
#include "ingress/requests/abandon.h"
#include "ingress/requests/watchdog.h"
#include "ingress/waiting/eventcount.h"
#include "ingress/waiting/wait.h"

#include <stdlib.h>

/* ---- calling listeners ------------------------------------------------------------------------------------------- */

/* Call the listener of one event, if it was not removed. */
static void call_listener(struct ingress__context *context, struct ingress__block *block)
{
	struct ingress__events *events = &context->events;
	struct ingress__listener *listener = block->listener;
	const struct ingress_event event = { block->request.method, block->request.wire, block->request.data,
					     block->request.bytes, block->lost };
	bool calls;

	pthread_mutex_lock(&events->lock);
	/* relaxed: under the lock */
	calls = !atomic_load_explicit(&listener->removed, memory_order_relaxed);
	if (calls) {
		events->running = listener;
		pthread_mutex_unlock(&events->lock);
		/* relaxed: only its age matters */
		atomic_store_explicit(&events->began_ns, thread__now_ns(), memory_order_relaxed);
		(void)ingress__call_out();
		listener->notify(listener->user, &event);
		ingress__call_returned(1);
		ingress__events_came_back(context);
		pthread_mutex_lock(&events->lock);
		if (atomic_load_explicit(&listener->removed, memory_order_relaxed) && listener->release) {
			pthread_mutex_unlock(&events->lock);
			ingress__listener_release(listener);
			ingress__events_came_back(context);
			pthread_mutex_lock(&events->lock);
		}
		/*
		 * A thread that destroys the context or removes the listener may be waiting for this. The next context
		 * in this entry must not find an old time and report a stuck listener.
		 */
		atomic_store_explicit(&events->began_ns, 0, memory_order_relaxed);
		events->running = NULL;
		if (events->waiters)
			ingress__eventcount_advance(&events->ended);
	}
	ingress__event_done(block);
	pthread_mutex_unlock(&events->lock);
}

/* Call the listeners of the events that wait. False: no event waits. */
static bool call_listeners(struct ingress__context *context)
{
	struct ingress__events *events = &context->events;
	struct ingress__block *batch;

	/* relaxed: a thread that adds an event wakes this one, or this one looks again before it sleeps */
	if (!atomic_load_explicit(&events->pending, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&events->lock);
	batch = ingress__events_take(events);
	pthread_mutex_unlock(&events->lock);
	while (batch) {
		struct ingress__block *block = batch;

		batch = block->after;
		call_listener(context, block);
	}
	ingress__blocks_flush();
	return true;
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static bool has_something(struct ingress__context *context)
{
	return atomic_load_explicit(&context->events.pending, memory_order_seq_cst) ||
	       atomic_load_explicit(&context->abandon_asked, memory_order_seq_cst) ||
	       atomic_load_explicit(&context->stopping, memory_order_seq_cst) || ingress__trim_is_asked();
}

static void wait_for_something(struct ingress__context *context, uint32_t *budget_ns,
			       const struct ingress__watchdog *watchdog, const struct ingress__trim *trim)
{
	uint64_t due_ns = watchdog->next_ns < trim->due_ns ? watchdog->next_ns : trim->due_ns;
	struct ingress__spin spin =
		ingress__spin_begin(budget_ns, atomic_load_explicit(&context->spin_ns, memory_order_relaxed),
				    &context->runner);

	while (!has_something(context) && ingress__spin_step(&spin))
		;
	if (has_something(context)) {
		ingress__spin_end(&spin);
		return;
	}
	/* seq_cst, and before the look: parker.h */
	atomic_store_explicit(&context->events.parker, INGRESS__PARKED, memory_order_seq_cst);
	if (!has_something(context) && ingress__watchdog_is_current(context, watchdog))
		thread__futex_wait(&context->events.parker, INGRESS__PARKED, due_ns);
	atomic_store_explicit(&context->events.parker, INGRESS__AWAKE, memory_order_relaxed);
	ingress__spin_slept(&spin);
}

void *ingress__event_thread(void *argument)
{
	struct ingress__context *context = argument;
	struct ingress__watchdog watchdog = { .next_ns = UINT64_MAX };
	struct ingress__trim trim = { .due_ns = UINT64_MAX };
	uint32_t budget_ns = 0;

	ingress__self.events_of = context;
	ingress__call_returned(1);
	ingress__hold_cancel();
	/* acquire: with the store of the thread that stops it */
	while (!atomic_load_explicit(&context->stopping, memory_order_acquire)) {
		if (ingress__abandon_if_asked(context) || call_listeners(context))
			continue;
		ingress__watchdog_look(context, &watchdog);
		ingress__trim_look(&trim, false);
		wait_for_something(context, &budget_ns, &watchdog, &trim);
	}
	/* no other thread would look at these heaps before they have a surplus again */
	ingress__trim_look(&trim, true);
	free(watchdog.seen);
	ingress__event_thread_tell();
	return NULL;
}

void ingress__event_thread_stop(struct ingress__context *context)
{
	atomic_store_explicit(&context->stopping, true, memory_order_seq_cst);
	ingress__event_thread_wake(context);
	pthread_join(context->event_thread, NULL);
	atomic_store_explicit(&context->stopping, false, memory_order_relaxed);
}
