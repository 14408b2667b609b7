/* SPDX-License-Identifier: BSD-3-Clause */
/* The two threads of a place: started with its first context, ended when enough others of the library are idle. */
#include "context.h"

#include <signal.h>

/* Threads of ours take no signals: those are the program's. */
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

void ingress__event_thread_stop(struct ingress__context *context)
{
	atomic_store_explicit(&context->stopping, true, memory_order_seq_cst);
	ingress__event_thread_wake(context);
	pthread_join(context->event_thread, NULL);
	atomic_store_explicit(&context->stopping, false, memory_order_relaxed);
}

bool ingress__threads_start(struct ingress__context *context)
{
	int begun;

	if (context->has_threads)
		return true;
	context->begun = 0;
	if (start_thread(&context->event_thread, ingress__event_thread, context))
		return false;
	if (start_thread(&context->library_thread, ingress__library_thread, context)) {
		ingress__event_thread_stop(context);
		return false;
	}
	pthread_mutex_lock(&context->life_lock);
	while (!(begun = context->begun))
		pthread_cond_wait(&context->life_changed, &context->life_lock);
	pthread_mutex_unlock(&context->life_lock);
	if (begun < 0) {
		pthread_join(context->library_thread, NULL);
		ingress__event_thread_stop(context);
		return false;
	}
	context->has_threads = true;
	return true;
}
