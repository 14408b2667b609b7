/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a context, as the thread that destroys it sees it: it ends the lanes, so that nothing comes any more, and
 * waits for the library thread to finish what runs; when it does not wait any longer, the event thread answers what
 * runs (reply.c), and the library thread ends the context whenever its handlers come back.
 */
#include "context.h"

bool ingress__context_close(struct ingress__context *context, uint32_t generation)
{
	if (!ingress__lanes_end(&context->lanes, generation))
		return false;
	/*
	 *	who closes				library thread
	 *	lanes end				lanes fall asleep
	 *	closing = 1				closing is 0: sleeps
	 *	wakes it, whatever the lanes said
	 */
	atomic_store_explicit(&context->closing, 1, memory_order_seq_cst);
	ingress__context_wake(context);
	return true;
}

static bool has_ended(struct ingress__context *context, uint32_t generation)
{
	/* acquire: all of the context */
	return atomic_load_explicit(&context->ended, memory_order_acquire) > generation;
}

/* Wait for the context's end, or for its cut if `cut`. False: the deadline has passed. */
static bool wait_for_end(struct ingress__context *context, uint32_t generation, bool cut, uint64_t deadline_ns)
{
	for (;;) {
		uint32_t life = ingress__eventcount_read(&context->life);

		/* acquire: what the event thread answered */
		if (has_ended(context, generation) ||
		    (cut && atomic_load_explicit(&context->cut_done, memory_order_acquire) > generation))
			return true;
		if (!thread__futex_wait(&context->life, life, deadline_ns))
			return has_ended(context, generation);
	}
}

/* Several destroyers may ask, of this context and, held up for long, of one before it: the latest is what counts. */
static void want_cut(struct ingress__context *context, uint32_t wanted)
{
	uint32_t before = atomic_load_explicit(&context->cut_wanted, memory_order_relaxed);

	/* relaxed: `cut` publishes it */
	while (before < wanted && !atomic_compare_exchange_weak_explicit(&context->cut_wanted, &before, wanted,
									 memory_order_relaxed, memory_order_relaxed))
		;
	atomic_store_explicit(&context->cut, 1, memory_order_seq_cst);
}

/* Destroying does not wait any longer: no callback may come after it. */
static enum ingress_status cut(struct ingress__context *context, uint32_t generation)
{
	int64_t stuck_ns = (int64_t)atomic_load_explicit(&context->stuck_ns, memory_order_relaxed);

	want_cut(context, generation + 1);
	ingress__event_thread_wake(context);
	if (!wait_for_end(context, generation, true, ingress__deadline_ns(stuck_ns)))
		return INGRESS_EVENTS_STUCK;
	return has_ended(context, generation) ? INGRESS_OK : INGRESS_TIMEOUT;
}

static bool is_static(struct ingress__context *context, ingress_token token)
{
	/* relaxed: the token publishes it; the place of a context that ended may be the static one's now */
	return atomic_load_explicit(&context->is_static, memory_order_relaxed) &&
	       ingress__context_is_open(context, token);
}

enum ingress_status ingress_context_close(ingress_token token)
{
	struct ingress__context *context;
	enum ingress_status status;

	INGRESS__ENTER(INGRESS_REENTRANT);
	context = ingress__context_find(token, &status);
	if (!context)
		return status;
	if (is_static(context, token))
		return INGRESS_BAD_ARGUMENT;
	return ingress__context_close(context, ingress__token_generation(token)) ? INGRESS_OK : INGRESS_CLOSED;
}

enum ingress_status ingress_context_destroy(ingress_token token, int64_t timeout_ns)
{
	uint32_t generation = ingress__token_generation(token);
	uint64_t deadline_ns = ingress__deadline_ns(timeout_ns);
	const struct ingress__self *self = &ingress__self;
	struct ingress__context *context;
	enum ingress_status status;

	INGRESS__ENTER(INGRESS_REENTRANT);
	context = ingress__context_once(token, &status);
	if (!context)
		return status;
	if (self->library_of == context || self->events_of == context || self->callbacks)
		return has_ended(context, generation) ? INGRESS_CLOSED : INGRESS_REENTRANT;
	if (is_static(context, token))
		return INGRESS_BAD_ARGUMENT;
	/* When another thread ends it, its end is waited for all the same: until then its callbacks may run. */
	status = ingress__context_close(context, generation) ? INGRESS_OK : INGRESS_CLOSED;
	if (!wait_for_end(context, generation, false, deadline_ns)) {
		enum ingress_status how = cut(context, generation);

		status = how == INGRESS_OK ? status : how;
	}
	return status;
}
