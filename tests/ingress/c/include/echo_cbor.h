/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again. */
/*
 * The messages of echo in format cbor (spec/interface.md of Ferry). For each message NAME:
 *
 * NAME_encode_cbor puts the message into `out`, in place of what was there. NAME_decode_cbor reads data[bytes] into
 * *value, whose strings and sequences then lie in *memory, to be freed by ferry_memory_free; NAME_borrow_cbor is the
 * same, but strings and bytes point into the message, which has to stay, and do not end with a zero byte. Each returns
 * 0, or -1 with the reason and the path in *error, and then there is nothing to free.
 */
#ifndef ECHO_CBOR_H
#define ECHO_CBOR_H

#include <ferry/wire_cbor.h>

#include "echo_types.h"

static inline void echo_echo_request__cbor_bound(const struct echo_echo_request *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_echo_request__cbor_put(uint8_t *at, const struct echo_echo_request *value,
						   struct ferry_cbor_writer *writer);
static inline int echo_echo_request__cbor_read(struct ferry_cbor_reader *reader, struct echo_echo_request *value);
static inline void echo_echo_response__cbor_bound(const struct echo_echo_response *value,
						  struct ferry_wire_bound *bound);
static inline uint8_t *echo_echo_response__cbor_put(uint8_t *at, const struct echo_echo_response *value,
						    struct ferry_cbor_writer *writer);
static inline int echo_echo_response__cbor_read(struct ferry_cbor_reader *reader, struct echo_echo_response *value);
static inline void echo_complex_request__cbor_bound(const struct echo_complex_request *value,
						    struct ferry_wire_bound *bound);
static inline uint8_t *echo_complex_request__cbor_put(uint8_t *at, const struct echo_complex_request *value,
						      struct ferry_cbor_writer *writer);
static inline int echo_complex_request__cbor_read(struct ferry_cbor_reader *reader, struct echo_complex_request *value);
static inline void echo_complex_response__cbor_bound(const struct echo_complex_response *value,
						     struct ferry_wire_bound *bound);
static inline uint8_t *echo_complex_response__cbor_put(uint8_t *at, const struct echo_complex_response *value,
						       struct ferry_cbor_writer *writer);
static inline int echo_complex_response__cbor_read(struct ferry_cbor_reader *reader,
						   struct echo_complex_response *value);
static inline void echo_all_types__cbor_bound(const struct echo_all_types *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_all_types__cbor_put(uint8_t *at, const struct echo_all_types *value,
						struct ferry_cbor_writer *writer);
static inline int echo_all_types__cbor_read(struct ferry_cbor_reader *reader, struct echo_all_types *value);
static inline void echo_tree__cbor_bound(const struct echo_tree *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_tree__cbor_put(uint8_t *at, const struct echo_tree *value,
					   struct ferry_cbor_writer *writer);
static inline int echo_tree__cbor_read(struct ferry_cbor_reader *reader, struct echo_tree *value);
static inline void echo_seq_echo_request__cbor_bound(const struct echo_seq_echo_request *value,
						     struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_echo_request__cbor_put(uint8_t *at, const struct echo_seq_echo_request *value,
						       struct ferry_cbor_writer *writer);
static inline int echo_seq_echo_request__cbor_read(struct ferry_cbor_reader *reader,
						   struct echo_seq_echo_request *value);
static inline void echo_seq_string__cbor_bound(const struct echo_seq_string *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_string__cbor_put(uint8_t *at, const struct echo_seq_string *value,
						 struct ferry_cbor_writer *writer);
static inline int echo_seq_string__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_string *value);
static inline void echo_option_string__cbor_bound(const struct echo_option_string *value,
						  struct ferry_wire_bound *bound);
static inline uint8_t *echo_option_string__cbor_put(uint8_t *at, const struct echo_option_string *value,
						    struct ferry_cbor_writer *writer);
static inline int echo_option_string__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_string *value);
static inline void echo_option_i64__cbor_bound(const struct echo_option_i64 *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_option_i64__cbor_put(uint8_t *at, const struct echo_option_i64 *value,
						 struct ferry_cbor_writer *writer);
static inline int echo_option_i64__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_i64 *value);
static inline void echo_seq_tree__cbor_bound(const struct echo_seq_tree *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_tree__cbor_put(uint8_t *at, const struct echo_seq_tree *value,
					       struct ferry_cbor_writer *writer);
static inline int echo_seq_tree__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_tree *value);
static inline void echo_option_i32__cbor_bound(const struct echo_option_i32 *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_option_i32__cbor_put(uint8_t *at, const struct echo_option_i32 *value,
						 struct ferry_cbor_writer *writer);
static inline int echo_option_i32__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_i32 *value);
static inline void echo_option_echo_request__cbor_bound(const struct echo_option_echo_request *value,
							struct ferry_wire_bound *bound);
static inline uint8_t *echo_option_echo_request__cbor_put(uint8_t *at, const struct echo_option_echo_request *value,
							  struct ferry_cbor_writer *writer);
static inline int echo_option_echo_request__cbor_read(struct ferry_cbor_reader *reader,
						      struct echo_option_echo_request *value);
static inline void echo_option_color__cbor_bound(const struct echo_option_color *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_option_color__cbor_put(uint8_t *at, const struct echo_option_color *value,
						   struct ferry_cbor_writer *writer);
static inline int echo_option_color__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_color *value);
static inline void echo_seq_f64__cbor_bound(const struct echo_seq_f64 *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_f64__cbor_put(uint8_t *at, const struct echo_seq_f64 *value,
					      struct ferry_cbor_writer *writer);
static inline int echo_seq_f64__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_f64 *value);
static inline void echo_seq_bool__cbor_bound(const struct echo_seq_bool *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_bool__cbor_put(uint8_t *at, const struct echo_seq_bool *value,
					       struct ferry_cbor_writer *writer);
static inline int echo_seq_bool__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_bool *value);
static inline void echo_seq_color__cbor_bound(const struct echo_seq_color *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_color__cbor_put(uint8_t *at, const struct echo_seq_color *value,
						struct ferry_cbor_writer *writer);
static inline int echo_seq_color__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_color *value);
static inline void echo_seq_i32__cbor_bound(const struct echo_seq_i32 *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_i32__cbor_put(uint8_t *at, const struct echo_seq_i32 *value,
					      struct ferry_cbor_writer *writer);
static inline int echo_seq_i32__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_i32 *value);
static inline void echo_seq_seq_i32__cbor_bound(const struct echo_seq_seq_i32 *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_seq_i32__cbor_put(uint8_t *at, const struct echo_seq_seq_i32 *value,
						  struct ferry_cbor_writer *writer);
static inline int echo_seq_seq_i32__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_seq_i32 *value);
static inline void echo_seq_option_string__cbor_bound(const struct echo_seq_option_string *value,
						      struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_option_string__cbor_put(uint8_t *at, const struct echo_seq_option_string *value,
							struct ferry_cbor_writer *writer);
static inline int echo_seq_option_string__cbor_read(struct ferry_cbor_reader *reader,
						    struct echo_seq_option_string *value);
static inline void echo_seq_bytes__cbor_bound(const struct echo_seq_bytes *value, struct ferry_wire_bound *bound);
static inline uint8_t *echo_seq_bytes__cbor_put(uint8_t *at, const struct echo_seq_bytes *value,
						struct ferry_cbor_writer *writer);
static inline int echo_seq_bytes__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_bytes *value);
static inline void echo_map_i32_string__cbor_bound(const struct echo_map_i32_string *value,
						   struct ferry_wire_bound *bound);
static inline uint8_t *echo_map_i32_string__cbor_put(uint8_t *at, const struct echo_map_i32_string *value,
						     struct ferry_cbor_writer *writer);
static inline int echo_map_i32_string__cbor_read(struct ferry_cbor_reader *reader, struct echo_map_i32_string *value);
static inline void echo_map_string_i64__cbor_bound(const struct echo_map_string_i64 *value,
						   struct ferry_wire_bound *bound);
static inline uint8_t *echo_map_string_i64__cbor_put(uint8_t *at, const struct echo_map_string_i64 *value,
						     struct ferry_cbor_writer *writer);
static inline int echo_map_string_i64__cbor_read(struct ferry_cbor_reader *reader, struct echo_map_string_i64 *value);
static inline void echo_map_string_echo_request__cbor_bound(const struct echo_map_string_echo_request *value,
							    struct ferry_wire_bound *bound);
static inline uint8_t *echo_map_string_echo_request__cbor_put(uint8_t *at,
							      const struct echo_map_string_echo_request *value,
							      struct ferry_cbor_writer *writer);
static inline int echo_map_string_echo_request__cbor_read(struct ferry_cbor_reader *reader,
							  struct echo_map_string_echo_request *value);

static inline int echo_color__cbor_read(struct ferry_cbor_reader *reader, enum echo_color *value)
{
	int64_t number = 0;

	if (ferry_unlikely(ferry_cbor_read_signed(reader, &number, INT32_MAX)))
		return -1;
	if (ferry_unlikely(!echo_color_known((int32_t)number)))
		return ferry_cbor_fail(reader, FERRY_WIRE_UNKNOWN_ENUM);
	*value = (enum echo_color)number;
	return 0;
}

static inline void echo_echo_request__cbor_bound(const struct echo_echo_request *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->message.bytes;

	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_echo_request__cbor_put(uint8_t *at, const struct echo_echo_request *value,
						   struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 2);
	memcpy(at, "gmessage", 8);
	at += 8;
	at = ferry_cbor_put_string(at, value->message);
	memcpy(at, "hdelay_ms", 9);
	at += 9;
	at = ferry_cbor_put_signed(at, value->delay_ms);
	return at;
}

FERRY_SELDOM int echo_echo_request__cbor_rest(struct ferry_cbor_reader *reader, struct echo_echo_request *value,
					      struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"message",
		"delay_ms",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 2);
		if (number < 0)
			return -1;
		if (number == 2)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_string(reader, &value->message);
			break;
		default:
			result = ferry_cbor_read_i64(reader, &value->delay_ms);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_echo_request__cbor_read(struct ferry_cbor_reader *reader, struct echo_echo_request *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gmessage", 8))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->message)))
			return ferry_wire_in_field(reader->error, "message");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "hdelay_ms", 9))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(ferry_cbor_read_i64(reader, &value->delay_ms)))
			return ferry_wire_in_field(reader->error, "delay_ms");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_echo_request__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(3)) != UINT64_C(3))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "message");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "delay_ms");
	}
	return 0;
}

