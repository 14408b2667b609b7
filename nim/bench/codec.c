/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and the lines of codec.nim, whose functions these are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "bench.h"

long echo_request_cbor(void *context, long n);
long echo_request_c(void *context, long n);
long echo_response_cbor(void *context, long n);
long echo_response_c(void *context, long n);
long complex_request_cbor(void *context, long n);
long complex_request_c(void *context, long n);
long payload_cbor(void *context, long n);
long payload_c(void *context, long n);
int payload_prepare(void *context, long n);
int codec_main(int argc, char **argv);

static char source[1 << 20], middle[1 << 20];

/* Two copies and an allocation, the second copy into it. */
static long run_memcpy(void *context, long n)
{
	size_t bytes = (size_t)*(long *)context;

	for (long i = 0; i < n; i++) {
		char *block;

		memcpy(middle, source, bytes);
		bench_barrier();
		block = malloc(bytes);
		if (!block)
			return -ENOMEM;
		memcpy(block, middle, bytes);
		__asm__ volatile("" : : "r"(block) : "memory");
		free(block);
	}
	return 0;
}

static long bytes_100 = 100, bytes_1k = 1 << 10, bytes_10k = 10 << 10, bytes_64k = 64 << 10, bytes_150k = 150 << 10,
	    bytes_1m = 1 << 20;

#define PAYLOAD(NAME, BYTES)                                                      \
	{ "nim-cbor:" NAME, payload_prepare, payload_cbor, &(BYTES), false },     \
		{ "nim-c:" NAME, payload_prepare, payload_c, &(BYTES), false },   \
		{ "memcpy:" NAME, payload_prepare, run_memcpy, &(BYTES), false }

static const struct bench_variant variants[] = {
	{ "nim-cbor:EchoRequest", NULL, echo_request_cbor, NULL, false },
	{ "nim-c:EchoRequest", NULL, echo_request_c, NULL, false },
	{ "nim-cbor:EchoResponse", NULL, echo_response_cbor, NULL, false },
	{ "nim-c:EchoResponse", NULL, echo_response_c, NULL, false },
	{ "nim-cbor:ComplexRequest", NULL, complex_request_cbor, NULL, false },
	{ "nim-c:ComplexRequest", NULL, complex_request_c, NULL, false },
	PAYLOAD("100B", bytes_100),
	PAYLOAD("1KiB", bytes_1k),
	PAYLOAD("10KiB", bytes_10k),
	PAYLOAD("64KiB", bytes_64k),
	PAYLOAD("150KiB", bytes_150k),
	PAYLOAD("1MiB", bytes_1m),
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
