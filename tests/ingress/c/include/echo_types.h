/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again. */
/*
 * The types and constants of echo. Sequences, strings and what they hold belong to whoever made them; of what was
 * decoded that is its struct ferry_memory.
 */
#ifndef ECHO_TYPES_H
#define ECHO_TYPES_H

#include <ferry/wire.h>

/* The interface's hash, which the library has to have too. */
#define ECHO_INTERFACE_HASH UINT64_C(0x78ae369f375ee35f)
#define ECHO_VERSION "0.1.0"

/* The longest delay an echo may ask for, in milliseconds. */
#define ECHO_MAX_DELAY_MS (UINT32_C(60000))

/* What a polite host sends first. */
#define ECHO_GREETING "hello, \042w\303\266rld\042"

/* One half. */
#define ECHO_HALF 0.5

/* Whether the library was built for debugging. */
#define ECHO_DEBUG false

/* The lowest number there is. */
#define ECHO_LOWEST INT64_MIN

/* A colour. */
enum echo_color {
	/* No colour at all. */
	ECHO_COLOR_NONE = -1,
	/* Red. */
	ECHO_COLOR_RED = 0,
	/* Green. */
	ECHO_COLOR_GREEN = 1,
	/* Blue, out of line. */
	ECHO_COLOR_BLUE = 7,
};

/* Reads a text in pieces. */
struct echo_reader {
	uint64_t id; /* never 0 of an open one */
};

struct echo_echo_request;
struct echo_echo_response;
struct echo_complex_request;
struct echo_complex_response;
struct echo_all_types;
struct echo_tree;
struct echo_option_string;
struct echo_option_i64;
struct echo_option_i32;
struct echo_option_echo_request;
struct echo_option_color;
struct echo_seq_seq_i32;
struct echo_seq_option_string;
struct echo_map_i32_string;
struct echo_map_string_i64;
struct echo_map_string_echo_request;
struct echo_map_i32_string_pair;
struct echo_map_string_i64_pair;
struct echo_map_string_echo_request_pair;

struct echo_seq_echo_request {
	const struct echo_echo_request *items;
	size_t count;
};

struct echo_seq_string {
	const struct ferry_string *items;
	size_t count;
};

struct echo_seq_tree {
	const struct echo_tree *items;
	size_t count;
};

struct echo_seq_f64 {
	const double *items;
	size_t count;
};

struct echo_seq_bool {
	const bool *items;
	size_t count;
};

struct echo_seq_color {
	const enum echo_color *items;
	size_t count;
};

struct echo_seq_i32 {
	const int32_t *items;
	size_t count;
};

struct echo_seq_seq_i32 {
	const struct echo_seq_i32 *items;
	size_t count;
};

struct echo_seq_option_string {
	const struct echo_option_string *items;
	size_t count;
};

struct echo_seq_bytes {
	const struct ferry_bytes *items;
	size_t count;
};

/* Pairs in any order; a key that is there twice cannot be encoded. */
struct echo_map_i32_string {
	const struct echo_map_i32_string_pair *items;
	size_t count;
};

/* Pairs in any order; a key that is there twice cannot be encoded. */
struct echo_map_string_i64 {
	const struct echo_map_string_i64_pair *items;
	size_t count;
};

/* Pairs in any order; a key that is there twice cannot be encoded. */
struct echo_map_string_echo_request {
	const struct echo_map_string_echo_request_pair *items;
	size_t count;
};

/* What to echo, and when. */
struct echo_echo_request {
	/* What to say. */
	struct ferry_string message;
	/* How long to wait before answering, in milliseconds; 0 answers at once. */
	int64_t delay_ms;
};

/* What was echoed. */
struct echo_echo_response {
	/* The message, after the context's prefix. */
	struct ferry_string echoed;
	/* How long it was waited, for people. */
	struct ferry_string timer;
};

struct echo_option_string {
	bool present;
	struct ferry_string value;
};

struct echo_option_i64 {
	bool present;
	int64_t value;
};

/* Many things at once. */
struct echo_complex_request {
	/* Several messages. */
	struct echo_seq_echo_request messages;
	/* Words about them. */
	struct echo_seq_string tags;
	/* A remark. */
	struct echo_option_string note;
	/* How often to try again. */
	struct echo_option_i64 retries;
};