static inline void echo_echo_response__cbor_bound(const struct echo_echo_response *value,
						  struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->timer.bytes;
	bound->bytes += value->echoed.bytes;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_echo_response__cbor_put(uint8_t *at, const struct echo_echo_response *value,
						    struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 2);
	memcpy(at, "etimer", 6);
	at += 6;
	at = ferry_cbor_put_string(at, value->timer);
	memcpy(at, "fechoed", 7);
	at += 7;
	at = ferry_cbor_put_string(at, value->echoed);
	return at;
}

FERRY_SELDOM int echo_echo_response__cbor_rest(struct ferry_cbor_reader *reader, struct echo_echo_response *value,
					       struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"timer",
		"echoed",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 2);
		if (number < 0)
			return -1;
		if (number == 2)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_string(reader, &value->timer);
			break;
		default:
			result = ferry_cbor_read_string(reader, &value->echoed);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_echo_response__cbor_read(struct ferry_cbor_reader *reader, struct echo_echo_response *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "etimer", 6))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->timer)))
			return ferry_wire_in_field(reader->error, "timer");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fechoed", 7))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->echoed)))
			return ferry_wire_in_field(reader->error, "echoed");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_echo_response__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(3)) != UINT64_C(3))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "timer");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "echoed");
	}
	return 0;
}

static inline void echo_complex_request__cbor_bound(const struct echo_complex_request *value,
						    struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_option_string__cbor_bound(&value->note, bound);
	echo_seq_string__cbor_bound(&value->tags, bound);

	echo_seq_echo_request__cbor_bound(&value->messages, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_complex_request__cbor_put(uint8_t *at, const struct echo_complex_request *value,
						      struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 2 + value->note.present + value->retries.present);
	if (value->note.present) {
		memcpy(at, "dnote", 5);
		at += 5;
		at = ferry_cbor_put_string(at, value->note.value);
	}
	memcpy(at, "dtags", 5);
	at += 5;
	at = echo_seq_string__cbor_put(at, &value->tags, writer);
	if (value->retries.present) {
		memcpy(at, "gretries", 8);
		at += 8;
		at = ferry_cbor_put_signed(at, value->retries.value);
	}
	memcpy(at, "hmessages", 9);
	at += 9;
	at = echo_seq_echo_request__cbor_put(at, &value->messages, writer);
	return at;
}

FERRY_SELDOM int echo_complex_request__cbor_rest(struct ferry_cbor_reader *reader, struct echo_complex_request *value,
						 struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"note",
		"tags",
		"retries",
		"messages",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 4);
		if (number < 0)
			return -1;
		if (number == 4)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = echo_option_string__cbor_read(reader, &value->note);
			break;
		case 1:
			result = echo_seq_string__cbor_read(reader, &value->tags);
			break;
		case 2:
			result = echo_option_i64__cbor_read(reader, &value->retries);
			break;
		default:
			result = echo_seq_echo_request__cbor_read(reader, &value->messages);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_complex_request__cbor_read(struct ferry_cbor_reader *reader, struct echo_complex_request *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	value->note.present = false;
	value->retries.present = false;
	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "dnote", 5))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(echo_option_string__cbor_read(reader, &value->note)))
			return ferry_wire_in_field(reader->error, "note");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "dtags", 5))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(echo_seq_string__cbor_read(reader, &value->tags)))
			return ferry_wire_in_field(reader->error, "tags");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gretries", 8))) {
		seen[0] |= UINT64_C(1) << 2;
		if (ferry_unlikely(echo_option_i64__cbor_read(reader, &value->retries)))
			return ferry_wire_in_field(reader->error, "retries");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "hmessages", 9))) {
		seen[0] |= UINT64_C(1) << 3;
		if (ferry_unlikely(echo_seq_echo_request__cbor_read(reader, &value->messages)))
			return ferry_wire_in_field(reader->error, "messages");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_complex_request__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(10)) != UINT64_C(10))) {
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "tags");
		if (!(seen[0] >> 3 & 1))
			return ferry_wire_missing(reader->error, "messages");
	}
	return 0;
}

static inline void echo_complex_response__cbor_bound(const struct echo_complex_response *value,
						     struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	bound->bytes += value->summary.bytes;

	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_complex_response__cbor_put(uint8_t *at, const struct echo_complex_response *value,
						       struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 4);
	memcpy(at, "gretries", 8);
	at += 8;
	at = ferry_cbor_put_signed(at, value->retries);
	memcpy(at, "gsummary", 8);
	at += 8;
	at = ferry_cbor_put_string(at, value->summary);
	memcpy(at, "hhas_note", 9);
	at += 9;
	at = ferry_cbor_put_bool(at, value->has_note);
	memcpy(at, "jitem_count", 11);
	at += 11;
	at = ferry_cbor_put_unsigned(at, value->item_count);
	return at;
}

FERRY_SELDOM int echo_complex_response__cbor_rest(struct ferry_cbor_reader *reader, struct echo_complex_response *value,
						  struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"retries",
		"summary",
		"has_note",
		"item_count",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 4);
		if (number < 0)
			return -1;
		if (number == 4)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_i64(reader, &value->retries);
			break;
		case 1:
			result = ferry_cbor_read_string(reader, &value->summary);
			break;
		case 2:
			result = ferry_cbor_read_bool(reader, &value->has_note);
			break;
		default:
			result = ferry_cbor_read_u32(reader, &value->item_count);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_complex_response__cbor_read(struct ferry_cbor_reader *reader,
						   struct echo_complex_response *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gretries", 8))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_i64(reader, &value->retries)))
			return ferry_wire_in_field(reader->error, "retries");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gsummary", 8))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->summary)))
			return ferry_wire_in_field(reader->error, "summary");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "hhas_note", 9))) {
		seen[0] |= UINT64_C(1) << 2;
		if (ferry_unlikely(ferry_cbor_read_bool(reader, &value->has_note)))
			return ferry_wire_in_field(reader->error, "has_note");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "jitem_count", 11))) {
		seen[0] |= UINT64_C(1) << 3;
		if (ferry_unlikely(ferry_cbor_read_u32(reader, &value->item_count)))
			return ferry_wire_in_field(reader->error, "item_count");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_complex_response__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(15)) != UINT64_C(15))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "retries");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "summary");
		if (!(seen[0] >> 2 & 1))
			return ferry_wire_missing(reader->error, "has_note");
		if (!(seen[0] >> 3 & 1))
			return ferry_wire_missing(reader->error, "item_count");
	}
	return 0;
}

