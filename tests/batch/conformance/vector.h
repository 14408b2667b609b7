/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A batch as text, with what must come of it: the format of spec/vectors/README.md.
 *
 * vector_parse is total: any bytes give a vector or an error with a line number. It allocates nothing, opens nothing
 * and knows no address; vector_bind (bind.h) turns a vector into slots. Every array below is bounded by a named limit,
 * and going over one is an error of the text.
 */
#ifndef FERRY_TESTS_CONFORMANCE_VECTOR_H
#define FERRY_TESTS_CONFORMANCE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <ferry/batch.h>

#define VECTOR_SLOT_LINES_MAX 128
#define VECTOR_SLOTS_MAX 65536 /* after `times=` is expanded */
#define VECTOR_MEMORY_MAX 16
#define VECTOR_MEMORY_BYTES_MAX 65536 /* of one `data` item */
#define VECTOR_TERMS_MAX 4	      /* of one sum */
#define VECTOR_RUNS_MAX 8
#define VECTOR_EXPECTED_MAX 64 /* items of one `run:` line */
#define VECTOR_ERRORS_MAX 16
#define VECTOR_AFTERS_MAX 16
#define VECTOR_STRING_BYTES_MAX 4096 /* all strings of a vector together */
#define VECTOR_NAME_BYTES 24
#define VECTOR_RULE_MAX 63

enum vector_term_kind {
	VECTOR_NUMBER,
	VECTOR_PAGE_BYTES, /* PAGE: bytes of a page on this machine */
	VECTOR_MEMORY,	   /* &name: index is the memory item */
	VECTOR_RET,	   /* $ret[index]: the address of that result */
	VECTOR_ARG,	   /* $arg[index][argument]: the address of that argument word */
	VECTOR_SLOT	   /* $slot[index]: the address of that slot */
};

struct vector_term {
	enum vector_term_kind kind;
	bool negative;
	long value;
	unsigned int index, argument;
};

/* A sum of terms. */
struct vector_word {
	unsigned int count;
	struct vector_term terms[VECTOR_TERMS_MAX];
};

struct vector_slot {
	unsigned int line, first; /* where it stands in the text; index of its first slot in the batch */
	unsigned int times;
	int nr;
	short jump_fail, jump_zero, jump_positive;
	unsigned char argc, slot_flags, reserved, words;
	struct vector_word arg[BATCH_ARGS_MAX];
};

enum vector_memory_kind {
	VECTOR_DATA,
	VECTOR_PAGE_NONE,
	VECTOR_PAGE_READ,
	VECTOR_PAGE_WRITE,
	VECTOR_FILE,
	VECTOR_MISSING
};

struct vector_memory {
	enum vector_memory_kind kind;
	char name[VECTOR_NAME_BYTES];
	unsigned int string, string_bytes; /* initial bytes, in strings[] */
	unsigned int bytes;		   /* of `data` */
};

enum vector_expected_kind { VECTOR_UNTOUCHED, VECTOR_NOT_NEGATIVE, VECTOR_POSITIVE, VECTOR_NAN, VECTOR_WORD };

struct vector_expected {
	enum vector_expected_kind kind;
	unsigned int times;
	struct vector_word word;
};

/* `run:` or `run(EXECUTOR):` */
struct vector_run {
	char executor[VECTOR_NAME_BYTES]; /* "" for every executor without a line of its own */
	unsigned int line, expected_count, last;
	struct vector_expected expected[VECTOR_EXPECTED_MAX];
};

/* `error:` or `error(EXECUTOR):` */
struct vector_refusal {
	char executor[VECTOR_NAME_BYTES];
	int code;
	enum batch_reason reason;
	long slot;
};

/* `after:` */
struct vector_after {
	unsigned int line;
	struct vector_word address, word;
	bool is_string;
	unsigned int string, string_bytes;
};

enum vector_array { VECTOR_ARRAY_GOOD, VECTOR_ARRAY_NULL, VECTOR_ARRAY_MISALIGNED };

struct vector {
	unsigned long rules; /* bit n: cites Rn */
	bool functions;	     /* `table: functions`: names are test functions, only `call` runs it */
	unsigned long flags;
	bool has_count;
	unsigned long count; /* `count:`, else the number of slots */
	enum vector_array slots_array, rets_array;
	unsigned int line_count, slot_count; /* slot lines; slots after expansion */
	struct vector_slot slots[VECTOR_SLOT_LINES_MAX];
	unsigned int memory_count;
	struct vector_memory memory[VECTOR_MEMORY_MAX];
	unsigned int run_count;
	struct vector_run runs[VECTOR_RUNS_MAX];
	unsigned int refusal_count;
	struct vector_refusal refusals[VECTOR_ERRORS_MAX];
	unsigned int after_count;
	struct vector_after afters[VECTOR_AFTERS_MAX];
	unsigned int string_bytes;
	char strings[VECTOR_STRING_BYTES_MAX];
};

struct vector_error {
	unsigned int line;
	char text[160];
};

/* Parse text[bytes] into *vector. Returns 0, or -EINVAL with *error filled. */
int vector_parse(struct vector *vector, const char *text, size_t bytes, struct vector_error *error);

/* What must happen on `executor`: exactly one of the two is not NULL, or none when the vector says nothing about it. */
const struct vector_run *vector_run_for(const struct vector *vector, const char *executor);
const struct vector_refusal *vector_refusal_for(const struct vector *vector, const char *executor);

/* Look up `name`: found values go to *value. Each returns whether the name is known. */
bool vector_call_number(const char *name, long *value);
bool vector_function_number(const char *name, long *value);
bool vector_reason(const char *name, long *value);
bool vector_constant(const char *name, long *value);

/* The name of an error number ("ENOSYS"), or NULL. */
const char *vector_errno_name(long code);

#endif /* FERRY_TESTS_CONFORMANCE_VECTOR_H */
