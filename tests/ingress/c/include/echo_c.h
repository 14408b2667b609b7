/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again. */
/*
 * The messages of echo in format c (spec/interface.md of Ferry). For each message NAME:
 *
 * NAME_encode_c puts the message into `out`, in place of what was there. NAME_decode_c reads data[bytes] into *value,
 * whose strings and sequences then lie in *memory, to be freed by ferry_memory_free; NAME_borrow_c is the same, but
 * strings, bytes and sequences of numbers point into the message, which has to stay. Each returns 0, or -1 with the
 * reason and the path in *error, and then there is nothing to free.
 */
#ifndef ECHO_C_H
#define ECHO_C_H

#include <ferry/wire_c.h>

#include "echo_types.h"

static inline void echo_echo_request__c_bound(const struct echo_echo_request *value, struct ferry_wire_bound *bound);
static inline void echo_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_echo_request *value);
static inline int echo_echo_request__c_read(struct ferry_c_reader *reader, size_t at, struct echo_echo_request *value);
static inline void echo_echo_response__c_bound(const struct echo_echo_response *value, struct ferry_wire_bound *bound);
static inline void echo_echo_response__c_put(struct ferry_c_writer *writer, size_t at,
					     const struct echo_echo_response *value);
static inline int echo_echo_response__c_read(struct ferry_c_reader *reader, size_t at,
					     struct echo_echo_response *value);
static inline void echo_complex_request__c_bound(const struct echo_complex_request *value,
						 struct ferry_wire_bound *bound);
static inline void echo_complex_request__c_put(struct ferry_c_writer *writer, size_t at,
					       const struct echo_complex_request *value);
static inline int echo_complex_request__c_read(struct ferry_c_reader *reader, size_t at,
					       struct echo_complex_request *value);
static inline void echo_complex_response__c_bound(const struct echo_complex_response *value,
						  struct ferry_wire_bound *bound);
static inline void echo_complex_response__c_put(struct ferry_c_writer *writer, size_t at,
						const struct echo_complex_response *value);
static inline int echo_complex_response__c_read(struct ferry_c_reader *reader, size_t at,
						struct echo_complex_response *value);
static inline void echo_all_types__c_bound(const struct echo_all_types *value, struct ferry_wire_bound *bound);
static inline void echo_all_types__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_all_types *value);
static inline int echo_all_types__c_read(struct ferry_c_reader *reader, size_t at, struct echo_all_types *value);
static inline void echo_tree__c_bound(const struct echo_tree *value, struct ferry_wire_bound *bound);
static inline void echo_tree__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_tree *value);
static inline int echo_tree__c_read(struct ferry_c_reader *reader, size_t at, struct echo_tree *value);
static inline void echo_seq_echo_request__c_bound(const struct echo_seq_echo_request *value,
						  struct ferry_wire_bound *bound);
static inline void echo_seq_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
						const struct echo_seq_echo_request *value);
static inline int echo_seq_echo_request__c_read(struct ferry_c_reader *reader, size_t at,
						struct echo_seq_echo_request *value);
static inline void echo_seq_string__c_bound(const struct echo_seq_string *value, struct ferry_wire_bound *bound);
static inline void echo_seq_string__c_put(struct ferry_c_writer *writer, size_t at,
					  const struct echo_seq_string *value);
static inline int echo_seq_string__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_string *value);
static inline void echo_option_string__c_bound(const struct echo_option_string *value, struct ferry_wire_bound *bound);
static inline void echo_option_string__c_put(struct ferry_c_writer *writer, size_t at,
					     const struct echo_option_string *value);
static inline int echo_option_string__c_read(struct ferry_c_reader *reader, size_t at,
					     struct echo_option_string *value);
static inline void echo_option_i64__c_bound(const struct echo_option_i64 *value, struct ferry_wire_bound *bound);
static inline void echo_option_i64__c_put(struct ferry_c_writer *writer, size_t at,
					  const struct echo_option_i64 *value);
static inline int echo_option_i64__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_i64 *value);
static inline void echo_seq_tree__c_bound(const struct echo_seq_tree *value, struct ferry_wire_bound *bound);
static inline void echo_seq_tree__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_tree *value);
static inline int echo_seq_tree__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_tree *value);
static inline void echo_option_i32__c_bound(const struct echo_option_i32 *value, struct ferry_wire_bound *bound);
static inline void echo_option_i32__c_put(struct ferry_c_writer *writer, size_t at,
					  const struct echo_option_i32 *value);
static inline int echo_option_i32__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_i32 *value);
static inline void echo_option_echo_request__c_bound(const struct echo_option_echo_request *value,
						     struct ferry_wire_bound *bound);
static inline void echo_option_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
						   const struct echo_option_echo_request *value);
static inline int echo_option_echo_request__c_read(struct ferry_c_reader *reader, size_t at,
						   struct echo_option_echo_request *value);
static inline void echo_option_color__c_bound(const struct echo_option_color *value, struct ferry_wire_bound *bound);
static inline void echo_option_color__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_option_color *value);
static inline int echo_option_color__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_color *value);
static inline void echo_seq_f64__c_bound(const struct echo_seq_f64 *value, struct ferry_wire_bound *bound);
static inline void echo_seq_f64__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_f64 *value);
static inline int echo_seq_f64__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_f64 *value);
static inline void echo_seq_bool__c_bound(const struct echo_seq_bool *value, struct ferry_wire_bound *bound);
static inline void echo_seq_bool__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_bool *value);
static inline int echo_seq_bool__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_bool *value);
static inline void echo_seq_color__c_bound(const struct echo_seq_color *value, struct ferry_wire_bound *bound);
static inline void echo_seq_color__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_color *value);
static inline int echo_seq_color__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_color *value);
static inline void echo_seq_i32__c_bound(const struct echo_seq_i32 *value, struct ferry_wire_bound *bound);
static inline void echo_seq_i32__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_i32 *value);
static inline int echo_seq_i32__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_i32 *value);
static inline void echo_seq_seq_i32__c_bound(const struct echo_seq_seq_i32 *value, struct ferry_wire_bound *bound);
static inline void echo_seq_seq_i32__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_seq_seq_i32 *value);
static inline int echo_seq_seq_i32__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_seq_i32 *value);
static inline void echo_seq_option_string__c_bound(const struct echo_seq_option_string *value,
						   struct ferry_wire_bound *bound);
static inline void echo_seq_option_string__c_put(struct ferry_c_writer *writer, size_t at,
						 const struct echo_seq_option_string *value);
static inline int echo_seq_option_string__c_read(struct ferry_c_reader *reader, size_t at,
						 struct echo_seq_option_string *value);
static inline void echo_seq_bytes__c_bound(const struct echo_seq_bytes *value, struct ferry_wire_bound *bound);
static inline void echo_seq_bytes__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_bytes *value);
static inline int echo_seq_bytes__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_bytes *value);
static inline void echo_map_i32_string__c_bound(const struct echo_map_i32_string *value,
						struct ferry_wire_bound *bound);
static inline void echo_map_i32_string__c_put(struct ferry_c_writer *writer, size_t at,
					      const struct echo_map_i32_string *value);
static inline int echo_map_i32_string__c_read(struct ferry_c_reader *reader, size_t at,
					      struct echo_map_i32_string *value);
