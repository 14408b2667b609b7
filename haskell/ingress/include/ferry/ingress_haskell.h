/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries in Haskell, between the core of the ingress and GHC's runtime system. `ferry bindgen --provider haskell`
 * writes a struct ferry_haskell_library; the rest is for the package ferry-ingress itself.
 */
#ifndef FERRY_INGRESS_HASKELL_H
#define FERRY_INGRESS_HASKELL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <HsFFI.h>
#include <ferry/ingress_provider.h>

/* A library thread, as the core's functions get it. */
struct ferry_haskell_thread;

/* A library, as the core knows it, and what begins its part of a library thread in Haskell. */
struct ferry_haskell_library {
	struct ingress_library library;
	HsStablePtr (*begin)(HsPtr thread);
	atomic_flag *has_begun; /* one of the library's own: whether a library thread of it has begun */
};

/* Functions of struct ingress_library. */
int ferry_haskell_thread_begin(struct ingress_provider *provider, void **state);
void ferry_haskell_requests(void *state, struct ingress_request *const *requests, size_t count);
int64_t ferry_haskell_turn(void *state);
void ferry_haskell_context_end(void *state);
void ferry_haskell_thread_end(void *state);

/* ---- for the package ------------------------------------------------------------------------------------------- */

/* Memory that messages are written into, one behind the other: Ferry.Internal.Ingress.Writer has the same words. */
struct ferry_haskell_buffer {
	uint8_t *base;
	uint8_t *at;
	uint8_t *end;
};

/* Make room for `count` bytes more. Returns 0 or -1: no memory. */
int ferry_haskell_grow(struct ferry_haskell_buffer *buffer, size_t count);

/* The buffer of the library thread, or NULL: the caller is another thread. */
struct ferry_haskell_buffer *ferry_haskell_buffer_of(struct ferry_haskell_thread *thread);

struct ingress_provider *ferry_haskell_provider(struct ferry_haskell_thread *thread);

/*
 * The library thread is about to serve this request, which is of the last batch. Returns whether the answers that are
 * kept have to be given first.
 */
int ferry_haskell_serve(struct ferry_haskell_thread *thread, struct ingress_request *request);
/* Whether nobody waits any more for the request that the library thread is serving. */
int ferry_haskell_cancelled(struct ferry_haskell_thread *thread);

/*
 * Answer with bytes of the library thread's buffer, from an offset on. The answer is kept until the thread has left
 * Haskell, or until ferry_haskell_give_answers(), which has to come at once when this returns 1. Library thread only.
 */
int ferry_haskell_keep_answer(struct ferry_haskell_thread *thread, struct ingress_request *request, uint32_t status,
			      size_t offset, size_t count);
void ferry_haskell_give_answers(struct ferry_haskell_thread *thread);

/* Answer with a whole buffer, whose memory is the core's from now on; by any thread but the library thread. */
void ferry_haskell_post(struct ingress_request *request, uint32_t status, struct ferry_haskell_buffer *buffer);

/* Have ferry_haskell_turn() enter Haskell soon; by any thread. */
void ferry_haskell_wake(struct ferry_haskell_thread *thread);

/* Nothing refers to the thread any more, which has ended. */
void ferry_haskell_thread_free(struct ferry_haskell_thread *thread);

#endif /* FERRY_INGRESS_HASKELL_H */
