/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does it cost to send a value through each wire format? One of the n calls is a round trip: encode into a buffer
 * that is used again, decode, free. `cbor` and `c` decode into memory of their own; the borrowed variants point into
 * the message. The floor is the work that no format can avoid if a decoded value owns its memory: it copies the
 * message's bytes into a buffer, and from there into memory that it allocates and frees. The values are those of
 * nim-ffi's benchmark, so that its figures can stand beside these.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "echo_c.h"
#include "echo_cbor.h"

#include "bench.h"

#define MIB ((size_t)1 << 20)
#define TEXT(literal) ((struct ferry_string){ literal, sizeof(literal) - 1 })

/* A value to send, and how long its message is in cbor. */
struct shape {
	const void *value;
	size_t bytes;
};

static struct ferry_buffer buffer;

static const struct echo_echo_request echo_request = { TEXT("hello world"), 100 };
static const struct echo_echo_response echo_response = { TEXT("hello world"), TEXT("bench-timer") };
static const struct echo_echo_request messages[] = {
	{ TEXT("alpha"), 1 }, { TEXT("beta"), 2 }, { TEXT("gamma"), 3 }, { TEXT("delta"), 4 }
};
static const struct ferry_string tags[] = { TEXT("fast"), TEXT("async"), TEXT("bench") };
static const struct echo_complex_request complex_request = {
	.messages = { messages, 4 },
	.tags = { tags, 3 },
	.note = { true, TEXT("a slightly longer note that survives the round-trip") },
	.retries = { true, 7 },
};
/* A variant, and four of them, each beside objects whose message in cbor is as long. */
static const struct echo_shape variant = { ECHO_SHAPE_LABEL, { .label = { TEXT("hello world") } } };
static const struct echo_shape_label object = { TEXT("hello, wider world") };
static const struct echo_shape variants_of_four[] = {
	{ ECHO_SHAPE_LABEL, { .label = { TEXT("alpha to beta") } } },
	{ ECHO_SHAPE_CAPTION, { .caption = { TEXT("to gamma") } } },
	{ ECHO_SHAPE_LABEL, { .label = { TEXT("delta, epsilon") } } },
	{ ECHO_SHAPE_CAPTION, { .caption = { TEXT("zeta or theta") } } },
};
static const struct echo_shape_group variant_sequence = { { variants_of_four, 4 } };
static const struct echo_complex_request object_sequence = { .messages = { messages, 4 } };
static uint8_t blob[MIB];
static const struct echo_bytes_params blobs[] = {
	{ { blob, 100 } },	{ { blob, 1024 } },	 { { blob, 10 << 10 } },
	{ { blob, 64 << 10 } }, { { blob, 150 << 10 } }, { { blob, MIB } },
};

static struct shape shape_echo_request = { &echo_request, 0 };
static struct shape shape_echo_response = { &echo_response, 0 };
static struct shape shape_complex_request = { &complex_request, 0 };
static struct shape shape_variant = { &variant, 0 };
static struct shape shape_object = { &object, 0 };
static struct shape shape_variants = { &variant_sequence, 0 };
static struct shape shape_objects = { &object_sequence, 0 };
static struct shape shape_blobs[] = { { &blobs[0], 0 }, { &blobs[1], 0 }, { &blobs[2], 0 },
				      { &blobs[3], 0 }, { &blobs[4], 0 }, { &blobs[5], 0 } };

/* Use a decoded value: read it, so that the compiler cannot leave out its decoding. */
#define USED(value) __asm__ volatile("" : : "r"(value) : "memory")