/* What became of many things. */
struct echo_complex_response {
	/* The messages and the tags, each joined by commas, and a semicolon between the two. */
	struct ferry_string summary;
	/* How many messages and tags there were. */
	uint32_t item_count;
	/* Whether there was a note. */
	bool has_note;
	/* The retries asked for; -1 when none were. */
	int64_t retries;
};

/* A tree, which contains itself. */
struct echo_tree {
	/* What it is called. */
	struct ferry_string name;
	/* What is below it. */
	struct echo_seq_tree children;
};

struct echo_option_i32 {
	bool present;
	int32_t value;
};

struct echo_option_echo_request {
	bool present;
	struct echo_echo_request value;
};

struct echo_option_color {
	bool present;
	enum echo_color value;
};

/* A field of every type. */
struct echo_all_types {
	bool a_bool;
	int8_t an_i8;
	int16_t an_i16;
	int32_t an_i32;
	int64_t an_i64;
	uint8_t a_u8;
	uint16_t a_u16;
	uint32_t a_u32;
	uint64_t a_u64;
	float an_f32;
	double an_f64;
	struct ferry_string a_string;
	struct ferry_bytes some_bytes;
	enum echo_color a_color;
	struct echo_echo_request an_object;
	struct echo_option_i32 maybe_number;
	struct echo_option_string maybe_text;
	struct echo_option_echo_request maybe_object;
	struct echo_option_color maybe_color;
	struct echo_seq_f64 numbers;
	struct echo_seq_bool flags;
	struct echo_seq_color colors;
	struct echo_seq_seq_i32 rows;
	struct echo_seq_option_string maybe_words;
	struct echo_seq_bytes blobs;
	struct echo_map_i32_string text_by_number;
	struct echo_map_string_i64 number_by_text;
	struct echo_map_string_echo_request objects_by_text;
};

struct echo_map_i32_string_pair {
	int32_t key;
	struct ferry_string value;
};

struct echo_map_string_i64_pair {
	struct ferry_string key;
	int64_t value;
};

struct echo_map_string_echo_request_pair {
	struct ferry_string key;
	struct echo_echo_request value;
};

/* The parameters of `create`. */
struct echo_create_params {
	/* What every echo begins with. `fail` makes the constructor fail. */
	struct ferry_string prefix;
};

/* The parameters of `echo`. */
struct echo_echo_params {
	/* What to echo, and when. */
	struct echo_echo_request request;
};

/* The parameters of `complex`. */
struct echo_complex_params {
	/* Many things. */
	struct echo_complex_request request;
};

/* The parameters of `bytes`. */
struct echo_bytes_params {
	/* Any bytes. */
	struct ferry_bytes payload;
};

/* The parameters of `fail`. */
struct echo_fail_params {
	/* What the error says. */
	struct ferry_string message;
};

/* The parameters of `all`. */
struct echo_all_params {
	/* Any value. */
	struct echo_all_types value;
};

/* The parameters of `tree`. */
struct echo_tree_params {
	/* Any tree. */
	struct echo_tree root;
};

/* The parameters of `maybe`. */
struct echo_maybe_params {
	/* A text or nothing. */
	struct echo_option_string value;
};

/* The parameters of `ticks`. */
struct echo_ticks_params {
	/* How many. */
	uint32_t count;
};

/* The parameters of `open`. */
struct echo_open_params {
	/* What is to be read. */
	struct ferry_string text;
};

/* The parameters of `read`. */
struct echo_read_params {
	/* An open reader. */
	struct echo_reader reader;
	/* How many bytes to read at most; 1 or more. */
	uint32_t bytes_max;
};

/* The parameters of `close`. */
struct echo_close_params {
	/* An open reader. */
	struct echo_reader reader;
};

/* The parameters of `sum`. */
struct echo_sum_params {
	/* A number. */
	int64_t left;
	/* Another. */
	int64_t right;
};

/* Whether a number is one of enum echo_color. */
static inline bool echo_color_known(int32_t value)
{
	switch (value) {
	case ECHO_COLOR_NONE:
	case ECHO_COLOR_RED:
	case ECHO_COLOR_GREEN:
	case ECHO_COLOR_BLUE:
		return true;
	default:
		return false;
	}
}

#endif /* ECHO_TYPES_H */
