/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks, the heaps that threads take them from, and buffers for large payloads. See block.h.
 *
 * Blocks that a library thread sends home travel in magazines: one block that lists up to 31 others in its payload.
 * Neither side then has to touch each block's own cache line to follow a list through it, and the heap's thread knows
 * ahead which lines it will need.
 *
 * Race, a block comes home while its heap's thread takes the stack of those that came home:
 *
 *	another thread					the heap's thread
 *	block->next = returned
 *							exchange(returned, 0)		(acquire)
 *	compare-and-swap returned: fails
 *	block->next = 0; compare-and-swap	(release)
 *
 * The stack is only ever emptied whole, so a head that was seen twice is the same list.
 */
#include "block.h"
#include "fork.h"
#include "inside.h"
#include "wait.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK_BYTES (INGRESS__CHUNK_BLOCKS * sizeof(struct ingress__block))
#define CHUNKS_MAX (INGRESS__BLOCKS_MAX / INGRESS__CHUNK_BLOCKS)
/* Chunks in a span. */
#define SPAN_CHUNKS ((uint32_t)(INGRESS__SPAN_BYTES / CHUNK_BYTES))
/* Indices in a magazine. */
#define MAGAZINE 31u
/* Buffers have 2^n bytes, a header before them; the least n and how many sizes there are. */
#define BUFFER_LEAST_BITS 9
#define BUFFER_SIZES 14

struct ingress__heap {
	/* Its thread's: free blocks linked by next, magazines linked by next, and what was in the last magazine. */
	uint32_t free;
	uint32_t magazines;
	uint32_t stock_count;
	uint32_t stock[MAGAZINE];
	uint32_t number;					 /* heaps made before this one */
	uint32_t chunks;					 /* that it has */
	uint32_t fresh, fresh_end;				 /* indices of blocks that were never used */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t returned; /* likewise; pushed by anybody */
	struct ingress__heap *next;				 /* of those whose thread has gone */
};

struct buffer {
	struct buffer *next;
	uint32_t size; /* its place in `kept`, or BUFFER_SIZES when it is none of those */
	_Alignas(INGRESS__LINE_BYTES) unsigned char data[];
};

__thread struct ingress__self ingress__self;

/* Pointers are stored (release) before an index of theirs is known to anybody. */
static _Atomic(struct ingress__block *) chunks[CHUNKS_MAX];
static _Atomic uint32_t chunk_count;
static _Atomic(struct ingress__heap *) idle_heaps;
static _Atomic uint32_t heap_count;
static pthread_key_t heap_key;
static bool has_heap_key;

/* What this thread keeps back. */
static __thread struct {
	struct ingress__heap *heap;
	uint32_t count;
	uint32_t indices[MAGAZINE + 1];
} held;

static struct {
	_Alignas(INGRESS__LINE_BYTES) pthread_mutex_t lock;
	struct buffer *first;
	uint32_t count;
} kept[BUFFER_SIZES] = { [0 ... BUFFER_SIZES - 1] = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 } };

/* ---- fork.h ------------------------------------------------------------------------------------------------------ */

void ingress__blocks_lock(void)
{
	for (size_t size = 0; size < BUFFER_SIZES; size++)
		pthread_mutex_lock(&kept[size].lock);
}

void ingress__blocks_unlock(void)
{
	for (size_t size = BUFFER_SIZES; size--;)
		pthread_mutex_unlock(&kept[size].lock);
}

/* ---- heaps ----------------------------------------------------------------------------------------------------- */

static void put_idle(struct ingress__heap *heap)
{
	struct ingress__heap *first = atomic_load_explicit(&idle_heaps, memory_order_relaxed);

	/* release: the next thread finds the heap as this one left it */
	do
		heap->next = first;
	while (!atomic_compare_exchange_weak_explicit(&idle_heaps, &first, heap, memory_order_release,
						      memory_order_relaxed));
}

/*
 * An idle heap, or NULL. The list is taken whole, so that no heap that was seen is another's meanwhile, and put back
 * without its first. A thread that is suspended in between keeps those heaps from nobody but new threads, which make
 * heaps of their own.
 */
