/* SPDX-License-Identifier: BSD-3-Clause */
/* See threads.h. */
#include "ingress/threads/threads.h"
#include "ingress/threads/event_thread.h"
#include "ingress/threads/library_thread.h"
#include "ingress/waiting/eventcount.h"

#include <signal.h>

/* Threads of the core block all signals: signals are the program's. */
static int start_thread(pthread_t *thread, void *(*run)(void *), struct ingress__context *context)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

/* Wait until the library thread has called thread_begin(). Returns 1 if that succeeded, else -1. */
static int wait_for_begin(struct ingress__context *context)
{
	for (;;) {
		uint32_t life = ingress__eventcount_read(&context->life);
		/* acquire: what the library thread did there */
		int begun = atomic_load_explicit(&context->begun, memory_order_acquire);

		if (begun)
			return begun;
		thread__futex_wait(&context->life, life, UINT64_MAX);
	}
}

bool ingress__threads_start(struct ingress__context *context)
{
	if (context->has_threads)
		return true;
	/* relaxed: the thread is made after it */
	atomic_store_explicit(&context->begun, 0, memory_order_relaxed);
	if (start_thread(&context->event_thread, ingress__event_thread, context))
		return false;
	if (start_thread(&context->library_thread, ingress__library_thread, context)) {
		ingress__event_thread_stop(context);
		return false;
	}
	if (wait_for_begin(context) < 0) {
		pthread_join(context->library_thread, NULL);
		ingress__event_thread_stop(context);
		return false;
	}
	context->has_threads = true;
	return true;
}