static inline void echo_map_string_i64__c_bound(const struct echo_map_string_i64 *value,
						struct ferry_wire_bound *bound);
static inline void echo_map_string_i64__c_put(struct ferry_c_writer *writer, size_t at,
					      const struct echo_map_string_i64 *value);
static inline int echo_map_string_i64__c_read(struct ferry_c_reader *reader, size_t at,
					      struct echo_map_string_i64 *value);
static inline void echo_map_string_echo_request__c_bound(const struct echo_map_string_echo_request *value,
							 struct ferry_wire_bound *bound);
static inline void echo_map_string_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
						       const struct echo_map_string_echo_request *value);
static inline int echo_map_string_echo_request__c_read(struct ferry_c_reader *reader, size_t at,
						       struct echo_map_string_echo_request *value);

static inline int echo_color__c_read(struct ferry_c_reader *reader, size_t at, enum echo_color *value)
{
	int32_t number;

	ferry_c_read_i32(reader, at, &number);
	if (ferry_unlikely(!echo_color_known(number)))
		return ferry_c_fail(reader, FERRY_WIRE_UNKNOWN_ENUM);
	*value = (enum echo_color)number;
	return 0;
}

static inline void echo_echo_request__c_bound(const struct echo_echo_request *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->message.bytes + 1;

	ferry_wire_bound_leave(bound);
}

static inline void echo_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_echo_request *value)
{
	ferry_c_put_string(writer, at + 0, value->message);
	ferry_c_put_i64(writer, at + 8, value->delay_ms);
}

static inline int echo_echo_request__c_read(struct ferry_c_reader *reader, size_t at, struct echo_echo_request *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->message)))
		return ferry_wire_in_field(reader->error, "message");
	if (ferry_unlikely(ferry_c_read_i64(reader, at + 8, &value->delay_ms)))
		return ferry_wire_in_field(reader->error, "delay_ms");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_echo_response__c_bound(const struct echo_echo_response *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->echoed.bytes + 1;
	bound->bytes += value->timer.bytes + 1;
	ferry_wire_bound_leave(bound);
}

static inline void echo_echo_response__c_put(struct ferry_c_writer *writer, size_t at,
					     const struct echo_echo_response *value)
{
	ferry_c_put_string(writer, at + 0, value->echoed);
	ferry_c_put_string(writer, at + 8, value->timer);
}

static inline int echo_echo_response__c_read(struct ferry_c_reader *reader, size_t at, struct echo_echo_response *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->echoed)))
		return ferry_wire_in_field(reader->error, "echoed");
	if (ferry_unlikely(ferry_c_read_string(reader, at + 8, &value->timer)))
		return ferry_wire_in_field(reader->error, "timer");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_complex_request__c_bound(const struct echo_complex_request *value,
						 struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_seq_echo_request__c_bound(&value->messages, bound);
	echo_seq_string__c_bound(&value->tags, bound);
	echo_option_string__c_bound(&value->note, bound);

	ferry_wire_bound_leave(bound);
}

static inline void echo_complex_request__c_put(struct ferry_c_writer *writer, size_t at,
					       const struct echo_complex_request *value)
{
	echo_seq_echo_request__c_put(writer, at + 0, &value->messages);
	echo_seq_string__c_put(writer, at + 8, &value->tags);
	echo_option_string__c_put(writer, at + 16, &value->note);
	echo_option_i64__c_put(writer, at + 32, &value->retries);
}

static inline int echo_complex_request__c_read(struct ferry_c_reader *reader, size_t at,
					       struct echo_complex_request *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(echo_seq_echo_request__c_read(reader, at + 0, &value->messages)))
		return ferry_wire_in_field(reader->error, "messages");
	if (ferry_unlikely(echo_seq_string__c_read(reader, at + 8, &value->tags)))
		return ferry_wire_in_field(reader->error, "tags");
	if (ferry_unlikely(echo_option_string__c_read(reader, at + 16, &value->note)))
		return ferry_wire_in_field(reader->error, "note");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 28, 4)))
		return -1;
	if (ferry_unlikely(echo_option_i64__c_read(reader, at + 32, &value->retries)))
		return ferry_wire_in_field(reader->error, "retries");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_complex_response__c_bound(const struct echo_complex_response *value,
						  struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->summary.bytes + 1;

	ferry_wire_bound_leave(bound);
}

static inline void echo_complex_response__c_put(struct ferry_c_writer *writer, size_t at,
						const struct echo_complex_response *value)
{
	ferry_c_put_string(writer, at + 0, value->summary);
	ferry_c_put_u32(writer, at + 8, value->item_count);
	ferry_c_put_bool(writer, at + 12, value->has_note);
	ferry_c_put_i64(writer, at + 16, value->retries);
}

