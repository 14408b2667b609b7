/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains that were not sent yet. See remote.h. */
#include "remote.h"

#include <stdlib.h>
#include <string.h>

struct network__chain *network__chain_make(struct ingress_request *const *requests, size_t count,
					   const struct ingress_link *links, size_t link_count)
{
	uint32_t numbers[INGRESS_CHAIN_MAX] = { 0 };
	struct network__chain *chain;
	size_t link_bytes = 0;
	uint8_t *to;

	for (size_t i = 0; i < link_count; i++)
		link_bytes += NETWORK__LINK_BYTES + links[i].path_bytes;
	chain = calloc(1, sizeof(*chain) + link_bytes);
	if (!chain)
		return NULL;
	/* requests that were answered before are left out, and so are the links from and to them */
	for (size_t i = 0; i < count; i++)
		if (requests[i]) {
			numbers[i] = chain->count;
			chain->requests[chain->count++] = requests[i];
		}
	to = chain->links;
	for (size_t i = 0; i < link_count; i++) {
		struct ingress_link link = links[i];

		if (!requests[link.request] || !requests[link.source])
			continue;
		link.request = numbers[link.request];
		link.source = numbers[link.source];
		to = network__link_write(to, &link);
	}
	chain->link_bytes = (size_t)(to - chain->links);
	return chain;
}

size_t network__chain_bytes(const struct network__chain *chain)
{
	size_t bytes = NETWORK__RECORD_BYTES + chain->link_bytes;

	for (uint32_t i = 0; i < chain->count; i++)
		bytes += NETWORK__RECORD_BYTES + chain->requests[i]->bytes;
	return bytes;
}

void network__chain_fail(struct network__chain *chain, enum ingress_status status, const char *reason)
{
	for (uint32_t i = 0; i < chain->count; i++)
		ingress_answer_copy(chain->requests[i], status, reason, strlen(reason));
	free(chain);
}

bool network__chain_cancel(struct network__chain *chain, const struct ingress_request *request)
{
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->requests[i] == request) {
			chain->cancelled |= (uint64_t)1 << i;
			return true;
		}
	return false;
}
