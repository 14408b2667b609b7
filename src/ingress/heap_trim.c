/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See heap_trim.h. The event thread takes both stacks of a heap whole, as the heap's thread does, counts for each span
 * the blocks that it then holds, releases the spans of which it holds every block, and gives the other blocks home
 * again. A released span keeps its addresses and its indices; the heap's thread carves blocks from it anew before its
 * heap grows.
 *
 * The danger is a stale look: a thread that looks at a block whose pointer it once had (block.h). The addresses stay
 * mapped, so it reads what was there or zeros, and zeros have to mean that the block is not what the thread looks for:
 *
 *	event thread of a context		event thread that trims
 *	finds the block in the running table
 *						takes the block, which is free, and its whole span
 *						madvise(MADV_DONTNEED)
 *	reads `state`: 0, which is the phase
 *	FREE, and no use has the number 0
 *
 * The same look may come when the block was carved anew and runs: its `state` has another number then, since a context
 * counts its uses and never begins again (context->serial), wherever the block was meanwhile.
 *
 *	waiter in a blocking call		library thread		event thread
 *	sleeps on `done`
 *								done = DONE_ABANDONED; wakes it
 *						answers: the block
 *						goes home
 *								trims: `done` is 0
 *	reads `done`: DONE_ABANDONED is 0
 *
 * Until that waiter returns, its block is not used again, because only the waiter's own thread takes from its heap.
 *
 * tests/ingress/model/heap.pml enumerates all of this.
 *
 * While the event thread holds the blocks, the heap's thread finds its stacks empty and takes fresh blocks; a thread
 * that is suspended in here stops no other, and its blocks are missing until it goes on. In the child of a fork they
 * are lost.
 */
#include "heap_trim.h"
#include "context.h"

#include "thread/clock.h"

#include <sys/mman.h>

/* Heaps to trim, linked by next_asked. The stack is only ever emptied whole. */
static _Atomic(struct ingress__heap *) asked;

/* ---- asking ------------------------------------------------------------------------------------------------------ */

void ingress__heap_ask_trim(struct ingress__heap *heap, struct ingress__context *context)
{
	uint32_t before = atomic_load_explicit(&heap->asked, memory_order_relaxed), here = ingress__process() + 1;
	struct ingress__heap *first;

	/*
	 * acquire: the thread that trimmed the heap before is done with next_asked. If the swap fails, another thread
	 * has asked.
	 */
	if (before == here || !atomic_compare_exchange_strong_explicit(&heap->asked, &before, here,
								       memory_order_acquire, memory_order_relaxed))
		return;
	first = atomic_load_explicit(&asked, memory_order_relaxed);
	/* seq_cst: before the look at the event thread's parker; release: next_asked */
	do
		heap->next_asked = first;
	while (!atomic_compare_exchange_weak_explicit(&asked, &first, heap, memory_order_seq_cst,
						      memory_order_relaxed));
	if (ingress__self.library_of)
		context = ingress__self.library_of;
	else if (ingress__self.events_of)
		return; /* this thread looks before it sleeps */
	/* entries of the context table are never freed; those of the parent process have no threads here */
	if (context && context->process == ingress__process())
		ingress__event_thread_wake(context);
}

bool ingress__trim_is_asked(void)
{
	/* seq_cst: after the parker was stored */
	return atomic_load_explicit(&asked, memory_order_seq_cst);
}

void ingress__trim_forget(void)
{
	/* relaxed: there is one thread. heap->asked tells by itself that it is the parent's. */
	atomic_store_explicit(&asked, NULL, memory_order_relaxed);
}

/* ---- trimming one heap ------------------------------------------------------------------------------------------- */

/* The span of a block, or NULL: it has none. */
static struct ingress__span *span_of(uint32_t index)
{
	uint32_t number = ingress__span_of_chunk[(index - 2) / INGRESS__CHUNK_BLOCKS];

	return number ? &ingress__spans[number] : NULL;
}

static bool is_whole(const struct ingress__span *span)
{
	return span->found == INGRESS__SPAN_BLOCKS;
}

/* Blocks that this thread holds: magazines linked by `next`. */
struct held {
	uint32_t first;
	struct ingress__block *last;
	uint32_t whole; /* spans of which this thread holds every block, linked by `below` */
};

/* Hold a list of magazines too, and count its blocks. */
static void hold(struct held *held, uint32_t list)
{
	uint32_t indices[INGRESS__MAGAZINE_INDICES + 1];

	if (!list)
		return;
	*(held->last ? &held->last->next : &held->first) = list;
	for (; list; list = held->last->next) {
		uint32_t count;

		held->last = ingress__block_at(list);
		count = ingress__magazine_read(held->last, indices);
		indices[count++] = list;
		while (count--) {
			struct ingress__span *span = span_of(indices[count]);

			if (!span)
				continue;
			span->found++;
			if (is_whole(span)) {
				span->below = held->whole;
				held->whole = (uint32_t)(span - ingress__spans);
			}
		}
	}
}

