/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heaps from inside: what heap.c, which takes and gives blocks, shares with heap_trim.c, which gives the memory of free
 * blocks back to the system. Where free blocks are:
 *
 *	free, magazines, stock	the heap's thread alone has them, at most about
 *				INGRESS__OWN_BLOCKS + INGRESS__LIST_BLOCKS
 *	returned		a stack of magazines, up to about INGRESS__LIST_BLOCKS blocks; any thread pushes
 *	surplus			a stack of lists of magazines; `returned` becomes one of them when it is long
 *	released		a stack of runs: blocks one after the other whose memory went back to the system
 *
 * The heap's thread takes from these in this order, and then lets the heap grow. So what it leaves in `surplus` is what
 * it has not needed since the last burst.
 */
#ifndef INGRESS_HEAP_H
#define INGRESS_HEAP_H

#include "ingress/memory/block.h"

#include <string.h>

#define INGRESS__MAGAZINE_INDICES 31u
#define INGRESS__SPAN_CHUNKS ((uint32_t)(INGRESS__SPAN_BYTES / (INGRESS__CHUNK_BLOCKS * sizeof(struct ingress__block))))
#define INGRESS__SPAN_BLOCKS (INGRESS__SPAN_CHUNKS * INGRESS__CHUNK_BLOCKS)
#define INGRESS__CHUNKS_MAX (INGRESS__BLOCKS_MAX / INGRESS__CHUNK_BLOCKS)
#define INGRESS__SPANS_MAX (INGRESS__CHUNKS_MAX / INGRESS__SPAN_CHUNKS + 1)

struct ingress__heap {
	/*
	 * Used by the heap's thread only: lists of free blocks and of magazines, linked by `next`, and the indices of
	 * the last magazine.
	 */
	uint32_t free;
	uint32_t free_count;
	uint32_t magazines;
	uint32_t stock_count;
	uint32_t stock[INGRESS__MAGAZINE_INDICES];
	uint32_t number;	   /* how many heaps were made before this one */
	uint32_t chunks;	   /* how many chunks it has */
	uint32_t fresh, fresh_end; /* indices of blocks that were never used, or not since they were released */
	/* How often the heap's thread took from the stacks below. It alone writes; heap_trim.c reads, relaxed. */
	_Atomic uint32_t returned_taken, surplus_taken;
	/* A stack: how many blocks << 24 | the index of the newest magazine. Magazines are linked by `next`. */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t returned;
	struct ingress__heap *next; /* in the list of idle heaps, whose threads have ended */
	/*
	 * A stack: how many blocks << 24 | the index of the first magazine of the newest list. That magazine's `after`
	 * is the first of the list below, and its `tag` counts the blocks of its own list.
	 */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint64_t surplus;
	_Atomic uint32_t released; /* a stack of runs, by their first blocks' indices. Only the heap's thread pops. */
	_Atomic uint32_t spans;	   /* a list of all its spans, by number. Only the heap's thread adds. */
	/* ingress__process() + 1 of the process in which a thread trims the heap or is to trim it; 0: none does. */
	_Atomic uint32_t asked;
	/* For the thread that sets `asked`, then for the thread that trims. */
	struct ingress__heap *next_asked;
	uint64_t due_ns;
	uint32_t returned_seen, surplus_seen; /* `returned_taken` and `surplus_taken` at the last look */
};

/* Whole spans: all of one belongs to one heap. Numbers begin with 1. */
struct ingress__span {
	struct ingress__block *blocks;
	uint32_t first;	  /* the index of its first block */
	uint32_t next;	  /* in the list of its heap */
	uint32_t below;	  /* if all of it is a released run: the next run in the stack */
	bool is_released; /* whether that is so. The thread that holds all its blocks writes it. */
	/* For the thread that trims the heap: */
	bool has_small_pages; /* some were released alone */
	uint32_t found;	      /* how many of its blocks that thread holds */
};
extern struct ingress__span ingress__spans[INGRESS__SPANS_MAX + 1];
/* The span of each chunk; 0: it belongs to none, as a heap's first chunks do. */
extern uint16_t ingress__span_of_chunk[INGRESS__CHUNKS_MAX];
_Static_assert(INGRESS__SPANS_MAX <= UINT16_MAX, "spans have numbers of 16 bits");

/* The span of a block; NULL: it has none. */
static inline struct ingress__span *ingress__span_of(uint32_t index)
{
	uint32_t number = ingress__span_of_chunk[(index - 2) / INGRESS__CHUNK_BLOCKS];

	return number ? &ingress__spans[number] : NULL;
}

/* A released run: `count` blocks; `below`: the next run in the stack, or 0. */
struct ingress__run {
	uint32_t count, below;
};

static inline uint64_t ingress__stack_word(uint64_t blocks, uint32_t index)
{
	return blocks << INGRESS__INDEX_BITS | index;
}

static inline uint32_t ingress__stack_index(uint64_t word)
{
	return (uint32_t)word & ((1u << INGRESS__INDEX_BITS) - 1);
}

static inline uint64_t ingress__stack_blocks(uint64_t word)
{
	return word >> INGRESS__INDEX_BITS;
}

/* What a magazine lists besides itself. */
static inline uint32_t ingress__magazine_read(const struct ingress__block *magazine, uint32_t *indices)
{
	uint32_t count;

	memcpy(&count, magazine->payload, sizeof(count));
	memcpy(indices, magazine->payload + sizeof(count), INGRESS__MAGAZINE_INDICES * sizeof(*indices));
	return count;
}

/* The run that begins with a block: all of a span, which then says so itself, or a part, whose first block keeps it. */
static inline struct ingress__run ingress__run_read(uint32_t first)
{
	const struct ingress__span *span = ingress__span_of(first);
	struct ingress__run run = { INGRESS__SPAN_BLOCKS, span->below };

	if (!span->is_released)
		memcpy(&run, ingress__block_at(first)->payload, sizeof(run));
	return run;
}

static inline void ingress__run_write(uint32_t first, struct ingress__run run)
{
	struct ingress__span *span = ingress__span_of(first);

	if (span->is_released)
		span->below = run.below;
	else
		memcpy(ingress__block_at(first)->payload, &run, sizeof(run));
}

/* Give indices[count] home: the last of these blocks becomes the magazine that lists the others. */
void ingress__heap_return(struct ingress__heap *heap, const uint32_t *indices, uint32_t count);

#endif
