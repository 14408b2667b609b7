/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading format `cbor` (W1 to W3 of spec/interface.md).
 *
 * Invariants. A reader's `at` never passes `end`. Functions that read return 0, or -1 with the reason in the reader's
 * error; paths are added by those who called. Nothing allocates but through the reader's memory, and a length is
 * believed only when as many items could follow.
 */
#ifndef FERRY_WIRE_CBOR_READ_H
#define FERRY_WIRE_CBOR_READ_H

#include <ferry/wire.h>
#include <ferry/wire_cbor_major.h>

struct ferry_cbor_reader {
	const uint8_t *at;
	const uint8_t *end;
	const uint8_t *data; /* the message */
	char *copy;	     /* of the message and one byte more, for what is owned; NULL: borrow */
	struct ferry_memory *memory;
	struct ferry_wire_error *error;
	unsigned int depth;
};

/* Elements of a sequence, or pairs of a map, that are still to come. */
struct ferry_cbor_count {
	uint64_t left;
	bool indefinite;
};

/* Fail for this reason. Returns -1. */
FERRY_SELDOM int ferry_cbor_fail(struct ferry_cbor_reader *reader, enum ferry_wire_reason reason)
{
	return ferry_wire_fail(reader->error, reason);
}

/* Begin to read data[bytes], with memory for `extra` bytes of arrays. Owned: the message is copied. */
static inline int ferry_cbor_begin(struct ferry_cbor_reader *reader, const void *data, size_t bytes, bool own,
				   size_t extra, struct ferry_memory *memory, struct ferry_wire_error *error)
{
	*memory = (struct ferry_memory){ NULL, NULL, NULL };
	reader->at = reader->data = data;
	reader->end = reader->data + bytes;
	reader->copy = NULL;
	reader->memory = memory;
	reader->error = error;
	reader->depth = 0;
	if (ferry_unlikely(bytes > FERRY_WIRE_BYTES_MAX))
		return ferry_cbor_fail(reader, FERRY_WIRE_OUT_OF_RANGE);
	if (!own)
		return 0;
	if (extra)
		extra = bytes * 2 < FERRY_MEMORY_EXTRA_BYTES ? bytes * 2 + extra : FERRY_MEMORY_EXTRA_BYTES;
	reader->copy = ferry_memory_begin(memory, bytes + 1, extra);
	if (ferry_unlikely(!reader->copy))
		return ferry_cbor_fail(reader, FERRY_WIRE_NO_MEMORY);
	if (bytes)
		memcpy(reader->copy, data, bytes);
	return 0;
}

/* End reading, with what reading the value returned. Returns it, or -1 when bytes are left; frees the memory then. */
static inline int ferry_cbor_end(struct ferry_cbor_reader *reader, int result)
{
	if (ferry_likely(!result && reader->at == reader->end))
		return 0;
	if (!result)
		ferry_cbor_fail(reader, FERRY_WIRE_LEFT_OVER);
	ferry_memory_free(reader->memory);
	return -1;
}

/* The head of an item. */
struct ferry_cbor_head {
	uint8_t major;
	uint8_t info; /* the low five bits of its first byte */
	uint64_t value;
};

/* Take one head, whatever it is; a tag is one. */
static inline int ferry_cbor_take_head(struct ferry_cbor_reader *reader, struct ferry_cbor_head *head)
{
	size_t left = (size_t)(reader->end - reader->at), width;

	if (!left)
		return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
	head->major = *reader->at >> 5;
	head->info = *reader->at & 31;
	head->value = head->info;
	if (head->info > 27 && head->info != FERRY_CBOR_INDEFINITE)
		return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
	if (head->info == FERRY_CBOR_INDEFINITE && (head->major < FERRY_CBOR_BYTES || head->major == FERRY_CBOR_TAG))
		return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
	width = head->info < 24 || head->info > 27 ? 0 : (size_t)1 << (head->info - 24);
	if (left < 1 + width)
		return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
	if (width)
		head->value = 0;
	for (size_t i = 1; i <= width; i++)
		head->value = head->value << 8 | reader->at[i];
	if (head->major == FERRY_CBOR_SIMPLE && width == 1 && head->value < 32)
		return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
	reader->at += 1 + width;
	return 0;
}

