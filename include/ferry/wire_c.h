/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Format `c` (W4 to W6 of spec/interface.md): the functions by which generated code reads and writes values.
 *
 * A value's own struct lies at an offset that the caller knows and has checked. The part to which it refers lies at
 * `next`, which moves on as the fields are read in their order. Invariants. `next` never passes the end of the block.
 * Functions that read return 0, or -1 with the reason in the reader's error. Writers need no check, since a bound has
 * made room.
 */
#ifndef FERRY_WIRE_C_H
#define FERRY_WIRE_C_H

#include <ferry/wire.h>

#define FERRY_C_PART_ALIGN 8 /* alignment of the elements of a sequence and the pairs of a map */

/* ---- reading --------------------------------------------------------------------------------------------------- */

struct ferry_c_reader {
	const uint8_t *data; /* the block, or the copy that will be owned; decoded values point into it */
	size_t bytes;
	size_t next;
	struct ferry_memory *memory;
	struct ferry_wire_error *error;
	unsigned int depth;
};

/* Fail for this reason. Returns -1. */
static inline int ferry_c_fail(struct ferry_c_reader *reader, enum ferry_wire_reason reason)
{
	return ferry_wire_fail(reader->error, reason);
}

/*
 * Begin to read data[bytes], whose own struct takes `size`, with memory for `extra` bytes of arrays. Owned: the message
 * is copied; so is one that is not aligned to 8.
 */
static inline int ferry_c_begin(struct ferry_c_reader *reader, const void *data, size_t bytes, size_t size, bool own,
				size_t extra, struct ferry_memory *memory, struct ferry_wire_error *error)
{
	void *copy;

	*memory = (struct ferry_memory){ NULL, NULL, NULL };
	*reader = (struct ferry_c_reader){ data, bytes, size, memory, error, 0 };
	if (ferry_unlikely(bytes < size))
		return ferry_c_fail(reader, FERRY_WIRE_ENDS_EARLY);
	if (ferry_unlikely(bytes > FERRY_WIRE_BYTES_MAX))
		return ferry_c_fail(reader, FERRY_WIRE_OUT_OF_RANGE);
	if (!own && ferry_likely((uintptr_t)data % FERRY_C_PART_ALIGN == 0))
		return 0;
	if (extra)
		extra = bytes * 2 < FERRY_MEMORY_EXTRA_BYTES ? bytes * 2 + extra : FERRY_MEMORY_EXTRA_BYTES;
	copy = ferry_memory_begin(memory, bytes, extra);
	if (ferry_unlikely(!copy))
		return ferry_c_fail(reader, FERRY_WIRE_NO_MEMORY);
	if (bytes)
		memcpy(copy, data, bytes);
	reader->data = copy;
	return 0;
}

/*
 * End reading. `result` is what reading the value returned. Returns it, or -1 when bytes are left. In case of an error
 * the memory is freed.
 */
static inline int ferry_c_end(struct ferry_c_reader *reader, int result)
{
	if (ferry_likely(!result && reader->next == reader->bytes))
		return 0;
	if (!result)
		ferry_c_fail(reader, FERRY_WIRE_LEFT_OVER);
	ferry_memory_free(reader->memory);
	return -1;
}

/* Begin an object, a sequence or a map. */
static inline int ferry_c_enter(struct ferry_c_reader *reader)
{
	if (ferry_unlikely(++reader->depth > FERRY_WIRE_DEPTH_MAX))
		return ferry_c_fail(reader, FERRY_WIRE_TOO_DEEP);
	return 0;
}

/* End the object, sequence or map that was begun last. */
static inline void ferry_c_leave(struct ferry_c_reader *reader)
{
	reader->depth--;
}

/* Check that `bytes` from `at` are zero: padding, or the value of an absent option. */
static inline int ferry_c_read_zeros(struct ferry_c_reader *reader, size_t at, size_t bytes)
{
	uint8_t any = 0;

	for (size_t i = 0; i < bytes; i++)
		any |= reader->data[at + i];
	return ferry_unlikely(any) ? ferry_c_fail(reader, FERRY_WIRE_PADDING) : 0;
}