static struct ingress__heap *take_idle(void)
{
	/* acquire: with put_idle() */
	struct ingress__heap *taken = atomic_exchange_explicit(&idle_heaps, NULL, memory_order_acquire);
	struct ingress__heap *rest = taken ? taken->next : NULL;

	while (rest) {
		struct ingress__heap *heap = rest;

		rest = heap->next;
		put_idle(heap);
	}
	return taken;
}

static void heap_leave(void *value)
{
	int inside = ingress__self.inside;

	ingress__call_returned(1);
	ingress__blocks_flush();
	ingress__self.heap = NULL;
	put_idle(value);
	ingress__call_returned(inside);
}

/* When the core is loaded, so that no thread waits for one that is suspended at it. */
static __attribute__((constructor)) void make_key(void)
{
	has_heap_key = pthread_key_create(&heap_key, heap_leave) == 0;
}

static struct ingress__heap *heap_enter(void)
{
	struct ingress__heap *heap;

	heap = take_idle();
	if (!heap) {
		heap = aligned_alloc(INGRESS__LINE_BYTES, sizeof(*heap));
		if (!heap)
			return NULL;
		memset(heap, 0, sizeof(*heap));
		/* relaxed: the count only hands out numbers */
		heap->number = atomic_fetch_add_explicit(&heap_count, 1, memory_order_relaxed);
	}
	/* without a key the heap stays with a thread that has gone: its blocks are lost, nothing else */
	if (has_heap_key)
		pthread_setspecific(heap_key, heap);
	ingress__self.heap = heap;
	/* No two threads have one heap at once, so threads share a lane only when there are more of them than lanes. */
	if (!ingress__self.has_lane)
		ingress__self.lane = heap->number % INGRESS__LANES;
	ingress__self.has_lane = true;
	return heap;
}

struct ingress__block *ingress__block_at(uint32_t index)
{
	uint32_t number = index - 2;

	/* relaxed: the index came by an acquire, after the store */
	return atomic_load_explicit(&chunks[number / INGRESS__CHUNK_BLOCKS], memory_order_relaxed) +
	       number % INGRESS__CHUNK_BLOCKS;
}

/* Memory for so many chunks, or NULL. */
static struct ingress__block *make_chunks(uint32_t count)
{
	struct ingress__block *made;

	if (count < SPAN_CHUNKS)
		return aligned_alloc(INGRESS__LINE_BYTES, count * CHUNK_BYTES);
	made = aligned_alloc(INGRESS__SPAN_BYTES, INGRESS__SPAN_BYTES);
	/* a kernel that has none gives small pages */
	if (made)
		madvise(made, INGRESS__SPAN_BYTES, MADV_HUGEPAGE);
	return made;
}

/*
 * More blocks for this thread's heap, as many as it has; false when there is no memory or no index left. A page of
 * 4 KiB has room for 12 blocks, so that a fault for each of them is most of what a request costs in new memory.
 */
static bool heap_grow(struct ingress__heap *heap)
{
	uint32_t count = heap->chunks < SPAN_CHUNKS ? heap->chunks : SPAN_CHUNKS;
	uint32_t number = atomic_load_explicit(&chunk_count, memory_order_relaxed);
	struct ingress__block *made;

	count += !count;
	made = make_chunks(count);
	if (!made)
		return false;
	/* relaxed: the count only hands out numbers */
	do {
		if (number + count > CHUNKS_MAX) {
			free(made);
			return false;
		}
	} while (!atomic_compare_exchange_weak_explicit(&chunk_count, &number, number + count, memory_order_relaxed,
							memory_order_relaxed));
	/* release: whoever gets an index by whatever way finds the chunk */
	for (uint32_t i = 0; i < count; i++)
		atomic_store_explicit(&chunks[number + i], made + (size_t)i * INGRESS__CHUNK_BLOCKS,
				      memory_order_release);
	heap->chunks += count;
	heap->fresh = 2 + number * INGRESS__CHUNK_BLOCKS;
	heap->fresh_end = heap->fresh + count * INGRESS__CHUNK_BLOCKS;
	return true;
}

