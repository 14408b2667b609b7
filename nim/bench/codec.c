/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of codec.nim and the lines that it prints. codec.nim has the functions that are measured. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "bench.h"

long echo_request_cbor(void *context, long n);
long echo_request_c(void *context, long n);
long echo_request_copy(void *context, long n);
long echo_response_cbor(void *context, long n);
long echo_response_c(void *context, long n);
long echo_response_copy(void *context, long n);
long complex_request_cbor(void *context, long n);
long complex_request_c(void *context, long n);
long complex_request_copy(void *context, long n);
long variant_cbor(void *context, long n);
long variant_c(void *context, long n);
long variant_copy(void *context, long n);
long variant_as_object_cbor(void *context, long n);
long variant_as_object_c(void *context, long n);
long variant_as_object_copy(void *context, long n);
long variants_cbor(void *context, long n);
long variants_c(void *context, long n);
long variants_copy(void *context, long n);
long variants_as_objects_cbor(void *context, long n);
long variants_as_objects_c(void *context, long n);
long variants_as_objects_copy(void *context, long n);
long payload_cbor(void *context, long n);
long payload_c(void *context, long n);
int payload_prepare(void *context, long n);
int codec_main(int argc, char **argv);

static long bytes_100 = 100, bytes_1k = 1 << 10, bytes_10k = 10 << 10, bytes_64k = 64 << 10, bytes_150k = 150 << 10,
	    bytes_1m = 1 << 20;

#define PAYLOAD(NAME, BYTES)                                                                                           \
	{ "nim-cbor:" NAME, payload_prepare, payload_cbor, &(BYTES), false },                                          \
	{                                                                                                              \
		"nim-c:" NAME, payload_prepare, payload_c, &(BYTES), false                                             \
	}

static const struct bench_variant variants[] = {
	{ "nim-cbor:echo_request", NULL, echo_request_cbor, NULL, false },
	{ "nim-c:echo_request", NULL, echo_request_c, NULL, false },
	{ "nim-copy:echo_request", NULL, echo_request_copy, NULL, false },
	{ "nim-cbor:echo_response", NULL, echo_response_cbor, NULL, false },
	{ "nim-c:echo_response", NULL, echo_response_c, NULL, false },
	{ "nim-copy:echo_response", NULL, echo_response_copy, NULL, false },
	{ "nim-cbor:complex_request", NULL, complex_request_cbor, NULL, false },
	{ "nim-c:complex_request", NULL, complex_request_c, NULL, false },
	{ "nim-copy:complex_request", NULL, complex_request_copy, NULL, false },
	{ "nim-cbor:variant", NULL, variant_cbor, NULL, false },
	{ "nim-c:variant", NULL, variant_c, NULL, false },
	{ "nim-copy:variant", NULL, variant_copy, NULL, false },
	{ "nim-cbor:variant_as_object", NULL, variant_as_object_cbor, NULL, false },
	{ "nim-c:variant_as_object", NULL, variant_as_object_c, NULL, false },
	{ "nim-copy:variant_as_object", NULL, variant_as_object_copy, NULL, false },
	{ "nim-cbor:variants", NULL, variants_cbor, NULL, false },
	{ "nim-c:variants", NULL, variants_c, NULL, false },
	{ "nim-copy:variants", NULL, variants_copy, NULL, false },
	{ "nim-cbor:variants_as_objects", NULL, variants_as_objects_cbor, NULL, false },
	{ "nim-c:variants_as_objects", NULL, variants_as_objects_c, NULL, false },
	{ "nim-copy:variants_as_objects", NULL, variants_as_objects_copy, NULL, false },
	PAYLOAD("bytes_100", bytes_100),
	PAYLOAD("bytes_1k", bytes_1k),
	PAYLOAD("bytes_10k", bytes_10k),
	PAYLOAD("bytes_64k", bytes_64k),
	PAYLOAD("bytes_150k", bytes_150k),
	PAYLOAD("bytes_1m", bytes_1m),
};

int codec_main(int argc, char **argv)
{
	static const long n[] = { 1, 10, 100 };
	const struct bench_suite suite = {
		.boundary = "codec",
		.question = "How long does it take in Nim to encode a value, decode it and free it?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 100,
		.quick_repetitions = 20,
	};

	return bench_main(argc, argv, &suite);
}