static inline void echo_all_types__cbor_bound(const struct echo_all_types *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	echo_seq_seq_i32__cbor_bound(&value->rows, bound);

	echo_seq_bytes__cbor_bound(&value->blobs, bound);
	echo_seq_bool__cbor_bound(&value->flags, bound);

	echo_seq_color__cbor_bound(&value->colors, bound);

	echo_seq_f64__cbor_bound(&value->numbers, bound);
	bound->bytes += value->a_string.bytes;
	echo_echo_request__cbor_bound(&value->an_object, bound);
	echo_option_string__cbor_bound(&value->maybe_text, bound);
	bound->bytes += value->some_bytes.bytes;

	echo_seq_option_string__cbor_bound(&value->maybe_words, bound);

	echo_option_echo_request__cbor_bound(&value->maybe_object, bound);
	echo_map_string_i64__cbor_bound(&value->number_by_text, bound);
	echo_map_i32_string__cbor_bound(&value->text_by_number, bound);
	echo_map_string_echo_request__cbor_bound(&value->objects_by_text, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_all_types__cbor_put(uint8_t *at, const struct echo_all_types *value,
						struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP,
				 24 + value->maybe_text.present + value->maybe_color.present +
					 value->maybe_number.present + value->maybe_object.present);
	memcpy(at, "da_u8", 5);
	at += 5;
	at = ferry_cbor_put_unsigned(at, value->a_u8);
	memcpy(at, "drows", 5);
	at += 5;
	at = echo_seq_seq_i32__cbor_put(at, &value->rows, writer);
	memcpy(at, "ea_u16", 6);
	at += 6;
	at = ferry_cbor_put_unsigned(at, value->a_u16);
	memcpy(at, "ea_u32", 6);
	at += 6;
	at = ferry_cbor_put_unsigned(at, value->a_u32);
	memcpy(at, "ea_u64", 6);
	at += 6;
	at = ferry_cbor_put_unsigned(at, value->a_u64);
	memcpy(at, "ean_i8", 6);
	at += 6;
	at = ferry_cbor_put_signed(at, value->an_i8);
	memcpy(at, "eblobs", 6);
	at += 6;
	at = echo_seq_bytes__cbor_put(at, &value->blobs, writer);
	memcpy(at, "eflags", 6);
	at += 6;
	at = echo_seq_bool__cbor_put(at, &value->flags, writer);
	memcpy(at, "fa_bool", 7);
	at += 7;
	at = ferry_cbor_put_bool(at, value->a_bool);
	memcpy(at, "fan_f32", 7);
	at += 7;
	at = ferry_cbor_put_f64(at, value->an_f32);
	memcpy(at, "fan_f64", 7);
	at += 7;
	at = ferry_cbor_put_f64(at, value->an_f64);
	memcpy(at, "fan_i16", 7);
	at += 7;
	at = ferry_cbor_put_signed(at, value->an_i16);
	memcpy(at, "fan_i32", 7);
	at += 7;
	at = ferry_cbor_put_signed(at, value->an_i32);
	memcpy(at, "fan_i64", 7);
	at += 7;
	at = ferry_cbor_put_signed(at, value->an_i64);
	memcpy(at, "fcolors", 7);
	at += 7;
	at = echo_seq_color__cbor_put(at, &value->colors, writer);
	memcpy(at, "ga_color", 8);
	at += 8;
	at = ferry_cbor_put_signed(at, (int32_t)value->a_color);
	memcpy(at, "gnumbers", 8);
	at += 8;
	at = echo_seq_f64__cbor_put(at, &value->numbers, writer);
	memcpy(at, "ha_string", 9);
	at += 9;
	at = ferry_cbor_put_string(at, value->a_string);
	memcpy(at, "ian_object", 10);
	at += 10;
	at = echo_echo_request__cbor_put(at, &value->an_object, writer);
	if (value->maybe_text.present) {
		memcpy(at, "jmaybe_text", 11);
		at += 11;
		at = ferry_cbor_put_string(at, value->maybe_text.value);
	}
	memcpy(at, "jsome_bytes", 11);
	at += 11;
	at = ferry_cbor_put_bytes(at, value->some_bytes);
	if (value->maybe_color.present) {
		memcpy(at, "kmaybe_color", 12);
		at += 12;
		at = ferry_cbor_put_signed(at, (int32_t)value->maybe_color.value);
	}
	memcpy(at, "kmaybe_words", 12);
	at += 12;
	at = echo_seq_option_string__cbor_put(at, &value->maybe_words, writer);
	if (value->maybe_number.present) {
		memcpy(at, "lmaybe_number", 13);
		at += 13;
		at = ferry_cbor_put_signed(at, value->maybe_number.value);
	}
	if (value->maybe_object.present) {
		memcpy(at, "lmaybe_object", 13);
		at += 13;
		at = echo_echo_request__cbor_put(at, &value->maybe_object.value, writer);
	}
	memcpy(at, "nnumber_by_text", 15);
	at += 15;
	at = echo_map_string_i64__cbor_put(at, &value->number_by_text, writer);
	memcpy(at, "ntext_by_number", 15);
	at += 15;
	at = echo_map_i32_string__cbor_put(at, &value->text_by_number, writer);
	memcpy(at, "oobjects_by_text", 16);
	at += 16;
	at = echo_map_string_echo_request__cbor_put(at, &value->objects_by_text, writer);
	return at;
}

FERRY_SELDOM int echo_all_types__cbor_rest(struct ferry_cbor_reader *reader, struct echo_all_types *value,
					   struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"a_u8",		"rows",		  "a_u16",	    "a_u32",	       "a_u64",	      "an_i8",
		"blobs",	"flags",	  "a_bool",	    "an_f32",	       "an_f64",      "an_i16",
		"an_i32",	"an_i64",	  "colors",	    "a_color",	       "numbers",     "a_string",
		"an_object",	"maybe_text",	  "some_bytes",	    "maybe_color",     "maybe_words", "maybe_number",
		"maybe_object", "number_by_text", "text_by_number", "objects_by_text",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 28);
		if (number < 0)
			return -1;
		if (number == 28)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_u8(reader, &value->a_u8);
			break;
		case 1:
			result = echo_seq_seq_i32__cbor_read(reader, &value->rows);
			break;
		case 2:
			result = ferry_cbor_read_u16(reader, &value->a_u16);
			break;
		case 3:
			result = ferry_cbor_read_u32(reader, &value->a_u32);
			break;
		case 4:
			result = ferry_cbor_read_u64(reader, &value->a_u64);
			break;
		case 5:
			result = ferry_cbor_read_i8(reader, &value->an_i8);
			break;
		case 6:
			result = echo_seq_bytes__cbor_read(reader, &value->blobs);
			break;
		case 7:
			result = echo_seq_bool__cbor_read(reader, &value->flags);
			break;
		case 8:
			result = ferry_cbor_read_bool(reader, &value->a_bool);
			break;
		case 9:
			result = ferry_cbor_read_f32(reader, &value->an_f32);
			break;
		case 10:
			result = ferry_cbor_read_f64(reader, &value->an_f64);
			break;
		case 11:
			result = ferry_cbor_read_i16(reader, &value->an_i16);
			break;
		case 12:
			result = ferry_cbor_read_i32(reader, &value->an_i32);
			break;
		case 13:
			result = ferry_cbor_read_i64(reader, &value->an_i64);
			break;
		case 14:
			result = echo_seq_color__cbor_read(reader, &value->colors);
			break;
		case 15:
			result = echo_color__cbor_read(reader, &value->a_color);
			break;
		case 16:
			result = echo_seq_f64__cbor_read(reader, &value->numbers);
			break;
		case 17:
			result = ferry_cbor_read_string(reader, &value->a_string);
			break;
		case 18:
			result = echo_echo_request__cbor_read(reader, &value->an_object);
			break;
		case 19:
			result = echo_option_string__cbor_read(reader, &value->maybe_text);
			break;
		case 20:
			result = ferry_cbor_read_bytes(reader, &value->some_bytes);
			break;
		case 21:
			result = echo_option_color__cbor_read(reader, &value->maybe_color);
			break;
		case 22:
			result = echo_seq_option_string__cbor_read(reader, &value->maybe_words);
			break;
		case 23:
			result = echo_option_i32__cbor_read(reader, &value->maybe_number);
			break;
		case 24:
			result = echo_option_echo_request__cbor_read(reader, &value->maybe_object);
			break;
		case 25:
			result = echo_map_string_i64__cbor_read(reader, &value->number_by_text);
			break;
		case 26:
			result = echo_map_i32_string__cbor_read(reader, &value->text_by_number);
			break;
		default:
			result = echo_map_string_echo_request__cbor_read(reader, &value->objects_by_text);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_all_types__cbor_read(struct ferry_cbor_reader *reader, struct echo_all_types *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	value->maybe_text.present = false;
	value->maybe_color.present = false;
	value->maybe_number.present = false;
	value->maybe_object.present = false;
	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "da_u8", 5))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_u8(reader, &value->a_u8)))
			return ferry_wire_in_field(reader->error, "a_u8");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "drows", 5))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(echo_seq_seq_i32__cbor_read(reader, &value->rows)))
			return ferry_wire_in_field(reader->error, "rows");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ea_u16", 6))) {
		seen[0] |= UINT64_C(1) << 2;
		if (ferry_unlikely(ferry_cbor_read_u16(reader, &value->a_u16)))
			return ferry_wire_in_field(reader->error, "a_u16");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ea_u32", 6))) {
		seen[0] |= UINT64_C(1) << 3;
		if (ferry_unlikely(ferry_cbor_read_u32(reader, &value->a_u32)))
			return ferry_wire_in_field(reader->error, "a_u32");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ea_u64", 6))) {
		seen[0] |= UINT64_C(1) << 4;
		if (ferry_unlikely(ferry_cbor_read_u64(reader, &value->a_u64)))
			return ferry_wire_in_field(reader->error, "a_u64");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ean_i8", 6))) {
		seen[0] |= UINT64_C(1) << 5;
		if (ferry_unlikely(ferry_cbor_read_i8(reader, &value->an_i8)))
			return ferry_wire_in_field(reader->error, "an_i8");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "eblobs", 6))) {
		seen[0] |= UINT64_C(1) << 6;
		if (ferry_unlikely(echo_seq_bytes__cbor_read(reader, &value->blobs)))
			return ferry_wire_in_field(reader->error, "blobs");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "eflags", 6))) {
		seen[0] |= UINT64_C(1) << 7;
		if (ferry_unlikely(echo_seq_bool__cbor_read(reader, &value->flags)))
			return ferry_wire_in_field(reader->error, "flags");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fa_bool", 7))) {
		seen[0] |= UINT64_C(1) << 8;
		if (ferry_unlikely(ferry_cbor_read_bool(reader, &value->a_bool)))
			return ferry_wire_in_field(reader->error, "a_bool");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fan_f32", 7))) {
		seen[0] |= UINT64_C(1) << 9;
		if (ferry_unlikely(ferry_cbor_read_f32(reader, &value->an_f32)))
			return ferry_wire_in_field(reader->error, "an_f32");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fan_f64", 7))) {
		seen[0] |= UINT64_C(1) << 10;
		if (ferry_unlikely(ferry_cbor_read_f64(reader, &value->an_f64)))
			return ferry_wire_in_field(reader->error, "an_f64");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fan_i16", 7))) {
		seen[0] |= UINT64_C(1) << 11;
		if (ferry_unlikely(ferry_cbor_read_i16(reader, &value->an_i16)))
			return ferry_wire_in_field(reader->error, "an_i16");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fan_i32", 7))) {
		seen[0] |= UINT64_C(1) << 12;
		if (ferry_unlikely(ferry_cbor_read_i32(reader, &value->an_i32)))
			return ferry_wire_in_field(reader->error, "an_i32");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fan_i64", 7))) {
		seen[0] |= UINT64_C(1) << 13;
		if (ferry_unlikely(ferry_cbor_read_i64(reader, &value->an_i64)))
			return ferry_wire_in_field(reader->error, "an_i64");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fcolors", 7))) {
		seen[0] |= UINT64_C(1) << 14;
		if (ferry_unlikely(echo_seq_color__cbor_read(reader, &value->colors)))
			return ferry_wire_in_field(reader->error, "colors");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ga_color", 8))) {
		seen[0] |= UINT64_C(1) << 15;
		if (ferry_unlikely(echo_color__cbor_read(reader, &value->a_color)))
			return ferry_wire_in_field(reader->error, "a_color");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gnumbers", 8))) {
		seen[0] |= UINT64_C(1) << 16;
		if (ferry_unlikely(echo_seq_f64__cbor_read(reader, &value->numbers)))
			return ferry_wire_in_field(reader->error, "numbers");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ha_string", 9))) {
		seen[0] |= UINT64_C(1) << 17;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->a_string)))
			return ferry_wire_in_field(reader->error, "a_string");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ian_object", 10))) {
		seen[0] |= UINT64_C(1) << 18;
		if (ferry_unlikely(echo_echo_request__cbor_read(reader, &value->an_object)))
			return ferry_wire_in_field(reader->error, "an_object");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "jmaybe_text", 11))) {
		seen[0] |= UINT64_C(1) << 19;
		if (ferry_unlikely(echo_option_string__cbor_read(reader, &value->maybe_text)))
			return ferry_wire_in_field(reader->error, "maybe_text");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "jsome_bytes", 11))) {
		seen[0] |= UINT64_C(1) << 20;
		if (ferry_unlikely(ferry_cbor_read_bytes(reader, &value->some_bytes)))
			return ferry_wire_in_field(reader->error, "some_bytes");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "kmaybe_color", 12))) {
		seen[0] |= UINT64_C(1) << 21;
		if (ferry_unlikely(echo_option_color__cbor_read(reader, &value->maybe_color)))
			return ferry_wire_in_field(reader->error, "maybe_color");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "kmaybe_words", 12))) {
		seen[0] |= UINT64_C(1) << 22;
		if (ferry_unlikely(echo_seq_option_string__cbor_read(reader, &value->maybe_words)))
			return ferry_wire_in_field(reader->error, "maybe_words");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "lmaybe_number", 13))) {
		seen[0] |= UINT64_C(1) << 23;
		if (ferry_unlikely(echo_option_i32__cbor_read(reader, &value->maybe_number)))
			return ferry_wire_in_field(reader->error, "maybe_number");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "lmaybe_object", 13))) {
		seen[0] |= UINT64_C(1) << 24;
		if (ferry_unlikely(echo_option_echo_request__cbor_read(reader, &value->maybe_object)))
			return ferry_wire_in_field(reader->error, "maybe_object");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "nnumber_by_text", 15))) {
		seen[0] |= UINT64_C(1) << 25;
		if (ferry_unlikely(echo_map_string_i64__cbor_read(reader, &value->number_by_text)))
			return ferry_wire_in_field(reader->error, "number_by_text");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ntext_by_number", 15))) {
		seen[0] |= UINT64_C(1) << 26;
		if (ferry_unlikely(echo_map_i32_string__cbor_read(reader, &value->text_by_number)))
			return ferry_wire_in_field(reader->error, "text_by_number");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "oobjects_by_text", 16))) {
		seen[0] |= UINT64_C(1) << 27;
		if (ferry_unlikely(echo_map_string_echo_request__cbor_read(reader, &value->objects_by_text)))
			return ferry_wire_in_field(reader->error, "objects_by_text");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_all_types__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(240648191)) != UINT64_C(240648191))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "a_u8");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "rows");
		if (!(seen[0] >> 2 & 1))
			return ferry_wire_missing(reader->error, "a_u16");
		if (!(seen[0] >> 3 & 1))
			return ferry_wire_missing(reader->error, "a_u32");
		if (!(seen[0] >> 4 & 1))
			return ferry_wire_missing(reader->error, "a_u64");
		if (!(seen[0] >> 5 & 1))
			return ferry_wire_missing(reader->error, "an_i8");
		if (!(seen[0] >> 6 & 1))
			return ferry_wire_missing(reader->error, "blobs");
		if (!(seen[0] >> 7 & 1))
			return ferry_wire_missing(reader->error, "flags");
		if (!(seen[0] >> 8 & 1))
			return ferry_wire_missing(reader->error, "a_bool");
		if (!(seen[0] >> 9 & 1))
			return ferry_wire_missing(reader->error, "an_f32");
		if (!(seen[0] >> 10 & 1))
			return ferry_wire_missing(reader->error, "an_f64");
		if (!(seen[0] >> 11 & 1))
			return ferry_wire_missing(reader->error, "an_i16");
		if (!(seen[0] >> 12 & 1))
			return ferry_wire_missing(reader->error, "an_i32");
		if (!(seen[0] >> 13 & 1))
			return ferry_wire_missing(reader->error, "an_i64");
		if (!(seen[0] >> 14 & 1))
			return ferry_wire_missing(reader->error, "colors");
		if (!(seen[0] >> 15 & 1))
			return ferry_wire_missing(reader->error, "a_color");
		if (!(seen[0] >> 16 & 1))
			return ferry_wire_missing(reader->error, "numbers");
		if (!(seen[0] >> 17 & 1))
			return ferry_wire_missing(reader->error, "a_string");
		if (!(seen[0] >> 18 & 1))
			return ferry_wire_missing(reader->error, "an_object");
		if (!(seen[0] >> 20 & 1))
			return ferry_wire_missing(reader->error, "some_bytes");
		if (!(seen[0] >> 22 & 1))
			return ferry_wire_missing(reader->error, "maybe_words");
		if (!(seen[0] >> 25 & 1))
			return ferry_wire_missing(reader->error, "number_by_text");
		if (!(seen[0] >> 26 & 1))
			return ferry_wire_missing(reader->error, "text_by_number");
		if (!(seen[0] >> 27 & 1))
			return ferry_wire_missing(reader->error, "objects_by_text");
	}
	return 0;
}

