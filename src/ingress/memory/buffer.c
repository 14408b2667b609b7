/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See buffer.h. Each size has what is free of it under a lock. A thread that cannot get the lock soon does without: it
 * takes a buffer from the allocator, and pushes one that it gives to a stack, which the next thread with the lock
 * empties whole. It does not wait for the lock, since the holder may be suspended.
 *
 * Free buffers are kept in a list, of up to INGRESS__BUFFERS_KEPT_BYTES, which takes no more cache lines than the
 * lock's and the buffer's own. That many come from the allocator. Further ones of up to 64 KiB come from *spans*, which
 * are mappings of their own, and go home to them when the list is full, since an allocator keeps what it gets back:
 * after 400,000 payloads of 400 bytes glibc kept 290 MB. A span is in one of these states:
 *
 *	full	no buffer of it has come home; it is in no list
 *	partial	some have; it is in a list linked both ways
 *	idle	all have; it is in a list linked by `next`, and may be unmapped
 *
 * A buffer is taken from the list, or else from a partial span, from an idle one, or from a new one. An event thread
 * unmaps idle spans, as many as were free at each moment of the last INGRESS__TRIM_NS (heap_trim.h). First it empties
 * the list, since the buffers in it may lie in as many spans as there are. So a host that has many buffers under way
 * again and again pays for no page twice, and of those who take and give nobody waits for a system call but the thread
 * that maps a span.
 *
 * A buffer of more than 64 KiB is the allocator's again when the list is full.
 */
#include "ingress/memory/buffer.h"
#include "ingress/limits.h"

#include "thread/processor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Buffers have 2^n bytes behind a header; the least n, how many sizes there are, and how many lie in spans. */
#define BUFFER_LEAST_BITS 9
#define BUFFER_SIZES 14
#define SPAN_SIZES 8
#define SPAN_BYTES ((size_t)1 << 20)
#define KEPT_SPANS (INGRESS__BUFFERS_KEPT_BYTES / SPAN_BYTES)

struct buffer {
	struct buffer *next;
	struct span *span; /* NULL: it is the allocator's */
	uint32_t size;	   /* index in `sizes`, or BUFFER_SIZES when it is not kept */
	_Alignas(INGRESS__LINE_BYTES) unsigned char data[];
};

/* The head of a mapping of SPAN_BYTES; its buffers lie behind it. Under the lock of its size. */
struct span {
	struct span *next, *previous;
	struct buffer *free;
	uint32_t used;	 /* buffers that are not free */
	uint32_t carved; /* buffers that were ever used; they are the first ones */
	uint32_t count;	 /* buffers */
	bool is_listed;	 /* whether it is partial */
};

static struct size {
	/* In one cache line: what a thread that takes or gives a buffer uses. */
	_Alignas(INGRESS__LINE_BYTES) struct buffer *first; /* the list of kept buffers */
	uint32_t count;					    /* of these */
	uint32_t allocated;   /* buffers that are the allocator's, if the size has spans */
	pthread_mutex_t lock; /* 40 bytes on x86-64, 48 on aarch64 */
	/* Given by threads that did not get the lock. The stack is only ever emptied whole: there is no ABA problem. */
	_Atomic(struct buffer *) deferred;
	/* In the next cache line: what is behind the list. */
	_Alignas(INGRESS__LINE_BYTES) struct span *partial;
	struct span *idle;
	uint32_t idle_count;
	uint32_t home, home_least; /* free buffers in spans now, and at least since home_since_ns */
	uint64_t home_since_ns;
} sizes[BUFFER_SIZES] = { [0 ... BUFFER_SIZES - 1] = { .lock = PTHREAD_MUTEX_INITIALIZER } };
_Static_assert(offsetof(struct size, deferred) <= INGRESS__LINE_BYTES, "the list is in the line of its lock");

void ingress__buffers_lock(void)
{
	for (size_t size = 0; size < BUFFER_SIZES; size++)
		pthread_mutex_lock(&sizes[size].lock);
}

