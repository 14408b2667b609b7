/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of the boundary `skip`, for the programs in C and C++: an EchoRequest of the echo library with an
 * unknown key, whose value is a sequence of n items, or with n unknown keys. The messages in Python and Rust have the
 * same items.
 */
#ifndef FERRY_BENCH_SKIP_H
#define FERRY_BENCH_SKIP_H

#include "../bench.h"

#define SKIP_KEYS_SHAPE "keys"
#define SKIP_HEAD_BYTES_MAX 64

struct skip_shape {
	const char *name;
	const char *item; /* the item that an unknown sequence repeats */
	size_t bytes;
	/* of the n that it was made for */
	long n;
	uint8_t *message;
	size_t message_bytes;
};

#define SHAPE(name, item)                                                                                              \
	{                                                                                                              \
		name, item, sizeof(item) - 1, 0, NULL, 0                                                               \
	}

static struct skip_shape skip_shapes[] = {
	SHAPE("zeros", "\0"),
	SHAPE("u8", "\x18\x40"),
	SHAPE("texts", "\x63xyz"),
	SHAPE("texts_utf8", "\x62\xc3\xa9"),
	SHAPE("floats", "\xfb\x40\x09\x21\xfb\x54\x44\x2d\x18"),
	SHAPE("empty", "\x80"),
	SHAPE("pairs", "\x82\x01\x61z"),
	SHAPE("objects", "\xa2\x61x\x01\x61y\x02"),
	SHAPE("nested", "\x81\x81\0"),
	SHAPE("tagged", "\xd8\x2a\0"),
	SHAPE(SKIP_KEYS_SHAPE, "\x63key\x18\x40"),
};

enum { SKIP_SHAPES = sizeof(skip_shapes) / sizeof(skip_shapes[0]) };

static inline uint8_t *skip_put(uint8_t *at, const char *data, size_t bytes)
{
	memcpy(at, data, bytes);
	return at + bytes;
}

/* Write a head of five bytes; decoders accept every width. */
static inline uint8_t *skip_put_head(uint8_t *at, uint8_t major, uint32_t count)
{
	const uint8_t head[] = { (uint8_t)(major << 5 | 26), (uint8_t)(count >> 24), (uint8_t)(count >> 16),
				 (uint8_t)(count >> 8), (uint8_t)count };

	memcpy(at, head, sizeof(head));
	return at + sizeof(head);
}

/* Make the message with n items, unless it is there already. */
static inline int skip_prepare(void *context, long n)
{
	struct skip_shape *shape = (struct skip_shape *)context;
	const int has_keys = !strcmp(shape->name, SKIP_KEYS_SHAPE);
	uint8_t *at;

	if (shape->n == n)
		return 0;
	free(shape->message);
	shape->message = (uint8_t *)malloc(SKIP_HEAD_BYTES_MAX + (size_t)n * shape->bytes);
	if (!shape->message)
		return -ENOMEM;
	at = skip_put_head(shape->message, 5, has_keys ? (uint32_t)n + 2 : 3);
	at = skip_put(at,
		      "\x67message\x61x\x68"
		      "delay_ms\x01",
		      20);
	if (!has_keys)
		at = skip_put_head(skip_put(at, "\x67unknown", 8), 4, (uint32_t)n);
	for (long i = 0; i < n; i++)
		at = skip_put(at, shape->item, shape->bytes);
	shape->message_bytes = (size_t)(at - shape->message);
	shape->n = n;
	return 0;
}

/* The main of a program that decodes each shape by `run`, whose context is a struct skip_shape. */
static inline int skip_main(int argc, char **argv, const char *way, const char *question,
			    long (*run)(void *context, long n))
{
	static const long n[] = { 100, 10000, 1000000 };
	static char names[SKIP_SHAPES][64];
	static struct bench_variant variants[SKIP_SHAPES];

	for (int i = 0; i < SKIP_SHAPES; i++) {
		snprintf(names[i], sizeof(names[i]), "%s:%s", way, skip_shapes[i].name);
		variants[i].name = names[i];
		variants[i].prepare = skip_prepare;
		variants[i].run = run;
		variants[i].context = &skip_shapes[i];
	}
	const struct bench_suite suite = { "skip", question, variants, SKIP_SHAPES, n, 3, 10, 3, NULL };

	return bench_main(argc, argv, &suite);
}

#endif