#define ROUND_TRIP(way, type, format, decode)                                                                          \
	static long way##_##type(void *context, long n)                                                                \
	{                                                                                                              \
		const struct shape *shape = context;                                                                   \
		struct ferry_wire_error error;                                                                         \
		struct ferry_memory memory;                                                                            \
		struct echo_##type back;                                                                               \
                                                                                                                       \
		for (long i = 0; i < n; i++) {                                                                         \
			if (echo_##type##_encode_##format(shape->value, &buffer, &error) ||                            \
			    echo_##type##_##decode##_##format(buffer.data, buffer.bytes, &back, &memory, &error))      \
				return -EBADMSG;                                                                       \
			USED(&back);                                                                                   \
			ferry_memory_free(&memory);                                                                    \
		}                                                                                                      \
		return 0;                                                                                              \
	}

#define ALL_WAYS(type)                                                                                                 \
	ROUND_TRIP(cbor, type, cbor, decode)                                                                           \
	ROUND_TRIP(c, type, c, decode)                                                                                 \
	ROUND_TRIP(cbor_borrowed, type, cbor, borrow)                                                                  \
	ROUND_TRIP(c_borrowed, type, c, borrow)                                                                        \
	static void measure_##type(struct shape *shape)                                                                \
	{                                                                                                              \
		struct ferry_wire_error error;                                                                         \
                                                                                                                       \
		if (!echo_##type##_encode_cbor(shape->value, &buffer, &error))                                         \
			shape->bytes = buffer.bytes;                                                                   \
	}

ALL_WAYS(echo_request)
ALL_WAYS(echo_response)
ALL_WAYS(complex_request)
ALL_WAYS(bytes_params)
ALL_WAYS(shape)
ALL_WAYS(shape_label)
ALL_WAYS(shape_group)

static long copy(void *context, long n)
{
	const struct shape *shape = context;
	static uint8_t message[MIB + 64];

	if (ferry_buffer_reserve(&buffer, shape->bytes))
		return -ENOMEM;
	for (long i = 0; i < n; i++) {
		uint8_t *own;

		memcpy(buffer.data, message, shape->bytes);
		USED(buffer.data);
		own = malloc(shape->bytes);
		if (!own)
			return -ENOMEM;
		memcpy(own, buffer.data, shape->bytes);
		USED(own);
		free(own);
	}
	return 0;
}

#ifdef HAVE_LIBCBOR
#include "codec_libcbor.h"
#endif

#define VARIANTS(call, type, shape)                                                                                    \
	{ "cbor:" call, NULL, cbor_##type, shape, false }, { "c:" call, NULL, c_##type, shape, false },                \
		{ "cbor_borrowed:" call, NULL, cbor_borrowed_##type, shape, false },                                   \
		{ "c_borrowed:" call, NULL, c_borrowed_##type, shape, false },                                         \
	{                                                                                                              \
		"copy:" call, NULL, copy, shape, false                                                                 \
	}

static const struct bench_variant variants[] = {
	VARIANTS("echo_request", echo_request, &shape_echo_request),
	VARIANTS("echo_response", echo_response, &shape_echo_response),
	VARIANTS("complex_request", complex_request, &shape_complex_request),
	VARIANTS("variant", shape, &shape_variant),
	VARIANTS("variant_as_object", shape_label, &shape_object),
	VARIANTS("variants", shape_group, &shape_variants),
	VARIANTS("variants_as_objects", complex_request, &shape_objects),
	VARIANTS("bytes_100", bytes_params, &shape_blobs[0]),
	VARIANTS("bytes_1k", bytes_params, &shape_blobs[1]),
	VARIANTS("bytes_10k", bytes_params, &shape_blobs[2]),
	VARIANTS("bytes_64k", bytes_params, &shape_blobs[3]),
	VARIANTS("bytes_150k", bytes_params, &shape_blobs[4]),
	VARIANTS("bytes_1m", bytes_params, &shape_blobs[5]),
#ifdef HAVE_LIBCBOR
	{ "libcbor:echo_request", NULL, libcbor_echo_request, &shape_echo_request, false },
	{ "libcbor:bytes_100", NULL, libcbor_bytes_params, &shape_blobs[0], false },
	{ "libcbor:bytes_1m", NULL, libcbor_bytes_params, &shape_blobs[5], false },
#endif
};

int main(int argc, char **argv)
{
	static const long n[] = { 1, 10, 100 };
	const struct bench_suite suite = {
		.boundary = "codec",
		.question = "What does it cost to send a value through each wire format?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 60,
		.quick_repetitions = 20,
	};

	for (size_t i = 0; i < sizeof(blob); i++)
		blob[i] = (uint8_t)i;
	measure_echo_request(&shape_echo_request);
	measure_echo_response(&shape_echo_response);
	measure_complex_request(&shape_complex_request);
	measure_shape(&shape_variant);
	measure_shape_label(&shape_object);
	measure_shape_group(&shape_variants);
	measure_complex_request(&shape_objects);
	if (shape_variant.bytes != shape_object.bytes || shape_variants.bytes != shape_objects.bytes) {
		fprintf(stderr, "codec: messages that are compared differ in length: %zu and %zu, %zu and %zu bytes\n",
			shape_variant.bytes, shape_object.bytes, shape_variants.bytes, shape_objects.bytes);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++)
		measure_bytes_params(&shape_blobs[i]);
	return bench_main(argc, argv, &suite);
}
