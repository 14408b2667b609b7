/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all libraries share that `ferry bindgen --provider c` writes: they refuse requests, and hand over what they have
 * encoded. Libraries include the generated header, not this one. Every function that answers may be called by any
 * thread.
 */
#ifndef FERRY_PROVIDER_H
#define FERRY_PROVIDER_H

#include <ferry/ingress_provider.h>
#include <ferry/wire.h>
#include <ferry/wire_utf8.h>

/* A message up to this long is encoded on the stack; a longer one in memory that the core then owns. */
#define FERRY_PROVIDER_WORDS 64

/* Ends the loan of an answer that was allocated. */
static inline void ferry_provider_release(void *owner, const void *data, size_t bytes)
{
	(void)data;
	(void)bytes;
	free(owner);
}

/* Answer with an error. Bytes of the message that are not UTF-8 become question marks. */
static inline void ferry_provider_refuse(struct ingress_request *request, enum ingress_status status,
					 struct ferry_string message)
{
	char *copy;

	if (ferry_likely(ferry_utf8_valid((const uint8_t *)message.data, message.bytes))) {
		ingress_answer_post(request, status, message.data, message.bytes, NULL, NULL);
		return;
	}
	copy = malloc(message.bytes);
	for (size_t i = 0; copy && i < message.bytes; i++) {
		copy[i] = message.data[i];
		if ((unsigned char)copy[i] > 0x7f)
			copy[i] = '?';
	}
	ingress_answer_post(request, status, copy, copy ? message.bytes : 0, NULL, NULL);
	free(copy);
}

/* Refuse a request that cannot be decoded. */
static inline void ferry_provider_refuse_payload(struct ingress_request *request, const struct ferry_wire_error *error)
{
	char text[FERRY_WIRE_PATH_BYTES + 64];

	ferry_wire_error_format(error, text, sizeof(text));
	ferry_provider_refuse(request, error->reason == FERRY_WIRE_NO_MEMORY ? INGRESS_FAILED : INGRESS_BAD_PAYLOAD,
			      ferry_string(text));
}

/* Refuse a request whose parameter is a handle that is not open. */
static inline void ferry_provider_refuse_handle(struct ingress_request *request, const char *parameter,
						const char *type)
{
	char text[256];

	snprintf(text, sizeof(text), "%s: no open %s has this handle", parameter, type);
	ferry_provider_refuse(request, INGRESS_BAD_HANDLE, ferry_string(text));
}

/* Answer with what was encoded, a result or an error of the method's type, or say why it could not be. */
static inline void ferry_provider_answer(struct ingress_request *request, enum ingress_status status, int failed,
					 struct ferry_buffer *buffer, const struct ferry_wire_error *error)
{
	char text[FERRY_WIRE_PATH_BYTES + 96] = "the result cannot be sent: ";
	size_t begun = strlen(text);

	if (ferry_unlikely(failed)) {
		ferry_wire_error_format(error, text + begun, sizeof(text) - begun);
		ferry_provider_refuse(request, INGRESS_FAILED, ferry_string(text));
		ferry_buffer_free(buffer);
	} else if (buffer->private_lent) {
		ingress_answer_post(request, status, buffer->data, buffer->bytes, NULL, NULL);
	} else {
		ingress_answer_post(request, status, buffer->data, buffer->bytes, ferry_provider_release, buffer->data);
	}
}

/* Answer a request that was cancelled. */
static inline void ferry_provider_give_up(struct ingress_request *request)
{
	ferry_provider_refuse(request, INGRESS_CANCELLED, ferry_string("cancelled"));
}

/* The message that stands for no value (I6), at *data. Returns how many bytes it has. */
static inline size_t ferry_provider_nothing(uint32_t wire, const void **data)
{
	static const uint8_t null = 0xf6;

	*data = &null;
	return wire == INGRESS_WIRE_CBOR;
}

/* Answer a request that has no result. */
static inline void ferry_provider_answer_nothing(struct ingress_request *request)
{
	const void *data;
	size_t bytes = ferry_provider_nothing(request->wire, &data);

	ingress_answer_post(request, INGRESS_OK, data, bytes, NULL, NULL);
}

/* Emit an event without a value. Library thread only. */
static inline void ferry_provider_emit_nothing(struct ingress_provider *provider, uint32_t event)
{
	unsigned int wires = ingress_event_wires(provider, event);

	for (uint32_t wire = INGRESS_WIRE_CBOR; wire <= INGRESS_WIRE_C; wire++) {
		const void *data;
		size_t bytes = ferry_provider_nothing(wire, &data);

		if (wires >> wire & 1)
			ingress_event_emit(provider, event, wire, data, bytes);
	}
}

#endif /* FERRY_PROVIDER_H */