void ingress__buffers_unlock(void)
{
	for (size_t size = BUFFER_SIZES; size--;)
		pthread_mutex_unlock(&sizes[size].lock);
}

static uint32_t buffer_size(size_t bytes)
{
	uint32_t size = 0;

	while (size < BUFFER_SIZES && bytes > (size_t)1 << (BUFFER_LEAST_BITS + size))
		size++;
	return size;
}

/* ---- spans: the caller has the lock ------------------------------------------------------------------------------ */

/*
 * Buffers begin at pairs of cache lines, of which processors fetch the second with the first: else a thread that fills
 * one would take a line from the thread that reads the one before it.
 */
#define PAIR_BYTES (2 * INGRESS__LINE_BYTES)

static size_t stride(uint32_t size)
{
	return PAIR_BYTES + ((size_t)1 << (BUFFER_LEAST_BITS + size));
}

/* Whether so many buffers are as many as are kept. */
static bool is_enough(uint32_t count, uint32_t size)
{
	return (uint64_t)count << (BUFFER_LEAST_BITS + size) >= INGRESS__BUFFERS_KEPT_BYTES;
}

static void list_partial(struct size *of, struct span *span)
{
	span->is_listed = true;
	span->previous = NULL;
	span->next = of->partial;
	if (span->next)
		span->next->previous = span;
	of->partial = span;
}

static void unlist_partial(struct size *of, struct span *span)
{
	span->is_listed = false;
	*(span->previous ? &span->previous->next : &of->partial) = span->next;
	if (span->next)
		span->next->previous = span->previous;
}

static bool is_full(const struct span *span)
{
	return !span->free && span->carved == span->count;
}

/* A free buffer of a span. Its memory may never have been touched, so its head is still to be written. */
static struct buffer *take_from(struct span *span, uint32_t size)
{
	struct buffer *buffer = span->free;

	span->used++;
	if (buffer) {
		span->free = buffer->next;
		sizes[size].home--;
		if (sizes[size].home < sizes[size].home_least)
			sizes[size].home_least = sizes[size].home;
	} else
		buffer = (struct buffer *)((unsigned char *)span + PAIR_BYTES + span->carved++ * stride(size));
	return buffer;
}

/* The span from which the next buffer is taken, partial from now on; NULL: a new one is needed. */
static struct span *span_to_take_from(struct size *of)
{
	struct span *span = of->partial;

	if (span || !of->idle)
		return span;
	span = of->idle;
	of->idle = span->next;
	of->idle_count--;
	list_partial(of, span);
	return span;
}

static void put_home(struct size *of, struct buffer *buffer)
{
	struct span *span = buffer->span;

	buffer->next = span->free;
	span->free = buffer;
	span->used--;
	of->home++;
	if (!span->used) {
		if (span->is_listed)
			unlist_partial(of, span);
		span->next = of->idle;
		of->idle = span;
		of->idle_count++;
	} else if (!span->is_listed) {
		list_partial(of, span);
	}
}

/* ---- the lock ---------------------------------------------------------------------------------------------------- */

/* How often a thread tries to get the lock of a size, whose holder runs only a few instructions. */
#define LOCK_TRIES 64u

/* Take the lock of a size. False: its holder seems to be suspended. */
static bool lock_size(uint32_t size)
{
	struct size *of = &sizes[size];
	struct buffer *buffer;

	for (uint32_t tries = 0; pthread_mutex_trylock(&of->lock) != 0; tries++) {
		if (tries == LOCK_TRIES)
			return false;
		thread__relax();
	}
	/* relaxed: what is pushed after this look waits for the next thread with the lock */
	if (__builtin_expect(!atomic_load_explicit(&of->deferred, memory_order_relaxed), 1))
		return true;
	/* acquire: the threads that gave them are done with them */
	buffer = atomic_exchange_explicit(&of->deferred, NULL, memory_order_acquire);
	while (buffer) {
		struct buffer *next = buffer->next;

		put_home(of, buffer);
		buffer = next;
	}
	return true;
}