static inline void echo_tree__cbor_bound(const struct echo_tree *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->name.bytes;
	echo_seq_tree__cbor_bound(&value->children, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_tree__cbor_put(uint8_t *at, const struct echo_tree *value, struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 2);
	memcpy(at, "dname", 5);
	at += 5;
	at = ferry_cbor_put_string(at, value->name);
	memcpy(at, "hchildren", 9);
	at += 9;
	at = echo_seq_tree__cbor_put(at, &value->children, writer);
	return at;
}

FERRY_SELDOM int echo_tree__cbor_rest(struct ferry_cbor_reader *reader, struct echo_tree *value,
				      struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"name",
		"children",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 2);
		if (number < 0)
			return -1;
		if (number == 2)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_string(reader, &value->name);
			break;
		default:
			result = echo_seq_tree__cbor_read(reader, &value->children);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_tree__cbor_read(struct ferry_cbor_reader *reader, struct echo_tree *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "dname", 5))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->name)))
			return ferry_wire_in_field(reader->error, "name");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "hchildren", 9))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(echo_seq_tree__cbor_read(reader, &value->children)))
			return ferry_wire_in_field(reader->error, "children");
	}
	if (ferry_unlikely(members.left || members.indefinite) && echo_tree__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(3)) != UINT64_C(3))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "name");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "children");
	}
	return 0;
}

static inline void echo_create_params__cbor_bound(const struct echo_create_params *value,
						  struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->prefix.bytes;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_create_params__cbor_put(uint8_t *at, const struct echo_create_params *value,
						    struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "fprefix", 7);
	at += 7;
	at = ferry_cbor_put_string(at, value->prefix);
	return at;
}

FERRY_SELDOM int echo_create_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_create_params *value,
					       struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"prefix",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = ferry_cbor_read_string(reader, &value->prefix);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_create_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_create_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "fprefix", 7))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->prefix)))
			return ferry_wire_in_field(reader->error, "prefix");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_create_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "prefix");
	}
	return 0;
}

static inline void echo_echo_params__cbor_bound(const struct echo_echo_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_echo_request__cbor_bound(&value->request, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_echo_params__cbor_put(uint8_t *at, const struct echo_echo_params *value,
						  struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "grequest", 8);
	at += 8;
	at = echo_echo_request__cbor_put(at, &value->request, writer);
	return at;
}

FERRY_SELDOM int echo_echo_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_echo_params *value,
					     struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"request",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = echo_echo_request__cbor_read(reader, &value->request);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_echo_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_echo_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "grequest", 8))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(echo_echo_request__cbor_read(reader, &value->request)))
			return ferry_wire_in_field(reader->error, "request");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_echo_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "request");
	}
	return 0;
}

static inline void echo_complex_params__cbor_bound(const struct echo_complex_params *value,
						   struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_complex_request__cbor_bound(&value->request, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_complex_params__cbor_put(uint8_t *at, const struct echo_complex_params *value,
						     struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "grequest", 8);
	at += 8;
	at = echo_complex_request__cbor_put(at, &value->request, writer);
	return at;
}

FERRY_SELDOM int echo_complex_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_complex_params *value,
						struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"request",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = echo_complex_request__cbor_read(reader, &value->request);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_complex_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_complex_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "grequest", 8))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(echo_complex_request__cbor_read(reader, &value->request)))
			return ferry_wire_in_field(reader->error, "request");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_complex_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "request");
	}
	return 0;
}

