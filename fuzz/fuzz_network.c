/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a message of src/network. Reading looks at nothing outside it, and what was accepted is, written again
 * record by record, the same message.
 */
#include "network/message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct network__writer writer = { 0 };
	struct network__header header;
	struct network__record record;
	size_t place = NETWORK__HEADER_BYTES;

	if (!network__message_check(data, bytes, &header))
		return 0;
	require(network__writer_begin(&writer));
	while (network__message_next(data, bytes, &place, &record)) {
		require(record.data >= data && record.bytes <= bytes && record.data + record.bytes <= data + bytes);
		require(network__writer_add(&writer, &record));
	}
	network__writer_end(&writer, &header);
	require(place == bytes && writer.bytes == bytes && !memcmp(writer.data, data, bytes));
	network__writer_free(&writer);
	return 0;
}
