/* SPDX-License-Identifier: BSD-3-Clause */
/* See chain_run.h. */
#include "ingress/requests/chain_run.h"
#include "ingress/memory/buffer.h"
#include "ingress/requests/links.h"
#include "ingress/requests/reply.h"

#include "thread/clock.h"

#include <stdio.h>
#include <string.h>

/* ---- answers ---------------------------------------------------------------------------------------------------- */

/* Answer a request that was not handed over; the text is copied. */
static void answer(struct ingress__context *context, struct ingress__block *block, enum ingress_status status,
		   const char *text)
{
	block->status = (uint8_t)status;
	block->answer = text;
	block->answer_bytes = strlen(text);
	block->answer_release = NULL;
	ingress__reply_posted(block);
	ingress__library_came_back(context);
}

static void answer_status(struct ingress__context *context, struct ingress__block *block, enum ingress_status status)
{
	answer(context, block, status, ingress_status_text(status));
}

void ingress__chain_cancel(struct ingress__context *context, struct ingress__block *block)
{
	answer_status(context, block, INGRESS_CANCELLED);
}

/* ---- the next request -------------------------------------------------------------------------------------------- */

static uint32_t links_end(const struct ingress__chain *chain, uint32_t number)
{
	return number + 1 < chain->count ? chain->members[number + 1].first_link : chain->link_count;
}

/* Whether a request cannot run since one that it needs failed; then it is answered. */
static bool skip(struct ingress__context *context, struct ingress__chain *chain, uint32_t number)
{
	struct ingress__member *member = &chain->members[number];
	char text[96];

	for (uint32_t i = member->first_link; i < links_end(chain, number); i++) {
		const struct ingress__member *source = &chain->members[chain->links[i].source];

		/* not answered yet: only where a provider passes chains on */
		if (source->status == INGRESS_OK || source->status == INGRESS_STALE)
			continue;
		member->cause = source->cause;
		snprintf(text, sizeof(text), "request %u of the chain failed, so this one did not run", member->cause);
		answer(context, member->block, INGRESS_SKIPPED, text);
		return true;
	}
	return false;
}

/* Find the fields that a request takes. False: one is not there, and the request was answered. */
static bool find_fields(struct ingress__context *context, struct ingress__chain *chain, uint32_t number,
			struct ingress__field *fields, uint32_t *count)
{
	struct ingress__member *member = &chain->members[number];
	char text[INGRESS_PATH_MAX + 96];

	*count = 0;
	for (uint32_t i = member->first_link; i < links_end(chain, number); i++) {
		const struct ingress_link *link = &chain->links[i];
		const struct ingress__member *source = &chain->members[link->source];

		if (link->kind == INGRESS_LINK_AFTER)
			break;
		if (!source->result) {
			answer_status(context, member->block, source->is_large ? INGRESS_TOO_LARGE : INGRESS_NO_MEMORY);
			return false;
		}
		fields[*count] = ingress__link_find(link, source->result, source->bytes);
		if (!fields[*count].data) {
			snprintf(text, sizeof(text), "request %u of the chain, %.*s%s%s", link->source,
				 (int)link->path_bytes, link->path,
				 link->path_bytes ? ": " : "its result: ", fields[*count].reason);
			answer(context, member->block, INGRESS_BAD_PAYLOAD, text);
			return false;
		}
		++*count;
	}
	return true;
}

/* Put the fields that a request takes into its payload. False: that cannot be, and the request was answered. */
static bool fill_in(struct ingress__context *context, struct ingress__chain *chain, uint32_t number)
{
	struct ingress__member *member = &chain->members[number];
	struct ingress__block *block = member->block;
	struct ingress__field fields[INGRESS_LINKS_MAX];
	unsigned char small[INGRESS__INLINE_BYTES], *to = small;
	uint32_t count;
	size_t bytes;

	if (!find_fields(context, chain, number, fields, &count))
		return false;
	if (!count)
		return true;
	bytes = ingress__links_size(fields, count, block->request.bytes,
				    atomic_load_explicit(&context->payload_max, memory_order_relaxed));
	if (bytes > sizeof(small))
		to = ingress__buffer_take(bytes);
	if (!bytes || !to) {
		answer_status(context, block, bytes ? INGRESS_NO_MEMORY : INGRESS_TOO_LARGE);
		return false;
	}
	ingress__links_fill(&chain->links[member->first_link], fields, count, block->request.data, block->request.bytes,
			    to);
	if (block->holds & INGRESS__HOLDS_BUFFER)
		ingress__buffer_give(block->buffer);
	block->holds &= (uint8_t)~INGRESS__HOLDS_BUFFER;
	if (to == small) {
		to = memcpy(block->payload, small, bytes);
	} else {
		block->buffer = to;
		block->holds |= INGRESS__HOLDS_BUFFER;
	}
	block->request.data = to;
	block->request.bytes = bytes;
	return true;
}

