/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event thread of a context: calls listeners, tells hosts of requests that run for long (INGRESS_STALE), and
 * answers what runs when destroying does not wait any longer.
 *
 * It looks at the table of running requests four times in the time after which a request is stale, and remembers what
 * it saw: a request seen again after that time has run as long. Nobody else keeps a clock for it. It stops looking when
 * nothing was handed over for so long; the library thread wakes it at the next request then.
 */
#include "event.h"
#include "reply.h"

#include <stdlib.h>

/* Looks in the time after which a request is stale. */
#define STALE_LOOKS 4

/* What the event thread saw at a place of the table. */
struct seen {
	uint64_t state;
	uint64_t since_ns;
};

struct watch {
	struct seen *seen;
	uint32_t room;
	uint32_t activity;	/* what the context's was at the last look */
	int64_t stale_ns;	/* what the context's was then */
	uint64_t next_ns;	/* the next look */
	uint64_t idle_since_ns; /* 0: something ran at the last look */
};

void ingress__event_thread_wake(struct ingress__context *context)
{
	/* seq_cst on both sides: what it is woken for was stored before, and it looks again after parking is announced
	 */
	if (atomic_load_explicit(&context->events.parked, memory_order_seq_cst) != INGRESS__AWAKE)
		thread__futex_wake_clear(&context->events.parked, INGRESS__PARKED);
}

/* Call one listener, if it still is one. */
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
		/* relaxed: only its age is looked at */
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
		 * A thread that destroys or unlistens may be waiting for this. The next context here must not find an
		 * old time, and take it for a listener that is stuck.
		 */
		atomic_store_explicit(&events->began_ns, 0, memory_order_relaxed);
		events->running = NULL;
		if (events->waiters)
			ingress__eventcount_advance(&events->ended);
	}
	ingress__event_done(block);
	pthread_mutex_unlock(&events->lock);
}

