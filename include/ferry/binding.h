/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all calls share that `ferry bindgen --lang c` writes: they hand an encoded request over, and take a reply apart.
 * Programs include the generated header, not this one.
 */
#ifndef FERRY_BINDING_H
#define FERRY_BINDING_H

#include <ferry/ingress.h>
#include <ferry/wire.h>

/* A request up to this long is encoded on the caller's stack; a longer one in memory that the core then owns. */
#define FERRY_BINDING_WORDS 64

/* Ends the loan of a request that was allocated. */
static inline void ferry_binding_release(void *owner, const void *data, size_t bytes)
{
	(void)data;
	(void)bytes;
	free(owner);
}

/* Make an encoded request the payload of a call, which takes over what the buffer has allocated. */
static inline void ferry_binding_hand_over(struct ferry_buffer *buffer, struct ingress_call *call)
{
	call->data = buffer->data;
	call->bytes = buffer->bytes;
	if (!buffer->private_lent && buffer->data) {
		call->release = ferry_binding_release;
		call->owner = buffer->data;
		*buffer = (struct ferry_buffer){ NULL, 0, 0, false };
	}
}

/* The status with which a request is refused that could not be encoded. */
static inline enum ingress_status ferry_binding_not_encoded(const struct ferry_wire_error *error)
{
	return error->reason == FERRY_WIRE_NO_MEMORY ? INGRESS_NO_MEMORY : INGRESS_BAD_PAYLOAD;
}

/* Keep a message, ended by a zero byte; if there is none, the sentence of the status. Returns the status. */
static inline enum ingress_status ferry_binding_message(enum ingress_status status, const void *data, size_t bytes,
							struct ferry_string *message, struct ferry_memory *memory)
{
	char *text = bytes ? ferry_memory_begin(memory, bytes + 1, 0) : NULL;

	if (!text) {
		*message = ferry_string(ingress_status_text(status));
		return status;
	}
	memcpy(text, data, bytes);
	text[bytes] = 0;
	*message = (struct ferry_string){ text, bytes };
	return status;
}

/* Keep why something could not be decoded or encoded, with its path. Returns the status that stands for it. */
static inline enum ingress_status ferry_binding_wire_error(const struct ferry_wire_error *error,
							   struct ferry_string *message, struct ferry_memory *memory)
{
	char text[FERRY_WIRE_PATH_BYTES + 64];
	int bytes = ferry_wire_error_format(error, text, sizeof(text));

	return ferry_binding_message(ferry_binding_not_encoded(error), text, (size_t)bytes, message, memory);
}

/* Check that a message is the one that stands for no value (I6). Returns 0 or -1. */
static inline int ferry_binding_nothing(uint32_t wire, const void *data, size_t bytes, struct ferry_wire_error *error)
{
	if (wire == INGRESS_WIRE_C ? bytes == 0 : bytes == 1 && *(const uint8_t *)data == 0xf6)
		return 0;
	return ferry_wire_fail(error, bytes == 0 ? FERRY_WIRE_ENDS_EARLY : FERRY_WIRE_WRONG_TYPE);
}

/* The request without parameters (I6), at *data. Returns how many bytes it has. */
static inline size_t ferry_binding_no_parameters(uint32_t wire, const void **data)
{
	static const uint8_t empty_map = 0xa0;

	*data = &empty_map;
	return wire == INGRESS_WIRE_CBOR;
}

#endif /* FERRY_BINDING_H */
