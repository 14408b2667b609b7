/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heaps, from which threads take blocks: block.h. The words are those of allocators: a heap of a thread grows by chunks,
 * which come from spans of 2 MiB; blocks travel home in magazines (Bonwick, Adams 2001).
 *
 * A magazine is a block that lists the indices of up to 31 others in its payload. A library thread gives blocks home in
 * magazines, so that neither side has to touch the cache line of each block to follow a list through it, and the heap's
 * thread knows in advance which lines it will need.
 *
 * The race: a block comes home while the heap's thread takes the stack of blocks that came home.
 *
 *	another thread					the heap's thread
 *	block->next = returned
 *							exchange(returned, 0)		(acquire)
 *	compare-and-swap returned: fails
 *	block->next = 0; compare-and-swap	(release)
 *
 * There is no ABA problem: the stack is only ever emptied whole, so a head that was seen twice is the same list.
 */
#include "block.h"
#include "reentrancy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK_BYTES (INGRESS__CHUNK_BLOCKS * sizeof(struct ingress__block))
#define CHUNKS_MAX (INGRESS__BLOCKS_MAX / INGRESS__CHUNK_BLOCKS)
#define SPAN_CHUNKS ((uint32_t)(INGRESS__SPAN_BYTES / CHUNK_BYTES))
#define MAGAZINE_INDICES 31u

struct ingress__heap {
	/*
	 * Used by the heap's thread only: lists of free blocks and of magazines, linked by `next`, and the indices of
	 * the last magazine.
	 */
	uint32_t free;
	uint32_t magazines;
	uint32_t stock_count;
	uint32_t stock[MAGAZINE_INDICES];
	uint32_t number;	   /* how many heaps were made before this one */
	uint32_t chunks;	   /* how many chunks it has */
	uint32_t fresh, fresh_end; /* indices of blocks that were never used */
	/* Magazines that came home, linked by `next`. Any thread pushes. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t returned;
	struct ingress__heap *next; /* in the list of idle heaps, whose threads have ended */
};

/* A chunk's pointer is stored (release) before any index of it is known to another thread. */
static _Atomic(struct ingress__block *) chunks[CHUNKS_MAX];
static _Atomic uint32_t chunk_count;
static _Atomic(struct ingress__heap *) idle_heaps;
static _Atomic uint32_t heap_count;
static pthread_key_t heap_key;
static bool has_heap_key;

/* The magazine that this thread is filling, for blocks of one heap. */
static __thread struct {
	struct ingress__heap *heap;
	uint32_t count;
	uint32_t indices[MAGAZINE_INDICES + 1];
} filling;

/* ---- heaps ------------------------------------------------------------------------------------------------------- */

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
 * An idle heap, or NULL. The thread takes the whole list and puts it back without the first heap, so that no other
 * thread can take a heap that it has seen (no ABA problem). While a thread is suspended in between, other new threads
 * find no idle heap and make heaps of their own.
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

/* Called at the end of a thread: its heap becomes idle. */
static void heap_leave(void *value)
{
	int inside = ingress__self.inside;

	ingress__call_returned(1);
	ingress__blocks_flush();
	ingress__self.heap = NULL;
	put_idle(value);
	ingress__call_returned(inside);
}

/*
 * The key is made when the core is loaded. If a thread made it later, that thread might be suspended meanwhile, and
 * others would wait for it.
 */
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
	/* without a key the heap of a thread that ends is not used again: its blocks are lost, nothing else */
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

/* Memory for `count` chunks, or NULL. */
static struct ingress__block *make_chunks(uint32_t count)
{
	struct ingress__block *made;

	if (count < SPAN_CHUNKS)
		return aligned_alloc(INGRESS__LINE_BYTES, count * CHUNK_BYTES);
	made = aligned_alloc(INGRESS__SPAN_BYTES, INGRESS__SPAN_BYTES);
	/* a kernel without huge pages gives small ones */
	if (made)
		madvise(made, INGRESS__SPAN_BYTES, MADV_HUGEPAGE);
	return made;
}

/*
 * Double the heap, by at most one span. False: no memory or no index is left. Growing in large steps pays: a page of 4
 * KiB holds 12 blocks, so without huge pages the page faults would be most of what requests in new memory cost.
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
	/* release: a thread that gets an index, in whatever way, finds the chunk */
	for (uint32_t i = 0; i < count; i++)
		atomic_store_explicit(&chunks[number + i], made + (size_t)i * INGRESS__CHUNK_BLOCKS,
				      memory_order_release);
	heap->chunks += count;
	heap->fresh = 2 + number * INGRESS__CHUNK_BLOCKS;
	heap->fresh_end = heap->fresh + count * INGRESS__CHUNK_BLOCKS;
	return true;
}

/*
 * Put the next block that was never used into the list of free blocks. False: there is none, and the heap cannot grow.
 */
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

/* Refill the list of free blocks. False: no memory. */
static bool heap_refill(struct ingress__heap *heap)
{
	struct ingress__block *magazine;

	if (!heap->magazines) {
		/* acquire: the threads that gave them are done with them */
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

/* Give indices[count] home: the last of these blocks becomes the magazine that lists the others. */
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
	if (!filling.count)
		return;
	heap_return(filling.heap, filling.indices, filling.count);
	filling.count = 0;
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
	if (filling.count && (filling.heap != heap || filling.count > MAGAZINE_INDICES))
		ingress__blocks_flush();
	filling.heap = heap;
	filling.indices[filling.count++] = block->index;
}