static inline int echo_complex_response__c_read(struct ferry_c_reader *reader, size_t at,
						struct echo_complex_response *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->summary)))
		return ferry_wire_in_field(reader->error, "summary");
	if (ferry_unlikely(ferry_c_read_u32(reader, at + 8, &value->item_count)))
		return ferry_wire_in_field(reader->error, "item_count");
	if (ferry_unlikely(ferry_c_read_bool(reader, at + 12, &value->has_note)))
		return ferry_wire_in_field(reader->error, "has_note");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 13, 3)))
		return -1;
	if (ferry_unlikely(ferry_c_read_i64(reader, at + 16, &value->retries)))
		return ferry_wire_in_field(reader->error, "retries");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_all_types__c_bound(const struct echo_all_types *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	bound->bytes += value->a_string.bytes + 1;
	bound->bytes += value->some_bytes.bytes;

	echo_echo_request__c_bound(&value->an_object, bound);

	echo_option_string__c_bound(&value->maybe_text, bound);
	echo_option_echo_request__c_bound(&value->maybe_object, bound);

	echo_seq_f64__c_bound(&value->numbers, bound);
	echo_seq_bool__c_bound(&value->flags, bound);
	echo_seq_color__c_bound(&value->colors, bound);
	echo_seq_seq_i32__c_bound(&value->rows, bound);
	echo_seq_option_string__c_bound(&value->maybe_words, bound);
	echo_seq_bytes__c_bound(&value->blobs, bound);
	echo_map_i32_string__c_bound(&value->text_by_number, bound);
	echo_map_string_i64__c_bound(&value->number_by_text, bound);
	echo_map_string_echo_request__c_bound(&value->objects_by_text, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_all_types__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_all_types *value)
{
	ferry_c_put_bool(writer, at + 0, value->a_bool);
	ferry_c_put_i8(writer, at + 1, value->an_i8);
	ferry_c_put_i16(writer, at + 2, value->an_i16);
	ferry_c_put_i32(writer, at + 4, value->an_i32);
	ferry_c_put_i64(writer, at + 8, value->an_i64);
	ferry_c_put_u8(writer, at + 16, value->a_u8);
	ferry_c_put_u16(writer, at + 18, value->a_u16);
	ferry_c_put_u32(writer, at + 20, value->a_u32);
	ferry_c_put_u64(writer, at + 24, value->a_u64);
	ferry_c_put_f32(writer, at + 32, value->an_f32);
	ferry_c_put_f64(writer, at + 40, value->an_f64);
	ferry_c_put_string(writer, at + 48, value->a_string);
	ferry_c_put_bytes(writer, at + 56, value->some_bytes);
	ferry_c_put_i32(writer, at + 64, (int32_t)value->a_color);
	echo_echo_request__c_put(writer, at + 72, &value->an_object);
	echo_option_i32__c_put(writer, at + 88, &value->maybe_number);
	echo_option_string__c_put(writer, at + 96, &value->maybe_text);
	echo_option_echo_request__c_put(writer, at + 112, &value->maybe_object);
	echo_option_color__c_put(writer, at + 136, &value->maybe_color);
	echo_seq_f64__c_put(writer, at + 144, &value->numbers);
	echo_seq_bool__c_put(writer, at + 152, &value->flags);
	echo_seq_color__c_put(writer, at + 160, &value->colors);
	echo_seq_seq_i32__c_put(writer, at + 168, &value->rows);
	echo_seq_option_string__c_put(writer, at + 176, &value->maybe_words);
	echo_seq_bytes__c_put(writer, at + 184, &value->blobs);
	echo_map_i32_string__c_put(writer, at + 192, &value->text_by_number);
	echo_map_string_i64__c_put(writer, at + 200, &value->number_by_text);
	echo_map_string_echo_request__c_put(writer, at + 208, &value->objects_by_text);
}

static inline int echo_all_types__c_read(struct ferry_c_reader *reader, size_t at, struct echo_all_types *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_bool(reader, at + 0, &value->a_bool)))
		return ferry_wire_in_field(reader->error, "a_bool");
	if (ferry_unlikely(ferry_c_read_i8(reader, at + 1, &value->an_i8)))
		return ferry_wire_in_field(reader->error, "an_i8");
	if (ferry_unlikely(ferry_c_read_i16(reader, at + 2, &value->an_i16)))
		return ferry_wire_in_field(reader->error, "an_i16");
	if (ferry_unlikely(ferry_c_read_i32(reader, at + 4, &value->an_i32)))
		return ferry_wire_in_field(reader->error, "an_i32");
	if (ferry_unlikely(ferry_c_read_i64(reader, at + 8, &value->an_i64)))
		return ferry_wire_in_field(reader->error, "an_i64");
	if (ferry_unlikely(ferry_c_read_u8(reader, at + 16, &value->a_u8)))
		return ferry_wire_in_field(reader->error, "a_u8");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 17, 1)))
		return -1;
	if (ferry_unlikely(ferry_c_read_u16(reader, at + 18, &value->a_u16)))
		return ferry_wire_in_field(reader->error, "a_u16");
	if (ferry_unlikely(ferry_c_read_u32(reader, at + 20, &value->a_u32)))
		return ferry_wire_in_field(reader->error, "a_u32");
	if (ferry_unlikely(ferry_c_read_u64(reader, at + 24, &value->a_u64)))
		return ferry_wire_in_field(reader->error, "a_u64");
	if (ferry_unlikely(ferry_c_read_f32(reader, at + 32, &value->an_f32)))
		return ferry_wire_in_field(reader->error, "an_f32");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 36, 4)))
		return -1;
	if (ferry_unlikely(ferry_c_read_f64(reader, at + 40, &value->an_f64)))
		return ferry_wire_in_field(reader->error, "an_f64");
	if (ferry_unlikely(ferry_c_read_string(reader, at + 48, &value->a_string)))
		return ferry_wire_in_field(reader->error, "a_string");
	if (ferry_unlikely(ferry_c_read_bytes(reader, at + 56, &value->some_bytes)))
		return ferry_wire_in_field(reader->error, "some_bytes");
	if (ferry_unlikely(echo_color__c_read(reader, at + 64, &value->a_color)))
		return ferry_wire_in_field(reader->error, "a_color");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 68, 4)))
		return -1;
	if (ferry_unlikely(echo_echo_request__c_read(reader, at + 72, &value->an_object)))
		return ferry_wire_in_field(reader->error, "an_object");
	if (ferry_unlikely(echo_option_i32__c_read(reader, at + 88, &value->maybe_number)))
		return ferry_wire_in_field(reader->error, "maybe_number");
	if (ferry_unlikely(echo_option_string__c_read(reader, at + 96, &value->maybe_text)))
		return ferry_wire_in_field(reader->error, "maybe_text");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 108, 4)))
		return -1;
	if (ferry_unlikely(echo_option_echo_request__c_read(reader, at + 112, &value->maybe_object)))
		return ferry_wire_in_field(reader->error, "maybe_object");
	if (ferry_unlikely(echo_option_color__c_read(reader, at + 136, &value->maybe_color)))
		return ferry_wire_in_field(reader->error, "maybe_color");
	if (ferry_unlikely(echo_seq_f64__c_read(reader, at + 144, &value->numbers)))
		return ferry_wire_in_field(reader->error, "numbers");
	if (ferry_unlikely(echo_seq_bool__c_read(reader, at + 152, &value->flags)))
		return ferry_wire_in_field(reader->error, "flags");
	if (ferry_unlikely(echo_seq_color__c_read(reader, at + 160, &value->colors)))
		return ferry_wire_in_field(reader->error, "colors");
	if (ferry_unlikely(echo_seq_seq_i32__c_read(reader, at + 168, &value->rows)))
		return ferry_wire_in_field(reader->error, "rows");
	if (ferry_unlikely(echo_seq_option_string__c_read(reader, at + 176, &value->maybe_words)))
		return ferry_wire_in_field(reader->error, "maybe_words");
	if (ferry_unlikely(echo_seq_bytes__c_read(reader, at + 184, &value->blobs)))
		return ferry_wire_in_field(reader->error, "blobs");
	if (ferry_unlikely(echo_map_i32_string__c_read(reader, at + 192, &value->text_by_number)))
		return ferry_wire_in_field(reader->error, "text_by_number");
	if (ferry_unlikely(echo_map_string_i64__c_read(reader, at + 200, &value->number_by_text)))
		return ferry_wire_in_field(reader->error, "number_by_text");
	if (ferry_unlikely(echo_map_string_echo_request__c_read(reader, at + 208, &value->objects_by_text)))
		return ferry_wire_in_field(reader->error, "objects_by_text");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_tree__c_bound(const struct echo_tree *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->name.bytes + 1;
	echo_seq_tree__c_bound(&value->children, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_tree__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_tree *value)
{
	ferry_c_put_string(writer, at + 0, value->name);
	echo_seq_tree__c_put(writer, at + 8, &value->children);
}

static inline int echo_tree__c_read(struct ferry_c_reader *reader, size_t at, struct echo_tree *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->name)))
		return ferry_wire_in_field(reader->error, "name");
	if (ferry_unlikely(echo_seq_tree__c_read(reader, at + 8, &value->children)))
		return ferry_wire_in_field(reader->error, "children");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_create_params__c_bound(const struct echo_create_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->prefix.bytes + 1;
	ferry_wire_bound_leave(bound);
}

static inline void echo_create_params__c_put(struct ferry_c_writer *writer, size_t at,
					     const struct echo_create_params *value)
{
	ferry_c_put_string(writer, at + 0, value->prefix);
}

