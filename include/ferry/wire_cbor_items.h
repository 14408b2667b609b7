/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading objects, sequences and maps in format `cbor`, and skipping unknown items (W3 and W7 of spec/interface.md).
 * A length is believed only when as many items could follow.
 */
#ifndef FERRY_WIRE_CBOR_ITEMS_H
#define FERRY_WIRE_CBOR_ITEMS_H

#include <ferry/wire_cbor_read.h>

/* Elements of a sequence, or pairs of a map, that are still to come. */
struct ferry_cbor_count {
	uint64_t left;
	bool indefinite;
};

/* Begin an array or a map, of which each element or pair takes `least` bytes or more. */
static inline int ferry_cbor_open(struct ferry_cbor_reader *reader, unsigned int major, unsigned int least,
				  struct ferry_cbor_count *count)
{
#ifdef __clang_analyzer__ /* which does not see that ferry_cbor_fail() gives no 0 */
	*count = (struct ferry_cbor_count){ 0 };
#endif
	if (ferry_unlikely(ferry_cbor_take(reader, major, &count->left, &count->indefinite)))
		return -1;
	if (ferry_unlikely(++reader->depth > FERRY_WIRE_DEPTH_MAX))
		return ferry_cbor_fail(reader, FERRY_WIRE_TOO_DEEP);
	if (ferry_unlikely(!count->indefinite && count->left > (uint64_t)(reader->end - reader->at) / least))
		return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
	return 0;
}

/* End the array or map that was begun last. */
static inline void ferry_cbor_close(struct ferry_cbor_reader *reader)
{
	reader->depth--;
}

/* ferry_cbor_more for an indefinite length. */
FERRY_SELDOM int ferry_cbor_more_until_break(struct ferry_cbor_reader *reader)
{
	if (reader->at == reader->end)
		return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
	if (*reader->at != FERRY_CBOR_BREAK)
		return 1;
	reader->at++;
	return 0;
}

/* Whether another element or pair follows: 1, 0 or -1. */
static inline int ferry_cbor_more(struct ferry_cbor_reader *reader, struct ferry_cbor_count *count)
{
	if (ferry_unlikely(count->indefinite))
		return ferry_cbor_more_until_break(reader);
	if (!count->left)
		return 0;
	count->left--;
	return 1;
}

/*
 * Room for the elements of a sequence or a map in `items`, of which `have` are read and `room` fit, so that one more
 * fits. At first, with 0 and 0, there is room for as many as the head says. Called after ferry_cbor_more.
 */
static inline void *ferry_cbor_room(struct ferry_cbor_reader *reader, const struct ferry_cbor_count *count, void *items,
				    size_t have, size_t *room, size_t size)
{
	size_t wanted = have ? have * 2 : count->indefinite ? 4 : (size_t)count->left + 1;
	void *larger = ferry_memory_take(reader->memory, wanted, size);

	if (!larger) {
		ferry_cbor_fail(reader, FERRY_WIRE_NO_MEMORY);
		return NULL;
	}
	if (have)
		memcpy(larger, items, have * size);
	*room = wanted;
	return larger;
}

/* Whether the next key is the one whose encoding is key[bytes], which is then taken. */
static inline bool ferry_cbor_take_key(struct ferry_cbor_reader *reader, struct ferry_cbor_count *count,
				       const char *key, size_t bytes)
{
	if (!(count->indefinite || count->left) || (size_t)(reader->end - reader->at) < bytes ||
	    memcmp(reader->at, key, bytes) != 0)
		return false;
	reader->at += bytes;
	count->left -= !count->indefinite;
	return true;
}

/* An array or a map that ferry_cbor_skip has begun. */
struct ferry_cbor_open {
	uint64_t left; /* items still to come; a pair of a map counts as two */
	uint8_t major;
	bool indefinite;
	bool odd; /* of an indefinite map: a key has been read, its value not */
};

/* Skip the bytes or chunks of a string whose head was taken. */
static inline int ferry_cbor_skip_string(struct ferry_cbor_reader *reader, const struct ferry_cbor_head *head)
{
	struct ferry_cbor_head chunk = *head;

	do {
		if (head->info == FERRY_CBOR_INDEFINITE) {
			if (ferry_cbor_take_head(reader, &chunk))
				return -1;
			if (chunk.major == FERRY_CBOR_SIMPLE && chunk.info == FERRY_CBOR_INDEFINITE)
				return 0;
			if (chunk.major != head->major || chunk.info == FERRY_CBOR_INDEFINITE)
				return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
		}
		if (chunk.value > (uint64_t)(reader->end - reader->at))
			return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
		if (chunk.major == FERRY_CBOR_TEXT && !ferry_utf8_valid(reader->at, chunk.value))
			return ferry_cbor_fail(reader, FERRY_WIRE_INVALID_UTF8);
		reader->at += chunk.value;
	} while (head->info == FERRY_CBOR_INDEFINITE);
	return 0;
}

