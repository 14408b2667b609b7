/* SPDX-License-Identifier: BSD-3-Clause */
/* See chain.h. */
#include "ingress/requests/chain.h"
#include "ingress/context/request.h"

#include <stdlib.h>
#include <string.h>

/* ---- the life of a chain ----------------------------------------------------------------------------------------- */

struct ingress__chain *ingress__chain_make(size_t count, const struct ingress_link *links, size_t link_count)
{
	size_t bytes =
		sizeof(struct ingress__chain) + count * sizeof(struct ingress__member) + link_count * sizeof(*links);
	struct ingress__chain *chain;
	uint32_t link = 0;
	char *path;

	for (size_t i = 0; i < link_count; i++)
		bytes += links[i].path_bytes;
	chain = calloc(1, bytes);
	if (!chain)
		return NULL;
	atomic_store_explicit(&chain->refs, (uint32_t)count, memory_order_relaxed);
	chain->count = (uint32_t)count;
	chain->link_count = (uint32_t)link_count;
	chain->current = INGRESS__NO_MEMBER;
	chain->links = (struct ingress_link *)&chain->members[count];
	path = (char *)&chain->links[link_count];
	for (size_t i = 0; i < link_count; i++) {
		chain->links[i] = links[i];
		chain->links[i].path = path;
		if (links[i].path_bytes)
			memcpy(path, links[i].path, links[i].path_bytes);
		path += links[i].path_bytes;
		chain->members[links[i].source].is_source |= links[i].kind != INGRESS_LINK_AFTER;
	}
	for (uint32_t i = 0; i < count; i++) {
		while (link < link_count && links[link].request < i)
			link++;
		chain->members[i].first_link = link;
		chain->members[i].status = INGRESS_STALE;
		chain->members[i].cause = i;
	}
	return chain;
}

void ingress__chain_unref(struct ingress__chain *chain)
{
	/* acq_rel: what the others wrote comes before the chain is freed */
	if (atomic_fetch_sub_explicit(&chain->refs, 1, memory_order_acq_rel) != 1)
		return;
	for (uint32_t i = 0; i < chain->count; i++)
		free(chain->members[i].result);
	free(chain);
}

struct ingress__member *ingress__chain_member(const struct ingress__block *block)
{
	struct ingress__member *member = block->chain->members;

	while (member->block != block)
		member++;
	return member;
}

/* The ready list holds the chain too: else its last request might free it there. */
static void make_ready(struct ingress__context *context, struct ingress__chain *chain)
{
	atomic_fetch_add_explicit(&chain->refs, 1, memory_order_relaxed);
	chain->after = NULL;
	if (context->ready)
		context->ready_last->after = chain;
	else
		context->ready = chain;
	context->ready_last = chain;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/*
 * Keep what later requests take. All that is kept of a chain is bounded as one payload is: the requests may come from
 * another machine, and each may double what it takes.
 */
static void keep_result(const struct ingress__context *context, struct ingress__chain *chain,
			struct ingress__member *member, const void *data, size_t bytes)
{
	uint64_t most = atomic_load_explicit(&context->payload_max, memory_order_relaxed);

	member->is_large = bytes > most - chain->kept_bytes;
	if (member->is_large)
		return;
	member->result = malloc(bytes + 1);
	if (!member->result)
		return;
	if (bytes)
		memcpy(member->result, data, bytes);
	member->bytes = bytes;
	chain->kept_bytes += bytes;
}

void ingress__chain_answered(struct ingress__context *context, struct ingress__block *block, enum ingress_status status,
			     const void *data, size_t bytes)
{
	struct ingress__chain *chain = block->chain;
	struct ingress__member *member = ingress__chain_member(block);

	member->status = (uint8_t)status;
	if (status == INGRESS_OK && member->is_source && !context->chain_pass)
		keep_result(context, chain, member, data, bytes);
	if (chain->current == (uint32_t)(member - chain->members)) {
		chain->current = INGRESS__NO_MEMBER;
		if (chain->next < chain->count)
			make_ready(context, chain);
	}
	ingress__chain_unref(chain);
}

void ingress__chain_unserved(struct ingress__block *block, enum ingress_status status)
{
	struct ingress__chain *chain = block->chain;

	ingress__chain_member(block)->status = (uint8_t)status;
	ingress__chain_unref(chain);
}

/* ---- the begin --------------------------------------------------------------------------------------------------- */

bool ingress__chain_begin(struct ingress__context *context, struct ingress__block *block)
{
	struct ingress__chain *chain = block->chain;
	bool is_first = !chain->has_begun;

	chain->has_begun = true;
	if (block == chain->members[0].block) {
		chain->next = 1;
		chain->current = 0;
		return true;
	}
	ingress__request_waits(context, block);
	/* the first one was cancelled in the lanes: the next step of the chain finds the one that follows */
	if (is_first)
		make_ready(context, chain);
	return false;
}