static inline int echo_create_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_create_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->prefix)))
		return ferry_wire_in_field(reader->error, "prefix");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_echo_params__c_bound(const struct echo_echo_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_echo_request__c_bound(&value->request, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_echo_params__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_echo_params *value)
{
	echo_echo_request__c_put(writer, at + 0, &value->request);
}

static inline int echo_echo_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_echo_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(echo_echo_request__c_read(reader, at + 0, &value->request)))
		return ferry_wire_in_field(reader->error, "request");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_complex_params__c_bound(const struct echo_complex_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_complex_request__c_bound(&value->request, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_complex_params__c_put(struct ferry_c_writer *writer, size_t at,
					      const struct echo_complex_params *value)
{
	echo_complex_request__c_put(writer, at + 0, &value->request);
}

static inline int echo_complex_params__c_read(struct ferry_c_reader *reader, size_t at,
					      struct echo_complex_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(echo_complex_request__c_read(reader, at + 0, &value->request)))
		return ferry_wire_in_field(reader->error, "request");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_bytes_params__c_bound(const struct echo_bytes_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->payload.bytes;
	ferry_wire_bound_leave(bound);
}

static inline void echo_bytes_params__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_bytes_params *value)
{
	ferry_c_put_bytes(writer, at + 0, value->payload);
}

static inline int echo_bytes_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_bytes_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_bytes(reader, at + 0, &value->payload)))
		return ferry_wire_in_field(reader->error, "payload");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_fail_params__c_bound(const struct echo_fail_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->message.bytes + 1;
	ferry_wire_bound_leave(bound);
}

static inline void echo_fail_params__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_fail_params *value)
{
	ferry_c_put_string(writer, at + 0, value->message);
}

static inline int echo_fail_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_fail_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->message)))
		return ferry_wire_in_field(reader->error, "message");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_all_params__c_bound(const struct echo_all_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_all_types__c_bound(&value->value, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_all_params__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_all_params *value)
{
	echo_all_types__c_put(writer, at + 0, &value->value);
}

static inline int echo_all_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_all_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(echo_all_types__c_read(reader, at + 0, &value->value)))
		return ferry_wire_in_field(reader->error, "value");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_tree_params__c_bound(const struct echo_tree_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_tree__c_bound(&value->root, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_tree_params__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_tree_params *value)
{
	echo_tree__c_put(writer, at + 0, &value->root);
}

static inline int echo_tree_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_tree_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(echo_tree__c_read(reader, at + 0, &value->root)))
		return ferry_wire_in_field(reader->error, "root");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_maybe_params__c_bound(const struct echo_maybe_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	echo_option_string__c_bound(&value->value, bound);
	ferry_wire_bound_leave(bound);
}

static inline void echo_maybe_params__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_maybe_params *value)
{
	echo_option_string__c_put(writer, at + 0, &value->value);
}

static inline int echo_maybe_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_maybe_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(echo_option_string__c_read(reader, at + 0, &value->value)))
		return ferry_wire_in_field(reader->error, "value");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_ticks_params__c_bound(const struct echo_ticks_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline void echo_ticks_params__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_ticks_params *value)
{
	ferry_c_put_u32(writer, at + 0, value->count);
}

static inline int echo_ticks_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_ticks_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_u32(reader, at + 0, &value->count)))
		return ferry_wire_in_field(reader->error, "count");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_open_params__c_bound(const struct echo_open_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;
	bound->bytes += value->text.bytes + 1;
	ferry_wire_bound_leave(bound);
}

static inline void echo_open_params__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_open_params *value)
{
	ferry_c_put_string(writer, at + 0, value->text);
}

static inline int echo_open_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_open_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_string(reader, at + 0, &value->text)))
		return ferry_wire_in_field(reader->error, "text");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_read_params__c_bound(const struct echo_read_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline void echo_read_params__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_read_params *value)
{
	ferry_c_put_u64(writer, at + 0, value->reader.id);
	ferry_c_put_u32(writer, at + 8, value->bytes_max);
}

static inline int echo_read_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_read_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_u64(reader, at + 0, &value->reader.id)))
		return ferry_wire_in_field(reader->error, "reader");
	if (ferry_unlikely(ferry_c_read_u32(reader, at + 8, &value->bytes_max)))
		return ferry_wire_in_field(reader->error, "bytes_max");
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 12, 4)))
		return -1;
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_close_params__c_bound(const struct echo_close_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline void echo_close_params__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_close_params *value)
{
	ferry_c_put_u64(writer, at + 0, value->reader.id);
}

static inline int echo_close_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_close_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_u64(reader, at + 0, &value->reader.id)))
		return ferry_wire_in_field(reader->error, "reader");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_sum_params__c_bound(const struct echo_sum_params *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, 0))
		return;
	(void)value;

	ferry_wire_bound_leave(bound);
}

static inline void echo_sum_params__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_sum_params *value)
{
	ferry_c_put_i64(writer, at + 0, value->left);
	ferry_c_put_i64(writer, at + 8, value->right);
}

static inline int echo_sum_params__c_read(struct ferry_c_reader *reader, size_t at, struct echo_sum_params *value)
{
	if (ferry_unlikely(ferry_c_enter(reader)))
		return -1;
	if (ferry_unlikely(ferry_c_read_i64(reader, at + 0, &value->left)))
		return ferry_wire_in_field(reader->error, "left");
	if (ferry_unlikely(ferry_c_read_i64(reader, at + 8, &value->right)))
		return ferry_wire_in_field(reader->error, "right");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_echo_request__c_bound(const struct echo_seq_echo_request *value,
						  struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 16;
	for (size_t i = 0; i < value->count; i++) {
		echo_echo_request__c_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
						const struct echo_seq_echo_request *value)
{
	size_t from = ferry_c_put_elements(writer, at, value->count, 16, NULL);

	for (size_t i = 0; i < value->count; i++) {
		echo_echo_request__c_put(writer, from + i * 16, &value->items[i]);
	}
}

static inline int echo_seq_echo_request__c_read(struct ferry_c_reader *reader, size_t at,
						struct echo_seq_echo_request *value)
{
	size_t from, count;
	struct echo_echo_request *items;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 16, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	value->items = items;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(echo_echo_request__c_read(reader, from + i * 16, &items[i])))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_string__c_bound(const struct echo_seq_string *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 8;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].bytes + 1;
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_string__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_string *value)
{
	size_t from = ferry_c_put_elements(writer, at, value->count, 8, NULL);

	for (size_t i = 0; i < value->count; i++) {
		ferry_c_put_string(writer, from + i * 8, value->items[i]);
	}
}

static inline int echo_seq_string__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_string *value)
{
	size_t from, count;
	struct ferry_string *items;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 8, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	value->items = items;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(ferry_c_read_string(reader, from + i * 8, &items[i])))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_option_string__c_bound(const struct echo_option_string *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
	bound->bytes += value->value.bytes + 1;
}

static inline void echo_option_string__c_put(struct ferry_c_writer *writer, size_t at,
					     const struct echo_option_string *value)
{
	ferry_c_put_bool(writer, at, value->present);
	if (!value->present)
		return;
	ferry_c_put_string(writer, at + 4, value->value);
}

static inline int echo_option_string__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_string *value)
{
	if (ferry_unlikely(ferry_c_read_bool(reader, at, &value->present)))
		return -1;
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 1, value->present ? 3 : 11)))
		return -1;
	return value->present ? ferry_c_read_string(reader, at + 4, &value->value) : 0;
}

static inline void echo_option_i64__c_bound(const struct echo_option_i64 *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
}