static inline void echo_bytes_params__cbor_bound(const struct echo_bytes_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->payload.bytes;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_bytes_params__cbor_put(uint8_t *at, const struct echo_bytes_params *value,
						   struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "gpayload", 8);
	at += 8;
	at = ferry_cbor_put_bytes(at, value->payload);
	return at;
}

FERRY_SELDOM int echo_bytes_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_bytes_params *value,
					      struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"payload",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = ferry_cbor_read_bytes(reader, &value->payload);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_bytes_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_bytes_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gpayload", 8))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_bytes(reader, &value->payload)))
			return ferry_wire_in_field(reader->error, "payload");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_bytes_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "payload");
	}
	return 0;
}

static inline void echo_fail_params__cbor_bound(const struct echo_fail_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->message.bytes;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_fail_params__cbor_put(uint8_t *at, const struct echo_fail_params *value,
						  struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "gmessage", 8);
	at += 8;
	at = ferry_cbor_put_string(at, value->message);
	return at;
}

FERRY_SELDOM int echo_fail_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_fail_params *value,
					     struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"message",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = ferry_cbor_read_string(reader, &value->message);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_fail_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_fail_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "gmessage", 8))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->message)))
			return ferry_wire_in_field(reader->error, "message");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_fail_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "message");
	}
	return 0;
}

static inline void echo_all_params__cbor_bound(const struct echo_all_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_all_types__cbor_bound(&value->value, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_all_params__cbor_put(uint8_t *at, const struct echo_all_params *value,
						 struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "evalue", 6);
	at += 6;
	at = echo_all_types__cbor_put(at, &value->value, writer);
	return at;
}

FERRY_SELDOM int echo_all_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_all_params *value,
					    struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"value",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = echo_all_types__cbor_read(reader, &value->value);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_all_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_all_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "evalue", 6))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(echo_all_types__cbor_read(reader, &value->value)))
			return ferry_wire_in_field(reader->error, "value");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_all_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "value");
	}
	return 0;
}

static inline void echo_tree_params__cbor_bound(const struct echo_tree_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_tree__cbor_bound(&value->root, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_tree_params__cbor_put(uint8_t *at, const struct echo_tree_params *value,
						  struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "droot", 5);
	at += 5;
	at = echo_tree__cbor_put(at, &value->root, writer);
	return at;
}

FERRY_SELDOM int echo_tree_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_tree_params *value,
					     struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"root",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = echo_tree__cbor_read(reader, &value->root);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_tree_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_tree_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "droot", 5))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(echo_tree__cbor_read(reader, &value->root)))
			return ferry_wire_in_field(reader->error, "root");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_tree_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "root");
	}
	return 0;
}

static inline void echo_maybe_params__cbor_bound(const struct echo_maybe_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_option_string__cbor_bound(&value->value, bound);
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_maybe_params__cbor_put(uint8_t *at, const struct echo_maybe_params *value,
						   struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 0 + value->value.present);
	if (value->value.present) {
		memcpy(at, "evalue", 6);
		at += 6;
		at = ferry_cbor_put_string(at, value->value.value);
	}
	return at;
}

FERRY_SELDOM int echo_maybe_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_maybe_params *value,
					      struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"value",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = echo_option_string__cbor_read(reader, &value->value);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_maybe_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_maybe_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	value->value.present = false;
	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "evalue", 6))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(echo_option_string__cbor_read(reader, &value->value)))
			return ferry_wire_in_field(reader->error, "value");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_maybe_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	return 0;
}

static inline void echo_ticks_params__cbor_bound(const struct echo_ticks_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_ticks_params__cbor_put(uint8_t *at, const struct echo_ticks_params *value,
						   struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "ecount", 6);
	at += 6;
	at = ferry_cbor_put_unsigned(at, value->count);
	return at;
}

FERRY_SELDOM int echo_ticks_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_ticks_params *value,
					      struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"count",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = ferry_cbor_read_u32(reader, &value->count);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_ticks_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_ticks_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ecount", 6))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_u32(reader, &value->count)))
			return ferry_wire_in_field(reader->error, "count");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_ticks_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "count");
	}
	return 0;
}

static inline void echo_open_params__cbor_bound(const struct echo_open_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->text.bytes;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_open_params__cbor_put(uint8_t *at, const struct echo_open_params *value,
						  struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "dtext", 5);
	at += 5;
	at = ferry_cbor_put_string(at, value->text);
	return at;
}

FERRY_SELDOM int echo_open_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_open_params *value,
					     struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"text",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = ferry_cbor_read_string(reader, &value->text);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_open_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_open_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "dtext", 5))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_string(reader, &value->text)))
			return ferry_wire_in_field(reader->error, "text");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_open_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "text");
	}
	return 0;
}

static inline void echo_read_params__cbor_bound(const struct echo_read_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_read_params__cbor_put(uint8_t *at, const struct echo_read_params *value,
						  struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 2);
	memcpy(at, "freader", 7);
	at += 7;
	at = ferry_cbor_put_unsigned(at, value->reader.id);
	memcpy(at, "ibytes_max", 10);
	at += 10;
	at = ferry_cbor_put_unsigned(at, value->bytes_max);
	return at;
}

FERRY_SELDOM int echo_read_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_read_params *value,
					     struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"reader",
		"bytes_max",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 2);
		if (number < 0)
			return -1;
		if (number == 2)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_u64(reader, &value->reader.id);
			break;
		default:
			result = ferry_cbor_read_u32(reader, &value->bytes_max);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_read_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_read_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "freader", 7))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_u64(reader, &value->reader.id)))
			return ferry_wire_in_field(reader->error, "reader");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "ibytes_max", 10))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(ferry_cbor_read_u32(reader, &value->bytes_max)))
			return ferry_wire_in_field(reader->error, "bytes_max");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_read_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(3)) != UINT64_C(3))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "reader");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "bytes_max");
	}
	return 0;
}

static inline void echo_close_params__cbor_bound(const struct echo_close_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_close_params__cbor_put(uint8_t *at, const struct echo_close_params *value,
						   struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 1);
	memcpy(at, "freader", 7);
	at += 7;
	at = ferry_cbor_put_unsigned(at, value->reader.id);
	return at;
}

FERRY_SELDOM int echo_close_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_close_params *value,
					      struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"reader",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 1);
		if (number < 0)
			return -1;
		if (number == 1)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		default:
			result = ferry_cbor_read_u64(reader, &value->reader.id);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_close_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_close_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "freader", 7))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_u64(reader, &value->reader.id)))
			return ferry_wire_in_field(reader->error, "reader");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_close_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(1)) != UINT64_C(1))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "reader");
	}
	return 0;
}

static inline void echo_sum_params__cbor_bound(const struct echo_sum_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_sum_params__cbor_put(uint8_t *at, const struct echo_sum_params *value,
						 struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, 2);
	memcpy(at, "dleft", 5);
	at += 5;
	at = ferry_cbor_put_signed(at, value->left);
	memcpy(at, "eright", 6);
	at += 6;
	at = ferry_cbor_put_signed(at, value->right);
	return at;
}

FERRY_SELDOM int echo_sum_params__cbor_rest(struct ferry_cbor_reader *reader, struct echo_sum_params *value,
					    struct ferry_cbor_count *members, uint64_t *seen)
{
	static const char *const names[] = {
		"left",
		"right",
	};
	int more, number, result;

	while ((more = ferry_cbor_more(reader, members)) > 0) {
		number = ferry_cbor_read_name(reader, names, 2);
		if (number < 0)
			return -1;
		if (number == 2)
			continue;
		if (seen[number / 64] >> number % 64 & 1) {
			ferry_cbor_fail(reader, FERRY_WIRE_GIVEN_TWICE);
			return ferry_wire_in_field(reader->error, names[number]);
		}
		seen[number / 64] |= UINT64_C(1) << number % 64;
		switch (number) {
		case 0:
			result = ferry_cbor_read_i64(reader, &value->left);
			break;
		default:
			result = ferry_cbor_read_i64(reader, &value->right);
			break;
		}
		if (result)
			return ferry_wire_in_field(reader->error, names[number]);
	}
	return more;
}

static inline int echo_sum_params__cbor_read(struct ferry_cbor_reader *reader, struct echo_sum_params *value)
{
	struct ferry_cbor_count members;
	uint64_t seen[1] = { 0 };

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members)))
		return -1;
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "dleft", 5))) {
		seen[0] |= UINT64_C(1) << 0;
		if (ferry_unlikely(ferry_cbor_read_i64(reader, &value->left)))
			return ferry_wire_in_field(reader->error, "left");
	}
	if (ferry_likely(ferry_cbor_take_key(reader, &members, "eright", 6))) {
		seen[0] |= UINT64_C(1) << 1;
		if (ferry_unlikely(ferry_cbor_read_i64(reader, &value->right)))
			return ferry_wire_in_field(reader->error, "right");
	}
	if (ferry_unlikely(members.left || members.indefinite) &&
	    echo_sum_params__cbor_rest(reader, value, &members, seen))
		return -1;
	ferry_cbor_close(reader);
	if (ferry_unlikely((seen[0] & UINT64_C(3)) != UINT64_C(3))) {
		if (!(seen[0] >> 0 & 1))
			return ferry_wire_missing(reader->error, "left");
		if (!(seen[0] >> 1 & 1))
			return ferry_wire_missing(reader->error, "right");
	}
	return 0;
}

