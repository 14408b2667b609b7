/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What both wire formats (spec/interface.md) need: strings, errors with the path to a bad field, memory for decoded
 * values, and buffers to encode into. The code that `ferry bindgen` writes uses this, wire_cbor.h and wire_c.h. All of
 * it is inline, and threads share nothing here.
 *
 * Owned decoding copies the message once, so that the message's bytes may go; with borrowed decoding the value points
 * into the message. Either way one struct ferry_memory holds all that was allocated, and one call frees it.
 */
#ifndef FERRY_WIRE_H
#define FERRY_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ferry/wire_utf8.h>

#define FERRY_WIRE_DEPTH_MAX 32		/* objects, sequences and maps that nest in a message */
#define FERRY_WIRE_PATH_BYTES 256	/* for the path in an error; a longer one lacks its outermost parts */
#define FERRY_WIRE_BYTES_MAX UINT32_MAX /* how many bytes a message may have */
#define FERRY_MEMORY_EXTRA_BYTES 4096	/* allocated at most with a message's copy, for its arrays */
#define FERRY_MEMORY_BLOCK_BYTES 960	/* the least allocated later; glibc keeps blocks up to 1,032 at hand */

/* for code that seldom runs: it is kept out of line */
#define FERRY_SELDOM __attribute__((noinline, cold, unused)) static

/* Text in UTF-8. Decoded text ends with a zero byte that is not counted, unless it was borrowed from `cbor`. */
struct ferry_string {
	const char *data;
	size_t bytes;
};

struct ferry_bytes {
	const uint8_t *data;
	size_t bytes;
};

/* The string that ends at a zero byte. */
static inline struct ferry_string ferry_string(const char *text)
{
	return (struct ferry_string){ text, strlen(text) };
}

/* Whether two strings have the same bytes. */
static inline bool ferry_string_equal(struct ferry_string left, struct ferry_string right)
{
	return left.bytes == right.bytes && (!left.bytes || !memcmp(left.data, right.data, left.bytes));
}

/* ---- errors ---------------------------------------------------------------------------------------------------- */

/* Why a message could not be decoded or encoded (W8). */
enum ferry_wire_reason {
	FERRY_WIRE_OK = 0,
	FERRY_WIRE_ENDS_EARLY,
	FERRY_WIRE_WRONG_TYPE,
	FERRY_WIRE_OUT_OF_RANGE,
	FERRY_WIRE_INVALID_UTF8,
	FERRY_WIRE_UNKNOWN_ENUM,
	FERRY_WIRE_UNKNOWN_CASE,
	FERRY_WIRE_MISSING,
	FERRY_WIRE_GIVEN_TWICE,
	FERRY_WIRE_LEFT_OVER,
	FERRY_WIRE_TOO_DEEP,
	FERRY_WIRE_MALFORMED,
	FERRY_WIRE_WRONG_OFFSET,
	FERRY_WIRE_PADDING,
	FERRY_WIRE_NOT_BOOL,
	FERRY_WIRE_KEY_ORDER,
	FERRY_WIRE_NO_MEMORY,
	FERRY_WIRE_REASON_COUNT,
};

struct ferry_wire_error {
	enum ferry_wire_reason reason;
	unsigned int private_at; /* where the path begins; it is written from its end backwards */
	char private_path[FERRY_WIRE_PATH_BYTES];
};

/* The text of a reason in the words of W8. Static storage, never NULL. */
static inline const char *ferry_wire_reason_text(enum ferry_wire_reason reason)
{
	static const char *const texts[] = {
		"no error",	      "ends early",   "wrong type",   "out of range",	  "invalid UTF-8",
		"unknown enum value", "unknown case", "missing",      "given twice",	  "bytes left over",
		"nested too deep",    "malformed",    "wrong offset", "padding not zero", "neither 0 nor 1",
		"keys out of order",  "no memory",
	};

	return (unsigned int)reason < FERRY_WIRE_REASON_COUNT ? texts[reason] : "unknown reason";
}

/* The path to the bad field, such as `notes[3].title`; empty when the message itself is wrong. Lives as the error does.
 */
static inline const char *ferry_wire_error_path(const struct ferry_wire_error *error)
{
	const char *path = error->private_path + error->private_at;

	return *path == '.' ? path + 1 : path;
}