/* Skip one value of any type, without recursion. */
FERRY_SELDOM int ferry_cbor_skip(struct ferry_cbor_reader *reader)
{
	struct ferry_cbor_open stack[FERRY_WIRE_DEPTH_MAX + 1];
	struct ferry_cbor_head head;
	unsigned int deep = 0, most = FERRY_WIRE_DEPTH_MAX - reader->depth;

	do {
		struct ferry_cbor_open *top = deep ? &stack[deep - 1] : NULL;

		if (top && top->indefinite && reader->at < reader->end && *reader->at == FERRY_CBOR_BREAK) {
			if (top->odd)
				return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
			reader->at++;
			deep--;
			continue;
		}
		if (top && !top->indefinite && !top->left) {
			deep--;
			continue;
		}
		if (ferry_cbor_take_value_head(reader, &head))
			return -1;
		if (top) {
			top->left--;
			top->odd ^= top->major == FERRY_CBOR_MAP;
		}
		if (head.major == FERRY_CBOR_BYTES || head.major == FERRY_CBOR_TEXT) {
			if (ferry_cbor_skip_string(reader, &head))
				return -1;
		} else if (head.major == FERRY_CBOR_ARRAY || head.major == FERRY_CBOR_MAP) {
			uint64_t each = head.major == FERRY_CBOR_MAP ? 2 : 1;
			bool indefinite = head.info == FERRY_CBOR_INDEFINITE;

			if (deep >= most)
				return ferry_cbor_fail(reader, FERRY_WIRE_TOO_DEEP);
			if (!indefinite && head.value > (uint64_t)(reader->end - reader->at) / each)
				return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
			stack[deep++] = (struct ferry_cbor_open){ head.value * each, head.major, indefinite, false };
		}
	} while (deep);
	return 0;
}

/*
 * Read the next key of an object, one of names[count], in any encoding. Returns its number, `count` for another key,
 * which is skipped with its value, or -1.
 */
FERRY_SELDOM int ferry_cbor_read_name(struct ferry_cbor_reader *reader, const char *const *names, int count)
{
	const uint8_t *const start = reader->at;
	char *const copy = reader->copy;
	struct ferry_cbor_head head;
	struct ferry_string key;
	int result;

	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	reader->at = start;
	if (head.major != FERRY_CBOR_TEXT) {
		if (ferry_cbor_skip(reader)) /* the key */
			return -1;
		return ferry_cbor_skip(reader) ? -1 : count;
	}
	reader->copy = NULL; /* the key is looked at, not kept */
	result = ferry_cbor_read_string(reader, &key);
	reader->copy = copy;
	if (result)
		return -1;
	for (int i = 0; i < count; i++)
		if (strlen(names[i]) == key.bytes && !memcmp(names[i], key.data, key.bytes))
			return i;
	return ferry_cbor_skip(reader) ? -1 : count;
}

/*
 * Begin a variant: a map of one pair, whose key is one of names[count]. Returns the number of the case, whose value
 * comes next, or -1.
 */
static inline int ferry_cbor_open_case(struct ferry_cbor_reader *reader, const char *const *names, int count,
				       struct ferry_cbor_count *members)
{
	char *const copy = reader->copy;
	struct ferry_string key;
	int result, more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, members)))
		return -1;
	more = ferry_cbor_more(reader, members);
	if (ferry_unlikely(more <= 0))
		return more ? -1 : ferry_cbor_fail(reader, FERRY_WIRE_MISSING);
	reader->copy = NULL; /* the key is looked at, not kept */
	result = ferry_cbor_read_string(reader, &key);
	reader->copy = copy;
	if (ferry_unlikely(result))
		return -1;
	for (int i = 0; i < count; i++)
		if (strlen(names[i]) == key.bytes && !memcmp(names[i], key.data, key.bytes))
			return i;
	return ferry_cbor_fail(reader, FERRY_WIRE_UNKNOWN_CASE);
}

/* End a variant, whose value was read. */
static inline int ferry_cbor_close_case(struct ferry_cbor_reader *reader, struct ferry_cbor_count *members)
{
	int more = ferry_cbor_more(reader, members);

	if (ferry_unlikely(more))
		return more < 0 ? -1 : ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
	ferry_cbor_close(reader);
	return 0;
}

/* Put the pairs of a map in order, and check that no key is there twice. */
static inline int ferry_cbor_sort(struct ferry_cbor_reader *reader, void *pairs, size_t count, size_t size,
				  int (*compare)(const void *, const void *))
{
	char *at = pairs;
	size_t n = 1;

	while (n < count && compare(at + (n - 1) * size, at + n * size) < 0)
		n++;
	if (ferry_likely(n >= count))
		return 0;
	qsort(pairs, count, size, compare);
	for (n = 1; n < count; n++)
		if (!compare(at + (n - 1) * size, at + n * size))
			return ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
	return 0;
}

#endif /* FERRY_WIRE_CBOR_ITEMS_H */