static void unlock_size(uint32_t size)
{
	pthread_mutex_unlock(&sizes[size].lock);
}

/* Give a buffer of a span without the lock. */
static void defer(struct buffer *buffer)
{
	struct size *of = &sizes[buffer->size];

	buffer->next = atomic_load_explicit(&of->deferred, memory_order_relaxed);
	/* release: all uses of the buffer come before the next */
	while (!atomic_compare_exchange_weak_explicit(&of->deferred, &buffer->next, buffer, memory_order_release,
						      memory_order_relaxed))
		;
}

/* ---- taking and giving ------------------------------------------------------------------------------------------- */

/* A new span, of which nobody knows; NULL: no memory. */
static struct span *map_span(uint32_t size)
{
	struct span *span = mmap(NULL, SPAN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	_Static_assert(sizeof(*span) <= PAIR_BYTES, "a span's head lies before its first buffer");
	if (span == MAP_FAILED)
		return NULL;
	span->count = (uint32_t)((SPAN_BYTES - PAIR_BYTES) / stride(size));
	return span;
}

/* A buffer of a new span; NULL: no memory. */
static struct buffer *take_mapped(uint32_t size)
{
	struct span *span = map_span(size);
	struct buffer *buffer;

	if (!span)
		return NULL;
	buffer = take_from(span, size);
	/* without the lock the span stays in no list, as a full one, until a buffer of it comes home */
	if (lock_size(size)) {
		list_partial(&sizes[size], span);
		unlock_size(size);
	}
	buffer->span = span;
	return buffer;
}

/* A free buffer of a size, or a new one in a span; NULL: there is none, or another thread has the lock. */
static struct buffer *take_free(uint32_t size)
{
	struct size *of = &sizes[size];
	struct buffer *buffer;
	struct span *span;
	bool needs_span;