/* Write `notes[3].title: invalid UTF-8` into text[room], always terminated. Returns its bytes as snprintf does. */
static inline int ferry_wire_error_format(const struct ferry_wire_error *error, char *text, size_t room)
{
	const char *path = ferry_wire_error_path(error);

	return snprintf(text, room, "%s%s%s", path, *path ? ": " : "", ferry_wire_reason_text(error->reason));
}

/* Note the reason, with an empty path. */
FERRY_SELDOM void ferry_wire_note(struct ferry_wire_error *error, enum ferry_wire_reason reason)
{
	error->reason = reason;
	error->private_at = FERRY_WIRE_PATH_BYTES - 1;
	error->private_path[FERRY_WIRE_PATH_BYTES - 1] = 0;
}

/* Note the reason. Returns -1; being inline, it shows that to the compiler. */
static inline int ferry_wire_fail(struct ferry_wire_error *error, enum ferry_wire_reason reason)
{
	ferry_wire_note(error, reason);
	return -1;
}

/* Put a part in front of the path. Parts come from the innermost outwards. */
FERRY_SELDOM void ferry_wire_prepend(struct ferry_wire_error *error, const char *part, size_t bytes)
{
	static const char more[] = "...";
	const unsigned int spare = sizeof(more) - 1;

	if (error->private_at == 0)
		return; /* parts have been left out already */
	if (bytes + spare > error->private_at) {
		error->private_at -= spare;
		memcpy(error->private_path + error->private_at, more, spare);
		memmove(error->private_path, error->private_path + error->private_at,
			FERRY_WIRE_PATH_BYTES - error->private_at);
		error->private_at = 0;
		return;
	}
	error->private_at -= (unsigned int)bytes;
	memcpy(error->private_path + error->private_at, part, bytes);
}

/* Put a field's name in front of the path. */
FERRY_SELDOM void ferry_wire_prepend_field(struct ferry_wire_error *error, const char *name)
{
	ferry_wire_prepend(error, name, strlen(name));
	ferry_wire_prepend(error, ".", 1);
}

/* Put an element's number in front of the path, and its `part`: "", ".key" or ".value". */
FERRY_SELDOM void ferry_wire_prepend_element(struct ferry_wire_error *error, size_t number, const char *part)
{
	char text[40];
	int bytes = snprintf(text, sizeof(text), "[%zu]%s", number, part);

	ferry_wire_prepend(error, text, (size_t)bytes);
}

/* The error is in the field of that name. Returns -1. */
static inline int ferry_wire_in_field(struct ferry_wire_error *error, const char *name)
{
	ferry_wire_prepend_field(error, name);
	return -1;
}

/* The error is in the element with that number, or its key or value. Returns -1. */
static inline int ferry_wire_in_element(struct ferry_wire_error *error, size_t number, const char *part)
{
	ferry_wire_prepend_element(error, number, part);
	return -1;
}

