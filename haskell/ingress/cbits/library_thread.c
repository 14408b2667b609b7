/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library thread of a library in Haskell. It enters Haskell, and so takes a Capability, once for each batch of
 * requests that the core hands over, and not for each request.
 *
 * Answers of the library thread's own are kept until it has left Haskell again: the core gives replies by calling the
 * host, and a Capability must not be held up for as long as the host takes. Answers that are kept wait for the handlers
 * of later requests in the same batch, so they are given earlier in three cases: there are ANSWERS_MAX of them; the
 * first has waited for HELD_UP_NS; or the next request is of a method whose last call took longer than that. Then
 * Haskell calls ferry_haskell_give_answers() by a `safe` call.
 *
 * Fields of the thread are its own, but for `woken`.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pthread.h>

#include <ferry/ingress_haskell.h>

#include "runtime.h"

/* What Haskell exports: Ferry.Internal.Ingress.Entry. */
void ferry_haskell_enter_requests(HsStablePtr served, HsPtr requests, HsInt count);
void ferry_haskell_enter_turn(HsStablePtr served);
void ferry_haskell_enter_cancelled(HsStablePtr served, HsPtr request);
void ferry_haskell_enter_context_end(HsStablePtr served);
void ferry_haskell_enter_thread_end(HsStablePtr served);

/* How many answers are kept at most. */
#define ANSWERS_MAX 64
/* How long an answer is kept while handlers of other requests run, unless one of them takes longer by itself. */
#define HELD_UP_NS 50000u
/* An answer from this size on is lent to the core, if the buffer holds no other; smaller ones are copied. */
#define LEND_BYTES_LEAST ((size_t)16 << 10)
/* A buffer's memory is kept for the next batch up to this size. */
#define KEPT_BYTES_MAX ((size_t)256 << 10)
#define BUFFER_BYTES_LEAST 1024

/* An answer that is kept. */
struct kept_answer {
	struct ingress_request *request;
	uint32_t status;
	size_t offset;
	size_t count;
};

