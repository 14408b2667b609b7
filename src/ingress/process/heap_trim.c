/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See heap_trim.h. The event thread takes both stacks of a heap whole, as the heap's thread does, and notes for each
 * span which blocks it then holds. It releases *runs*, blocks one after the other that it holds: spans of which it
 * holds every block, and in other spans the pages that lie wholly within a run. It gives the other blocks home again. A
 * released run keeps its addresses and its indices; the heap's thread carves blocks from it anew before its heap grows.
 *
 *	a span; A and B are in use	[..........A.................B............]
 *	its pages			|  1  |  2  |  3  |  4  |  5  |  6  |  7  |
 *	released			                  |  4  |           |  7  |
 *
 * Blocks that came home in order leave whole spans. In random order nearly every span keeps some block that is in use,
 * or is the heap's thread's own; then it is the pages that go back. The first block of such a run keeps its memory: it
 * says how long the run is.
 *
 * The danger is a stale look: a thread that looks at a block whose pointer it once had (block.h). The addresses stay
 * mapped, so it reads what was there or zeros, and zeros have to mean that the block is not what the thread looks for:
 *
 *	event thread of a context		event thread that trims
 *	finds the block in the running table
 *						takes the block, which is free, and its whole run
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
#include "ingress/process/heap_trim.h"
#include "ingress/context/context.h"
#include "ingress/memory/buffer.h"

#include "thread/clock.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

enum { WORD_BITS = 64, SPAN_WORDS = (INGRESS__SPAN_BLOCKS + WORD_BITS - 1) / WORD_BITS };

/*
 * A bit for each block of a span. The thread that trims the heap of a span sets the bits of the blocks that it holds,
 * and then leaves those set that are released. No other thread looks at them.
 */
static uint64_t noted[INGRESS__SPANS_MAX + 1][SPAN_WORDS];

static uint64_t *noted_in(const struct ingress__span *span)
{
	return noted[span - ingress__spans];
}

static bool is_noted(const uint64_t *bits, uint32_t block)
{
	return bits[block / WORD_BITS] >> block % WORD_BITS & 1;
}

static void note(uint64_t *bits, uint32_t block, bool is_held)
{
	uint64_t bit = UINT64_C(1) << block % WORD_BITS;

	bits[block / WORD_BITS] = is_held ? bits[block / WORD_BITS] | bit : bits[block / WORD_BITS] & ~bit;
}

static bool is_whole(const struct ingress__span *span)
{
	return span->found == INGRESS__SPAN_BLOCKS;
}

/* Find the next run of noted blocks of a span from *first on. Returns its length; 0: there is none. */
static uint32_t next_run(const uint64_t *bits, uint32_t *first)
{
	uint32_t end;

	while (*first < INGRESS__SPAN_BLOCKS && !is_noted(bits, *first))
		++*first;
	for (end = *first; end < INGRESS__SPAN_BLOCKS && is_noted(bits, end); end++)
		;
	return end - *first;
}

struct pages {
	unsigned char *at;
	size_t bytes; /* 0: none */
};

/* The pages that a run of a span fills, but for its first block; or all, if the run is the whole span. */
static struct pages pages_of(const struct ingress__span *span, uint32_t first, uint32_t count)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from, to;

	if (is_whole(span))
		return (struct pages){ (unsigned char *)span->blocks, INGRESS__SPAN_BYTES };
	from = ((uintptr_t)(span->blocks + first + 1) + page - 1) & ~(page - 1);
	to = (uintptr_t)(span->blocks + first + count) & ~(page - 1);
	return (struct pages){ (unsigned char *)span->blocks + (from - (uintptr_t)span->blocks),
			       to > from ? to - from : 0 };
}

/* ---- its blocks -------------------------------------------------------------------------------------------------- */

/* Blocks that this thread holds: magazines linked by `next`. */
struct held {
	uint32_t first;
	struct ingress__block *last;
};

/* Hold a list of magazines too, and note its blocks. */
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
			struct ingress__span *span = ingress__span_of(indices[count]);

			if (!span)
				continue;
			span->found++;
			note(noted_in(span), indices[count] - span->first, true);
		}
	}
}

/* Leave only those blocks of a span noted that are in runs which fill a page. */
static void choose_runs(const struct ingress__span *span)
{
	uint64_t *bits = noted_in(span);
	uint32_t first = 0, count;

	for (; (count = next_run(bits, &first)); first += count)
		if (!pages_of(span, first, count).bytes)
			for (uint32_t i = 0; i < count; i++)
				note(bits, first + i, false);
}