static inline void echo_option_i64__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_option_i64 *value)
{
	ferry_c_put_bool(writer, at, value->present);
	if (!value->present)
		return;
	ferry_c_put_i64(writer, at + 8, value->value);
}

static inline int echo_option_i64__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_i64 *value)
{
	if (ferry_unlikely(ferry_c_read_bool(reader, at, &value->present)))
		return -1;
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 1, value->present ? 7 : 15)))
		return -1;
	return value->present ? ferry_c_read_i64(reader, at + 8, &value->value) : 0;
}

static inline void echo_seq_tree__c_bound(const struct echo_seq_tree *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 16;
	for (size_t i = 0; i < value->count; i++) {
		echo_tree__c_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_tree__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_tree *value)
{
	size_t from = ferry_c_put_elements(writer, at, value->count, 16, NULL);

	for (size_t i = 0; i < value->count; i++) {
		echo_tree__c_put(writer, from + i * 16, &value->items[i]);
	}
}

static inline int echo_seq_tree__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_tree *value)
{
	size_t from, count;
	struct echo_tree *items;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 16, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	value->items = items;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(echo_tree__c_read(reader, from + i * 16, &items[i])))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_option_i32__c_bound(const struct echo_option_i32 *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
}

static inline void echo_option_i32__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_option_i32 *value)
{
	ferry_c_put_bool(writer, at, value->present);
	if (!value->present)
		return;
	ferry_c_put_i32(writer, at + 4, value->value);
}

static inline int echo_option_i32__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_i32 *value)
{
	if (ferry_unlikely(ferry_c_read_bool(reader, at, &value->present)))
		return -1;
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 1, value->present ? 3 : 7)))
		return -1;
	return value->present ? ferry_c_read_i32(reader, at + 4, &value->value) : 0;
}

static inline void echo_option_echo_request__c_bound(const struct echo_option_echo_request *value,
						     struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
	echo_echo_request__c_bound(&value->value, bound);
}

static inline void echo_option_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
						   const struct echo_option_echo_request *value)
{
	ferry_c_put_bool(writer, at, value->present);
	if (!value->present)
		return;
	echo_echo_request__c_put(writer, at + 8, &value->value);
}

static inline int echo_option_echo_request__c_read(struct ferry_c_reader *reader, size_t at,
						   struct echo_option_echo_request *value)
{
	if (ferry_unlikely(ferry_c_read_bool(reader, at, &value->present)))
		return -1;
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 1, value->present ? 7 : 23)))
		return -1;
	return value->present ? echo_echo_request__c_read(reader, at + 8, &value->value) : 0;
}

static inline void echo_option_color__c_bound(const struct echo_option_color *value, struct ferry_wire_bound *bound)
{
	(void)bound;
	if (!value->present)
		return;
}

static inline void echo_option_color__c_put(struct ferry_c_writer *writer, size_t at,
					    const struct echo_option_color *value)
{
	ferry_c_put_bool(writer, at, value->present);
	if (!value->present)
		return;
	ferry_c_put_i32(writer, at + 4, (int32_t)value->value);
}

static inline int echo_option_color__c_read(struct ferry_c_reader *reader, size_t at, struct echo_option_color *value)
{
	if (ferry_unlikely(ferry_c_read_bool(reader, at, &value->present)))
		return -1;
	if (ferry_unlikely(ferry_c_read_zeros(reader, at + 1, value->present ? 3 : 7)))
		return -1;
	return value->present ? echo_color__c_read(reader, at + 4, &value->value) : 0;
}

static inline void echo_seq_f64__c_bound(const struct echo_seq_f64 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 8;
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_f64__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_f64 *value)
{
	ferry_c_put_elements(writer, at, value->count, 8, value->items);
}

static inline int echo_seq_f64__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_f64 *value)
{
	size_t from, count;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 8, &from, &count)))
		return -1;
	value->items = count ? (const double *)(const void *)(reader->data + from) : NULL;
	value->count = count;
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_bool__c_bound(const struct echo_seq_bool *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 1;
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_bool__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_bool *value)
{
	ferry_c_put_elements(writer, at, value->count, 1, value->items);
}

static inline int echo_seq_bool__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_bool *value)
{
	size_t from, count;
	bool item;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 1, &from, &count)))
		return -1;
	value->items = count ? (const bool *)(const void *)(reader->data + from) : NULL;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(ferry_c_read_bool(reader, from + i * 1, &item)))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_color__c_bound(const struct echo_seq_color *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 4;
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_color__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_color *value)
{
	ferry_c_put_elements(writer, at, value->count, 4, value->items);
}

static inline int echo_seq_color__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_color *value)
{
	size_t from, count;
	enum echo_color item;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 4, &from, &count)))
		return -1;
	value->items = count ? (const enum echo_color *)(const void *)(reader->data + from) : NULL;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(echo_color__c_read(reader, from + i * 4, &item)))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_i32__c_bound(const struct echo_seq_i32 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 4;
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_i32__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_i32 *value)
{
	ferry_c_put_elements(writer, at, value->count, 4, value->items);
}

