/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hosts that are told when an event thread ends. A watcher that stops watching may be gone afterwards, so it waits
 * until no thread is telling:
 *
 *	event thread				watcher
 *	telling += 1				ended = NULL
 *	reads `ended`, calls it			waits until telling is 0
 *	telling -= 1, wakes
 *
 * All four accesses are seq_cst, so either the event thread finds no function or the watcher finds it telling.
 *
 * There is no lock, since a child of a fork could find it locked for ever.
 */
#include "ingress/process/event_thread_watch.h"
#include "ingress/limits.h"
#include "ingress/self/reentrancy.h"
#include "ingress/self/self.h"

#include "thread/futex.h"

#include <ferry/ingress.h>

#include <limits.h>
#include <stdatomic.h>

static struct watcher {
	/* Whether somebody has this entry. */
	_Atomic bool is_taken;
	_Atomic(ingress_end_fn *) ended;
	void *user;
} watchers[INGRESS__WATCHERS_MAX];

/* How many event threads are telling. */
static _Atomic uint32_t telling;

enum ingress_status ingress_event_threads_watch(ingress_end_fn *ended, void *user)
{
	INGRESS__ENTER(INGRESS_REENTRANT);
	if (!ended)
		return INGRESS_BAD_ARGUMENT;
	for (unsigned i = 0; i < INGRESS__WATCHERS_MAX; i++) {
		/* acquire: the last owner of the entry is done with it */
		if (atomic_exchange_explicit(&watchers[i].is_taken, true, memory_order_acquire))
			continue;
		watchers[i].user = user;
		/* publishes `user` too */
		atomic_store_explicit(&watchers[i].ended, ended, memory_order_seq_cst);
		return INGRESS_OK;
	}
	return INGRESS_NO_MEMORY;
}

enum ingress_status ingress_event_threads_unwatch(ingress_end_fn *ended, void *user)
{
	uint32_t now;

	INGRESS__ENTER(INGRESS_REENTRANT);
	/* an event thread may be one of those that this would wait for */
	if (ingress__self.events_of)
		return INGRESS_REENTRANT;
	for (unsigned i = 0; i < INGRESS__WATCHERS_MAX; i++) {
		ingress_end_fn *found = ended;

		/* relaxed: the function's own watcher has stored both before */
		if (atomic_load_explicit(&watchers[i].ended, memory_order_relaxed) != ended || !ended ||
		    watchers[i].user != user ||
		    !atomic_compare_exchange_strong_explicit(&watchers[i].ended, &found, NULL, memory_order_seq_cst,
							     memory_order_relaxed))
			continue;
		while ((now = atomic_load_explicit(&telling, memory_order_seq_cst)))
			thread__futex_wait(&telling, now, UINT64_MAX);
		/* release: with the acquire of the next owner */
		atomic_store_explicit(&watchers[i].is_taken, false, memory_order_release);
		return INGRESS_OK;
	}
	return INGRESS_BAD_ARGUMENT;
}

void ingress__event_thread_tell(void)
{
	int inside = ingress__call_out();

	atomic_fetch_add_explicit(&telling, 1, memory_order_seq_cst);
	for (unsigned i = 0; i < INGRESS__WATCHERS_MAX; i++) {
		ingress_end_fn *ended = atomic_load_explicit(&watchers[i].ended, memory_order_seq_cst);

		if (ended)
			ended(watchers[i].user);
	}
	atomic_fetch_sub_explicit(&telling, 1, memory_order_seq_cst);
	thread__futex_wake(&telling, INT_MAX);
	ingress__call_returned(inside);
}

void ingress__event_thread_watch_forget(void)
{
	/* relaxed: there is one thread */
	atomic_store_explicit(&telling, 0, memory_order_relaxed);
}