static inline void echo_seq_echo_request__cbor_bound(const struct echo_seq_echo_request *value,
						     struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 38;
	for (size_t i = 0; i < value->count; i++) {
		echo_echo_request__cbor_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_echo_request__cbor_put(uint8_t *at, const struct echo_seq_echo_request *value,
						       struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = echo_echo_request__cbor_put(at, &value->items[i], writer);
	return at;
}

static inline int echo_seq_echo_request__cbor_read(struct ferry_cbor_reader *reader,
						   struct echo_seq_echo_request *value)
{
	struct ferry_cbor_count left;
	struct echo_echo_request *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 20, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(echo_echo_request__cbor_read(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_string__cbor_bound(const struct echo_seq_string *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 9;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].bytes;
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_string__cbor_put(uint8_t *at, const struct echo_seq_string *value,
						 struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = ferry_cbor_put_string(at, value->items[i]);
	return at;
}

static inline int echo_seq_string__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_string *value)
{
	struct ferry_cbor_count left;
	struct ferry_string *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_string(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_option_string__cbor_bound(const struct echo_option_string *value,
						  struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
	bound->bytes += value->value.bytes;
}

static inline uint8_t *echo_option_string__cbor_put(uint8_t *at, const struct echo_option_string *value,
						    struct ferry_cbor_writer *writer)
{
	(void)writer;
	return value->present ? ferry_cbor_put_string(at, value->value) : ferry_cbor_put_null(at);
}

static inline int echo_option_string__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_string *value)
{
	value->present = !ferry_cbor_take_null(reader);
	return value->present ? ferry_cbor_read_string(reader, &value->value) : 0;
}

static inline void echo_option_i64__cbor_bound(const struct echo_option_i64 *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
}

static inline uint8_t *echo_option_i64__cbor_put(uint8_t *at, const struct echo_option_i64 *value,
						 struct ferry_cbor_writer *writer)
{
	(void)writer;
	return value->present ? ferry_cbor_put_signed(at, value->value) : ferry_cbor_put_null(at);
}

static inline int echo_option_i64__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_i64 *value)
{
	value->present = !ferry_cbor_take_null(reader);
	return value->present ? ferry_cbor_read_i64(reader, &value->value) : 0;
}

static inline void echo_seq_tree__cbor_bound(const struct echo_seq_tree *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 35;
	for (size_t i = 0; i < value->count; i++) {
		echo_tree__cbor_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_tree__cbor_put(uint8_t *at, const struct echo_seq_tree *value,
					       struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = echo_tree__cbor_put(at, &value->items[i], writer);
	return at;
}

static inline int echo_seq_tree__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_tree *value)
{
	struct ferry_cbor_count left;
	struct echo_tree *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 17, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(echo_tree__cbor_read(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_option_i32__cbor_bound(const struct echo_option_i32 *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
}

static inline uint8_t *echo_option_i32__cbor_put(uint8_t *at, const struct echo_option_i32 *value,
						 struct ferry_cbor_writer *writer)
{
	(void)writer;
	return value->present ? ferry_cbor_put_signed(at, value->value) : ferry_cbor_put_null(at);
}

static inline int echo_option_i32__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_i32 *value)
{
	value->present = !ferry_cbor_take_null(reader);
	return value->present ? ferry_cbor_read_i32(reader, &value->value) : 0;
}

static inline void echo_option_echo_request__cbor_bound(const struct echo_option_echo_request *value,
							struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
	echo_echo_request__cbor_bound(&value->value, bound);
}

static inline uint8_t *echo_option_echo_request__cbor_put(uint8_t *at, const struct echo_option_echo_request *value,
							  struct ferry_cbor_writer *writer)
{
	(void)writer;
	return value->present ? echo_echo_request__cbor_put(at, &value->value, writer) : ferry_cbor_put_null(at);
}

static inline int echo_option_echo_request__cbor_read(struct ferry_cbor_reader *reader,
						      struct echo_option_echo_request *value)
{
	value->present = !ferry_cbor_take_null(reader);
	return value->present ? echo_echo_request__cbor_read(reader, &value->value) : 0;
}

static inline void echo_option_color__cbor_bound(const struct echo_option_color *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
}

static inline uint8_t *echo_option_color__cbor_put(uint8_t *at, const struct echo_option_color *value,
						   struct ferry_cbor_writer *writer)
{
	(void)writer;
	return value->present ? ferry_cbor_put_signed(at, (int32_t)value->value) : ferry_cbor_put_null(at);
}

static inline int echo_option_color__cbor_read(struct ferry_cbor_reader *reader, struct echo_option_color *value)
{
	value->present = !ferry_cbor_take_null(reader);
	return value->present ? echo_color__cbor_read(reader, &value->value) : 0;
}

static inline void echo_seq_f64__cbor_bound(const struct echo_seq_f64 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 9;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_f64__cbor_put(uint8_t *at, const struct echo_seq_f64 *value,
					      struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = ferry_cbor_put_f64(at, value->items[i]);
	return at;
}

static inline int echo_seq_f64__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_f64 *value)
{
	struct ferry_cbor_count left;
	double *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_f64(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_bool__cbor_bound(const struct echo_seq_bool *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 1;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_bool__cbor_put(uint8_t *at, const struct echo_seq_bool *value,
					       struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = ferry_cbor_put_bool(at, value->items[i]);
	return at;
}

static inline int echo_seq_bool__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_bool *value)
{
	struct ferry_cbor_count left;
	bool *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_bool(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_color__cbor_bound(const struct echo_seq_color *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 5;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_color__cbor_put(uint8_t *at, const struct echo_seq_color *value,
						struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = ferry_cbor_put_signed(at, (int32_t)value->items[i]);
	return at;
}

static inline int echo_seq_color__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_color *value)
{
	struct ferry_cbor_count left;
	enum echo_color *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(echo_color__cbor_read(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_i32__cbor_bound(const struct echo_seq_i32 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 5;
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_i32__cbor_put(uint8_t *at, const struct echo_seq_i32 *value,
					      struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = ferry_cbor_put_signed(at, value->items[i]);
	return at;
}

static inline int echo_seq_i32__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_i32 *value)
{
	struct ferry_cbor_count left;
	int32_t *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_i32(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_seq_i32__cbor_bound(const struct echo_seq_seq_i32 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 9;
	for (size_t i = 0; i < value->count; i++) {
		echo_seq_i32__cbor_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_seq_i32__cbor_put(uint8_t *at, const struct echo_seq_seq_i32 *value,
						  struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = echo_seq_i32__cbor_put(at, &value->items[i], writer);
	return at;
}

static inline int echo_seq_seq_i32__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_seq_i32 *value)
{
	struct ferry_cbor_count left;
	struct echo_seq_i32 *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(echo_seq_i32__cbor_read(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_option_string__cbor_bound(const struct echo_seq_option_string *value,
						      struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 9;
	for (size_t i = 0; i < value->count; i++) {
		echo_option_string__cbor_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_option_string__cbor_put(uint8_t *at, const struct echo_seq_option_string *value,
							struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = echo_option_string__cbor_put(at, &value->items[i], writer);
	return at;
}

static inline int echo_seq_option_string__cbor_read(struct ferry_cbor_reader *reader,
						    struct echo_seq_option_string *value)
{
	struct ferry_cbor_count left;
	struct echo_option_string *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(echo_option_string__cbor_read(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_seq_bytes__cbor_bound(const struct echo_seq_bytes *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 9;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].bytes;
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_seq_bytes__cbor_put(uint8_t *at, const struct echo_seq_bytes *value,
						struct ferry_cbor_writer *writer)
{
	(void)writer;
	at = ferry_cbor_put_head(at, FERRY_CBOR_ARRAY, value->count);
	for (size_t i = 0; i < value->count; i++)
		at = ferry_cbor_put_bytes(at, value->items[i]);
	return at;
}

static inline int echo_seq_bytes__cbor_read(struct ferry_cbor_reader *reader, struct echo_seq_bytes *value)
{
	struct ferry_cbor_count left;
	struct ferry_bytes *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_bytes(reader, &items[count])))
			return ferry_wire_in_element(reader->error, count, "");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more;
}

static inline void echo_map_i32_string__cbor_bound(const struct echo_map_i32_string *value,
						   struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 14;
	for (size_t i = 0; i < value->count; i++) {

		bound->bytes += value->items[i].value.bytes;
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_map_i32_string__cbor_put(uint8_t *at, const struct echo_map_i32_string *value,
						     struct ferry_cbor_writer *writer)
{
	void *copy;
	const struct echo_map_i32_string_pair *items = ferry_wire_order(value->items, value->count, sizeof(*items),
									ferry_cbor_compare_i32, &copy, &writer->reason);

	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, value->count);
	for (size_t i = 0; i < value->count; i++) {
		at = ferry_cbor_put_signed(at, items[i].key);
		at = ferry_cbor_put_string(at, items[i].value);
	}
	free(copy);
	return at;
}

static inline int echo_map_i32_string__cbor_read(struct ferry_cbor_reader *reader, struct echo_map_i32_string *value)
{
	struct ferry_cbor_count left;
	struct echo_map_i32_string_pair *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_i32(reader, &items[count].key)))
			return ferry_wire_in_element(reader->error, count, ".key");
		if (ferry_unlikely(ferry_cbor_read_string(reader, &items[count].value)))
			return ferry_wire_in_element(reader->error, count, ".value");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more ? -1 : ferry_cbor_sort(reader, items, count, sizeof(*items), ferry_cbor_compare_i32);
}

static inline void echo_map_string_i64__cbor_bound(const struct echo_map_string_i64 *value,
						   struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 18;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].key.bytes;
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_map_string_i64__cbor_put(uint8_t *at, const struct echo_map_string_i64 *value,
						     struct ferry_cbor_writer *writer)
{
	void *copy;
	const struct echo_map_string_i64_pair *items =
		ferry_wire_order(value->items, value->count, sizeof(*items), ferry_cbor_compare_string, &copy,
				 &writer->reason);

	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, value->count);
	for (size_t i = 0; i < value->count; i++) {
		at = ferry_cbor_put_string(at, items[i].key);
		at = ferry_cbor_put_signed(at, items[i].value);
	}
	free(copy);
	return at;
}

static inline int echo_map_string_i64__cbor_read(struct ferry_cbor_reader *reader, struct echo_map_string_i64 *value)
{
	struct ferry_cbor_count left;
	struct echo_map_string_i64_pair *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_string(reader, &items[count].key)))
			return ferry_wire_in_element(reader->error, count, ".key");
		if (ferry_unlikely(ferry_cbor_read_i64(reader, &items[count].value)))
			return ferry_wire_in_element(reader->error, count, ".value");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more ? -1 : ferry_cbor_sort(reader, items, count, sizeof(*items), ferry_cbor_compare_string);
}

static inline void echo_map_string_echo_request__cbor_bound(const struct echo_map_string_echo_request *value,
							    struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += value->count * 47;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].key.bytes;
		echo_echo_request__cbor_bound(&value->items[i].value, bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline uint8_t *echo_map_string_echo_request__cbor_put(uint8_t *at,
							      const struct echo_map_string_echo_request *value,
							      struct ferry_cbor_writer *writer)
{
	void *copy;
	const struct echo_map_string_echo_request_pair *items =
		ferry_wire_order(value->items, value->count, sizeof(*items), ferry_cbor_compare_string, &copy,
				 &writer->reason);

	at = ferry_cbor_put_head(at, FERRY_CBOR_MAP, value->count);
	for (size_t i = 0; i < value->count; i++) {
		at = ferry_cbor_put_string(at, items[i].key);
		at = echo_echo_request__cbor_put(at, &items[i].value, writer);
	}
	free(copy);
	return at;
}

static inline int echo_map_string_echo_request__cbor_read(struct ferry_cbor_reader *reader,
							  struct echo_map_string_echo_request *value)
{
	struct ferry_cbor_count left;
	struct echo_map_string_echo_request_pair *items = NULL;
	size_t count = 0, room = 0;
	int more;

	if (ferry_unlikely(ferry_cbor_open(reader, FERRY_CBOR_MAP, 21, &left)))
		return -1;
	while ((more = ferry_cbor_more(reader, &left)) > 0) {
		if (ferry_unlikely(count == room)) {
			items = ferry_cbor_room(reader, &left, items, count, &room, sizeof(*items));
			if (!items)
				return -1;
		}
		if (ferry_unlikely(ferry_cbor_read_string(reader, &items[count].key)))
			return ferry_wire_in_element(reader->error, count, ".key");
		if (ferry_unlikely(echo_echo_request__cbor_read(reader, &items[count].value)))
			return ferry_wire_in_element(reader->error, count, ".value");
		count++;
	}
	ferry_cbor_close(reader);
	value->items = items;
	value->count = count;
	return more ? -1 : ferry_cbor_sort(reader, items, count, sizeof(*items), ferry_cbor_compare_string);
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

/* Encode a EchoRequest. */
static inline int echo_echo_request_encode_cbor(const struct echo_echo_request *value, struct ferry_buffer *out,
						struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 38, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_echo_request__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_echo_request__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a EchoRequest; it is all in *memory. */
static inline int echo_echo_request_decode_cbor(const void *data, size_t bytes, struct echo_echo_request *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_echo_request__cbor_read(reader, &(*value)));
}

/* Decode a EchoRequest; strings and bytes point into the message. */
static inline int echo_echo_request_borrow_cbor(const void *data, size_t bytes, struct echo_echo_request *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_echo_request__cbor_read(reader, &(*value)));
}

/* Encode a EchoResponse. */
static inline int echo_echo_response_encode_cbor(const struct echo_echo_response *value, struct ferry_buffer *out,
						 struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 34, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_echo_response__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_echo_response__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a EchoResponse; it is all in *memory. */
static inline int echo_echo_response_decode_cbor(const void *data, size_t bytes, struct echo_echo_response *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_echo_response__cbor_read(reader, &(*value)));
}

/* Decode a EchoResponse; strings and bytes point into the message. */
static inline int echo_echo_response_borrow_cbor(const void *data, size_t bytes, struct echo_echo_response *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_echo_response__cbor_read(reader, &(*value)));
}

/* Encode a ComplexRequest. */
static inline int echo_complex_request_encode_cbor(const struct echo_complex_request *value, struct ferry_buffer *out,
						   struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 66, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_complex_request__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_complex_request__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a ComplexRequest; it is all in *memory. */
static inline int echo_complex_request_decode_cbor(const void *data, size_t bytes, struct echo_complex_request *value,
						   struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 64, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_complex_request__cbor_read(reader, &(*value)));
}

/* Decode a ComplexRequest; strings and bytes point into the message. */
static inline int echo_complex_request_borrow_cbor(const void *data, size_t bytes, struct echo_complex_request *value,
						   struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_complex_request__cbor_read(reader, &(*value)));
}

/* Encode a ComplexResponse. */
static inline int echo_complex_response_encode_cbor(const struct echo_complex_response *value, struct ferry_buffer *out,
						    struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 63, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_complex_response__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_complex_response__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a ComplexResponse; it is all in *memory. */
static inline int echo_complex_response_decode_cbor(const void *data, size_t bytes, struct echo_complex_response *value,
						    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_complex_response__cbor_read(reader, &(*value)));
}

/* Decode a ComplexResponse; strings and bytes point into the message. */
static inline int echo_complex_response_borrow_cbor(const void *data, size_t bytes, struct echo_complex_response *value,
						    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_complex_response__cbor_read(reader, &(*value)));
}

/* Encode a AllTypes. */
static inline int echo_all_types_encode_cbor(const struct echo_all_types *value, struct ferry_buffer *out,
					     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 503, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_all_types__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_all_types__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a AllTypes; it is all in *memory. */
static inline int echo_all_types_decode_cbor(const void *data, size_t bytes, struct echo_all_types *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 64, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_all_types__cbor_read(reader, &(*value)));
}

/* Decode a AllTypes; strings and bytes point into the message. */
static inline int echo_all_types_borrow_cbor(const void *data, size_t bytes, struct echo_all_types *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_all_types__cbor_read(reader, &(*value)));
}

/* Encode a Tree. */
static inline int echo_tree_encode_cbor(const struct echo_tree *value, struct ferry_buffer *out,
					struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 35, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_tree__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_tree__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a Tree; it is all in *memory. */
static inline int echo_tree_decode_cbor(const void *data, size_t bytes, struct echo_tree *value,
					struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 64, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_tree__cbor_read(reader, &(*value)));
}

/* Decode a Tree; strings and bytes point into the message. */
static inline int echo_tree_borrow_cbor(const void *data, size_t bytes, struct echo_tree *value,
					struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_tree__cbor_read(reader, &(*value)));
}

/* Encode a bytes. */
static inline int echo_bytes_encode_cbor(const struct ferry_bytes *value, struct ferry_buffer *out,
					 struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 9, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	bound->bytes += (*value).bytes;
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = ferry_cbor_put_bytes(at, (*value));
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a bytes; it is all in *memory. */
static inline int echo_bytes_decode_cbor(const void *data, size_t bytes, struct ferry_bytes *value,
					 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_bytes(reader, &(*value)));
}

/* Decode a bytes; strings and bytes point into the message. */
static inline int echo_bytes_borrow_cbor(const void *data, size_t bytes, struct ferry_bytes *value,
					 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_bytes(reader, &(*value)));
}

/* Encode a option of string. */
static inline int echo_option_string_encode_cbor(const struct echo_option_string *value, struct ferry_buffer *out,
						 struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 9, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_option_string__cbor_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_option_string__cbor_put(at, &(*value), writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a option of string; it is all in *memory. */
static inline int echo_option_string_decode_cbor(const void *data, size_t bytes, struct echo_option_string *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_option_string__cbor_read(reader, &(*value)));
}

/* Decode a option of string; strings and bytes point into the message. */
static inline int echo_option_string_borrow_cbor(const void *data, size_t bytes, struct echo_option_string *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_option_string__cbor_read(reader, &(*value)));
}

/* Encode a Reader. */
static inline int echo_reader_encode_cbor(const struct echo_reader *value, struct ferry_buffer *out,
					  struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 9, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = ferry_cbor_put_unsigned(at, (*value).id);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a Reader; it is all in *memory. */
static inline int echo_reader_decode_cbor(const void *data, size_t bytes, struct echo_reader *value,
					  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_u64(reader, &(*value).id));
}

/* Decode a Reader; strings and bytes point into the message. */
static inline int echo_reader_borrow_cbor(const void *data, size_t bytes, struct echo_reader *value,
					  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_u64(reader, &(*value).id));
}

/* Encode a string. */
static inline int echo_string_encode_cbor(const struct ferry_string *value, struct ferry_buffer *out,
					  struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 9, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	bound->bytes += (*value).bytes;
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = ferry_cbor_put_string(at, (*value));
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a string; it is all in *memory. */
static inline int echo_string_decode_cbor(const void *data, size_t bytes, struct ferry_string *value,
					  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_string(reader, &(*value)));
}

/* Decode a string; strings and bytes point into the message. */
static inline int echo_string_borrow_cbor(const void *data, size_t bytes, struct ferry_string *value,
					  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_string(reader, &(*value)));
}

/* Encode a i64. */
static inline int echo_i64_encode_cbor(const int64_t *value, struct ferry_buffer *out, struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 9, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = ferry_cbor_put_signed(at, (*value));
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode a i64; it is all in *memory. */
static inline int echo_i64_decode_cbor(const void *data, size_t bytes, int64_t *value, struct ferry_memory *memory,
				       struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_i64(reader, &(*value)));
}

/* Decode a i64; strings and bytes point into the message. */
static inline int echo_i64_borrow_cbor(const void *data, size_t bytes, int64_t *value, struct ferry_memory *memory,
				       struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, ferry_cbor_read_i64(reader, &(*value)));
}

/* Encode the parameters of `create`. */
static inline int echo_create_params_encode_cbor(const struct echo_create_params *value, struct ferry_buffer *out,
						 struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 19, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_create_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_create_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `create`; it is all in *memory. */
static inline int echo_create_params_decode_cbor(const void *data, size_t bytes, struct echo_create_params *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_create_params__cbor_read(reader, value));
}

/* Decode the parameters of `create`; strings and bytes point into the message. */
static inline int echo_create_params_borrow_cbor(const void *data, size_t bytes, struct echo_create_params *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_create_params__cbor_read(reader, value));
}

/* Encode the parameters of `echo`. */
static inline int echo_echo_params_encode_cbor(const struct echo_echo_params *value, struct ferry_buffer *out,
					       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 49, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_echo_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_echo_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `echo`; it is all in *memory. */
static inline int echo_echo_params_decode_cbor(const void *data, size_t bytes, struct echo_echo_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_echo_params__cbor_read(reader, value));
}

/* Decode the parameters of `echo`; strings and bytes point into the message. */
static inline int echo_echo_params_borrow_cbor(const void *data, size_t bytes, struct echo_echo_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_echo_params__cbor_read(reader, value));
}

/* Encode the parameters of `complex`. */
static inline int echo_complex_params_encode_cbor(const struct echo_complex_params *value, struct ferry_buffer *out,
						  struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 77, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_complex_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_complex_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `complex`; it is all in *memory. */
static inline int echo_complex_params_decode_cbor(const void *data, size_t bytes, struct echo_complex_params *value,
						  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 64, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_complex_params__cbor_read(reader, value));
}

/* Decode the parameters of `complex`; strings and bytes point into the message. */
static inline int echo_complex_params_borrow_cbor(const void *data, size_t bytes, struct echo_complex_params *value,
						  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_complex_params__cbor_read(reader, value));
}

/* Encode the parameters of `bytes`. */
static inline int echo_bytes_params_encode_cbor(const struct echo_bytes_params *value, struct ferry_buffer *out,
						struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 20, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_bytes_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_bytes_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `bytes`; it is all in *memory. */
static inline int echo_bytes_params_decode_cbor(const void *data, size_t bytes, struct echo_bytes_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_bytes_params__cbor_read(reader, value));
}

/* Decode the parameters of `bytes`; strings and bytes point into the message. */
static inline int echo_bytes_params_borrow_cbor(const void *data, size_t bytes, struct echo_bytes_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_bytes_params__cbor_read(reader, value));
}

/* Encode the parameters of `fail`. */
static inline int echo_fail_params_encode_cbor(const struct echo_fail_params *value, struct ferry_buffer *out,
					       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 20, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_fail_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_fail_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `fail`; it is all in *memory. */
static inline int echo_fail_params_decode_cbor(const void *data, size_t bytes, struct echo_fail_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_fail_params__cbor_read(reader, value));
}

/* Decode the parameters of `fail`; strings and bytes point into the message. */
static inline int echo_fail_params_borrow_cbor(const void *data, size_t bytes, struct echo_fail_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_fail_params__cbor_read(reader, value));
}

/* Encode the parameters of `all`. */
static inline int echo_all_params_encode_cbor(const struct echo_all_params *value, struct ferry_buffer *out,
					      struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 512, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_all_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_all_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `all`; it is all in *memory. */
static inline int echo_all_params_decode_cbor(const void *data, size_t bytes, struct echo_all_params *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 64, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_all_params__cbor_read(reader, value));
}

/* Decode the parameters of `all`; strings and bytes point into the message. */
static inline int echo_all_params_borrow_cbor(const void *data, size_t bytes, struct echo_all_params *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_all_params__cbor_read(reader, value));
}

/* Encode the parameters of `tree`. */
static inline int echo_tree_params_encode_cbor(const struct echo_tree_params *value, struct ferry_buffer *out,
					       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 43, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_tree_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_tree_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `tree`; it is all in *memory. */
static inline int echo_tree_params_decode_cbor(const void *data, size_t bytes, struct echo_tree_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 64, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_tree_params__cbor_read(reader, value));
}

/* Decode the parameters of `tree`; strings and bytes point into the message. */
static inline int echo_tree_params_borrow_cbor(const void *data, size_t bytes, struct echo_tree_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_tree_params__cbor_read(reader, value));
}

/* Encode the parameters of `maybe`. */
static inline int echo_maybe_params_encode_cbor(const struct echo_maybe_params *value, struct ferry_buffer *out,
						struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 18, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_maybe_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_maybe_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `maybe`; it is all in *memory. */
static inline int echo_maybe_params_decode_cbor(const void *data, size_t bytes, struct echo_maybe_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_maybe_params__cbor_read(reader, value));
}

/* Decode the parameters of `maybe`; strings and bytes point into the message. */
static inline int echo_maybe_params_borrow_cbor(const void *data, size_t bytes, struct echo_maybe_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_maybe_params__cbor_read(reader, value));
}

/* Encode the parameters of `ticks`. */
static inline int echo_ticks_params_encode_cbor(const struct echo_ticks_params *value, struct ferry_buffer *out,
						struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 14, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_ticks_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_ticks_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `ticks`; it is all in *memory. */
static inline int echo_ticks_params_decode_cbor(const void *data, size_t bytes, struct echo_ticks_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_ticks_params__cbor_read(reader, value));
}

/* Decode the parameters of `ticks`; strings and bytes point into the message. */
static inline int echo_ticks_params_borrow_cbor(const void *data, size_t bytes, struct echo_ticks_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_ticks_params__cbor_read(reader, value));
}

/* Encode the parameters of `open`. */
static inline int echo_open_params_encode_cbor(const struct echo_open_params *value, struct ferry_buffer *out,
					       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 17, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_open_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_open_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `open`; it is all in *memory. */
static inline int echo_open_params_decode_cbor(const void *data, size_t bytes, struct echo_open_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, true, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_open_params__cbor_read(reader, value));
}

/* Decode the parameters of `open`; strings and bytes point into the message. */
static inline int echo_open_params_borrow_cbor(const void *data, size_t bytes, struct echo_open_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_open_params__cbor_read(reader, value));
}

/* Encode the parameters of `read`. */
static inline int echo_read_params_encode_cbor(const struct echo_read_params *value, struct ferry_buffer *out,
					       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 34, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_read_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_read_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `read`; it is all in *memory. */
static inline int echo_read_params_decode_cbor(const void *data, size_t bytes, struct echo_read_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_read_params__cbor_read(reader, value));
}

/* Decode the parameters of `read`; strings and bytes point into the message. */
static inline int echo_read_params_borrow_cbor(const void *data, size_t bytes, struct echo_read_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_read_params__cbor_read(reader, value));
}