/* Take the head of a value: tags before it are skipped. A break is none. */
static inline int ferry_cbor_take_value_head(struct ferry_cbor_reader *reader, struct ferry_cbor_head *head)
{
	do {
		if (ferry_cbor_take_head(reader, head))
			return -1;
	} while (head->major == FERRY_CBOR_TAG);
	if (head->major == FERRY_CBOR_SIMPLE && head->info == FERRY_CBOR_INDEFINITE)
		return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
	return 0;
}

/* Say what is wrong about a value that should have been of another type. Returns -1. */
FERRY_SELDOM int ferry_cbor_wrong(struct ferry_cbor_reader *reader, const struct ferry_cbor_head *head)
{
	bool is_null = head->major == FERRY_CBOR_SIMPLE && head->info == (FERRY_CBOR_NULL & 31);

	return ferry_cbor_fail(reader, is_null ? FERRY_WIRE_MISSING : FERRY_WIRE_WRONG_TYPE);
}

/* ferry_cbor_take for any head. */
__attribute__((noinline, unused)) static int ferry_cbor_take_any(struct ferry_cbor_reader *reader, unsigned int major,
								 uint64_t *value, bool *indefinite)
{
	struct ferry_cbor_head head;

	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	if (head.major != major)
		return ferry_cbor_wrong(reader, &head);
	*indefinite = head.info == FERRY_CBOR_INDEFINITE;
	*value = head.value;
	return 0;
}

/* Take a head of this major type. */
static inline int ferry_cbor_take(struct ferry_cbor_reader *reader, unsigned int major, uint64_t *value,
				  bool *indefinite)
{
	*indefinite = false;
	if (ferry_likely(reader->at < reader->end)) {
		unsigned int info = *reader->at - (major << 5);

		if (ferry_likely(info < 24)) {
			*value = info;
			reader->at++;
			return 0;
		}
		if (info == 24 && reader->end - reader->at > 1) {
			*value = reader->at[1];
			reader->at += 2;
			return 0;
		}
	}
	return ferry_cbor_take_any(reader, major, value, indefinite);
}

/* Whether the next value is null, which is then taken; tags before it too. */
static inline bool ferry_cbor_take_null(struct ferry_cbor_reader *reader)
{
	const uint8_t *start = reader->at;
	struct ferry_cbor_head head;

	if (ferry_unlikely(start == reader->end))
		return false;
	if (ferry_likely(*start >> 5 != FERRY_CBOR_TAG)) {
		reader->at += *start == FERRY_CBOR_NULL;
		return *start == FERRY_CBOR_NULL;
	}
	if (!ferry_cbor_take_value_head(reader, &head) && head.major == FERRY_CBOR_SIMPLE &&
	    head.info == (FERRY_CBOR_NULL & 31))
		return true;
	reader->at = start; /* whoever reads the value says what is wrong about it */
	return false;
}

/* Read null, which is what stands for nothing. */
static inline int ferry_cbor_read_nothing(struct ferry_cbor_reader *reader)
{
	struct ferry_cbor_head head;

	if (ferry_likely(ferry_cbor_take_null(reader)))
		return 0;
	return ferry_cbor_take_value_head(reader, &head) ? -1 : ferry_cbor_fail(reader, FERRY_WIRE_WRONG_TYPE);
}

/* Read false or true. */
static inline int ferry_cbor_read_bool(struct ferry_cbor_reader *reader, bool *value)
{
	struct ferry_cbor_head head;

	if (ferry_likely(reader->at < reader->end &&
			 (*reader->at == FERRY_CBOR_FALSE || *reader->at == FERRY_CBOR_TRUE))) {
		*value = *reader->at++ == FERRY_CBOR_TRUE;
		return 0;
	}
	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	if (head.major != FERRY_CBOR_SIMPLE ||
	    (head.info != (FERRY_CBOR_FALSE & 31) && head.info != (FERRY_CBOR_TRUE & 31)))
		return ferry_cbor_wrong(reader, &head);
	*value = head.info == (FERRY_CBOR_TRUE & 31);
	return 0;
}