/* Give the blocks home that are in no whole span. Returns how many. */
static uint64_t give_home(struct ingress__heap *heap, uint32_t list)
{
	uint32_t kept[INGRESS__MAGAZINE_INDICES + 1], kept_count = 0;
	uint64_t given = 0;

	while (list) {
		const struct ingress__block *magazine = ingress__block_at(list);
		uint32_t indices[INGRESS__MAGAZINE_INDICES + 1];
		uint32_t count = ingress__magazine_read(magazine, indices);

		indices[count++] = list;
		list = magazine->next;
		for (uint32_t i = 0; i < count; i++) {
			const struct ingress__span *span = span_of(indices[i]);

			if (span && is_whole(span))
				continue;
			given++;
			kept[kept_count++] = indices[i];
			if (kept_count > INGRESS__MAGAZINE_INDICES) {
				ingress__heap_return(heap, kept, kept_count);
				kept_count = 0;
			}
		}
	}
	if (kept_count)
		ingress__heap_return(heap, kept, kept_count);
	return given;
}

static void release_spans(struct ingress__heap *heap, uint32_t list)
{
	while (list) {
		struct ingress__span *span = &ingress__spans[list];
		uint32_t number = list, below = atomic_load_explicit(&heap->released, memory_order_relaxed);

		list = span->below;
		/*
		 * If it fails, as it does in memory that is locked, the blocks keep what they hold, which says that
		 * they are free.
		 */
		madvise(span->blocks, INGRESS__SPAN_BYTES, MADV_DONTNEED);
		/* release: this thread is done with the blocks */
		do
			span->below = below;
		while (!atomic_compare_exchange_weak_explicit(&heap->released, &below, number, memory_order_release,
							      memory_order_relaxed));
	}
}

/* Take what the heap's thread has left alone, and trim that. Returns how many blocks are home again. */
static uint64_t take_and_trim(struct ingress__heap *heap, bool takes_returned)
{
	uint64_t surplus, given;
	struct held held = { 0, NULL, 0 };
	/* acquire, here and below: the threads that gave the blocks are done with them */
	uint32_t number = atomic_load_explicit(&heap->spans, memory_order_acquire);
	struct ingress__block *list;

	for (; number; number = ingress__spans[number].next)
		ingress__spans[number].found = 0;
	surplus = atomic_exchange_explicit(&heap->surplus, 0, memory_order_acquire);
	list = surplus ? ingress__block_at(ingress__stack_index(surplus)) : NULL;
	while (list) {
		struct ingress__block *next = list->after;

		hold(&held, list->index);
		list = next;
	}
	if (takes_returned)
		hold(&held, ingress__stack_index(atomic_exchange_explicit(&heap->returned, 0, memory_order_acquire)));
	given = give_home(heap, held.first);
	release_spans(heap, held.whole);
	return given;
}

/*
 * Look at one heap. Returns whether that is done with; otherwise look again later. It is not while the heap's thread
 * takes from a surplus that is large, and not if many blocks have come home while this thread trimmed: the threads that
 * gave them home have not asked, since they saw heap->asked. Blocks that this thread gave home itself, because they are
 * in spans that are partly in use, do not count, so that an idle process sleeps.
 */
static bool look(struct ingress__heap *heap, bool leaves)
{
	uint32_t returned = atomic_load_explicit(&heap->returned_taken, memory_order_relaxed);
	uint32_t surplus = atomic_load_explicit(&heap->surplus_taken, memory_order_relaxed);
	uint64_t given = 0;

	if (leaves || surplus == heap->surplus_seen)
		given = take_and_trim(heap, leaves || returned == heap->returned_seen);
	heap->returned_seen = returned;
	heap->surplus_seen = surplus;
	return leaves || ingress__stack_blocks(atomic_load_explicit(&heap->surplus, memory_order_relaxed)) <=
				 given + INGRESS__SURPLUS_BLOCKS;
}

/* ---- the event thread -------------------------------------------------------------------------------------------- */

static void begin(struct ingress__trim *trim, struct ingress__heap *heap, uint64_t now)
{
	heap->due_ns = now + INGRESS__TRIM_NS;
	heap->returned_seen = atomic_load_explicit(&heap->returned_taken, memory_order_relaxed);
	heap->surplus_seen = atomic_load_explicit(&heap->surplus_taken, memory_order_relaxed);
	heap->next_asked = trim->heaps;
	trim->heaps = heap;
}

void ingress__trim_look(struct ingress__trim *trim, bool leaves)
{
	struct ingress__heap *heap, **link = &trim->heaps;
	uint64_t now;

	trim->due_ns = UINT64_MAX;
	/* relaxed: the exchange acquires, and the look before sleeping is seq_cst */
	if (!trim->heaps && !atomic_load_explicit(&asked, memory_order_relaxed))
		return;
	now = thread__now_ns();
	/* acquire: next_asked of each */
	heap = atomic_exchange_explicit(&asked, NULL, memory_order_acquire);
	while (heap) {
		struct ingress__heap *next = heap->next_asked;

		begin(trim, heap, now);
		heap = next;
	}
	while ((heap = *link)) {
		if (leaves || now >= heap->due_ns) {
			if (look(heap, leaves)) {
				*link = heap->next_asked;
				/* release: this thread is done with the heap */
				atomic_store_explicit(&heap->asked, 0, memory_order_release);
				continue;
			}
			heap->due_ns = now + INGRESS__TRIM_NS;
		}
		if (trim->due_ns > heap->due_ns)
			trim->due_ns = heap->due_ns;
		link = &heap->next_asked;
	}
}
