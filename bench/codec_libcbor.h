/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The round trips of bench/codec through libcbor, a CBOR library of Debian: a value becomes a tree of items, the tree a
 * message, the message a tree again, and that tree the value. If libcbor is not installed, they are left out.
 */
#ifndef FERRY_BENCH_CODEC_LIBCBOR_H
#define FERRY_BENCH_CODEC_LIBCBOR_H

#include <cbor.h>

static int libcbor_add(cbor_item_t *map, const char *key, cbor_item_t *value)
{
	return cbor_map_add(map, (struct cbor_pair){ cbor_move(cbor_build_string(key)), cbor_move(value) });
}

/* Serialize a tree into the buffer that every call uses, and load it again; frees both trees. */
static cbor_item_t *libcbor_send(cbor_item_t *map)
{
	struct cbor_load_result result;
	size_t bytes = cbor_serialize(map, buffer.data, buffer.room);

	cbor_decref(&map);
	return bytes ? cbor_load(buffer.data, bytes, &result) : NULL;
}

static cbor_item_t *libcbor_member(const cbor_item_t *map, const char *key)
{
	const struct cbor_pair *pairs = cbor_map_handle(map);

	for (size_t i = 0; i < cbor_map_size(map); i++)
		if (cbor_isa_string(pairs[i].key) && cbor_string_length(pairs[i].key) == strlen(key) &&
		    !memcmp(cbor_string_handle(pairs[i].key), key, strlen(key)))
			return pairs[i].value;
	return NULL;
}

static long libcbor_echo_request(void *context, long n)
{
	const struct echo_echo_request *value = ((const struct shape *)context)->value;

	for (long i = 0; i < n; i++) {
		cbor_item_t *map = cbor_new_definite_map(2), *back, *message, *delay;
		struct ferry_string text;
		char *own;

		libcbor_add(map, "message", cbor_build_stringn(value->message.data, value->message.bytes));
		libcbor_add(map, "delay_ms", cbor_build_uint8((uint8_t)value->delay_ms));
		back = libcbor_send(map);
		message = back ? libcbor_member(back, "message") : NULL;
		delay = back ? libcbor_member(back, "delay_ms") : NULL;
		if (!message || !delay)
			return -EBADMSG;
		text.bytes = cbor_string_length(message);
		text.data = own = malloc(text.bytes + 1);
		if (!own)
			return -ENOMEM;
		memcpy(own, cbor_string_handle(message), text.bytes);
		USED(&text);
		free(own);
		cbor_decref(&back);
	}
	return 0;
}

static long libcbor_bytes_params(void *context, long n)
{
	const struct echo_bytes_params *value = ((const struct shape *)context)->value;

	if (ferry_buffer_reserve(&buffer, value->payload.bytes + 64))
		return -ENOMEM;
	for (long i = 0; i < n; i++) {
		cbor_item_t *map = cbor_new_definite_map(1), *back, *payload;

		libcbor_add(map, "payload", cbor_build_bytestring(value->payload.data, value->payload.bytes));
		back = libcbor_send(map);
		payload = back ? libcbor_member(back, "payload") : NULL;
		if (!payload)
			return -EBADMSG;
		USED(cbor_bytestring_handle(payload)); /* the tree owns a copy */
		cbor_decref(&back);
	}
	return 0;
}

#endif /* FERRY_BENCH_CODEC_LIBCBOR_H */