/* Make the next block that was never used a free one; false when there is none and none can be had. */
static bool heap_carve(struct ingress__heap *heap)
{
	struct ingress__block *block;

	if (heap->fresh == heap->fresh_end && !heap_grow(heap))
		return false;
	block = ingress__block_at(heap->fresh);
	memset(block, 0, sizeof(*block));
	block->index = heap->fresh++;
	block->heap = heap;
	heap->free = block->index;
	return true;
}

/* Get the heap's next free blocks ready; false when there is no memory. */
static bool heap_refill(struct ingress__heap *heap)
{
	struct ingress__block *magazine;

	if (!heap->magazines) {
		/* acquire: those who gave them are done with them */
		if (atomic_load_explicit(&heap->returned, memory_order_relaxed))
			heap->magazines = atomic_exchange_explicit(&heap->returned, 0, memory_order_acquire);
		else
			return heap_carve(heap);
	}
	magazine = ingress__block_at(heap->magazines);
	heap->magazines = magazine->next;
	if (heap->magazines)
		__builtin_prefetch(ingress__block_at(heap->magazines)->payload);
	memcpy(heap->stock, magazine->payload + sizeof(uint32_t), sizeof(heap->stock));
	memcpy(&heap->stock_count, magazine->payload, sizeof(uint32_t));
	magazine->next = 0;
	heap->free = magazine->index;
	return true;
}

struct ingress__block *ingress__block_take(void)
{
	struct ingress__heap *heap = ingress__self.heap;
	struct ingress__block *block;

	if (__builtin_expect(!heap, 0)) {
		heap = heap_enter();
		if (!heap)
			return NULL;
	}
	if (heap->stock_count) {
		if (heap->stock_count > INGRESS__AHEAD) {
			struct ingress__block *later =
				ingress__block_at(heap->stock[heap->stock_count - 1 - INGRESS__AHEAD]);

			__builtin_prefetch(later, 1);
			__builtin_prefetch(&later->state, 1);
		}
		return ingress__block_at(heap->stock[--heap->stock_count]);
	}
	if (!heap->free && !heap_refill(heap))
		return NULL;
	block = ingress__block_at(heap->free);
	heap->free = block->next;
	return block;
}

/* Give indices[count] home, as the magazine that the last of them becomes. */
static void heap_return(struct ingress__heap *heap, const uint32_t *indices, uint32_t count)
{
	struct ingress__block *magazine = ingress__block_at(indices[count - 1]);
	uint32_t returned = atomic_load_explicit(&heap->returned, memory_order_relaxed), others = count - 1;

	memcpy(magazine->payload, &others, sizeof(others));
	memcpy(magazine->payload + sizeof(others), indices, others * sizeof(*indices));
	/* release: all uses of the blocks come before the next */
	do
		magazine->next = returned;
	while (!atomic_compare_exchange_weak_explicit(&heap->returned, &returned, magazine->index, memory_order_release,
						      memory_order_relaxed));
}

void ingress__blocks_flush(void)
{
	if (!held.count)
		return;
	heap_return(held.heap, held.indices, held.count);
	held.count = 0;
}

void ingress__block_give(struct ingress__block *block)
{
	struct ingress__heap *heap = block->heap;

	if (heap == ingress__self.heap) {
		block->next = heap->free;
		heap->free = block->index;
		return;
	}
	if (!ingress__self.library_of && !ingress__self.events_of) {
		heap_return(heap, &block->index, 1);
		return;
	}
	if (held.count && (held.heap != heap || held.count > MAGAZINE))
		ingress__blocks_flush();
	held.heap = heap;
	held.indices[held.count++] = block->index;
}

struct ingress__block *ingress__blocks_turn(uint32_t newest, struct ingress__block **last)
{
	struct ingress__block *list = NULL;