/* Encode the parameters of `close`. */
static inline int echo_close_params_encode_cbor(const struct echo_close_params *value, struct ferry_buffer *out,
						struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 19, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_close_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_close_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `close`; it is all in *memory. */
static inline int echo_close_params_decode_cbor(const void *data, size_t bytes, struct echo_close_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_close_params__cbor_read(reader, value));
}

/* Decode the parameters of `close`; strings and bytes point into the message. */
static inline int echo_close_params_borrow_cbor(const void *data, size_t bytes, struct echo_close_params *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_close_params__cbor_read(reader, value));
}

/* Encode the parameters of `sum`. */
static inline int echo_sum_params_encode_cbor(const struct echo_sum_params *value, struct ferry_buffer *out,
					      struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 32, 0, false }, *bound = &whole;
	struct ferry_cbor_writer state = { FERRY_WIRE_OK }, *writer = &state;
	uint8_t *at;

	echo_sum_params__cbor_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	at = out->data;
	at = echo_sum_params__cbor_put(at, value, writer);
	return ferry_cbor_written(writer, out, at, error);
}

/* Decode the parameters of `sum`; it is all in *memory. */
static inline int echo_sum_params_decode_cbor(const void *data, size_t bytes, struct echo_sum_params *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_sum_params__cbor_read(reader, value));
}

/* Decode the parameters of `sum`; strings and bytes point into the message. */
static inline int echo_sum_params_borrow_cbor(const void *data, size_t bytes, struct echo_sum_params *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_cbor_reader state, *reader = &state;

	if (ferry_unlikely(ferry_cbor_begin(reader, data, bytes, false, 0, memory, error)))
		return -1;
	return ferry_cbor_end(reader, echo_sum_params__cbor_read(reader, value));
}

#endif /* ECHO_CBOR_H */