#define FERRY_C_READ(name, type)                                                                                       \
	static inline int ferry_c_read_##name(struct ferry_c_reader *reader, size_t at, type *value)                   \
	{                                                                                                              \
		memcpy(value, reader->data + at, sizeof(*value));                                                      \
		return 0;                                                                                              \
	}

FERRY_C_READ(i8, int8_t)
FERRY_C_READ(i16, int16_t)
FERRY_C_READ(i32, int32_t)
FERRY_C_READ(i64, int64_t)
FERRY_C_READ(u8, uint8_t)
FERRY_C_READ(u16, uint16_t)
FERRY_C_READ(u32, uint32_t)
FERRY_C_READ(u64, uint64_t)
FERRY_C_READ(f32, float)
FERRY_C_READ(f64, double)
#undef FERRY_C_READ

/* Read a byte that is 0 or 1. */
static inline int ferry_c_read_bool(struct ferry_c_reader *reader, size_t at, bool *value)
{
	uint8_t byte = reader->data[at];

	if (ferry_unlikely(byte > 1))
		return ferry_c_fail(reader, FERRY_WIRE_NOT_BOOL);
	*value = byte;
	return 0;
}

/* Read a reference: an offset and a count. The offset has to be `next`, or 0 when the count is 0. */
static inline int ferry_c_read_reference(struct ferry_c_reader *reader, size_t at, size_t *count)
{
	uint32_t offset, read;

	memcpy(&offset, reader->data + at, sizeof(offset));
	memcpy(&read, reader->data + at + sizeof(offset), sizeof(read));
	*count = read;
	if (ferry_unlikely(offset != (read ? reader->next : 0)))
		return ferry_c_fail(reader, FERRY_WIRE_WRONG_OFFSET);
	return 0;
}

/* Read text. */
static inline int ferry_c_read_string(struct ferry_c_reader *reader, size_t at, struct ferry_string *value)
{
	size_t count;

	if (ferry_unlikely(ferry_c_read_reference(reader, at, &count)))
		return -1;
	if (!count) {
		*value = (struct ferry_string){ "", 0 };
		return 0;
	}
	if (ferry_unlikely(count >= reader->bytes - reader->next))
		return ferry_c_fail(reader, FERRY_WIRE_ENDS_EARLY);
	if (ferry_unlikely(!ferry_utf8_valid(reader->data + reader->next, count)))
		return ferry_c_fail(reader, FERRY_WIRE_INVALID_UTF8);
	*value = (struct ferry_string){ (const char *)reader->data + reader->next, count };
	reader->next += count + 1;
	return ferry_c_read_zeros(reader, reader->next - 1, 1);
}

/* Read bytes. */
static inline int ferry_c_read_bytes(struct ferry_c_reader *reader, size_t at, struct ferry_bytes *value)
{
	size_t count;

	if (ferry_unlikely(ferry_c_read_reference(reader, at, &count)))
		return -1;
	if (ferry_unlikely(count > reader->bytes - reader->next))
		return ferry_c_fail(reader, FERRY_WIRE_ENDS_EARLY);
	*value = (struct ferry_bytes){ reader->data + reader->next, count };
	reader->next += count;
	return 0;
}

/* Read a reference to `count` elements of `size` bytes, which lie at *from, and step over them. */
static inline int ferry_c_read_elements(struct ferry_c_reader *reader, size_t at, size_t size, size_t *from,
					size_t *count)
{
	uint32_t any;
	size_t gap;

	memcpy(&any, reader->data + at + sizeof(any), sizeof(any));
	gap = any ? -reader->next % FERRY_C_PART_ALIGN : 0;
	if (ferry_unlikely(gap > reader->bytes - reader->next))
		return ferry_c_fail(reader, FERRY_WIRE_ENDS_EARLY);
	if (ferry_unlikely(ferry_c_read_zeros(reader, reader->next, gap)))
		return -1;
	reader->next += gap;
	if (ferry_unlikely(ferry_c_read_reference(reader, at, count)))
		return -1;
	if (ferry_unlikely(*count > (reader->bytes - reader->next) / size))
		return ferry_c_fail(reader, FERRY_WIRE_ENDS_EARLY);
	*from = reader->next;
	reader->next += *count * size;
	return 0;
}