	if (last)
		*last = ingress__block_at(newest);
	while (newest >= 2) {
		struct ingress__block *block = ingress__block_at(newest);

		__builtin_prefetch(block->after, 1);
		newest = block->next;
		block->after = list;
		list = block;
	}
	return list;
}

/* ---- payloads -------------------------------------------------------------------------------------------------- */

static uint32_t buffer_size(size_t bytes)
{
	uint32_t size = 0;

	while (size < BUFFER_SIZES && bytes > (size_t)1 << (BUFFER_LEAST_BITS + size))
		size++;
	return size;
}

/* Looks at the lock of a size before it is called taken for long: its holder has a few lines to run. */
#define LOCK_LOOKS 64u

/*
 * Take the lock of a size. False: its holder may be suspended, or have been another process's; a buffer is to be had
 * and given back without.
 */
static bool lock_size(uint32_t size)
{
	for (uint32_t looks = 0; looks < LOCK_LOOKS; looks++) {
		if (pthread_mutex_trylock(&kept[size].lock) == 0)
			return true;
		thread__relax();
	}
	return false;
}

void *ingress__buffer_take(size_t bytes)
{
	uint32_t size = buffer_size(bytes);
	struct buffer *buffer = NULL;

	if (size < BUFFER_SIZES) {
		bytes = (size_t)1 << (BUFFER_LEAST_BITS + size);
		if (lock_size(size)) {
			buffer = kept[size].first;
			if (buffer) {
				kept[size].first = buffer->next;
				kept[size].count--;
			}
			pthread_mutex_unlock(&kept[size].lock);
		}
	}
	if (!buffer) {
		size_t room = (sizeof(*buffer) + bytes + INGRESS__LINE_BYTES - 1) & ~(size_t)(INGRESS__LINE_BYTES - 1);

		buffer = aligned_alloc(INGRESS__LINE_BYTES, room);
		if (!buffer)
			return NULL;
	}
	buffer->size = size;
	return buffer->data;
}

void ingress__buffer_give(void *data)
{
	struct buffer *buffer;
	uint32_t size;

	if (!data)
		return;
	buffer = (struct buffer *)((unsigned char *)data - offsetof(struct buffer, data));
	size = buffer->size;
	if (size < BUFFER_SIZES && lock_size(size)) {
		if ((uint64_t)kept[size].count << (BUFFER_LEAST_BITS + size) < INGRESS__BUFFERS_KEPT_BYTES) {
			buffer->next = kept[size].first;
			kept[size].first = buffer;
			kept[size].count++;
			buffer = NULL;
		}
		pthread_mutex_unlock(&kept[size].lock);
	}
	free(buffer);
}

bool ingress__block_fill(struct ingress__block *block, const void *data, size_t bytes)
{
	unsigned char *to = block->payload;

	block->holds = 0;
	if (bytes > sizeof(block->payload)) {
		to = block->buffer = ingress__buffer_take(bytes);
		if (!to)
			return false;
		block->holds = INGRESS__HOLDS_BUFFER;
	}
	if (bytes)
		memcpy(to, data, bytes);
	block->request.data = to;
	block->request.bytes = bytes;
	return true;
}

void ingress__block_release_payload(struct ingress__block *block)
{
	if (block->holds & INGRESS__HOLDS_LOAN)
		ingress__end_loan(block->release, block->owner, block->request.data, block->request.bytes);
	if (block->holds & INGRESS__HOLDS_BUFFER)
		ingress__buffer_give(block->buffer);
	block->holds &= INGRESS__HOLDS_ROOM;
}

void ingress__block_release_room(struct ingress__block *block)
{
	if (block->holds & INGRESS__HOLDS_ROOM)
		ingress__buffer_give(block->answer_buffer);
	block->holds &= (uint8_t)~INGRESS__HOLDS_ROOM;
}

void ingress__block_release_answer(struct ingress__block *block)
{
	if (block->answer_release)
		ingress__end_loan(block->answer_release, block->answer_owner, block->answer, block->answer_bytes);
	block->answer_release = NULL;
	ingress__block_release_room(block);
}