/* Call listeners for what waits. False: nothing did. */
static bool call_listeners(struct ingress__context *context)
{
	struct ingress__events *events = &context->events;
	struct ingress__block *batch;

	/* relaxed: who adds an event wakes this thread, or this thread looks again */
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

static bool watch_room(struct watch *watch, uint32_t places)
{
	struct seen *more;

	if (places <= watch->room)
		return true;
	more = realloc(watch->seen, places * sizeof(*more));
	if (!more)
		return false;
	for (uint32_t i = watch->room; i < places; i++)
		more[i] = (struct seen){ 0, 0 };
	watch->seen = more;
	watch->room = places;
	return true;
}

/* Look at what runs; returns whether anything does. */
static bool look(struct ingress__context *context, struct watch *watch, uint64_t now, uint64_t stale_ns)
{
	uint32_t places = atomic_load_explicit(&context->table_used, memory_order_acquire);
	bool any = false;

	if (!watch_room(watch, places))
		return true;
	for (uint32_t place = 0; place < places; place++) {
		struct ingress__table *table = atomic_load_explicit(&context->table, memory_order_acquire);
		struct ingress__block *block = atomic_load_explicit(&table->at[place], memory_order_acquire);
		struct seen *seen = &watch->seen[place];
		uint64_t state;

		if (!block)
			continue;
		state = atomic_load_explicit(&block->state, memory_order_acquire);
		if ((state & INGRESS__PHASE_MASK) != INGRESS__RUNNING ||
		    atomic_load_explicit(&block->context, memory_order_relaxed) != context)
			continue;
		any = true;
		if (seen->state != state)
			*seen = (struct seen){ state, now };
		else if (now - seen->since_ns >= stale_ns && ingress__reply_stale(context, block, state))
			seen->since_ns = now;
	}
	return any;
}

/* Look when it is time; watch->next_ns: when to look again, UINT64_MAX: when the library thread says so. */
static void watch_running(struct ingress__context *context, struct watch *watch)
{
	uint64_t stale_ns;
	/* seq_cst: with `watching`, as in library_thread.c */
	uint32_t activity = atomic_load_explicit(&context->activity, memory_order_seq_cst);
	uint64_t now = thread__now_ns();

	/* seq_cst: with `parked`, as in wait_for_something() */
	watch->stale_ns = atomic_load_explicit(&context->stale_ns, memory_order_seq_cst);
	stale_ns = (uint64_t)watch->stale_ns;
	if (activity != watch->activity) {
		watch->activity = activity;
		watch->idle_since_ns = 0;
		if (watch->next_ns == UINT64_MAX)
			watch->next_ns = now;
	}
	/* the context may have been given to another owner, who wants to hear of stale requests sooner */
	if (watch->next_ns != UINT64_MAX && watch->next_ns > now + stale_ns / STALE_LOOKS + 1)
		watch->next_ns = now + stale_ns / STALE_LOOKS + 1;
	if (now < watch->next_ns)
		return;
	watch->next_ns = now + stale_ns / STALE_LOOKS + 1;
	if (look(context, watch, now, stale_ns))
		watch->idle_since_ns = 0;
	else if (!watch->idle_since_ns)
		watch->idle_since_ns = now;
	else if (now - watch->idle_since_ns > stale_ns) {
		watch->next_ns = UINT64_MAX;
		/*
		 *	library thread				event thread
		 *	activity++				watching = 0
		 *	watching is 0: sets it, wakes		activity has changed: watches on
		 */
		atomic_store_explicit(&context->watching, 0, memory_order_seq_cst);
		if (atomic_load_explicit(&context->activity, memory_order_seq_cst) != watch->activity) {
			atomic_store_explicit(&context->watching, 1, memory_order_seq_cst);
			watch->next_ns = now;
		}
	}
}

static bool cut_if_asked(struct ingress__context *context)
{
	uint32_t wanted;
	bool cuts;

	/* acquire: what the destroyer did before it asked */
	if (!atomic_exchange_explicit(&context->cut, 0, memory_order_acq_rel))
		return false;
	wanted = atomic_load_explicit(&context->cut_wanted, memory_order_relaxed);
	pthread_mutex_lock(&context->life_lock);
	/* if it is ending by itself already, its destroyer waits for that */
	cuts = wanted > context->ending && wanted > atomic_load_explicit(&context->cut_done, memory_order_relaxed);
	context->cutting = cuts;
	pthread_mutex_unlock(&context->life_lock);
	if (cuts) {
		ingress__events_end(context);
		ingress__reply_cut_all(context);
		pthread_mutex_lock(&context->life_lock);
		context->cutting = false;
		pthread_mutex_unlock(&context->life_lock);
		/* release: what was answered comes before */
		atomic_store_explicit(&context->cut_done, wanted, memory_order_release);
		ingress__eventcount_advance(&context->life);
	}
	return true;
}

static bool has_something(struct ingress__context *context)
{
	return atomic_load_explicit(&context->events.pending, memory_order_seq_cst) ||
	       atomic_load_explicit(&context->cut, memory_order_seq_cst) ||
	       atomic_load_explicit(&context->stopping, memory_order_seq_cst);
}

/* Whether what the last look knew still holds: the next is due when that said, or when something is handed over. */
static bool is_current(struct ingress__context *context, const struct watch *watch)
{
	if (watch->next_ns == UINT64_MAX)
		return atomic_load_explicit(&context->activity, memory_order_seq_cst) == watch->activity;
	/*
	 * starter				event thread
	 *					reads stale_ns of the owner before, 5 s: sleeps until then
	 * stale_ns = 20 ms			parked = 1
	 * parked is 1: wakes it		or: stale_ns has changed: does not sleep
	 */
	return atomic_load_explicit(&context->stale_ns, memory_order_seq_cst) == watch->stale_ns;
}

static void wait_for_something(struct ingress__context *context, uint32_t *budget_ns, const struct watch *watch)
{
	struct ingress__spin spin =
		ingress__spin_begin(budget_ns, atomic_load_explicit(&context->spin_ns, memory_order_relaxed),
				    &context->runner);

	while (!has_something(context) && ingress__spin_step(&spin))
		;
	if (has_something(context)) {
		ingress__spin_end(&spin);
		return;
	}
	atomic_store_explicit(&context->events.parked, INGRESS__PARKED, memory_order_seq_cst);
	if (!has_something(context) && is_current(context, watch))
		thread__futex_wait(&context->events.parked, INGRESS__PARKED, watch->next_ns);
	atomic_store_explicit(&context->events.parked, INGRESS__AWAKE, memory_order_relaxed);
	ingress__spin_slept(&spin);
}

void *ingress__event_thread(void *argument)
{
	struct ingress__context *context = argument;
	struct watch watch = { .next_ns = UINT64_MAX };
	uint32_t budget_ns = 0;

	ingress__self.events_of = context;
	ingress__call_returned(1);
	ingress__hold_cancel();
	/* acquire: with the store of who stops it */
	while (!atomic_load_explicit(&context->stopping, memory_order_acquire)) {
		if (cut_if_asked(context) || call_listeners(context))
			continue;
		watch_running(context, &watch);
		wait_for_something(context, &budget_ns, &watch);
	}
	free(watch.seen);
	return NULL;
}