static inline int echo_seq_i32__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_i32 *value)
{
	size_t from, count;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 4, &from, &count)))
		return -1;
	value->items = count ? (const int32_t *)(const void *)(reader->data + from) : NULL;
	value->count = count;
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_seq_i32__c_bound(const struct echo_seq_seq_i32 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 8;
	for (size_t i = 0; i < value->count; i++) {
		echo_seq_i32__c_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_seq_i32__c_put(struct ferry_c_writer *writer, size_t at,
					   const struct echo_seq_seq_i32 *value)
{
	size_t from = ferry_c_put_elements(writer, at, value->count, 8, NULL);

	for (size_t i = 0; i < value->count; i++) {
		echo_seq_i32__c_put(writer, from + i * 8, &value->items[i]);
	}
}

static inline int echo_seq_seq_i32__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_seq_i32 *value)
{
	size_t from, count;
	struct echo_seq_i32 *items;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 8, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	value->items = items;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(echo_seq_i32__c_read(reader, from + i * 8, &items[i])))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_option_string__c_bound(const struct echo_seq_option_string *value,
						   struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 12;
	for (size_t i = 0; i < value->count; i++) {
		echo_option_string__c_bound(&value->items[i], bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_option_string__c_put(struct ferry_c_writer *writer, size_t at,
						 const struct echo_seq_option_string *value)
{
	size_t from = ferry_c_put_elements(writer, at, value->count, 12, NULL);

	for (size_t i = 0; i < value->count; i++) {
		echo_option_string__c_put(writer, from + i * 12, &value->items[i]);
	}
}

static inline int echo_seq_option_string__c_read(struct ferry_c_reader *reader, size_t at,
						 struct echo_seq_option_string *value)
{
	size_t from, count;
	struct echo_option_string *items;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 12, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	value->items = items;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(echo_option_string__c_read(reader, from + i * 12, &items[i])))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_seq_bytes__c_bound(const struct echo_seq_bytes *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 8;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].bytes;
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_seq_bytes__c_put(struct ferry_c_writer *writer, size_t at, const struct echo_seq_bytes *value)
{
	size_t from = ferry_c_put_elements(writer, at, value->count, 8, NULL);

	for (size_t i = 0; i < value->count; i++) {
		ferry_c_put_bytes(writer, from + i * 8, value->items[i]);
	}
}

static inline int echo_seq_bytes__c_read(struct ferry_c_reader *reader, size_t at, struct echo_seq_bytes *value)
{
	size_t from, count;
	struct ferry_bytes *items;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 8, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	value->items = items;
	value->count = count;
	for (size_t i = 0; i < count; i++)
		if (ferry_unlikely(ferry_c_read_bytes(reader, from + i * 8, &items[i])))
			return ferry_wire_in_element(reader->error, i, "");
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_map_i32_string__c_bound(const struct echo_map_i32_string *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 12;
	for (size_t i = 0; i < value->count; i++) {

		bound->bytes += value->items[i].value.bytes + 1;
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_map_i32_string__c_put(struct ferry_c_writer *writer, size_t at,
					      const struct echo_map_i32_string *value)
{
	void *copy;
	const struct echo_map_i32_string_pair *items = ferry_wire_order(value->items, value->count, sizeof(*items),
									ferry_c_compare_i32, &copy, &writer->reason);
	size_t from = ferry_c_put_elements(writer, at, value->count, 12, NULL);

	for (size_t i = 0; i < value->count; i++) {
		ferry_c_put_i32(writer, from + i * 12, items[i].key);
		ferry_c_put_string(writer, from + i * 12 + 4, items[i].value);
	}
	free(copy);
}

static inline int echo_map_i32_string__c_read(struct ferry_c_reader *reader, size_t at,
					      struct echo_map_i32_string *value)
{
	struct echo_map_i32_string_pair *items;
	size_t from, count;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 12, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (ferry_unlikely(ferry_c_read_i32(reader, from + i * 12, &items[i].key)))
			return ferry_wire_in_element(reader->error, i, ".key");
		if (ferry_unlikely(ferry_c_read_string(reader, from + i * 12 + 4, &items[i].value)))
			return ferry_wire_in_element(reader->error, i, ".value");
		if (ferry_unlikely(i && ferry_c_compare_i32(&items[i - 1], &items[i]) >= 0))
			return ferry_c_fail(reader, FERRY_WIRE_KEY_ORDER);
	}
	value->items = items;
	value->count = count;
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_map_string_i64__c_bound(const struct echo_map_string_i64 *value, struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 16;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].key.bytes + 1;
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_map_string_i64__c_put(struct ferry_c_writer *writer, size_t at,
					      const struct echo_map_string_i64 *value)
{
	void *copy;
	const struct echo_map_string_i64_pair *items = ferry_wire_order(value->items, value->count, sizeof(*items),
									ferry_c_compare_string, &copy, &writer->reason);
	size_t from = ferry_c_put_elements(writer, at, value->count, 16, NULL);

	for (size_t i = 0; i < value->count; i++) {
		ferry_c_put_string(writer, from + i * 16, items[i].key);
		ferry_c_put_i64(writer, from + i * 16 + 8, items[i].value);
	}
	free(copy);
}

static inline int echo_map_string_i64__c_read(struct ferry_c_reader *reader, size_t at,
					      struct echo_map_string_i64 *value)
{
	struct echo_map_string_i64_pair *items;
	size_t from, count;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 16, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (ferry_unlikely(ferry_c_read_string(reader, from + i * 16, &items[i].key)))
			return ferry_wire_in_element(reader->error, i, ".key");
		if (ferry_unlikely(ferry_c_read_i64(reader, from + i * 16 + 8, &items[i].value)))
			return ferry_wire_in_element(reader->error, i, ".value");
		if (ferry_unlikely(i && ferry_c_compare_string(&items[i - 1], &items[i]) >= 0))
			return ferry_c_fail(reader, FERRY_WIRE_KEY_ORDER);
	}
	value->items = items;
	value->count = count;
	ferry_c_leave(reader);
	return 0;
}

static inline void echo_map_string_echo_request__c_bound(const struct echo_map_string_echo_request *value,
							 struct ferry_wire_bound *bound)
{
	if (!ferry_wire_bound_enter(bound, value->count ? 0 : 0))
		return;
	bound->bytes += FERRY_C_PART_ALIGN - 1 + value->count * 24;
	for (size_t i = 0; i < value->count; i++) {
		bound->bytes += value->items[i].key.bytes + 1;
		echo_echo_request__c_bound(&value->items[i].value, bound);
	}
	ferry_wire_bound_leave(bound);
}

static inline void echo_map_string_echo_request__c_put(struct ferry_c_writer *writer, size_t at,
						       const struct echo_map_string_echo_request *value)
{
	void *copy;
	const struct echo_map_string_echo_request_pair *items =
		ferry_wire_order(value->items, value->count, sizeof(*items), ferry_c_compare_string, &copy,
				 &writer->reason);
	size_t from = ferry_c_put_elements(writer, at, value->count, 24, NULL);

	for (size_t i = 0; i < value->count; i++) {
		ferry_c_put_string(writer, from + i * 24, items[i].key);
		echo_echo_request__c_put(writer, from + i * 24 + 8, &items[i].value);
	}
	free(copy);
}

static inline int echo_map_string_echo_request__c_read(struct ferry_c_reader *reader, size_t at,
						       struct echo_map_string_echo_request *value)
{
	struct echo_map_string_echo_request_pair *items;
	size_t from, count;

	if (ferry_unlikely(ferry_c_enter(reader) || ferry_c_read_elements(reader, at, 24, &from, &count)))
		return -1;
	items = count ? ferry_c_room(reader, count, sizeof(*items)) : NULL;
	if (count && !items)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (ferry_unlikely(ferry_c_read_string(reader, from + i * 24, &items[i].key)))
			return ferry_wire_in_element(reader->error, i, ".key");
		if (ferry_unlikely(echo_echo_request__c_read(reader, from + i * 24 + 8, &items[i].value)))
			return ferry_wire_in_element(reader->error, i, ".value");
		if (ferry_unlikely(i && ferry_c_compare_string(&items[i - 1], &items[i]) >= 0))
			return ferry_c_fail(reader, FERRY_WIRE_KEY_ORDER);
	}
	value->items = items;
	value->count = count;
	ferry_c_leave(reader);
	return 0;
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

/* Encode a EchoRequest. */
static inline int echo_echo_request_encode_c(const struct echo_echo_request *value, struct ferry_buffer *out,
					     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_echo_request__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_echo_request__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a EchoRequest; it is all in *memory. */
static inline int echo_echo_request_decode_c(const void *data, size_t bytes, struct echo_echo_request *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_echo_request__c_read(reader, 0, &(*value)));
}

/* Decode a EchoRequest; strings, bytes and sequences of numbers point into the message. */
static inline int echo_echo_request_borrow_c(const void *data, size_t bytes, struct echo_echo_request *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_echo_request__c_read(reader, 0, &(*value)));
}

/* Encode a EchoResponse. */
static inline int echo_echo_response_encode_c(const struct echo_echo_response *value, struct ferry_buffer *out,
					      struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_echo_response__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_echo_response__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a EchoResponse; it is all in *memory. */
static inline int echo_echo_response_decode_c(const void *data, size_t bytes, struct echo_echo_response *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_echo_response__c_read(reader, 0, &(*value)));
}

/* Decode a EchoResponse; strings, bytes and sequences of numbers point into the message. */
static inline int echo_echo_response_borrow_c(const void *data, size_t bytes, struct echo_echo_response *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_echo_response__c_read(reader, 0, &(*value)));
}

/* Encode a ComplexRequest. */
static inline int echo_complex_request_encode_c(const struct echo_complex_request *value, struct ferry_buffer *out,
						struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 48, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_complex_request__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 48);
	echo_complex_request__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a ComplexRequest; it is all in *memory. */
static inline int echo_complex_request_decode_c(const void *data, size_t bytes, struct echo_complex_request *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 48, true, 64, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_complex_request__c_read(reader, 0, &(*value)));
}

/* Decode a ComplexRequest; strings, bytes and sequences of numbers point into the message. */
static inline int echo_complex_request_borrow_c(const void *data, size_t bytes, struct echo_complex_request *value,
						struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 48, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_complex_request__c_read(reader, 0, &(*value)));
}

/* Encode a ComplexResponse. */
static inline int echo_complex_response_encode_c(const struct echo_complex_response *value, struct ferry_buffer *out,
						 struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 24, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_complex_response__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 24);
	echo_complex_response__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a ComplexResponse; it is all in *memory. */
static inline int echo_complex_response_decode_c(const void *data, size_t bytes, struct echo_complex_response *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 24, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_complex_response__c_read(reader, 0, &(*value)));
}

/* Decode a ComplexResponse; strings, bytes and sequences of numbers point into the message. */
static inline int echo_complex_response_borrow_c(const void *data, size_t bytes, struct echo_complex_response *value,
						 struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 24, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_complex_response__c_read(reader, 0, &(*value)));
}