/* Read an integer from 0 to `most`. */
static inline int ferry_cbor_read_unsigned(struct ferry_cbor_reader *reader, uint64_t *value, uint64_t most)
{
	struct ferry_cbor_head head;

	if (ferry_likely(reader->at < reader->end && *reader->at < 24)) {
		*value = *reader->at++;
		return 0;
	}
	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	if (head.major > FERRY_CBOR_NEGATIVE)
		return ferry_cbor_wrong(reader, &head);
	if (head.major == FERRY_CBOR_NEGATIVE || head.value > most)
		return ferry_cbor_fail(reader, FERRY_WIRE_OUT_OF_RANGE);
	*value = head.value;
	return 0;
}

/* Read an integer from -most - 1 to `most`. */
static inline int ferry_cbor_read_signed(struct ferry_cbor_reader *reader, int64_t *value, int64_t most)
{
	struct ferry_cbor_head head;

	if (ferry_likely(reader->at < reader->end && *reader->at < 24)) {
		*value = *reader->at++;
		return 0;
	}
	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	if (head.major > FERRY_CBOR_NEGATIVE)
		return ferry_cbor_wrong(reader, &head);
	if (head.value > (uint64_t)most)
		return ferry_cbor_fail(reader, FERRY_WIRE_OUT_OF_RANGE);
	*value = head.major == FERRY_CBOR_NEGATIVE ? -1 - (int64_t)head.value : (int64_t)head.value;
	return 0;
}