/* The field of that name is missing. Returns -1. */
static inline int ferry_wire_missing(struct ferry_wire_error *error, const char *name)
{
	ferry_wire_note(error, FERRY_WIRE_MISSING);
	return ferry_wire_in_field(error, name);
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

struct ferry_memory_block {
	struct ferry_memory_block *next;
	size_t bytes;
};

/* Memory of decoded values. A struct of zeros is an empty one; ferry_memory_free ends it. */
struct ferry_memory {
	struct ferry_memory_block *blocks;
	char *at;
	char *end;
};

/* Free all of it. The struct may be all zeros, and may be freed twice. */
static inline void ferry_memory_free(struct ferry_memory *memory)
{
	struct ferry_memory_block *block = memory->blocks;

	while (block) {
		struct ferry_memory_block *next = block->next;

		free(block);
		block = next;
	}
	*memory = (struct ferry_memory){ NULL, NULL, NULL };
}

/* Start with a block of `bytes`. Returns it, aligned to 16, or NULL when there is no memory. */
static inline void *ferry_memory_begin(struct ferry_memory *memory, size_t bytes, size_t extra)
{
	struct ferry_memory_block *block;
	size_t whole = (bytes + 7) & ~(size_t)7;

	block = malloc(sizeof(*block) + whole + extra);
	if (ferry_unlikely(!block))
		return NULL;
	block->next = memory->blocks;
	block->bytes = whole + extra;
	memory->blocks = block;
	memory->at = (char *)(block + 1) + whole;
	memory->end = memory->at + extra;
	return block + 1;
}

/* Room for `count` elements of `size` bytes, aligned to 8, or NULL when there is no memory. */
static inline void *ferry_memory_take(struct ferry_memory *memory, size_t count, size_t size)
{
	size_t bytes;
	void *taken = memory->at;

	if (ferry_unlikely(__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2))
		return NULL;
	bytes = (bytes + 7) & ~(size_t)7;
	if (ferry_likely(bytes <= (size_t)(memory->end - memory->at))) {
		memory->at += bytes;
		return taken;
	}
	if (bytes >= FERRY_MEMORY_BLOCK_BYTES) {
		char *at = memory->at, *end = memory->end;

		taken = ferry_memory_begin(memory, bytes, 0);
		if (at != end && taken) { /* the newest block has space left */
			memory->at = at;
			memory->end = end;
		}
		return taken;
	}
	return ferry_memory_begin(memory, bytes, FERRY_MEMORY_BLOCK_BYTES - bytes);
}

/* ---- buffers --------------------------------------------------------------------------------------------------- */

/*
 * A buffer for an encoded message, aligned to 8; it serves any number of messages, one after the other. A struct of
 * zeros is an empty one.
 */
struct ferry_buffer {
	uint8_t *data;
	size_t bytes;
	size_t room;
	bool private_lent; /* `data` is the caller's array */
};

/* A buffer that begins in an array of the caller's, which is aligned to 8, and allocates when that is too small. */
static inline struct ferry_buffer ferry_buffer_on(void *array, size_t room)
{
	return (struct ferry_buffer){ (uint8_t *)array, 0, room, true };
}

/* Free what was allocated. The struct may be all zeros, and may be freed twice. */
static inline void ferry_buffer_free(struct ferry_buffer *buffer)
{
	if (!buffer->private_lent)
		free(buffer->data);
	*buffer = (struct ferry_buffer){ NULL, 0, 0, false };
}

/* Make room for a message of `bytes`, which replaces the former content. Returns 0, or -1 when there is no memory. */
static inline int ferry_buffer_reserve(struct ferry_buffer *buffer, size_t bytes)
{
	uint8_t *data;

	buffer->bytes = 0;
	if (ferry_likely(bytes <= buffer->room))
		return 0;
	data = malloc(bytes);
	if (!data)
		return -1;
	if (!buffer->private_lent)
		free(buffer->data);
	*buffer = (struct ferry_buffer){ data, 0, bytes, false };
	return 0;
}

/* ---- encoding -------------------------------------------------------------------------------------------------- */

/* The first pass over a value that is encoded: how many bytes it takes at most, and whether it nests too deep. */
struct ferry_wire_bound {
	size_t bytes;
	unsigned int depth;
	bool too_deep;
};

/*
 * Begin an object, a sequence or a map, in which `below` more levels are not looked at one by one. Returns whether to
 * go into it.
 */
static inline bool ferry_wire_bound_enter(struct ferry_wire_bound *bound, unsigned int below)
{
	bound->too_deep |= ++bound->depth + below > FERRY_WIRE_DEPTH_MAX;
	return !bound->too_deep;
}

/* End what was begun last. */
static inline void ferry_wire_bound_leave(struct ferry_wire_bound *bound)
{
	bound->depth--;
}

/* Make room for as many bytes as a bound has found. Returns 0, or -1 with the reason. */
static inline int ferry_wire_make_room(const struct ferry_wire_bound *bound, struct ferry_buffer *out,
				       struct ferry_wire_error *error)
{
	if (ferry_unlikely(bound->too_deep))
		return ferry_wire_fail(error, FERRY_WIRE_TOO_DEEP);
	if (ferry_unlikely(ferry_buffer_reserve(out, bound->bytes)))
		return ferry_wire_fail(error, FERRY_WIRE_NO_MEMORY);
	return 0;
}

/*
 * Copy bytes that do not overlap. Most strings are short, and a call of memcpy takes as long as encoding one: with
 * this, a ComplexRequest is sent in 92 ns instead of 99 (build/bench/codec, AMD EPYC VM).
 */
static inline void ferry_wire_copy(uint8_t *to, const void *from, size_t bytes)
{
	const uint8_t *source = (const uint8_t *)from;

	if (ferry_unlikely(bytes > 16)) {
		memcpy(to, source, bytes);
	} else if (bytes >= 8) {
		uint64_t first, last;

		memcpy(&first, source, 8);
		memcpy(&last, source + bytes - 8, 8);
		memcpy(to, &first, 8);
		memcpy(to + bytes - 8, &last, 8);
	} else if (bytes >= 4) {
		uint32_t first, last;

		memcpy(&first, source, 4);
		memcpy(&last, source + bytes - 4, 4);
		memcpy(to, &first, 4);
		memcpy(to + bytes - 4, &last, 4);
	} else if (bytes) {
		uint8_t first = source[0], middle = source[bytes / 2], last = source[bytes - 1];

		to[0] = first;
		to[bytes / 2] = middle;
		to[bytes - 1] = last;
	}
}

/*
 * A map's pairs in order. Each pair has `size` bytes and begins with the key. Returns `pairs` itself if they are in
 * order, else a sorted copy in *copy, which the caller frees. When a key is there twice, or there is no memory, *reason
 * says so.
 */
static inline const void *ferry_wire_order(const void *pairs, size_t count, size_t size,
					   int (*compare)(const void *, const void *), void **copy,
					   enum ferry_wire_reason *reason)
{
	const char *at = pairs;
	size_t n = 1;

	*copy = NULL;
	while (n < count && compare(at + (n - 1) * size, at + n * size) < 0)
		n++;
	if (n >= count)
		return pairs;
	*copy = malloc(count * size);
	if (!*copy) {
		*reason = FERRY_WIRE_NO_MEMORY;
		return pairs;
	}
	memcpy(*copy, pairs, count * size);
	qsort(*copy, count, size, compare);
	for (n = 1, at = *copy; n < count; n++)
		if (!compare(at + (n - 1) * size, at + n * size))
			*reason = FERRY_WIRE_GIVEN_TWICE;
	return *copy;
}

/* ---- order of keys --------------------------------------------------------------------------------------------- */

/* Compare keys by value, for qsort: -1, 0 or 1. The key is the first member of a pair. */
#define FERRY_WIRE_COMPARE(name, type)                                                                                 \
	static inline int ferry_c_compare_##name(const void *left, const void *right)                                  \
	{                                                                                                              \
		const type *a = (const type *)left, *b = (const type *)right;                                          \
		return (*a > *b) - (*a < *b);                                                                          \
	}                                                                                                              \
	/* by their encoding: those below zero come last, the nearest to zero first */                                 \
	static inline int ferry_cbor_compare_##name(const void *left, const void *right)                               \
	{                                                                                                              \
		const type *a = (const type *)left, *b = (const type *)right;                                          \
		bool a_below = *a < 1 && *a, b_below = *b < 1 && *b;                                                   \
		int by_value = (*a > *b) - (*a < *b);                                                                  \
		return a_below != b_below ? a_below - b_below : a_below ? -by_value : by_value;                        \
	}

FERRY_WIRE_COMPARE(i8, int8_t)
FERRY_WIRE_COMPARE(i16, int16_t)
FERRY_WIRE_COMPARE(i32, int32_t)
FERRY_WIRE_COMPARE(i64, int64_t)
FERRY_WIRE_COMPARE(u8, uint8_t)
FERRY_WIRE_COMPARE(u16, uint16_t)
FERRY_WIRE_COMPARE(u32, uint32_t)
FERRY_WIRE_COMPARE(u64, uint64_t)
#undef FERRY_WIRE_COMPARE

/* Compare strings by their bytes, for qsort. */
static inline int ferry_c_compare_string(const void *left, const void *right)
{
	const struct ferry_string *a = left, *b = right;
	size_t least = a->bytes < b->bytes ? a->bytes : b->bytes;
	int order = least ? memcmp(a->data, b->data, least) : 0;

	return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Compare strings by their encoding, for qsort: the shorter comes first. */
static inline int ferry_cbor_compare_string(const void *left, const void *right)
{
	const struct ferry_string *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	return a->bytes ? memcmp(a->data, b->data, a->bytes) : 0;
}

#endif /* FERRY_WIRE_H */