/* Room for `count` elements of `size` bytes in memory; NULL and an error when there is none. */
static inline void *ferry_c_room(struct ferry_c_reader *reader, size_t count, size_t size)
{
	void *items = ferry_memory_take(reader->memory, count, size);

	if (!items)
		ferry_c_fail(reader, FERRY_WIRE_NO_MEMORY);
	return items;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

struct ferry_c_writer {
	uint8_t *data;
	size_t next;
	enum ferry_wire_reason reason; /* an error that the bound has not found */
};

#define FERRY_C_PUT(name, type)                                                                                        \
	static inline void ferry_c_put_##name(struct ferry_c_writer *writer, size_t at, type value)                    \
	{                                                                                                              \
		memcpy(writer->data + at, &value, sizeof(value));                                                      \
	}

FERRY_C_PUT(bool, bool)
FERRY_C_PUT(i8, int8_t)
FERRY_C_PUT(i16, int16_t)
FERRY_C_PUT(i32, int32_t)
FERRY_C_PUT(i64, int64_t)
FERRY_C_PUT(u8, uint8_t)
FERRY_C_PUT(u16, uint16_t)
FERRY_C_PUT(u32, uint32_t)
FERRY_C_PUT(u64, uint64_t)
FERRY_C_PUT(f32, float)
FERRY_C_PUT(f64, double)
#undef FERRY_C_PUT

/* Begin to write a message whose own struct takes `size`. */
static inline void ferry_c_put_begin(struct ferry_c_writer *writer, const struct ferry_buffer *out, size_t size)
{
	*writer = (struct ferry_c_writer){ out->data, size, FERRY_WIRE_OK };
	if (size)
		memset(out->data, 0, size);
}

/* Write a reference to the part that is written next, with its count. */
static inline void ferry_c_put_reference(struct ferry_c_writer *writer, size_t at, size_t count)
{
	ferry_c_put_u32(writer, at, count ? (uint32_t)writer->next : 0);
	ferry_c_put_u32(writer, at + 4, (uint32_t)count);
}

/* Write text. */
static inline void ferry_c_put_string(struct ferry_c_writer *writer, size_t at, struct ferry_string value)
{
	ferry_c_put_reference(writer, at, value.bytes);
	if (!value.bytes)
		return;
	ferry_wire_copy(writer->data + writer->next, value.data, value.bytes);
	writer->next += value.bytes;
	writer->data[writer->next++] = 0;
}

/* Write bytes. */
static inline void ferry_c_put_bytes(struct ferry_c_writer *writer, size_t at, struct ferry_bytes value)
{
	ferry_c_put_reference(writer, at, value.bytes);
	if (!value.bytes)
		return;
	memcpy(writer->data + writer->next, value.data, value.bytes);
	writer->next += value.bytes;
}

/* Make room for `count` elements of `size` bytes, zeros unless all will be `written`. Returns where they begin. */
static inline size_t ferry_c_put_elements(struct ferry_c_writer *writer, size_t at, size_t count, size_t size,
					  const void *written)
{
	size_t from;

	for (; count && writer->next % FERRY_C_PART_ALIGN; writer->next++)
		writer->data[writer->next] = 0;
	ferry_c_put_reference(writer, at, count);
	from = writer->next;
	if (count && written)
		memcpy(writer->data + from, written, count * size);
	else if (count)
		memset(writer->data + from, 0, count * size);
	writer->next += count * size;
	return from;
}

/* End encoding into `out`: 0, or -1 with the reason. */
static inline int ferry_c_written(const struct ferry_c_writer *writer, struct ferry_buffer *out,
				  struct ferry_wire_error *error)
{
	if (ferry_unlikely(writer->reason))
		return ferry_wire_fail(error, writer->reason);
	if (ferry_unlikely(writer->next > FERRY_WIRE_BYTES_MAX))
		return ferry_wire_fail(error, FERRY_WIRE_OUT_OF_RANGE);
	out->bytes = writer->next;
	return 0;
}

#endif /* FERRY_WIRE_C_H */