#define FERRY_CBOR_READ(name, type, wide, kind, most)                                                                  \
	static inline int ferry_cbor_read_##name(struct ferry_cbor_reader *reader, type *value)                        \
	{                                                                                                              \
		wide read;                                                                                             \
		if (ferry_unlikely(ferry_cbor_read_##kind(reader, &read, most)))                                       \
			return -1;                                                                                     \
		*value = (type)read;                                                                                   \
		return 0;                                                                                              \
	}

FERRY_CBOR_READ(i8, int8_t, int64_t, signed, INT8_MAX)
FERRY_CBOR_READ(i16, int16_t, int64_t, signed, INT16_MAX)
FERRY_CBOR_READ(i32, int32_t, int64_t, signed, INT32_MAX)
FERRY_CBOR_READ(i64, int64_t, int64_t, signed, INT64_MAX)
FERRY_CBOR_READ(u8, uint8_t, uint64_t, unsigned, UINT8_MAX)
FERRY_CBOR_READ(u16, uint16_t, uint64_t, unsigned, UINT16_MAX)
FERRY_CBOR_READ(u32, uint32_t, uint64_t, unsigned, UINT32_MAX)
FERRY_CBOR_READ(u64, uint64_t, uint64_t, unsigned, UINT64_MAX)
#undef FERRY_CBOR_READ

/* The value of a float of 16 bits. */
static inline double ferry_half_value(uint16_t half)
{
	uint64_t sign = (uint64_t)(half >> 15) << 63, exponent = half >> 10 & 31, fraction = half & 0x3ff, bits;
	double value;

	if (exponent == 0) {
		value = (double)fraction / 16777216.0; /* 2^24: subnormal */
		return sign ? -value : value;
	}
	bits = sign | (exponent == 31 ? 0x7ffULL : exponent + 1008) << 52 | fraction << 42;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Read a float of any width. */
static inline int ferry_cbor_read_f64(struct ferry_cbor_reader *reader, double *value)
{
	struct ferry_cbor_head head;
	uint32_t bits;
	float single;

	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	if (head.major != FERRY_CBOR_SIMPLE || head.info < 25)
		return ferry_cbor_wrong(reader, &head);
	if (head.info == 25) {
		*value = ferry_half_value((uint16_t)head.value);
	} else if (head.info == 26) {
		bits = (uint32_t)head.value;
		memcpy(&single, &bits, sizeof(single));
		*value = single;
	} else {
		memcpy(value, &head.value, sizeof(*value));
	}
	return 0;
}

/* Read a float that 32 bits can hold. */
static inline int ferry_cbor_read_f32(struct ferry_cbor_reader *reader, float *value)
{
	double wide;

	if (ferry_cbor_read_f64(reader, &wide))
		return -1;
	*value = (float)wide;
	if ((double)*value != wide && wide == wide)
		return ferry_cbor_fail(reader, FERRY_WIRE_OUT_OF_RANGE);
	return 0;
}

/* Put the chunks of a string of indefinite length together, in memory. */
FERRY_SELDOM int ferry_cbor_read_chunks(struct ferry_cbor_reader *reader, unsigned int major, const char **data,
					size_t *bytes)
{
	struct ferry_cbor_head head;
	const uint8_t *start = reader->at;
	char *joined = NULL;

	for (int pass = 0; pass < 2; pass++) { /* how many bytes; then the bytes */
		size_t total = 0;

		reader->at = start;
		for (;;) {
			if (ferry_cbor_take_head(reader, &head))
				return -1;
			if (head.major == FERRY_CBOR_SIMPLE && head.info == FERRY_CBOR_INDEFINITE)
				break;
			if (head.major != major || head.info == FERRY_CBOR_INDEFINITE)
				return ferry_cbor_fail(reader, FERRY_WIRE_MALFORMED);
			if (head.value > (uint64_t)(reader->end - reader->at))
				return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
			if (major == FERRY_CBOR_TEXT && !ferry_utf8_valid(reader->at, head.value))
				return ferry_cbor_fail(reader, FERRY_WIRE_INVALID_UTF8);
			if (joined && head.value)
				memcpy(joined + total, reader->at, head.value);
			total += head.value;
			reader->at += head.value;
		}
		if (!joined)
			joined = ferry_memory_take(reader->memory, total + 1, 1);
		if (!joined)
			return ferry_cbor_fail(reader, FERRY_WIRE_NO_MEMORY);
		joined[total] = 0;
		*bytes = total;
	}
	*data = joined;
	return 0;
}

/* Take a string's head and step over its bytes, which become data[bytes]. */
static inline int ferry_cbor_take_bytes(struct ferry_cbor_reader *reader, unsigned int major, const char **data,
					size_t *bytes)
{
	uint64_t length;
	bool indefinite;

	if (ferry_unlikely(ferry_cbor_take(reader, major, &length, &indefinite)))
		return -1;
	if (ferry_unlikely(indefinite))
		return ferry_cbor_read_chunks(reader, major, data, bytes);
	if (ferry_unlikely(length > (uint64_t)(reader->end - reader->at)))
		return ferry_cbor_fail(reader, FERRY_WIRE_ENDS_EARLY);
	if (major == FERRY_CBOR_TEXT && ferry_unlikely(!ferry_utf8_valid(reader->at, length)))
		return ferry_cbor_fail(reader, FERRY_WIRE_INVALID_UTF8);
	*data = reader->copy ? reader->copy + (reader->at - reader->data) : (const char *)reader->at;
	*bytes = length;
	reader->at += length;
	/* the head of what follows lies here; it is read from the message, so the copy may end its string in its place
	 */
	if (major == FERRY_CBOR_TEXT && reader->copy)
		reader->copy[reader->at - reader->data] = 0;
	return 0;
}

/* Read text. */
static inline int ferry_cbor_read_string(struct ferry_cbor_reader *reader, struct ferry_string *value)
{
	return ferry_cbor_take_bytes(reader, FERRY_CBOR_TEXT, &value->data, &value->bytes);
}

/* Read bytes. */
static inline int ferry_cbor_read_bytes(struct ferry_cbor_reader *reader, struct ferry_bytes *value)
{
	const char *data = NULL;

	if (ferry_cbor_take_bytes(reader, FERRY_CBOR_BYTES, &data, &value->bytes))
		return -1;
	value->data = (const uint8_t *)data;
	return 0;
}

/* Begin an array or a map, of which each element or pair takes `least` bytes or more. */
static inline int ferry_cbor_open(struct ferry_cbor_reader *reader, unsigned int major, unsigned int least,
				  struct ferry_cbor_count *count)
{
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

/* ferry_cbor_more of an indefinite length. */
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

/* What ferry_cbor_skip has begun. */
struct ferry_cbor_open {
	uint64_t left; /* items; of a map two for each pair */
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
	char *const copy = reader->copy;
	struct ferry_string key;
	int result;

	if (reader->at < reader->end && *reader->at >> 5 != FERRY_CBOR_TEXT && *reader->at >> 5 != FERRY_CBOR_TAG)
		return ferry_cbor_skip(reader) || ferry_cbor_skip(reader) ? -1 : count;
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

/* Put the pairs of a map in order, and insist that no key is there twice. */
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

#endif /* FERRY_WIRE_CBOR_READ_H */
