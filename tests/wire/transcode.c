/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads lines `METHOD FORMAT HEX`, a message of spec/wire/types.json in format cbor or c, and prints for each what it
 * is in both formats, `ok CBOR C`, or `error TEXT`. The same program in another language runs the same vectors.
 */
#include <stdio.h>
#include <string.h>

#include "messages.h"

#define LINE_BYTES_MAX (1 << 20)

static void print_hex(const struct ferry_buffer *buffer)
{
	putchar(' ');
	for (size_t i = 0; i < buffer->bytes; i++)
		printf("%02x", buffer->data[i]);
	if (!buffer->bytes)
		putchar('-');
}

/* Hexadecimal digits as bytes in memory of exactly their size, so that a sanitizer sees a read past their end. */
static uint8_t *parse_hex(const char *text, size_t *bytes)
{
	uint8_t *data;

	*bytes = strcmp(text, "-") ? strlen(text) / 2 : 0;
	data = malloc(*bytes ? *bytes : 1);
	for (size_t i = 0; data && i < *bytes; i++) {
		unsigned int byte;

		if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
			free(data);
			return NULL;
		}
		data[i] = (uint8_t)byte;
	}
	return data;
}

static const struct messages_root *find(const char *name)
{
	for (size_t i = 0; i < MESSAGES_ROOT_COUNT; i++)
		if (!strcmp(messages_roots[i].name, name))
			return &messages_roots[i];
	return NULL;
}

/* Owned and borrowed have to agree. */
static void transcode(const struct messages_root *root, int is_c, const uint8_t *data, size_t bytes)
{
	struct messages_result owned = { .text = "" }, borrowed = { .text = "" };
	int failed = root->decode(is_c, 1, data, bytes, &owned);

	if (root->decode(is_c, 0, data, bytes, &borrowed) != failed || strcmp(owned.text, borrowed.text) ||
	    (!failed && (owned.c.bytes != borrowed.c.bytes || memcmp(owned.c.data, borrowed.c.data, owned.c.bytes)))) {
		printf("error borrowed and owned differ: %s, %s\n", owned.text, borrowed.text);
	} else if (failed) {
		printf("error %s\n", owned.text);
	} else {
		printf("ok");
		print_hex(&owned.cbor);
		print_hex(&owned.c);
		putchar('\n');
	}
	ferry_buffer_free(&owned.cbor);
	ferry_buffer_free(&owned.c);
	ferry_buffer_free(&borrowed.cbor);
	ferry_buffer_free(&borrowed.c);
}

int main(void)
{
	static char line[LINE_BYTES_MAX], method[128], format[8], hex[LINE_BYTES_MAX];

	while (fgets(line, sizeof(line), stdin)) {
		const struct messages_root *root = NULL;
		uint8_t *data = NULL;
		size_t bytes = 0;

		if (sscanf(line, "%127s %7s %s", method, format, hex) == 3) {
			root = find(method);
			data = parse_hex(hex, &bytes);
		}
		if (!root || !data) {
			fprintf(stderr, "not `METHOD FORMAT HEX`: %s", line);
			free(data);
			return 2;
		}
		transcode(root, !strcmp(format, "c"), data, bytes);
		free(data);
	}
	return 0;
}
