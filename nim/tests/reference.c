/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of wire.nim in the C that `ferry bindgen` writes: a second decoder and encoder of both formats, which
 * shares no code with the first.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "echo_c.h"
#include "echo_cbor.h"

/*
 * Decode data[bytes] and encode the value again. Returns 0 with the encoding in *out, from malloc; otherwise text[300]
 * has the error.
 */
#define REFERENCE(name)                                                                                                \
	int reference_##name(uint32_t wire, const void *data, size_t bytes, void **out, size_t *out_bytes, char *text) \
	{                                                                                                              \
		struct ferry_wire_error error;                                                                         \
		struct ferry_memory memory;                                                                            \
		struct ferry_buffer buffer = { 0 };                                                                    \
		struct echo_##name value;                                                                              \
		int result = wire ? echo_##name##_decode_c(data, bytes, &value, &memory, &error)                       \
				  : echo_##name##_decode_cbor(data, bytes, &value, &memory, &error);                   \
                                                                                                                       \
		if (result) {                                                                                          \
			ferry_wire_error_format(&error, text, 300);                                                    \
			return -1;                                                                                     \
		}                                                                                                      \
		result = wire ? echo_##name##_encode_c(&value, &buffer, &error)                                        \
			      : echo_##name##_encode_cbor(&value, &buffer, &error);                                    \
		ferry_memory_free(&memory);                                                                            \
		if (result)                                                                                            \
			abort();                                                                                       \
		*out = buffer.data;                                                                                    \
		*out_bytes = buffer.bytes;                                                                             \
		return 0;                                                                                              \
	}

REFERENCE(echo_request)
REFERENCE(echo_response)
REFERENCE(complex_request)
REFERENCE(all_types)
REFERENCE(tree)
REFERENCE(drawing)
