/* SPDX-License-Identifier: BSD-3-Clause */
/* What include/ferry/wire_cbor_items.h makes of items to be skipped: a line in hexadecimal each, a line of answer. */
#include <stdio.h>
#include <string.h>

#include <ferry/wire_cbor.h>

#define BYTES_MAX (1 << 20)

int main(void)
{
	static char line[2 * BYTES_MAX + 2];
	static uint8_t data[BYTES_MAX];

	while (fgets(line, sizeof(line), stdin)) {
		const size_t bytes = strcspn(line, "\n") / 2;
		struct ferry_wire_error error;
		struct ferry_memory memory;
		struct ferry_cbor_reader reader;

		for (size_t i = 0; i < bytes; i++)
			sscanf(line + 2 * i, "%2hhx", &data[i]);
		if (ferry_cbor_begin(&reader, data, bytes, false, 0, &memory, &error))
			return 1;
		if (ferry_cbor_skip(&reader))
			printf("%s\n", ferry_wire_reason_text(error.reason));
		else
			printf("%zu\n", (size_t)(reader.at - data));
		ferry_memory_free(&memory);
	}
	return 0;
}