struct ferry_haskell_thread {
	struct ingress_provider *provider;
	pthread_t self;
	bool has_ended;
	bool is_first; /* of its library */
	HsStablePtr served;
	const char *why; /* NULL, or why every request is refused in this process */
	struct ferry_haskell_buffer buffer;
	struct ingress_request *serving; /* NULL once its answer was given */
	uint32_t method;		 /* of the request that is being served */
	uint64_t began_ns;		 /* when the request that is being served was begun */
	uint64_t first_ns;		 /* about when the first answer was kept */
	size_t answer_count;
	struct kept_answer answers[ANSWERS_MAX];
	/*
	 * Whether another thread wants ferry_haskell_turn() to enter Haskell. That thread stores what is to be done,
	 * then this, and then wakes the core:
	 *
	 *	library thread			another thread
	 *	takes the mark
	 *					stores what is to be done
	 *					sets the mark
	 *	does what is stored
	 *					ingress_provider_wake()
	 *	a turn with nothing to do
	 *
	 * Setting is a release and taking an acquire, so a mark that is taken is not taken before what it stands for.
	 */
	atomic_bool woken;
	uint8_t is_slow[]; /* of each method: its last call took longer than HELD_UP_NS */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- buffers --------------------------------------------------------------------------------------------------- */

int ferry_haskell_grow(struct ferry_haskell_buffer *buffer, size_t count)
{
	size_t used = buffer->base ? (size_t)(buffer->at - buffer->base) : 0;
	size_t size = buffer->base ? (size_t)(buffer->end - buffer->base) : BUFFER_BYTES_LEAST;
	uint8_t *base;

	if (count > SIZE_MAX / 4 - used)
		return -1;
	while (size - used < count)
		size *= 2;
	base = realloc(buffer->base, size);
	if (!base)
		return -1;
	*buffer = (struct ferry_haskell_buffer){ base, base + used, base + size };
	return 0;
}

static void free_answer(void *owner, const void *data, size_t bytes)
{
	(void)data;
	(void)bytes;
	free(owner);
}

/* Whether the answer is all that the buffer has, and worth to be lent. */
static bool is_lent(const struct ferry_haskell_buffer *buffer, size_t offset, size_t count)
{
	return offset == 0 && count >= LEND_BYTES_LEAST && buffer->at == buffer->base + count;
}

/* ---- answers --------------------------------------------------------------------------------------------------- */

void ferry_haskell_give_answers(struct ferry_haskell_thread *thread)
{
	struct ferry_haskell_buffer *buffer = &thread->buffer;

	for (size_t i = 0; i < thread->answer_count; i++) {
		const struct kept_answer *answer = &thread->answers[i];
		const void *data = buffer->base ? buffer->base + answer->offset : NULL;

		/* it may have been answered before its method has returned, and its memory is another's then */
		if (answer->request == thread->serving)
			thread->serving = NULL;
		if (is_lent(buffer, answer->offset, answer->count)) {
			*buffer = (struct ferry_haskell_buffer){ NULL, NULL, NULL };
			ingress_answer_post(answer->request, answer->status, data, answer->count, free_answer,
					    (void *)data);
		} else {
			ingress_answer_post(answer->request, answer->status, data, answer->count, NULL, NULL);
		}
	}
	thread->answer_count = 0;
	if (buffer->base && (size_t)(buffer->end - buffer->base) > KEPT_BYTES_MAX) {
		free(buffer->base);
		*buffer = (struct ferry_haskell_buffer){ NULL, NULL, NULL };
	}
	buffer->at = buffer->base;
}

int ferry_haskell_keep_answer(struct ferry_haskell_thread *thread, struct ingress_request *request, uint32_t status,
			      size_t offset, size_t count)
{
	thread->answers[thread->answer_count++] = (struct kept_answer){ request, status, offset, count };
	/* a handler may give the answers of any number of earlier requests */
	return thread->answer_count == ANSWERS_MAX;
}

void ferry_haskell_post(struct ingress_request *request, uint32_t status, struct ferry_haskell_buffer *buffer)
{
	ingress_answer_post(request, status, buffer->base, buffer->base ? (size_t)(buffer->at - buffer->base) : 0,
			    free_answer, buffer->base);
}

/* ---- what Haskell asks ----------------------------------------------------------------------------------------- */

struct ferry_haskell_buffer *ferry_haskell_buffer_of(struct ferry_haskell_thread *thread)
{
	/* a later thread may have the same number, but not before this one has ended */
	return pthread_equal(pthread_self(), thread->self) && !thread->has_ended ? &thread->buffer : NULL;
}

struct ingress_provider *ferry_haskell_provider(struct ferry_haskell_thread *thread)
{
	return thread->provider;
}

/* The request that was being served has been. */
static void end_serving(struct ferry_haskell_thread *thread, uint64_t now)
{
	if (thread->began_ns)
		thread->is_slow[thread->method] = now - thread->began_ns > HELD_UP_NS;
	thread->serving = NULL;
	thread->began_ns = 0;
}

int ferry_haskell_serve(struct ferry_haskell_thread *thread, struct ingress_request *request)
{
	uint64_t now = now_ns();

	end_serving(thread, now);
	thread->serving = request;
	thread->method = request->method;
	thread->began_ns = now;
	if (!thread->answer_count)
		thread->first_ns = now;
	return thread->answer_count && (thread->answer_count >= ANSWERS_MAX / 2 ||
					now - thread->first_ns > HELD_UP_NS || thread->is_slow[request->method]);
}

int ferry_haskell_cancelled(struct ferry_haskell_thread *thread)
{
	return ferry_haskell_buffer_of(thread) && thread->serving && ingress_request_cancelled(thread->serving);
}

void ferry_haskell_wake(struct ferry_haskell_thread *thread)
{
	/* release: what is to be done */
	atomic_store_explicit(&thread->woken, true, memory_order_release);
	ingress_provider_wake(thread->provider);
}

/* ---- what the core calls --------------------------------------------------------------------------------------- */

static void cancelled(void *state, struct ingress_request *request)
{
	struct ferry_haskell_thread *thread = state;

	ferry_haskell_enter_cancelled(thread->served, request);
	ferry_haskell_give_answers(thread);
}

int ferry_haskell_thread_begin(struct ingress_provider *provider, void **state)
{
	/* the core has the library by the address of its first member */
	const struct ferry_haskell_library *library =
		(const struct ferry_haskell_library *)ingress_provider_library(provider);
	uint32_t methods = library->library.method_count;
	struct ferry_haskell_thread *thread;

	thread = calloc(1, sizeof(*thread) + methods);
	if (!thread)
		return -1;
	thread->provider = provider;
	thread->self = pthread_self();
	*state = thread;
	thread->why = ferry_haskell_runtime_start();
	if (thread->why)
		return 0;
	thread->served = library->begin(thread);
	if (!thread->served) {
		free(thread);
		return -1;
	}
	/* relaxed: nothing comes with it */
	thread->is_first = !atomic_flag_test_and_set_explicit(library->has_begun, memory_order_relaxed);
	ingress_cancel_watch(provider, cancelled, thread);
	return 0;
}

/* Answer requests in a process in which the runtime system cannot run. */
static void refuse(const char *why, struct ingress_request *const *requests, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ingress_answer_post(requests[i], INGRESS_FAILED, why, strlen(why), NULL, NULL);
}

void ferry_haskell_requests(void *state, struct ingress_request *const *requests, size_t count)
{
	struct ferry_haskell_thread *thread = state;

	if (thread->why) {
		refuse(thread->why, requests, count);
		return;
	}
	ferry_haskell_enter_requests(thread->served, (void *)requests, (HsInt)count);
	end_serving(thread, now_ns());
	ferry_haskell_give_answers(thread);
}

int64_t ferry_haskell_turn(void *state)
{
	struct ferry_haskell_thread *thread = state;

	/* relaxed: a look that costs nothing; a mark that it misses is seen in the next turn */
	if (!atomic_load_explicit(&thread->woken, memory_order_relaxed))
		return INGRESS_FOREVER;
	/* acquire: what other threads have stored */
	atomic_exchange_explicit(&thread->woken, false, memory_order_acq_rel);
	ferry_haskell_enter_turn(thread->served);
	ferry_haskell_give_answers(thread);
	return INGRESS_FOREVER;
}

void ferry_haskell_context_end(void *state)
{
	struct ferry_haskell_thread *thread = state;

	if (thread->why)
		return;
	ferry_haskell_enter_context_end(thread->served);
	ferry_haskell_give_answers(thread);
}

void ferry_haskell_thread_end(void *state)
{
	struct ferry_haskell_thread *thread = state;
	/*
	 * A thread of the author's may keep a Context for as long as it likes, and asks with it whose thread it is
	 * on: so the memory of the thread is Haskell's to free, when nothing refers to it any more.
	 */
	thread->has_ended = true;
	if (thread->why)
		free(thread);
	else if (!thread->is_first)
		ferry_haskell_enter_thread_end(thread->served);
	/*
	 * What the first thread has in Haskell is kept for ever: it refers to all that the library's functions stand
	 * on. The collector would take that between two library threads, since GHC's runtime system does not know of
	 * what a library exports that was loaded after it was started.
	 */
}

void ferry_haskell_thread_free(struct ferry_haskell_thread *thread)
{
	free(thread->buffer.base);
	free(thread);
}
