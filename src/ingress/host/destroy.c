/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Destroying a context, on the thread of the host that wants it: the destroyer. context_end.c has the library thread's
 * side. The steps:
 *
 *	1. Close: end the lanes, so that every later push fails, and have the library thread end the context.
 *	2. Wait, until the deadline, for the library thread to finish what runs and to end the context.
 *	3. If it has not, have the event thread abandon the running requests (abandon.c), and wait for that, stuck_ns at
 *	   most. The library thread ends the context whenever its handlers come back.
 *
 * What must hold: when ingress_context_destroy returns, no callback of the context runs or will run, unless the status
 * is INGRESS_EVENTS_STUCK. So a second destroyer waits too, although the first one has closed the context.
 */
#include "ingress/context/context_table.h"
#include "ingress/requests/abandon.h"
#include "ingress/waiting/eventcount.h"
#include "ingress/waiting/wait.h"

static bool has_ended(struct ingress__context *context, uint32_t generation)
{
	/* acquire: all of the context */
	return atomic_load_explicit(&context->ended, memory_order_acquire) > generation;
}

/*
 * Wait until the context has ended, or, if `abandoned` is set, until its running requests are abandoned. False: the
 * deadline has passed.
 */
static bool wait_for_end(struct ingress__context *context, uint32_t generation, bool abandoned, uint64_t deadline_ns)
{
	for (;;) {
		uint32_t life = ingress__eventcount_read(&context->life);

		/* acquire: what the event thread answered */
		if (has_ended(context, generation) ||
		    (abandoned && atomic_load_explicit(&context->abandoned, memory_order_acquire) > generation))
			return true;
		if (!thread__futex_wait(&context->life, life, deadline_ns))
			return has_ended(context, generation);
	}
}

/* The destroyer does not wait any longer, and no callback may come after it has returned. */
static enum ingress_status abandon(struct ingress__context *context, uint32_t generation)
{
	int64_t stuck_ns = (int64_t)atomic_load_explicit(&context->stuck_ns, memory_order_relaxed);

	ingress__abandon_ask(context, generation + 1);
	if (!wait_for_end(context, generation, true, ingress__deadline_ns(stuck_ns)))
		return INGRESS_EVENTS_STUCK;
	return has_ended(context, generation) ? INGRESS_OK : INGRESS_TIMEOUT;
}

static bool is_static(struct ingress__context *context, ingress_token token)
{
	/* relaxed: the token publishes it; the entry of a context that has ended may be the static one's now */
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
	context = ingress__context_find_ended(token, &status);
	if (!context)
		return status;
	if (self->library_of == context || self->events_of == context || self->callbacks)
		return has_ended(context, generation) ? INGRESS_CLOSED : INGRESS_REENTRANT;
	if (is_static(context, token))
		return INGRESS_BAD_ARGUMENT;
	/* If another thread ends it, wait for the end all the same: until then its callbacks may run. */
	status = ingress__context_close(context, generation) ? INGRESS_OK : INGRESS_CLOSED;
	if (!wait_for_end(context, generation, false, deadline_ns)) {
		enum ingress_status how = abandon(context, generation);

		status = how == INGRESS_OK ? status : how;
	}
	return status;
}
