/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading values without parts in format `cbor` (W1 to W3 of spec/interface.md).
 *
 * Invariants. A reader's `at` never passes `end`. Functions that read return 0, or -1 with the reason in the reader's
 * error, to which callers add the path. Memory is allocated only through the reader's struct ferry_memory.
 */
#ifndef FERRY_WIRE_CBOR_READ_H
#define FERRY_WIRE_CBOR_READ_H

#include <ferry/wire.h>
#include <ferry/wire_cbor_major.h>

struct ferry_cbor_reader {
	const uint8_t *at;
	const uint8_t *end;
	const uint8_t *data; /* the message */
	char *copy;	     /* for owned decoding, a copy of the message with one byte more; NULL: borrow */
	struct ferry_memory *memory;
	struct ferry_wire_error *error;
	unsigned int depth;
};

/* Fail for this reason. Returns -1. */
static inline int ferry_cbor_fail(struct ferry_cbor_reader *reader, enum ferry_wire_reason reason)
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

/*
 * End reading. `result` is what reading the value returned. Returns it, or -1 when bytes are left. In case of an error
 * the memory is freed.
 */
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

/* Take one head of any kind, which may be a tag's. */
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

/* Take the head of a value; tags before it are skipped. A break is an error. */
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

/* Note the error of a value that should have another type. Returns -1. */
static inline int ferry_cbor_wrong(struct ferry_cbor_reader *reader, const struct ferry_cbor_head *head)
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

/* Whether the next value is null. If it is, it is taken, with the tags before it. */
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
	reader->at = start; /* the function that reads the value reports what is wrong about it */
	return false;
}

/* Read null. */
static inline int ferry_cbor_read_null(struct ferry_cbor_reader *reader)
{
	struct ferry_cbor_head head;

	if (ferry_likely(ferry_cbor_take_null(reader)))
		return 0;
	if (ferry_cbor_take_value_head(reader, &head))
		return -1;
	return ferry_cbor_fail(reader, FERRY_WIRE_WRONG_TYPE);
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
		wide read = 0;                                                                                         \
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
	const uint64_t nan = 0x7ff8000000000000;
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
	if (*value != *value) /* every NaN becomes the one that writers write */
		memcpy(value, &nan, sizeof(nan));
	return 0;
}

/* Read a float whose value 32 bits can hold. */
static inline int ferry_cbor_read_f32(struct ferry_cbor_reader *reader, float *value)
{
	double wide = 0;

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

	for (int pass = 0; pass < 2; pass++) { /* the first pass counts the bytes, the second copies them */
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
	/*
	 * in the copy a zero byte replaces the first byte of the next item; no reader needs it there, since heads are
	 * read from the message
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

#endif /* FERRY_WIRE_CBOR_READ_H */
