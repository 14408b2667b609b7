/* SPDX-License-Identifier: BSD-3-Clause */
/* See message.h. */
#include "message.h"
#include "limits.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t magic[4] = { 'F', 'N', 'E', 'T' };

/* A record as it travels. Its fields are at their natural offsets, so the struct has no padding. */
struct travelling {
	uint8_t type, wire, status, zero;
	uint32_t number;
	uint64_t id, extra;
	uint32_t bytes, zeros;
};
_Static_assert(sizeof(struct travelling) == NETWORK__RECORD_BYTES, "a record's header is 32 bytes");

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static uint64_t word(const uint8_t *data)
{
	uint64_t value;

	memcpy(&value, data, sizeof(value));
	return le64toh(value);
}

bool network__message_next(const uint8_t *data, size_t bytes, size_t *place, struct network__record *record)
{
	struct travelling head;
	size_t left = bytes - *place;

	if (left < sizeof(head))
		return false;
	memcpy(&head, data + *place, sizeof(head));
	left -= sizeof(head);
	if (head.zero || head.zeros || le32toh(head.bytes) > left || !head.type || head.type >= NETWORK__TYPE_COUNT ||
	    head.wire > INGRESS_WIRE_C || head.status >= INGRESS_STATUS_COUNT)
		return false;
	*record = (struct network__record){
		.type = head.type,
		.wire = head.wire,
		.status = head.status,
		.number = le32toh(head.number),
		.id = le64toh(head.id),
		.extra = le64toh(head.extra),
		.data = data + *place + sizeof(head),
		.bytes = le32toh(head.bytes),
	};
	*place += sizeof(head) + record->bytes;
	return true;
}

/* Take one link at *place. False: there is none. */
static bool take_link(const struct network__record *chain, size_t *place, struct ingress_link *link)
{
	uint32_t numbers[NETWORK__LINK_BYTES / sizeof(uint32_t)];
	size_t left = chain->bytes - *place;

	if (left < sizeof(numbers))
		return false;
	memcpy(numbers, chain->data + *place, sizeof(numbers));
	*link = (struct ingress_link){ .request = le32toh(numbers[0]),
				       .source = le32toh(numbers[1]),
				       .kind = le32toh(numbers[2]),
				       .place = le32toh(numbers[3]),
				       .path_bytes = le32toh(numbers[4]),
				       .path = (const char *)chain->data + *place + sizeof(numbers) };
	if (link->path_bytes > left - sizeof(numbers))
		return false;
	*place += sizeof(numbers) + link->path_bytes;
	return true;
}

uint32_t network__links_read(const struct network__record *chain, struct ingress_link links[INGRESS_LINKS_MAX])
{
	size_t place = 0;
	uint32_t count = 0;

	while (count < INGRESS_LINKS_MAX && take_link(chain, &place, &links[count]))
		count++;
	return count;
}

static bool is_chain(const struct network__record *chain)
{
	struct ingress_link link;
	size_t place = 0;
	uint32_t count = 0;

	while (take_link(chain, &place, &link))
		count++;
	return place == chain->bytes && count <= INGRESS_LINKS_MAX && chain->number &&
	       chain->number <= INGRESS_CHAIN_MAX;
}

bool network__message_check(const uint8_t *data, size_t bytes, struct network__header *header)
{
	struct network__record record;
	size_t place = NETWORK__HEADER_BYTES;
	uint32_t chained = 0; /* how many requests of a chain are to come */

	if (bytes < NETWORK__HEADER_BYTES || memcmp(data, magic, sizeof(magic)) != 0 || data[4] != NETWORK__VERSION ||
	    !data[5] || data[5] >= NETWORK__KIND_COUNT || data[6] || data[7])
		return false;
	*header = (struct network__header){ data[5], word(data + 8), word(data + 16), word(data + 24) };
	while (network__message_next(data, bytes, &place, &record)) {
		if (chained && record.type != NETWORK__REQUEST)
			return false;
		chained -= chained > 0;
		if (record.type == NETWORK__CHAIN && !is_chain(&record))
			return false;
		if (record.type == NETWORK__CHAIN)
			chained = record.number;
	}
	return place == bytes && place > NETWORK__HEADER_BYTES && !chained;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

uint8_t *network__link_write(uint8_t *to, const struct ingress_link *link)
{
	const uint32_t numbers[] = { htole32(link->request), htole32(link->source), htole32(link->kind),
				     htole32(link->place), htole32(link->path_bytes) };

	_Static_assert(sizeof(numbers) == NETWORK__LINK_BYTES, "a link travels as five numbers and its path");
	memcpy(to, numbers, sizeof(numbers));
	if (link->path_bytes)
		memcpy(to + sizeof(numbers), link->path, link->path_bytes);
	return to + sizeof(numbers) + link->path_bytes;
}

static bool grow(struct network__writer *writer, size_t more)
{
	size_t capacity = writer->capacity ? writer->capacity : 1024;
	uint8_t *data;

	if (writer->capacity - writer->bytes >= more)
		return true;
	while (capacity - writer->bytes < more)
		capacity *= 2;
	data = realloc(writer->data, capacity);
	if (!data)
		return false;
	writer->data = data;
	writer->capacity = capacity;
	return true;
}

bool network__writer_begin(struct network__writer *writer)
{
	writer->bytes = 0;
	if (!grow(writer, NETWORK__HEADER_BYTES))
		return false;
	writer->bytes = NETWORK__HEADER_BYTES;
	return true;
}

bool network__writer_reserve(struct network__writer *writer, size_t bytes)
{
	return grow(writer, bytes);
}

bool network__writer_add(struct network__writer *writer, const struct network__record *record)
{
	const struct travelling head = {
		.type = record->type,
		.wire = record->wire,
		.status = record->status,
		.number = htole32(record->number),
		.id = htole64(record->id),
		.extra = htole64(record->extra),
		.bytes = htole32((uint32_t)record->bytes),
	};

	if ((!writer->bytes && !network__writer_begin(writer)) || record->bytes > UINT32_MAX ||
	    !grow(writer, sizeof(head) + record->bytes))
		return false;
	memcpy(writer->data + writer->bytes, &head, sizeof(head));
	if (record->bytes)
		memcpy(writer->data + writer->bytes + sizeof(head), record->data, record->bytes);
	writer->bytes += sizeof(head) + record->bytes;
	return true;
}

void network__writer_end(struct network__writer *writer, const struct network__header *header)
{
	const uint64_t words[3] = { htole64(header->hash), htole64(header->session), htole64(header->sequence) };

	memcpy(writer->data, magic, sizeof(magic));
	writer->data[4] = NETWORK__VERSION;
	writer->data[5] = header->kind;
	writer->data[6] = writer->data[7] = 0;
	memcpy(writer->data + 8, words, sizeof(words));
}

void network__writer_reset(struct network__writer *writer)
{
	if (writer->capacity > (size_t)2 * NETWORK__MESSAGE_BYTES)
		network__writer_free(writer);
	writer->bytes = 0;
}

void network__writer_free(struct network__writer *writer)
{
	free(writer->data);
	*writer = (struct network__writer){ 0 };
}
