/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a message of spec/wire/types.json, in either format. What is decoded is the same whether it is owned or
 * borrowed; encoded in the format it came in and decoded again, it is still the same; a message of format `c` that is
 * accepted is the one encoding of its value. The first byte of an input chooses the type, the lowest bit of the second
 * the format.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

#define HEADER_BYTES 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(int holds)
{
	if (!holds)
		abort();
}

static int same(const struct ferry_buffer *left, const struct ferry_buffer *right)
{
	return left->bytes == right->bytes && (!left->bytes || !memcmp(left->data, right->data, left->bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct messages_result owned, borrowed, again;
	const struct messages_root *root;
	int is_c, failed;
	uint8_t *message;

	if (bytes < HEADER_BYTES)
		return 0;
	root = &messages_roots[data[0] % MESSAGES_ROOT_COUNT];
	is_c = data[1] & 1;
	bytes -= HEADER_BYTES;
	message = malloc(bytes ? bytes : 1); /* of its size, and aligned */
	require(message != NULL);
	memcpy(message, data + HEADER_BYTES, bytes);
	failed = root->decode(is_c, 1, message, bytes, &owned);
	require(root->decode(is_c, 0, message, bytes, &borrowed) == failed && !strcmp(owned.text, borrowed.text));
	require(!failed == !owned.text[0]);
	if (!failed) {
		const struct ferry_buffer *own = is_c ? &owned.c : &owned.cbor;

		require(same(&owned.cbor, &borrowed.cbor) && same(&owned.c, &borrowed.c));
		require(!is_c || (own->bytes == bytes && !memcmp(own->data, message, bytes)));
		require(!root->decode(is_c, 1, own->data, own->bytes, &again));
		require(same(own, is_c ? &again.c : &again.cbor));
	}
	free(message);
	return 0;
}
