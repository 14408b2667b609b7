/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A provider that runs a test's function wherever the core calls a library: in a handler, a constructor, a destructor,
 * turn(), the begin and the end of its thread.
 */
#ifndef INGRESS_ANYWHERE_H
#define INGRESS_ANYWHERE_H

#include "ingress_tests.h"

enum anywhere_method {
	ANYWHERE_OPEN,	  /* constructor: runs the {function, argument} of its payload, if it has one */
	ANYWHERE_CLOSE,	  /* destructor: runs anywhere.at_end */
	ANYWHERE_RUN,	  /* runs the {function, argument} of its payload, then answers with the payload */
	ANYWHERE_KEEP,	  /* answered by the next ANYWHERE_LET */
	ANYWHERE_LET,	  /* answers what is kept, and itself */
	ANYWHERE_EMIT,	  /* emits event 0 */
	ANYWHERE_LARGE,	  /* answers with so many bytes of zeros, lent when the second word is 1 */
	ANYWHERE_VERSION, /* static: runs like ANYWHERE_RUN */
	ANYWHERE_METHODS,
};

enum { ANYWHERE_BYTES_MAX = 100000 };

typedef void anywhere_fn(void *argument);

struct anywhere_job {
	anywhere_fn *function;
	void *argument;
};

/* A job at a place that has no request: it runs once. */
struct anywhere_hook {
	_Atomic(anywhere_fn *) function;
	_Atomic(void *) argument;
};

static struct anywhere {
	struct anywhere_hook at_end, at_turn, at_thread_begin, at_context_end;
} anywhere;

/*
 * Library thread: its provider, the request whose handler runs, and those kept. A thread that answers one of them makes
 * it NULL.
 */
enum { ANYWHERE_KEPT = 4 };
static __thread struct ingress_provider *anywhere_provider;
static __thread struct ingress_request *anywhere_request, *anywhere_kept[ANYWHERE_KEPT];

static inline void anywhere_arm(struct anywhere_hook *hook, anywhere_fn *function, void *argument)
{
	atomic_store(&hook->argument, argument);
	atomic_store(&hook->function, function);
}

static inline void anywhere_run(struct anywhere_hook *hook)
{
	anywhere_fn *function = atomic_load(&hook->function) ? atomic_exchange(&hook->function, NULL) : NULL;

	if (function)
		function(atomic_load(&hook->argument));
}

static _Atomic uint64_t anywhere_ended; /* loans of answers that have ended */

static inline void anywhere_end(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
	atomic_fetch_add(&anywhere_ended, 1);
}

static inline void anywhere_answer(struct ingress_request *request, const void *data, size_t bytes)
{
	ingress_answer_copy(request, INGRESS_OK, data, bytes);
}

static inline void anywhere_large(struct ingress_request *request)
{
	static const unsigned char data[ANYWHERE_BYTES_MAX];
	uint64_t words[2] = { 0 };

	memcpy(words, request->data, request->bytes < sizeof(words) ? request->bytes : sizeof(words));
	if (words[1])
		ingress_answer_lend(request, INGRESS_OK, data, words[0], anywhere_end, NULL);
	else
		anywhere_answer(request, data, words[0]);
}

static inline void anywhere_let(void)
{
	for (int i = 0; i < ANYWHERE_KEPT; i++) {
		struct ingress_request *kept = anywhere_kept[i];

		anywhere_kept[i] = NULL;
		if (kept)
			anywhere_answer(kept, NULL, 0);
	}
}

static inline void anywhere_serve(struct ingress_request *request)
{
	struct anywhere_job job = { 0 };

	anywhere_request = request;
	if (request->bytes >= sizeof(job))
		memcpy(&job, request->data, sizeof(job));
	switch (request->method) {
	case ANYWHERE_OPEN:
	case ANYWHERE_RUN:
	case ANYWHERE_VERSION:
		if (job.function)
			job.function(job.argument);
		break;
	case ANYWHERE_CLOSE:
		anywhere_run(&anywhere.at_end);
		break;
	case ANYWHERE_KEEP:
		anywhere_request = NULL;
		for (int i = ANYWHERE_KEPT; --i;)
			anywhere_kept[i] = anywhere_kept[i - 1];
		anywhere_kept[0] = request;
		return;
	case ANYWHERE_LET:
		anywhere_let();
		break;
	case ANYWHERE_EMIT:
		ingress_event_emit(anywhere_provider, 0, INGRESS_WIRE_C, "12345678", 8);
		break;
	case ANYWHERE_LARGE:
		anywhere_request = NULL;
		anywhere_large(request);
		return;
	default:
		break;
	}
	if (!anywhere_request)
		return;
	anywhere_request = NULL;
	anywhere_answer(request, request->data, request->bytes);
}

static inline void anywhere_requests(void *state, struct ingress_request *const *requests, size_t count)
{
	(void)state;
	for (size_t i = 0; i < count; i++)
		anywhere_serve(requests[i]);
}

static inline int anywhere_thread_begin(struct ingress_provider *provider, void **given)
{
	anywhere_provider = provider;
	*given = NULL;
	anywhere_run(&anywhere.at_thread_begin);
	return 0;
}

static inline int64_t anywhere_turn(void *state)
{
	(void)state;
	anywhere_run(&anywhere.at_turn);
	return INGRESS_FOREVER;
}

static inline void anywhere_context_end(void *state)
{
	(void)state;
	memset(anywhere_kept, 0, sizeof(anywhere_kept));
	anywhere_run(&anywhere.at_context_end);
}

static const uint8_t anywhere_methods[ANYWHERE_METHODS] = { [ANYWHERE_OPEN] = INGRESS_CONSTRUCTOR,
							    [ANYWHERE_CLOSE] = INGRESS_DESTRUCTOR,
							    [ANYWHERE_VERSION] = INGRESS_STATIC };
static const struct ingress_event_kind anywhere_events[1] = { { INGRESS_DROP_OLDEST, 0 } };
#define ANYWHERE_LIBRARY                                                                                               \
	{                                                                                                              \
		.abi = INGRESS_ABI, .name = "anywhere", .method_count = ANYWHERE_METHODS, .event_count = 1,            \
		.methods = anywhere_methods, .events = anywhere_events, .thread_begin = anywhere_thread_begin,         \
		.requests = anywhere_requests, .turn = anywhere_turn, .context_end = anywhere_context_end,             \
	}
static const struct ingress_library anywhere_library = ANYWHERE_LIBRARY;

static inline enum ingress_status open_of(const struct ingress_library *library, const struct ingress_options *options,
					  const struct anywhere_job *job, ingress_token *context)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_context_create(library, options, ANYWHERE_OPEN, INGRESS_WIRE_C, job,
							    job ? sizeof(*job) : 0, LONG_NS, context, &answer);

	ingress_answer_release(&answer);
	return status;
}

static inline ingress_token open_anywhere(const struct ingress_options *options)
{
	ingress_token context;

	if (open_of(&anywhere_library, options, NULL, &context) != INGRESS_OK)
		abort();
	return context;
}

/* Run a function in a handler. */
static inline enum ingress_status run_inside(ingress_token context, anywhere_fn *function, void *argument)
{
	const struct anywhere_job job = { function, argument };

	return ask(context, ANYWHERE_RUN, &job, sizeof(job));
}

#endif
