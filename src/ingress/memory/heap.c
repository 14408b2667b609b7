/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heaps, from which threads take blocks: block.h. The words are those of allocators: a heap of a thread grows by
 * chunks, which come from spans of 2 MiB; blocks travel home in magazines (Bonwick, Adams 2001).
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
 *
 * A stack that has grown to INGRESS__LIST_BLOCKS is taken whole by the thread whose push made it so long, and pushed as
 * one list to the `surplus`, a stack of such lists (heap.h). So the heap's thread never takes many more blocks than it
 * needs, and what is left in the surplus can be given back to the system (heap_trim.c). The race:
 *
 *	another thread			the heap's thread		a thread that trims
 *	pushes: `returned` is long
 *					exchange(returned, 0): has
 *					all of them
 *	exchange(returned, 0): nothing
 *					exchange(surplus, 0): has
 *					all lists, keeps one
 *									exchange(surplus, 0): nothing
 *	pushes the next list
 *					surplus is not 0: pushes the
 *					other lists one by one
 *
 * Each block is in one of these places at a time, since each of these steps moves a whole stack or pushes one list. A
 * thread that is suspended between an exchange and its push keeps the blocks for that long; the heap's thread then
 * takes fresh ones.
 */
#include "ingress/memory/heap.h"
#include "ingress/self/reentrancy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK_BYTES (INGRESS__CHUNK_BLOCKS * sizeof(struct ingress__block))

/* A chunk's pointer is stored (release) before any index of it is known to another thread. */
static _Atomic(struct ingress__block *) chunks[INGRESS__CHUNKS_MAX];
static _Atomic uint32_t chunk_count;
struct ingress__span ingress__spans[INGRESS__SPANS_MAX + 1];
uint16_t ingress__span_of_chunk[INGRESS__CHUNKS_MAX];
static _Atomic uint32_t span_count;
static _Atomic(struct ingress__heap *) idle_heaps;
static _Atomic uint32_t heap_count;
static pthread_key_t heap_key;
static bool has_heap_key;