static bool is_late(const struct ingress__block *block)
{
	return block->holds & INGRESS__HOLDS_DEADLINE && thread__now_ns() >= block->deadline_ns;
}

/* Find the next request of a chain that can run, and answer those before it that cannot. NULL: there is none. */
static struct ingress__block *next_of(struct ingress__context *context, struct ingress__chain *chain)
{
	while (chain->next < chain->count) {
		uint32_t number = chain->next++;
		struct ingress__block *block = chain->members[number].block;

		/* one that was cancelled */
		if (chain->members[number].status != INGRESS_STALE || skip(context, chain, number))
			continue;
		if (is_late(block)) {
			answer(context, block, INGRESS_TIMEOUT,
			       "the deadline passed before the handler began; it did not run");
		} else if (fill_in(context, chain, number)) {
			chain->current = number;
			ingress__request_is_handed_over(context, block);
			return block;
		}
	}
	return NULL;
}

static struct ingress__chain *take_ready(struct ingress__context *context)
{
	struct ingress__chain *chain = context->ready;

	if (chain)
		context->ready = chain->after;
	return chain;
}

uint32_t ingress__chains_step(struct ingress__context *context, struct ingress_request **batch, uint32_t capacity)
{
	struct ingress__chain *chain;
	uint32_t count = 0;

	while (count < capacity && (chain = take_ready(context))) {
		struct ingress__block *block = next_of(context, chain);

		if (block)
			batch[count++] = &block->request;
		ingress__chain_unref(chain);
	}
	return count;
}

void ingress__chains_close(struct ingress__context *context)
{
	struct ingress__chain *chain;

	while ((chain = take_ready(context))) {
		while (chain->next < chain->count) {
			struct ingress__member *member = &chain->members[chain->next++];

			if (member->status == INGRESS_STALE)
				answer_status(context, member->block, INGRESS_CLOSED);
		}
		ingress__chain_unref(chain);
	}
}

/* ---- providers that pass chains on ------------------------------------------------------------------------------- */

void ingress_chain_pass(struct ingress_provider *provider, ingress_chain_fn *chain, void *user)
{
	struct ingress__context *context = ingress__context_of(provider);

	INGRESS__ENTER();
	if (!ingress__is_library_thread(provider))
		return;
	context->chain_pass = chain;
	context->chain_user = user;
}

void ingress__chain_hand_over(struct ingress__context *context, struct ingress_request *const *requests, size_t count)
{
	struct ingress__chain *chain = ((struct ingress__block *)requests[0])->chain;
	struct ingress_request *all[INGRESS_CHAIN_MAX] = { NULL };
	size_t left = 0;

	/* held while its requests may be answered; none of them is left to ingress__chains_step() */
	atomic_fetch_add_explicit(&chain->refs, 1, memory_order_relaxed);
	chain->next = chain->count;
	chain->current = INGRESS__NO_MEMBER;
	for (size_t i = 0; i < count; i++) {
		const struct ingress__block *block = (const struct ingress__block *)requests[i];

		all[ingress__chain_member(block) - chain->members] = requests[i];
		ingress__request_is_handed_over(context, block);
	}
	for (uint32_t i = 0; i < chain->count; i++) {
		if (all[i] && skip(context, chain, i))
			all[i] = NULL;
		left += all[i] != NULL;
	}
	if (left) {
		ingress__library_out();
		context->chain_pass(context->chain_user, all, chain->count, chain->links, chain->link_count);
		ingress__library_back(context);
	}
	ingress__chain_unref(chain);
}
