/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starting a context: take an entry of the context table, give it threads, options and a running table if it lacks
 * them, and submit the constructor as the first request, which publishes the token. static_context.c starts the one
 * context of a library that has no constructor.
 */
#include "ingress/host/start.h"
#include "ingress/context/context_table.h"
#include "ingress/context/request.h"
#include "ingress/host/ask.h"
#include "ingress/host/options.h"
#include "ingress/host/submit.h"
#include "ingress/process/fork.h"
#include "ingress/threads/threads.h"
#include "ingress/waiting/wait.h"

static bool is_sound(const struct ingress_library *library)
{
	return library && library->abi == INGRESS_ABI && library->requests && library->context_end &&
	       (library->methods || !library->method_count) && (library->events || !library->event_count);
}

enum ingress_status ingress_library_check(const struct ingress_library *library, uint64_t interface_hash)
{
	if (!library)
		return INGRESS_BAD_ARGUMENT;
	return is_sound(library) && library->interface_hash == interface_hash ? INGRESS_OK : INGRESS_WRONG_INTERFACE;
}

enum ingress_status ingress__start_entry(const struct ingress_library *library, const struct ingress_options *options,
					 bool is_static, struct ingress__context **entry, ingress_token *token)
{
	struct ingress__context *context;
	struct ingress_options chosen;
	enum ingress_status status;

	if (!is_sound(library) || !ingress__options_choose(library, options, &chosen))
		return INGRESS_BAD_ARGUMENT;
	if (!ingress__fork_ready())
		return INGRESS_NO_MEMORY;
	status = ingress__context_table_take(library, is_static, &context);
	if (status != INGRESS_OK)
		return status;
	/* twice the depth, the next power of two: the destructor's request runs besides those of the hosts */
	if (!ingress__request_table_grow(context, chosen.queue_depth * 2) ||
	    !ingress__filed_grow(&context->filed, chosen.queue_depth) || !ingress__threads_start(context)) {
		ingress__context_table_put_back(context);
		return INGRESS_NO_MEMORY;
	}
	ingress__options_set(context, &chosen);
	*token = ingress__token_make(context->index, ingress__lanes_generation(&context->lanes));
	*entry = context;
	return INGRESS_OK;
}

/* Start a context and submit its constructor. *block as in ingress__submit_constructor(). */
static enum ingress_status start(const struct ingress_library *library, const struct ingress_options *options,
				 const struct ingress_call *constructor, ingress_token *token,
				 struct ingress__block **block)
{
	struct ingress__context *context;
	enum ingress_status status;
	int cancel;

	*token = 0;
	if (ingress__forked_inside())
		return INGRESS_CLOSED;
	cancel = ingress__hold_cancel();
	status = ingress__start_entry(library, options, false, &context, token);
	ingress__resume_cancel(cancel);
	if (status != INGRESS_OK)
		return status;
	status = ingress__submit_constructor(context, *token, constructor, block);
	if (status != INGRESS_OK) {
		*token = 0;
		ingress__context_table_put_back(context);
	}
	return status;
}

enum ingress_status ingress_context_start(const struct ingress_library *library, const struct ingress_options *options,
					  const struct ingress_call *constructor, ingress_token *token)
{
	if (!constructor || !token)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	INGRESS__ENTER(ingress__submit_refuse(constructor, INGRESS_REENTRANT));
	return start(library, options, constructor, token, NULL);
}

enum ingress_status ingress_context_create(const struct ingress_library *library, const struct ingress_options *options,
					   uint32_t method, uint32_t wire, const void *data, size_t bytes,
					   int64_t timeout_ns, ingress_token *token, struct ingress_answer *answer)
{
	const struct ingress_call call = { .method = method, .wire = wire, .data = data, .bytes = bytes };
	uint64_t deadline_ns = ingress__deadline_ns(timeout_ns);
	struct ingress__context *context;
	struct ingress__block *block;
	enum ingress_status status;
	ingress_token made;

	if (!token || !answer)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	INGRESS__ENTER(ingress__ask_text(answer, INGRESS_REENTRANT, wire));
	if (ingress__self.callbacks)
		return ingress__ask_text(answer, INGRESS_REENTRANT, wire);
	status = start(library, options, &call, &made, &block);
	if (status != INGRESS_OK)
		return ingress__ask_text(answer, status, wire);
	context = ingress__context_at(made);
	status = ingress__ask_finish(context, block, deadline_ns, wire, answer);
	if (status == INGRESS_OK)
		*token = made;
	else
		/* the constructor took too long; or it failed, then the context has ended and this does nothing */
		ingress__context_close(context, ingress__token_generation(made));
	return status;
}