/* Encode a AllTypes. */
static inline int echo_all_types_encode_c(const struct echo_all_types *value, struct ferry_buffer *out,
					  struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 216, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_all_types__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 216);
	echo_all_types__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a AllTypes; it is all in *memory. */
static inline int echo_all_types_decode_c(const void *data, size_t bytes, struct echo_all_types *value,
					  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 216, true, 64, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_all_types__c_read(reader, 0, &(*value)));
}

/* Decode a AllTypes; strings, bytes and sequences of numbers point into the message. */
static inline int echo_all_types_borrow_c(const void *data, size_t bytes, struct echo_all_types *value,
					  struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 216, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_all_types__c_read(reader, 0, &(*value)));
}

/* Encode a Tree. */
static inline int echo_tree_encode_c(const struct echo_tree *value, struct ferry_buffer *out,
				     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_tree__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_tree__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a Tree; it is all in *memory. */
static inline int echo_tree_decode_c(const void *data, size_t bytes, struct echo_tree *value,
				     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, true, 64, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_tree__c_read(reader, 0, &(*value)));
}

/* Decode a Tree; strings, bytes and sequences of numbers point into the message. */
static inline int echo_tree_borrow_c(const void *data, size_t bytes, struct echo_tree *value,
				     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_tree__c_read(reader, 0, &(*value)));
}

/* Encode a bytes. */
static inline int echo_bytes_encode_c(const struct ferry_bytes *value, struct ferry_buffer *out,
				      struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	bound->bytes += (*value).bytes;
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	ferry_c_put_bytes(writer, 0, (*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a bytes; it is all in *memory. */
static inline int echo_bytes_decode_c(const void *data, size_t bytes, struct ferry_bytes *value,
				      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_bytes(reader, 0, &(*value)));
}

/* Decode a bytes; strings, bytes and sequences of numbers point into the message. */
static inline int echo_bytes_borrow_c(const void *data, size_t bytes, struct ferry_bytes *value,
				      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_bytes(reader, 0, &(*value)));
}

/* Encode a option of string. */
static inline int echo_option_string_encode_c(const struct echo_option_string *value, struct ferry_buffer *out,
					      struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 12, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_option_string__c_bound(&(*value), bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 12);
	echo_option_string__c_put(writer, 0, &(*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a option of string; it is all in *memory. */
static inline int echo_option_string_decode_c(const void *data, size_t bytes, struct echo_option_string *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 12, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_option_string__c_read(reader, 0, &(*value)));
}

/* Decode a option of string; strings, bytes and sequences of numbers point into the message. */
static inline int echo_option_string_borrow_c(const void *data, size_t bytes, struct echo_option_string *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 12, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_option_string__c_read(reader, 0, &(*value)));
}

/* Encode a Reader. */
static inline int echo_reader_encode_c(const struct echo_reader *value, struct ferry_buffer *out,
				       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	ferry_c_put_u64(writer, 0, (*value).id);
	return ferry_c_written(writer, out, error);
}

/* Decode a Reader; it is all in *memory. */
static inline int echo_reader_decode_c(const void *data, size_t bytes, struct echo_reader *value,
				       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_u64(reader, 0, &(*value).id));
}

/* Decode a Reader; strings, bytes and sequences of numbers point into the message. */
static inline int echo_reader_borrow_c(const void *data, size_t bytes, struct echo_reader *value,
				       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_u64(reader, 0, &(*value).id));
}

/* Encode a string. */
static inline int echo_string_encode_c(const struct ferry_string *value, struct ferry_buffer *out,
				       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	bound->bytes += (*value).bytes + 1;
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	ferry_c_put_string(writer, 0, (*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a string; it is all in *memory. */
static inline int echo_string_decode_c(const void *data, size_t bytes, struct ferry_string *value,
				       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_string(reader, 0, &(*value)));
}

/* Decode a string; strings, bytes and sequences of numbers point into the message. */
static inline int echo_string_borrow_c(const void *data, size_t bytes, struct ferry_string *value,
				       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_string(reader, 0, &(*value)));
}

/* Encode a i64. */
static inline int echo_i64_encode_c(const int64_t *value, struct ferry_buffer *out, struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	ferry_c_put_i64(writer, 0, (*value));
	return ferry_c_written(writer, out, error);
}

/* Decode a i64; it is all in *memory. */
static inline int echo_i64_decode_c(const void *data, size_t bytes, int64_t *value, struct ferry_memory *memory,
				    struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_i64(reader, 0, &(*value)));
}

/* Decode a i64; strings, bytes and sequences of numbers point into the message. */
static inline int echo_i64_borrow_c(const void *data, size_t bytes, int64_t *value, struct ferry_memory *memory,
				    struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, ferry_c_read_i64(reader, 0, &(*value)));
}

/* Encode the parameters of `create`. */
static inline int echo_create_params_encode_c(const struct echo_create_params *value, struct ferry_buffer *out,
					      struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_create_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	echo_create_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `create`; it is all in *memory. */
static inline int echo_create_params_decode_c(const void *data, size_t bytes, struct echo_create_params *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_create_params__c_read(reader, 0, value));
}

/* Decode the parameters of `create`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_create_params_borrow_c(const void *data, size_t bytes, struct echo_create_params *value,
					      struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_create_params__c_read(reader, 0, value));
}

/* Encode the parameters of `echo`. */
static inline int echo_echo_params_encode_c(const struct echo_echo_params *value, struct ferry_buffer *out,
					    struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_echo_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_echo_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `echo`; it is all in *memory. */
static inline int echo_echo_params_decode_c(const void *data, size_t bytes, struct echo_echo_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_echo_params__c_read(reader, 0, value));
}