/* Give the blocks home that are not released. Returns how many. */
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
			const struct ingress__span *span = ingress__span_of(indices[i]);

			if (span && is_noted(noted_in(span), indices[i] - span->first))
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

/*
 * Before pages of a span are released alone, the kernel is told not to make huge ones of the rest, which would fill the
 * holes again (khugepaged); once the whole span is released it may. A huge page of which a part is released stays as
 * it is until memory is short, but does not count as resident.
 */
static void have_small_pages(struct ingress__span *span, bool small)
{
	if (span->has_small_pages != small)
		madvise(span->blocks, INGRESS__SPAN_BYTES, small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
	span->has_small_pages = small;
}

static void release_run(struct ingress__heap *heap, struct ingress__span *span, uint32_t first, uint32_t count)
{
	struct pages pages = pages_of(span, first, count);
	struct ingress__run run = { count, atomic_load_explicit(&heap->released, memory_order_relaxed) };

	/*
	 * If it fails, as it does in memory that is locked, the blocks keep what they hold, which says that they are
	 * free.
	 */
	madvise(pages.at, pages.bytes, MADV_DONTNEED);
	/* while parts of it are released the heap's thread may read this */
	if (is_whole(span))
		span->is_released = true;
	/* release: this thread is done with the blocks */
	do
		ingress__run_write(span->first + first, run);
	while (!atomic_compare_exchange_weak_explicit(&heap->released, &run.below, span->first + first,
						      memory_order_release, memory_order_relaxed));
}

/* Take what the heap's thread has left alone, and trim that. Returns how many blocks are home again. */
static uint64_t take_and_trim(struct ingress__heap *heap, bool takes_returned)
{
	/* acquire, here and below: the threads that gave the blocks are done with them */
	const uint32_t spans = atomic_load_explicit(&heap->spans, memory_order_acquire);
	struct held held = { 0, NULL };
	uint64_t surplus, given;
	struct ingress__block *list;

	for (uint32_t i = spans; i; i = ingress__spans[i].next) {
		ingress__spans[i].found = 0;
		memset(noted[i], 0, sizeof(noted[i]));
	}
	surplus = atomic_exchange_explicit(&heap->surplus, 0, memory_order_acquire);
	list = surplus ? ingress__block_at(ingress__stack_index(surplus)) : NULL;
	while (list) {
		struct ingress__block *next = list->after;

		hold(&held, list->index);
		list = next;
	}
	if (takes_returned)
		hold(&held, ingress__stack_index(atomic_exchange_explicit(&heap->returned, 0, memory_order_acquire)));
	for (uint32_t i = spans; i; i = ingress__spans[i].next)
		choose_runs(&ingress__spans[i]);
	/* the magazines are read before any memory goes */
	given = give_home(heap, held.first);
	for (uint32_t i = spans; i; i = ingress__spans[i].next) {
		struct ingress__span *span = &ingress__spans[i];
		uint32_t first = 0, count;

		for (; (count = next_run(noted[i], &first)); first += count) {
			have_small_pages(span, !is_whole(span));
			release_run(heap, span, first, count);
		}
	}
	return given;
}

/*
 * Look at one heap. Returns whether that is done with; otherwise look again later. It is not while the heap's thread
 * takes from a surplus that is large, and not if many blocks have come home while this thread trimmed: the threads that
 * gave them home have not asked, since they saw heap->asked. Blocks that this thread gave home itself, because they are
 * in spans that are partly in use, do not count, so that an idle process sleeps.
 */
static bool look(struct ingress__heap *heap, uint64_t now, bool leaves)
{
	uint32_t returned = atomic_load_explicit(&heap->returned_taken, memory_order_relaxed);
	uint32_t surplus = atomic_load_explicit(&heap->surplus_taken, memory_order_relaxed);
	uint64_t given = 0;

	if (leaves || surplus == heap->surplus_seen)
		given = take_and_trim(heap, leaves || returned == heap->returned_seen);
	heap->returned_seen = returned;
	heap->surplus_seen = surplus;
	if (!ingress__buffers_trim(now, leaves))
		return false;
	return leaves || ingress__stack_blocks(atomic_load_explicit(&heap->surplus, memory_order_relaxed)) <=
				 given + INGRESS__SURPLUS_BLOCKS;
}

/* ---- the event thread -------------------------------------------------------------------------------------------- */

static void begin(struct ingress__trim *trim, struct ingress__heap *heap, uint64_t now)
{
	heap->due_ns = now + INGRESS__TRIM_NS;
	ingress__buffers_watch(now);
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
			if (look(heap, now, leaves)) {
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
