/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every message of spec/wire/types.json: decode it from one format, and encode what came out in both. Each message has
 * one deterministic encoding in each format, so these say what the value was.
 */
#ifndef FERRY_TESTS_WIRE_MESSAGES_H
#define FERRY_TESTS_WIRE_MESSAGES_H

#include "wire_c.h"
#include "wire_cbor.h"

/* What a message was decoded to: `text` is an error, or empty. */
struct messages_result {
	struct ferry_buffer cbor;
	struct ferry_buffer c;
	char text[FERRY_WIRE_PATH_BYTES + 64];
};

struct messages_root {
	const char *name;
	/* Decode data[bytes], owned or borrowed. Returns 0, or -1 with result->text. */
	int (*decode)(int is_c, int is_owned, const void *data, size_t bytes, struct messages_result *result);
};

#define ROOT(method, codec, type)                                                                                      \
	static int messages_##method(int is_c, int is_owned, const void *data, size_t bytes,                           \
				     struct messages_result *result)                                                   \
	{                                                                                                              \
		struct ferry_wire_error error;                                                                         \
		struct ferry_memory memory;                                                                            \
		type value;                                                                                            \
		int failed;                                                                                            \
                                                                                                                       \
		result->text[0] = 0;                                                                                   \
		if (is_c)                                                                                              \
			failed = (is_owned ? codec##_decode_c : codec##_borrow_c)(data, bytes, &value, &memory,        \
										  &error);                             \
		else                                                                                                   \
			failed = (is_owned ? codec##_decode_cbor : codec##_borrow_cbor)(data, bytes, &value, &memory,  \
											&error);                       \
		if (!failed) {                                                                                         \
			failed = codec##_encode_cbor(&value, &result->cbor, &error) ||                                 \
				 codec##_encode_c(&value, &result->c, &error);                                         \
			ferry_memory_free(&memory);                                                                    \
		}                                                                                                      \
		if (failed)                                                                                            \
			ferry_wire_error_format(&error, result->text, sizeof(result->text));                           \
		return failed ? -1 : 0;                                                                                \
	}
#include "roots.h"
#undef ROOT

#define ROOT(method, codec, type) { #method, messages_##method },
static const struct messages_root messages_roots[] = {
#include "roots.h"
};
#undef ROOT

#define MESSAGES_ROOT_COUNT (sizeof(messages_roots) / sizeof(messages_roots[0]))

#endif /* FERRY_TESTS_WIRE_MESSAGES_H */