	if (!lock_size(size))
		return NULL;
	buffer = of->first;
	if (__builtin_expect(buffer != NULL, 1)) {
		of->first = buffer->next;
		of->count--;
		unlock_size(size);
		return buffer;
	}
	span = span_to_take_from(of);
	needs_span = !span && size < SPAN_SIZES && is_enough(of->allocated, size);
	of->allocated += !span && !needs_span;
	if (span) {
		buffer = take_from(span, size);
		if (is_full(span))
			unlist_partial(of, span);
	}
	unlock_size(size);
	/* a page fault comes here, where no other thread waits for it */
	if (span)
		buffer->span = span;
	else if (needs_span)
		buffer = take_mapped(size);
	return buffer;
}

void *ingress__buffer_take(size_t bytes)
{
	uint32_t size = buffer_size(bytes);
	struct buffer *buffer = NULL;

	if (size < BUFFER_SIZES) {
		bytes = (size_t)1 << (BUFFER_LEAST_BITS + size);
		buffer = take_free(size);
	}
	if (!buffer) {
		size_t size_with_header;

		if (bytes > SIZE_MAX / 2)
			return NULL;
		size_with_header =
			(sizeof(*buffer) + bytes + INGRESS__LINE_BYTES - 1) & ~(size_t)(INGRESS__LINE_BYTES - 1);

		buffer = aligned_alloc(INGRESS__LINE_BYTES, size_with_header);
		if (!buffer)
			return NULL;
		buffer->span = NULL;
	}
	buffer->size = size;
	return buffer->data;
}

bool ingress__buffer_give(void *data)
{
	struct buffer *buffer;
	struct size *of;
	uint32_t size;
	bool is_many;

	if (!data)
		return false;
	buffer = (struct buffer *)((unsigned char *)data - offsetof(struct buffer, data));
	size = buffer->size;
	if (size == BUFFER_SIZES || !lock_size(size)) {
		if (buffer->span)
			defer(buffer);
		else
			free(buffer);
		return false;
	}
	of = &sizes[size];
	if (__builtin_expect(!is_enough(of->count, size), 1)) {
		buffer->next = of->first;
		of->first = buffer;
		of->count++;
		unlock_size(size);
		return false;
	}
	if (buffer->span)
		put_home(of, buffer);
	else if (of->allocated)
		of->allocated--;
	is_many = is_enough(of->home, size);
	unlock_size(size);
	if (!buffer->span)
		free(buffer);
	return is_many;
}

/* ---- trimming ---------------------------------------------------------------------------------------------------- */

/* How much the event thread does before it gives up the lock. */
enum { BUFFERS_AT_ONCE = 64, SPANS_AT_ONCE = 16 };

/* Empty the list of kept buffers: they go home. */
static void send_home(uint32_t size)
{
	struct size *of = &sizes[size];
	struct buffer *buffer;

	if (!lock_size(size))
		return;
	buffer = of->first;
	of->first = NULL;
	of->count = 0;
	unlock_size(size);
	while (buffer) {
		bool is_locked = lock_size(size);

		for (uint32_t i = 0; buffer && i < BUFFERS_AT_ONCE; i++) {
			struct buffer *next = buffer->next;

			if (!buffer->span) {
				of->allocated -= is_locked && of->allocated;
				free(buffer);
			} else if (is_locked)
				put_home(of, buffer);
			else
				defer(buffer);
			buffer = next;
		}
		if (is_locked)
			unlock_size(size);
	}
}

/* Unmap idle spans that have up to `surplus` buffers, but for those that are kept. */
static void unmap_idle(uint32_t size, uint32_t surplus)
{
	struct size *of = &sizes[size];

	for (;;) {
		struct span *spans[SPANS_AT_ONCE];
		uint32_t count = 0;

		if (!lock_size(size))
			return;
		while (count < SPANS_AT_ONCE && of->idle_count > KEPT_SPANS && of->idle->carved <= surplus) {
			struct span *span = spans[count++] = of->idle;

			of->idle = span->next;
			of->idle_count--;
			of->home -= span->carved;
			surplus -= span->carved;
		}
		if (of->home < of->home_least)
			of->home_least = of->home;
		unlock_size(size);
		if (!count)
			return;
		while (count--)
			munmap(spans[count], SPAN_BYTES);
	}
}

static bool trim_size(uint32_t size, uint64_t now_ns, bool at_once)
{
	struct size *of = &sizes[size];
	uint32_t surplus = 0;
	bool is_over, is_due;

	if (!lock_size(size))
		return at_once;
	/* nothing of the size has come home */
	is_over = !of->partial && !of->idle;
	is_due = !is_over && (at_once || now_ns - of->home_since_ns >= INGRESS__TRIM_NS);
	if (is_due) {
		surplus = at_once ? UINT32_MAX : of->home_least;
		of->home_least = of->home;
		of->home_since_ns = now_ns;
	}
	unlock_size(size);
	if (is_due) {
		send_home(size);
		unmap_idle(size, surplus);
		if (lock_size(size)) {
			is_over = of->idle_count <= KEPT_SPANS;
			unlock_size(size);
		}
	}
	return is_over || at_once;
}

bool ingress__buffers_trim(uint64_t now_ns, bool at_once)
{
	bool is_over = true;

	for (uint32_t size = 0; size < SPAN_SIZES; size++)
		is_over &= trim_size(size, now_ns, at_once);
	return is_over;
}

void ingress__buffers_watch(uint64_t now_ns)
{
	for (uint32_t size = 0; size < SPAN_SIZES; size++) {
		struct size *of = &sizes[size];

		if (!lock_size(size))
			continue;
		/* unless another heap's trimming watches already */
		if (now_ns - of->home_since_ns >= 2 * INGRESS__TRIM_NS) {
			of->home_least = of->home;
			of->home_since_ns = now_ns;
		}
		unlock_size(size);
	}
}