/* The magazine that this thread is filling, for blocks of one heap. */
static __thread struct {
	struct ingress__heap *heap;
	uint32_t count;
	uint32_t indices[INGRESS__MAGAZINE_INDICES + 1];
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
	/* that block is of the heap's next thread from here on: lanes.h */
	ingress__self.newest = 0;
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

static void *map(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* How far it is from an address to the next one at which a span may begin. */
static size_t to_span(const void *at)
{
	return -(uintptr_t)at & (INGRESS__SPAN_BYTES - 1);
}

/*
 * Map a span, aligned to its size; NULL: no memory. An allocator would have its own words between two spans, and the
 * kernel, where it makes huge pages for all programs, one around them, which would stay when the spans are trimmed.
 */
static void *map_span(void)
{
	/* newer kernels align it, and the next one lies below one that is aligned */
	unsigned char *at = map(INGRESS__SPAN_BYTES);
	size_t before;

	if (!at || !to_span(at))
		return at;
	munmap(at, INGRESS__SPAN_BYTES);
	at = map(2 * INGRESS__SPAN_BYTES);
	if (!at)
		return NULL;
	before = to_span(at);
	if (before)
		munmap(at, before);
	munmap(at + before + INGRESS__SPAN_BYTES, INGRESS__SPAN_BYTES - before);
	return at + before;
}

/* Memory for `count` chunks, or NULL. */
static struct ingress__block *make_chunks(uint32_t count)
{
	struct ingress__block *made;

	if (count < INGRESS__SPAN_CHUNKS)
		return aligned_alloc(INGRESS__LINE_BYTES, count * CHUNK_BYTES);
	made = map_span();
	/* a kernel without huge pages gives small ones */
	if (made)
		madvise(made, INGRESS__SPAN_BYTES, MADV_HUGEPAGE);
	return made;
}

static void drop_chunks(struct ingress__block *made, uint32_t count)
{
	if (count < INGRESS__SPAN_CHUNKS)
		free(made);
	else
		munmap(made, INGRESS__SPAN_BYTES);
}

/* Note that the chunks from `number` on, whose blocks no other thread knows yet, are a whole span. */
static void note_span(struct ingress__heap *heap, struct ingress__block *blocks, uint32_t number)
{
	/* relaxed: the count only hands out numbers */
	uint32_t span = atomic_fetch_add_explicit(&span_count, 1, memory_order_relaxed) + 1;

	ingress__spans[span] = (struct ingress__span){
		.blocks = blocks,
		.first = 2 + number * INGRESS__CHUNK_BLOCKS,
		.next = atomic_load_explicit(&heap->spans, memory_order_relaxed),
	};
	for (uint32_t i = 0; i < INGRESS__SPAN_CHUNKS; i++)
		ingress__span_of_chunk[number + i] = (uint16_t)span;
	/* release: a thread that trims finds the span, before it gets a block of it */
	atomic_store_explicit(&heap->spans, span, memory_order_release);
}

/*
 * Double the heap, by at most one span. False: no memory or no index is left. Growing in large steps pays: a page of 4
 * KiB holds 12 blocks, so without huge pages the page faults would be most of what requests in new memory cost.
 */
static bool heap_grow(struct ingress__heap *heap)
{
	uint32_t count = heap->chunks < INGRESS__SPAN_CHUNKS ? heap->chunks : INGRESS__SPAN_CHUNKS;
	uint32_t number = atomic_load_explicit(&chunk_count, memory_order_relaxed);
	struct ingress__block *made;

	count += !count;
	made = make_chunks(count);
	if (!made)
		return false;
	/* relaxed: the count only hands out numbers */
	do {
		if (number + count > INGRESS__CHUNKS_MAX) {
			drop_chunks(made, count);
			return false;
		}
	} while (!atomic_compare_exchange_weak_explicit(&chunk_count, &number, number + count, memory_order_relaxed,
							memory_order_relaxed));
	/* release: a thread that gets an index, in whatever way, finds the chunk */
	for (uint32_t i = 0; i < count; i++)
		atomic_store_explicit(&chunks[number + i], made + (size_t)i * INGRESS__CHUNK_BLOCKS,
				      memory_order_release);
	if (count == INGRESS__SPAN_CHUNKS)
		note_span(heap, made, number);
	heap->chunks += count;
	heap->fresh = 2 + number * INGRESS__CHUNK_BLOCKS;
	heap->fresh_end = heap->fresh + count * INGRESS__CHUNK_BLOCKS;
	return true;
}

/* Take a run of blocks that was released, for fresh blocks. False: there is none. */
static bool heap_reuse_run(struct ingress__heap *heap)
{
	/* acquire, here and below: the thread that released the run is done with it */
	uint32_t first = atomic_load_explicit(&heap->released, memory_order_acquire);
	struct ingress__run run;

	/* there is no ABA problem: only this thread pops, so a run that it has seen here stays where it is */
	do {
		if (!first)
			return false;
		run = ingress__run_read(first);
	} while (!atomic_compare_exchange_weak_explicit(&heap->released, &first, run.below, memory_order_acquire,
							memory_order_acquire));
	if (ingress__span_of(first)->is_released)
		ingress__span_of(first)->is_released = false;
	heap->fresh = first;
	heap->fresh_end = first + run.count;
	return true;
}

/*
 * Clear a block. If it was released before, another thread may look at `state`, `context` and `done` meanwhile
 * (heap_trim.c).
 */
static void clear(struct ingress__block *block)
{
	unsigned char *bytes = (unsigned char *)block;
	const size_t reply = offsetof(struct ingress__block, reply), state = offsetof(struct ingress__block, state);
	const size_t heap = offsetof(struct ingress__block, heap);

	memset(bytes, 0, offsetof(struct ingress__block, done));
	memset(bytes + reply, 0, state - reply);
	memset(bytes + heap, 0, sizeof(*block) - heap);
	/* relaxed: what they say is what they said, that the block is free */
	atomic_store_explicit(&block->done, INGRESS__DONE_ABANDONED, memory_order_relaxed);
	atomic_store_explicit(&block->state, 0, memory_order_relaxed);
	atomic_store_explicit(&block->context, NULL, memory_order_relaxed);
}

/* Put the next fresh block into the list of free blocks. False: there is none, and the heap cannot grow. */
static bool heap_carve(struct ingress__heap *heap)
{
	struct ingress__block *block;

	if (heap->fresh == heap->fresh_end && !heap_reuse_run(heap) && !heap_grow(heap))
		return false;
	block = ingress__block_at(heap->fresh);
	clear(block);
	block->index = heap->fresh++;
	block->heap = heap;
	heap->free = block->index;
	heap->free_count = 1;
	return true;
}

/* ---- coming home ------------------------------------------------------------------------------------------------- */

/* Push a list of magazines to the surplus. `context` is any that used one of the blocks, or NULL. */
static void push_list(struct ingress__heap *heap, uint64_t list, struct ingress__context *context)
{
	struct ingress__block *first = ingress__block_at(ingress__stack_index(list));
	uint64_t surplus = atomic_load_explicit(&heap->surplus, memory_order_relaxed), after;

	first->tag = ingress__stack_blocks(list);
	/* release: as in ingress__heap_return() */
	do {
		first->after = surplus ? ingress__block_at(ingress__stack_index(surplus)) : NULL;
		after = ingress__stack_word(ingress__stack_blocks(surplus) + ingress__stack_blocks(list), first->index);
	} while (!atomic_compare_exchange_weak_explicit(&heap->surplus, &surplus, after, memory_order_release,
							memory_order_relaxed));
	if (ingress__stack_blocks(after) > INGRESS__SURPLUS_BLOCKS)
		ingress__heap_ask_trim(heap, context);
}

void ingress__heap_return(struct ingress__heap *heap, const uint32_t *indices, uint32_t count)
{
	struct ingress__block *magazine = ingress__block_at(indices[count - 1]);
	struct ingress__context *context = atomic_load_explicit(&magazine->context, memory_order_relaxed);
	uint64_t returned = atomic_load_explicit(&heap->returned, memory_order_relaxed), after;
	uint32_t others = count - 1;

	memcpy(magazine->payload, &others, sizeof(others));
	memcpy(magazine->payload + sizeof(others), indices, others * sizeof(*indices));
	/* release: all uses of the blocks come before the next */
	do {
		magazine->next = ingress__stack_index(returned);
		after = ingress__stack_word(ingress__stack_blocks(returned) + count, indices[count - 1]);
	} while (!atomic_compare_exchange_weak_explicit(&heap->returned, &returned, after, memory_order_release,
							memory_order_relaxed));
	if (__builtin_expect(ingress__stack_blocks(after) < INGRESS__LIST_BLOCKS, 1))
		return;
	/* acquire: the other magazines are pushed again, with their blocks */
	returned = atomic_exchange_explicit(&heap->returned, 0, memory_order_acquire);
	/* another thread may have taken them */
	if (returned)
		push_list(heap, returned, context);
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static void count_taken(_Atomic uint32_t *taken)
{
	/* relaxed: only the heap's thread writes it, and heap_trim.c reads it as a hint */
	atomic_store_explicit(taken, atomic_load_explicit(taken, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* Take the newest list of the surplus, and put the others back. */
static void heap_take_surplus(struct ingress__heap *heap)
{
	/* acquire: as in heap_take_returned() */
	uint64_t surplus = atomic_exchange_explicit(&heap->surplus, 0, memory_order_acquire), nothing = 0, rest;
	struct ingress__block *first, *list;

	if (!surplus)
		return;
	count_taken(&heap->surplus_taken);
	first = ingress__block_at(ingress__stack_index(surplus));
	heap->magazines = first->index;
	list = first->after;
	if (!list)
		return;
	rest = ingress__stack_word(ingress__stack_blocks(surplus) - first->tag, list->index);
	/* release: as in ingress__heap_return() */
	if (atomic_compare_exchange_strong_explicit(&heap->surplus, &nothing, rest, memory_order_release,
						    memory_order_relaxed))
		return;
	/* another thread has pushed a list meanwhile */
	while (list) {
		struct ingress__block *next = list->after;

		push_list(heap, ingress__stack_word(list->tag, list->index), NULL);
		list = next;
	}
}

/* Take magazines that came home, if there are any. */
static void heap_take_returned(struct ingress__heap *heap)
{
	if (!atomic_load_explicit(&heap->returned, memory_order_relaxed)) {
		if (atomic_load_explicit(&heap->surplus, memory_order_relaxed))
			heap_take_surplus(heap);
		return;
	}
	/* acquire: the threads that gave them are done with them. 0: another thread has taken them. */
	heap->magazines = ingress__stack_index(atomic_exchange_explicit(&heap->returned, 0, memory_order_acquire));
	count_taken(&heap->returned_taken);
}

/* Refill the list of free blocks. False: no memory. */
static bool heap_refill(struct ingress__heap *heap)
{
	struct ingress__block *magazine;

	if (!heap->magazines)
		heap_take_returned(heap);
	if (!heap->magazines)
		return heap_carve(heap);
	magazine = ingress__block_at(heap->magazines);
	heap->magazines = magazine->next;
	if (heap->magazines)
		__builtin_prefetch(ingress__block_at(heap->magazines)->payload);
	memcpy(heap->stock, magazine->payload + sizeof(uint32_t), sizeof(heap->stock));
	memcpy(&heap->stock_count, magazine->payload, sizeof(uint32_t));
	magazine->next = 0;
	heap->free = magazine->index;
	heap->free_count = 1;
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
	heap->free_count--;
	return block;
}

void ingress__blocks_flush(void)
{
	if (!filling.count)
		return;
	ingress__heap_return(filling.heap, filling.indices, filling.count);
	filling.count = 0;
}

void ingress__block_give(struct ingress__block *block)
{
	struct ingress__heap *heap = block->heap;

	if (heap == ingress__self.heap) {
		if (__builtin_expect(heap->free_count < INGRESS__OWN_BLOCKS, 1)) {
			block->next = heap->free;
			heap->free = block->index;
			heap->free_count++;
			return;
		}
		/* more than the thread needs at once: to where heap_trim.c finds it */
	} else if (!ingress__self.library_of && !ingress__self.events_of) {
		ingress__heap_return(heap, &block->index, 1);
		return;
	}
	if (filling.count && (filling.heap != heap || filling.count > INGRESS__MAGAZINE_INDICES))
		ingress__blocks_flush();
	filling.heap = heap;
	filling.indices[filling.count++] = block->index;
}
