/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a message of src/network. Reading looks at nothing outside it, and what was accepted is, written again
 * record by record, the same message. A chain in it goes on as in a provider's process: its links are checked against
 * its requests, and if they may be, each field is looked for in the payload of its source, as if that were the result,
 * and put into its place.
 */
#include "ingress/requests/links.h"
#include "network/message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(int holds)
{
	if (!holds)
		abort();
}

/* Fill the request in to which links[count] lead. */
static void fill(const struct ingress_call *calls, const struct ingress_link *links, size_t count)
{
	const struct ingress_call *call = &calls[links[0].request];
	struct ingress__field fields[INGRESS_LINKS_MAX];
	size_t size, expected = call->bytes;
	unsigned char *made;

	for (size_t i = 0; i < count; i++) {
		const struct ingress_call *source = &calls[links[i].source];

		fields[i] = ingress__link_find(&links[i], source->data, source->bytes);
		require(!fields[i].data == !!fields[i].reason);
		if (!fields[i].data)
			return;
		require(fields[i].bytes > 0);
		expected += fields[i].bytes - 1;
	}
	size = ingress__links_size(fields, count, call->bytes, 1 << 20);
	require(size == (expected <= 1 << 20 ? expected : 0));
	made = size ? malloc(size) : NULL;
	if (!made)
		return;
	ingress__links_fill(links, fields, count, call->data, call->bytes, made);
	require(!memcmp(made + links[0].place, fields[0].data, fields[0].bytes));
	free(made);
}

static void take_chain(const struct network__record *chain, const uint8_t *data, size_t bytes, size_t place)
{
	static struct ingress_link links[INGRESS_LINKS_MAX];
	struct ingress_call calls[INGRESS_CHAIN_MAX] = { { 0 } };
	struct network__record record;
	struct ingress_refusal refusal = { 0 };
	uint32_t link_count = network__links_read(chain, links);
	size_t end;

	require(chain->number <= INGRESS_CHAIN_MAX);
	for (uint32_t i = 0; i < chain->number; i++) {
		require(network__message_next(data, bytes, &place, &record) && record.type == NETWORK__REQUEST);
		calls[i] = (struct ingress_call){ .wire = record.wire, .data = record.data, .bytes = record.bytes };
	}
	if (!ingress__links_check(calls, chain->number, links, link_count, &refusal)) {
		require(refusal.link < link_count && refusal.text);
		return;
	}
	for (size_t i = 0; i < link_count; i = end) {
		size_t fields = i;

		for (end = i; end < link_count && links[end].request == links[i].request; end++)
			fields += links[end].kind != INGRESS_LINK_AFTER;
		if (fields > i)
			fill(calls, &links[i], fields - i);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct network__writer writer = { 0 };
	struct network__header header;
	struct network__record record;
	size_t place = NETWORK__HEADER_BYTES;

	if (!network__message_check(data, bytes, &header))
		return 0;
	require(network__writer_begin(&writer));
	while (network__message_next(data, bytes, &place, &record)) {
		require(record.data >= data && record.bytes <= bytes && record.data + record.bytes <= data + bytes);
		require(network__writer_add(&writer, &record));
		if (record.type == NETWORK__CHAIN)
			take_chain(&record, data, bytes, place);
	}
	network__writer_end(&writer, &header);
	require(place == bytes && writer.bytes == bytes && !memcmp(writer.data, data, bytes));
	network__writer_free(&writer);
	return 0;
}
