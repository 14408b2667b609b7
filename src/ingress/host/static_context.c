/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The static context of a library, in which its static methods run. It never ends. The first thread that asks for it
 * starts it; other threads that ask meanwhile wait on an eventcount, and hold no lock.
 */
#include "ingress/context/context_table.h"
#include "ingress/host/start.h"
#include "ingress/process/fork.h"
#include "ingress/waiting/eventcount.h"

/* An eventcount that advances when a static context, of any library, was started or could not be. */
static _Atomic uint32_t started;

/*
 * Under the table's lock, which this gives back while it waits: wait until no thread is starting the static context of
 * this library.
 */
static void wait_until_settled(const struct ingress__library_record *record)
{
	for (;;) {
		uint32_t seen = ingress__eventcount_read(&started);

		if (!record->is_starting)
			return;
		ingress__unlock(&ingress__context_table_lock);
		thread__futex_wait(&started, seen, UINT64_MAX);
		ingress__lock(&ingress__context_table_lock);
	}
}

/* Whether this is the library thread of the static context that is being started: then it would wait for itself. */
static bool begins_static(const struct ingress_library *library)
{
	const struct ingress__context *own = ingress__self.library_of;

	return own && own->library == library && !atomic_load_explicit(&own->begun, memory_order_relaxed) &&
	       atomic_load_explicit(&own->is_static, memory_order_relaxed);
}

static enum ingress_status start_static(struct ingress__library_record *record, ingress_token *token)
{
	struct ingress__context *context;
	enum ingress_status status = ingress__start_entry(record->library, NULL, true, &context, token);

	/* release: from here on the token is good */
	if (status == INGRESS_OK)
		atomic_store_explicit(&context->token, *token, memory_order_release);
	ingress__lock(&ingress__context_table_lock);
	record->static_token = *token;
	record->is_starting = false;
	ingress__unlock(&ingress__context_table_lock);
	ingress__eventcount_advance(&started);
	return status;
}

enum ingress_status ingress_static_context(const struct ingress_library *library, ingress_token *token)
{
	struct ingress__library_record *record;
	enum ingress_status status = INGRESS_NO_MEMORY;
	bool starts = false;
	int cancel;

	if (!token || !library)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	INGRESS__ENTER(INGRESS_REENTRANT);
	if (ingress__forked_inside())
		return INGRESS_CLOSED;
	if (begins_static(library))
		return INGRESS_REENTRANT;
	cancel = ingress__hold_cancel();
	record = ingress__fork_ready() ? ingress__library_record_of(library) : NULL;
	if (record) {
		ingress__lock(&ingress__context_table_lock);
		wait_until_settled(record);
		*token = record->static_token;
		starts = record->is_starting = !*token;
		ingress__unlock(&ingress__context_table_lock);
		status = starts ? start_static(record, token) : INGRESS_OK;
	}
	ingress__resume_cancel(cancel);
	return status;
}
