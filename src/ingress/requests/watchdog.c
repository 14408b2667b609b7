/* SPDX-License-Identifier: BSD-3-Clause */
/* See watchdog.h. */
#include "ingress/requests/watchdog.h"
#include "ingress/requests/reply.h"

#include "thread/clock.h"

#include <stdlib.h>

/* How many looks the watchdog makes in the time after which a request is stale. */
#define STALE_LOOKS 4

/* The request that the watchdog saw in an entry of the running table, and when it saw it first. */
struct ingress__seen {
	uint64_t state;
	uint64_t since_ns;
};

static bool grow(struct ingress__watchdog *watchdog, uint32_t count)
{
	struct ingress__seen *more;

	if (count <= watchdog->capacity)
		return true;
	more = realloc(watchdog->seen, count * sizeof(*more));
	if (!more)
		return false;
	for (uint32_t i = watchdog->capacity; i < count; i++)
		more[i] = (struct ingress__seen){ 0, 0 };
	watchdog->seen = more;
	watchdog->capacity = count;
	return true;
}

/* Tell the host of a request that runs in `state` that it is stale. False: it does not run any more. */
static bool report_stale(struct ingress__context *context, struct ingress__block *block, uint64_t state)
{
	if (!ingress__request_hold(context, block, state))
		return false;
	ingress__reply_meanwhile(context, block, INGRESS_STALE);
	ingress__request_let_go(context, block, INGRESS__RUNNING);
	return true;
}

/* Look at all entries of the running table. Returns whether any request is running. */
static bool look_at_all(struct ingress__context *context, struct ingress__watchdog *watchdog, uint64_t now,
			uint64_t stale_ns)
{
	uint32_t used = atomic_load_explicit(&context->table_used, memory_order_acquire);
	bool any = false;

	if (!grow(watchdog, used))
		return true;
	for (uint32_t index = 0; index < used; index++) {
		struct ingress__running_table *table =
			atomic_load_explicit(&context->running_table, memory_order_acquire);
		struct ingress__block *block = atomic_load_explicit(&table->at[index], memory_order_acquire);
		struct ingress__seen *seen = &watchdog->seen[index];
		uint64_t state;

		if (!block)
			continue;
		state = atomic_load_explicit(&block->state, memory_order_acquire);
		if (ingress__phase_of(state) != INGRESS__RUNNING ||
		    atomic_load_explicit(&block->context, memory_order_relaxed) != context)
			continue;
		any = true;
		if (seen->state != state)
			*seen = (struct ingress__seen){ state, now };
		else if (now - seen->since_ns >= stale_ns && report_stale(context, block, state))
			seen->since_ns = now;
	}
	return any;
}

/*
 * Sleep until the library thread reports activity, unless it has just done so. seq_cst on both sides (Dekker):
 *
 *	library thread				event thread
 *	activity += 1				watchdog_awake = 0
 *	watchdog_awake is 0: sets it, wakes	activity has changed: stays awake
 */
static void fall_asleep(struct ingress__context *context, struct ingress__watchdog *watchdog, uint64_t now)
{
	watchdog->next_ns = UINT64_MAX;
	atomic_store_explicit(&context->watchdog_awake, 0, memory_order_seq_cst);
	if (atomic_load_explicit(&context->activity, memory_order_seq_cst) != watchdog->activity) {
		atomic_store_explicit(&context->watchdog_awake, 1, memory_order_seq_cst);
		watchdog->next_ns = now;
	}
}

void ingress__watchdog_look(struct ingress__context *context, struct ingress__watchdog *watchdog)
{
	uint64_t stale_ns, interval_ns;
	/* seq_cst: with `watchdog_awake`, as in fall_asleep() */
	uint32_t activity = atomic_load_explicit(&context->activity, memory_order_seq_cst);
	uint64_t now = thread__now_ns();

	/* seq_cst: with the event thread's parker, as in ingress__watchdog_is_current() */
	watchdog->stale_ns = atomic_load_explicit(&context->stale_ns, memory_order_seq_cst);
	stale_ns = (uint64_t)watchdog->stale_ns;
	interval_ns = stale_ns / STALE_LOOKS + 1;
	if (activity != watchdog->activity) {
		watchdog->activity = activity;
		watchdog->idle_since_ns = 0;
		if (watchdog->next_ns == UINT64_MAX)
			watchdog->next_ns = now;
	}
	/* the context here now may have a shorter stale_ns than the one before it */
	if (watchdog->next_ns != UINT64_MAX && watchdog->next_ns > now + interval_ns)
		watchdog->next_ns = now + interval_ns;
	if (now < watchdog->next_ns)
		return;
	watchdog->next_ns = now + interval_ns;
	if (look_at_all(context, watchdog, now, stale_ns))
		watchdog->idle_since_ns = 0;
	else if (!watchdog->idle_since_ns)
		watchdog->idle_since_ns = now;
	else if (now - watchdog->idle_since_ns > stale_ns)
		fall_asleep(context, watchdog, now);
}

bool ingress__watchdog_is_current(struct ingress__context *context, const struct ingress__watchdog *watchdog)
{
	if (watchdog->next_ns == UINT64_MAX)
		return atomic_load_explicit(&context->activity, memory_order_seq_cst) == watchdog->activity;
	/*
	 * starter				event thread
	 *					read stale_ns of the context before, 5 s: will sleep that long
	 * stale_ns = 20 ms			parker = PARKED
	 * parker is PARKED: wakes it		or: stale_ns has changed: does not sleep
	 */
	return atomic_load_explicit(&context->stale_ns, memory_order_seq_cst) == watchdog->stale_ns;
}
