/* SPDX-License-Identifier: BSD-3-Clause */
/* What include/ferry/wire_cbor_items.h makes of items to be skipped: a line in hexadecimal each, a line of answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ferry/wire_cbor.h>

int main(void)
{
	/* a line has no greatest length: messages made by chance nest, and a few are longer than a mebibyte */
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		uint8_t *const data = (uint8_t *)line; /* a byte lies before the digits that it was read from */
		const size_t bytes = strcspn(line, "\n") / 2;
		struct ferry_wire_error error;
		struct ferry_memory memory;
		struct ferry_cbor_reader reader;

		for (size_t i = 0; i < bytes; i++) {
			const char digits[3] = { line[2 * i], line[2 * i + 1], '\0' };

			data[i] = (uint8_t)strtoul(digits, NULL, 16);
		}
		if (ferry_cbor_begin(&reader, data, bytes, false, 0, &memory, &error))
			return 1;
		if (ferry_cbor_skip(&reader))
			printf("%s\n", ferry_wire_reason_text(error.reason));
		else
			printf("%zu\n", (size_t)(reader.at - data));
		ferry_memory_free(&memory);
	}
	free(line);
	return 0;
}
