/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of blocks, and what a block holds besides its own memory. See block.h. */
#include "ingress/memory/block.h"
#include "ingress/memory/buffer.h"
#include "ingress/self/reentrancy.h"

#include <string.h>

struct ingress__block *ingress__blocks_reverse(uint32_t newest, struct ingress__block **last)
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

/* ---- payloads ---------------------------------------------------------------------------------------------------- */

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

/* Give a block's buffer back. If many are free then, an event thread is asked to trim, by way of the block's heap. */
static void give_buffer(const struct ingress__block *block, void *buffer)
{
	/* the destructor's block is of no heap: the next buffer that comes home asks */
	if (__builtin_expect(ingress__buffer_give(buffer), 0) && block->heap)
		/* relaxed: which context it is only chooses the event thread */
		ingress__heap_ask_trim(block->heap, atomic_load_explicit(&block->context, memory_order_relaxed));
}

void ingress__block_release_payload(struct ingress__block *block)
{
	if (block->holds & INGRESS__HOLDS_LOAN)
		ingress__end_loan(block->release, block->owner, block->request.data, block->request.bytes);
	if (block->holds & INGRESS__HOLDS_BUFFER)
		give_buffer(block, block->buffer);
	block->holds &= INGRESS__HOLDS_ANSWER_BUFFER;
}

void ingress__block_release_answer_buffer(struct ingress__block *block)
{
	if (block->holds & INGRESS__HOLDS_ANSWER_BUFFER)
		give_buffer(block, block->answer_buffer);
	block->holds &= (uint8_t)~INGRESS__HOLDS_ANSWER_BUFFER;
}

void *ingress__block_take_answer_buffer(struct ingress__block *block, size_t bytes)
{
	ingress__block_release_answer_buffer(block);
	block->holds &= (uint8_t)~INGRESS__HOLDS_DEADLINE;
	block->answer_buffer = ingress__buffer_take(bytes);
	if (block->answer_buffer)
		block->holds |= INGRESS__HOLDS_ANSWER_BUFFER;
	return block->answer_buffer;
}

void ingress__block_release_answer(struct ingress__block *block)
{
	if (block->answer_release)
		ingress__end_loan(block->answer_release, block->answer_owner, block->answer, block->answer_bytes);
	block->answer_release = NULL;
	ingress__block_release_answer_buffer(block);
}