/* Decode the parameters of `echo`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_echo_params_borrow_c(const void *data, size_t bytes, struct echo_echo_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_echo_params__c_read(reader, 0, value));
}

/* Encode the parameters of `complex`. */
static inline int echo_complex_params_encode_c(const struct echo_complex_params *value, struct ferry_buffer *out,
					       struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 48, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_complex_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 48);
	echo_complex_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `complex`; it is all in *memory. */
static inline int echo_complex_params_decode_c(const void *data, size_t bytes, struct echo_complex_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 48, true, 64, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_complex_params__c_read(reader, 0, value));
}

/* Decode the parameters of `complex`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_complex_params_borrow_c(const void *data, size_t bytes, struct echo_complex_params *value,
					       struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 48, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_complex_params__c_read(reader, 0, value));
}

/* Encode the parameters of `bytes`. */
static inline int echo_bytes_params_encode_c(const struct echo_bytes_params *value, struct ferry_buffer *out,
					     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_bytes_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	echo_bytes_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `bytes`; it is all in *memory. */
static inline int echo_bytes_params_decode_c(const void *data, size_t bytes, struct echo_bytes_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_bytes_params__c_read(reader, 0, value));
}

/* Decode the parameters of `bytes`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_bytes_params_borrow_c(const void *data, size_t bytes, struct echo_bytes_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_bytes_params__c_read(reader, 0, value));
}

/* Encode the parameters of `fail`. */
static inline int echo_fail_params_encode_c(const struct echo_fail_params *value, struct ferry_buffer *out,
					    struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_fail_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	echo_fail_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `fail`; it is all in *memory. */
static inline int echo_fail_params_decode_c(const void *data, size_t bytes, struct echo_fail_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_fail_params__c_read(reader, 0, value));
}

/* Decode the parameters of `fail`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_fail_params_borrow_c(const void *data, size_t bytes, struct echo_fail_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_fail_params__c_read(reader, 0, value));
}

/* Encode the parameters of `all`. */
static inline int echo_all_params_encode_c(const struct echo_all_params *value, struct ferry_buffer *out,
					   struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 216, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_all_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 216);
	echo_all_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `all`; it is all in *memory. */
static inline int echo_all_params_decode_c(const void *data, size_t bytes, struct echo_all_params *value,
					   struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 216, true, 64, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_all_params__c_read(reader, 0, value));
}

/* Decode the parameters of `all`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_all_params_borrow_c(const void *data, size_t bytes, struct echo_all_params *value,
					   struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 216, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_all_params__c_read(reader, 0, value));
}

/* Encode the parameters of `tree`. */
static inline int echo_tree_params_encode_c(const struct echo_tree_params *value, struct ferry_buffer *out,
					    struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_tree_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_tree_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `tree`; it is all in *memory. */
static inline int echo_tree_params_decode_c(const void *data, size_t bytes, struct echo_tree_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, true, 64, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_tree_params__c_read(reader, 0, value));
}

/* Decode the parameters of `tree`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_tree_params_borrow_c(const void *data, size_t bytes, struct echo_tree_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_tree_params__c_read(reader, 0, value));
}

/* Encode the parameters of `maybe`. */
static inline int echo_maybe_params_encode_c(const struct echo_maybe_params *value, struct ferry_buffer *out,
					     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 12, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_maybe_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 12);
	echo_maybe_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `maybe`; it is all in *memory. */
static inline int echo_maybe_params_decode_c(const void *data, size_t bytes, struct echo_maybe_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 12, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_maybe_params__c_read(reader, 0, value));
}

/* Decode the parameters of `maybe`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_maybe_params_borrow_c(const void *data, size_t bytes, struct echo_maybe_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 12, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_maybe_params__c_read(reader, 0, value));
}

/* Encode the parameters of `ticks`. */
static inline int echo_ticks_params_encode_c(const struct echo_ticks_params *value, struct ferry_buffer *out,
					     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 4, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_ticks_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 4);
	echo_ticks_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `ticks`; it is all in *memory. */
static inline int echo_ticks_params_decode_c(const void *data, size_t bytes, struct echo_ticks_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 4, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_ticks_params__c_read(reader, 0, value));
}

/* Decode the parameters of `ticks`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_ticks_params_borrow_c(const void *data, size_t bytes, struct echo_ticks_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 4, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_ticks_params__c_read(reader, 0, value));
}

/* Encode the parameters of `open`. */
static inline int echo_open_params_encode_c(const struct echo_open_params *value, struct ferry_buffer *out,
					    struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_open_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	echo_open_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `open`; it is all in *memory. */
static inline int echo_open_params_decode_c(const void *data, size_t bytes, struct echo_open_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, true, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_open_params__c_read(reader, 0, value));
}

/* Decode the parameters of `open`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_open_params_borrow_c(const void *data, size_t bytes, struct echo_open_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_open_params__c_read(reader, 0, value));
}

/* Encode the parameters of `read`. */
static inline int echo_read_params_encode_c(const struct echo_read_params *value, struct ferry_buffer *out,
					    struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_read_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_read_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `read`; it is all in *memory. */
static inline int echo_read_params_decode_c(const void *data, size_t bytes, struct echo_read_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_read_params__c_read(reader, 0, value));
}

/* Decode the parameters of `read`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_read_params_borrow_c(const void *data, size_t bytes, struct echo_read_params *value,
					    struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_read_params__c_read(reader, 0, value));
}

/* Encode the parameters of `close`. */
static inline int echo_close_params_encode_c(const struct echo_close_params *value, struct ferry_buffer *out,
					     struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 8, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_close_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 8);
	echo_close_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `close`; it is all in *memory. */
static inline int echo_close_params_decode_c(const void *data, size_t bytes, struct echo_close_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_close_params__c_read(reader, 0, value));
}

/* Decode the parameters of `close`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_close_params_borrow_c(const void *data, size_t bytes, struct echo_close_params *value,
					     struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 8, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_close_params__c_read(reader, 0, value));
}

/* Encode the parameters of `sum`. */
static inline int echo_sum_params_encode_c(const struct echo_sum_params *value, struct ferry_buffer *out,
					   struct ferry_wire_error *error)
{
	struct ferry_wire_bound whole = { 16, 0, false }, *bound = &whole;
	struct ferry_c_writer state, *writer = &state;

	echo_sum_params__c_bound(value, bound);
	if (ferry_wire_make_room(bound, out, error))
		return -1;
	ferry_c_put_begin(writer, out, 16);
	echo_sum_params__c_put(writer, 0, value);
	return ferry_c_written(writer, out, error);
}

/* Decode the parameters of `sum`; it is all in *memory. */
static inline int echo_sum_params_decode_c(const void *data, size_t bytes, struct echo_sum_params *value,
					   struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_sum_params__c_read(reader, 0, value));
}

/* Decode the parameters of `sum`; strings, bytes and sequences of numbers point into the message. */
static inline int echo_sum_params_borrow_c(const void *data, size_t bytes, struct echo_sum_params *value,
					   struct ferry_memory *memory, struct ferry_wire_error *error)
{
	struct ferry_c_reader state, *reader = &state;

	if (ferry_unlikely(ferry_c_begin(reader, data, bytes, 16, false, 0, memory, error)))
		return -1;
	return ferry_c_end(reader, echo_sum_params__c_read(reader, 0, value));
}

#endif /* ECHO_C_H */
