/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of calls by chance, in C, of which parts are taken from results of earlier calls: those of test_c_chains.c.
 * Parts that are taken stand for whole arguments, and in fields, elements, options, cases and maps.
 */
#ifndef FERRY_CHAIN_PROGRAM_H
#define FERRY_CHAIN_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "echo.h"

#define PATIENCE (60 * INT64_C(1000000000))
#define CHAINS 200
#define CALLS_MAX 16
#define NAP_MS 100
#define LATE (20 * INT64_C(1000000)) /* when a chain with a nap ends */
#define TAKES_MAX 16		     /* of one call, about */
#define ROOM_FOR_TAKES 64
#define NESTED_MAX 4 /* how often drawn shapes stand in each other: a message has at most 32 levels */
#define PATH_BYTES 160
#define BYTES_MAX (1U << 30)
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(method) (1U << (method))

enum method { ECHO, COMPLEX, ALL, MAYBE, OPEN, READ, CLOSE, FAIL, SUM, DIVIDE, DRAW, NAP };

/* A call: its number in the chain, and what the call in turn has given. */
struct step {
	enum method method;
	bool has_run; /* in turn; else it has no reply */
	enum ingress_status status;
	unsigned int nested;
	union {
		struct echo_echo_reply echo;
		struct echo_complex_reply complex;
		struct echo_all_reply all;
		struct echo_maybe_reply maybe;
		struct echo_open_reply open;
		struct echo_read_reply read;
		struct echo_close_reply close;
		struct echo_fail_reply fail;
		struct echo_sum_reply sum;
		struct echo_divide_reply divide;
		struct echo_draw_reply draw;
	} told;
};

/* A part of a result: where it is, and the value that it had in turn; NULL: it is not there. */
struct source {
	int step;
	char path[64];
	const void *value;
};

/* A part of an argument that is taken: where it stands, and the value that belongs there. */
struct take {
	char argument[PATH_BYTES];
	struct source source;
	bool is_option;
	void *at;
	size_t bytes;
};

struct program {
	uint64_t seed;
	ingress_token context;
	struct ferry_chain *chain;
	struct step steps[CALLS_MAX];
	int count;
	bool is_late; /* its time is over amid a call: what comes later does not run */
	/* of the call that is being made */
	struct take takes[ROOM_FOR_TAKES];
	unsigned int take_count, nested;
	/* memory of arguments */
	void *blocks[4096];
	unsigned int block_count;
};

static uint32_t below(struct program *program, uint32_t bound)
{
	program->seed = program->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(program->seed >> 33) % bound;
}

static void *memory(struct program *program, size_t bytes)
{
	void *block = calloc(1, bytes ? bytes : 1);

	assert_non_null(block);
	assert_in_range(program->block_count, 0, COUNT_OF(program->blocks) - 1);
	return program->blocks[program->block_count++] = block;
}

/* ---- parts of results -------------------------------------------------------------------------------------------- */

/* Choose an earlier call of these methods. Returns false when there is none, and often so. */
static bool choose(struct program *program, uint32_t methods, struct source *source)
{
	int fit[CALLS_MAX], count = 0;

	for (int i = 0; i < program->count; i++)
		if (methods & BIT(program->steps[i].method) && program->steps[i].nested <= NESTED_MAX)
			fit[count++] = i;
	if (!count || below(program, 10) < 3 || program->take_count >= TAKES_MAX)
		return false;
	*source = (struct source){ .step = fit[below(program, (uint32_t)count)] };
	return true;
}

/* The source leads to this path of its call's result, where this value is. */
static void lead(struct source *source, const void *value, const char *path)
{
	snprintf(source->path, sizeof(source->path), "%s", path);
	source->value = value;
}

static const struct echo_shape *part_of(const struct echo_shape *shape, uint32_t index)
{
	return index < shape->as.group.parts.count ? &shape->as.group.parts.items[index] : NULL;
}

/* A drawn shape, or a part of one: a drawn shape is a group. */
static bool choose_shape(struct program *program, struct source *source)
{
	uint32_t index = below(program, 5);
	char path[32];

	if (!choose(program, BIT(DRAW), source))
		return false;
	const struct step *step = &program->steps[source->step];

	if (index == 4) {
		lead(source, &step->told.draw.value, "");
		return true;
	}
	snprintf(path, sizeof(path), "group.parts[%u]", index);
	lead(source, step->status == INGRESS_OK ? part_of(&step->told.draw.value, index) : NULL, path);
	return true;
}

/* What the case of a part of a drawn shape carries. */
static bool choose_label(struct program *program, struct source *source)
{
	const bool is_caption = below(program, 2);
	const struct echo_shape *shape;
	size_t bytes;

	if (!choose_shape(program, source) || !*source->path)
		return false;
	shape = source->value;
	bytes = strlen(source->path);
	snprintf(source->path + bytes, sizeof(source->path) - bytes, is_caption ? ".caption" : ".label");
	source->value = NULL;
	if (shape && shape->which == (is_caption ? ECHO_SHAPE_CAPTION : ECHO_SHAPE_LABEL))
		source->value = is_caption ? &shape->as.caption : &shape->as.label;
	return true;
}

/* A request in a value of every type: the only one in its map has the key "kept". */
static bool choose_request(struct program *program, struct source *source)
{
	const struct echo_all_types *all;

	if (!choose(program, BIT(ALL), source))
		return false;
	all = &program->steps[source->step].told.all.value;
	switch (below(program, 3)) {
	case 0:
		lead(source, &all->an_object, "an_object");
		break;
	case 1:
		lead(source, all->objects_by_text.count ? &all->objects_by_text.items->value : NULL,
		     "objects_by_text.kept");
		break;
	default:
		lead(source, all->maybe_object.present ? &all->maybe_object.value : NULL, "maybe_object");
	}
	return true;
}

/* An option of a text. */
static bool choose_option(struct program *program, struct source *source)
{
	static const struct echo_option_string absent;
	uint32_t index = below(program, 4);
	const struct step *step;
	char path[32];

	if (!choose(program, BIT(MAYBE) | BIT(READ) | BIT(ALL), source))
		return false;
	step = &program->steps[source->step];
	if (step->method == MAYBE) {
		lead(source, &step->told.maybe.value, "");
	} else if (step->method == READ) {
		lead(source, &step->told.read.value, "");
	} else if (index == 3) {
		lead(source, &step->told.all.value.maybe_text, "maybe_text");
	} else {
		const struct echo_seq_option_string *words = &step->told.all.value.maybe_words;

		/* an element that is not there is absent where nothing may be */
		snprintf(path, sizeof(path), "maybe_words[%u]", index);
		lead(source, index < words->count ? &words->items[index] : &absent, path);
	}
	return true;
}

static bool choose_text(struct program *program, struct source *source)
{
	const struct echo_option_string *option;
	const struct echo_echo_request *request;
	const struct echo_shape_label *label;
	const struct step *step;
	size_t bytes;

	switch (below(program, 4)) {
	case 0:
		if (!choose_label(program, source))
			return false;
		label = source->value;
		bytes = strlen(source->path);
		snprintf(source->path + bytes, sizeof(source->path) - bytes, ".text");
		source->value = label ? &label->text : NULL;
		return true;
	case 1:
		if (!choose_request(program, source))
			return false;
		request = source->value;
		bytes = strlen(source->path);
		snprintf(source->path + bytes, sizeof(source->path) - bytes, ".message");
		source->value = request ? &request->message : NULL;
		return true;
	case 2:
		if (!choose_option(program, source))
			return false;
		option = source->value;
		source->value = option->present ? &option->value : NULL;
		return true;
	default:
		if (!choose(program, BIT(ECHO) | BIT(COMPLEX), source))
			return false;
		step = &program->steps[source->step];
		if (step->method == ECHO)
			lead(source, &step->told.echo.value.echoed, "echoed");
		else
			lead(source, &step->told.complex.value.summary, "summary");
		return true;
	}
}

static bool choose_number(struct program *program, struct source *source)
{
	const struct step *step;

	if (!choose(program, BIT(SUM) | BIT(DIVIDE) | BIT(COMPLEX) | BIT(ALL), source))
		return false;
	step = &program->steps[source->step];
	if (step->method == SUM)
		lead(source, &step->told.sum.value, "");
	else if (step->method == DIVIDE)
		lead(source, &step->told.divide.value, "");
	else if (step->method == COMPLEX)
		lead(source, &step->told.complex.value.retries, "retries");
	else
		lead(source, &step->told.all.value.an_i64, "an_i64");
	return true;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* This part of an argument, which stands at `at` in the value in turn, is taken. */
static void take(struct program *program, const struct source *source, void *at, size_t bytes, bool is_option,
		 const char *argument)
{
	const struct step *step = &program->steps[source->step];
	struct take *taken = &program->takes[program->take_count++];

	assert_in_range(program->take_count, 1, ROOM_FOR_TAKES);
	*taken = (struct take){ .source = *source, .is_option = is_option, .at = at, .bytes = bytes };
	snprintf(taken->argument, sizeof(taken->argument), "%s", argument);
	if (step->nested > program->nested)
		program->nested = step->nested;
}

/* The path of a part of an argument. */
struct path {
	char text[PATH_BYTES];
};
static struct path under(const char *argument, const char *part)
{
	struct path path;

	assert_in_range(snprintf(path.text, sizeof(path.text), "%s%s", argument, part), 1, PATH_BYTES - 1);
	return path;
}
static struct path element(const char *argument, size_t index)
{
	char part[32];

	snprintf(part, sizeof(part), "[%zu]", index);
	return under(argument, part);
}

static void make_text(struct program *program, struct ferry_string *at, const char *argument)
{
	static const char *const plain[] = { "", "t", "\xc3\xb6",
					     "a text that is longer than what comes in its place" };
	struct source source;

	*at = ferry_string(plain[below(program, COUNT_OF(plain))]);
	if (choose_text(program, &source))
		take(program, &source, at, sizeof(*at), false, argument);
}

static void make_request(struct program *program, struct echo_echo_request *at, const char *argument)
{
	struct source source;

	*at = (struct echo_echo_request){ ferry_string("not this"), 0 };
	if (below(program, 3) == 0 && choose_request(program, &source))
		take(program, &source, at, sizeof(*at), false, argument);
	else
		make_text(program, &at->message, under(argument, ".message").text);
}

static void make_label(struct program *program, struct echo_shape_label *at, const char *argument)
{
	struct source source;

	at->text = ferry_string("not this");
	if (below(program, 3) == 0 && choose_label(program, &source))
		take(program, &source, at, sizeof(*at), false, argument);
	else
		make_text(program, &at->text, under(argument, ".text").text);
}

static struct echo_seq_shape make_shapes(struct program *program, unsigned int depth, const char *argument);

static void make_shape(struct program *program, struct echo_shape *at, unsigned int depth, const char *argument)
{
	struct source source;

	memset(at, 0, sizeof(*at));
	switch (below(program, 5)) {
	case 0:
		if (depth < 2) {
			at->which = ECHO_SHAPE_GROUP;
			at->as.group.parts = make_shapes(program, depth + 1, under(argument, ".group.parts").text);
			break;
		}
		/* fall through */
	case 1:
	case 2:
		at->which = below(program, 2) ? ECHO_SHAPE_NOTHING : ECHO_SHAPE_CIRCLE;
		if (choose_shape(program, &source))
			take(program, &source, at, sizeof(*at), false, argument);
		break;
	case 3:
		at->which = ECHO_SHAPE_CAPTION;
		make_label(program, &at->as.caption, under(argument, ".caption").text);
		break;
	default:
		at->which = ECHO_SHAPE_LABEL;
		make_label(program, &at->as.label, under(argument, ".label").text);
	}
}

static struct echo_seq_shape make_shapes(struct program *program, unsigned int depth, const char *argument)
{
	size_t count = below(program, 4);
	struct echo_shape *items = memory(program, count * sizeof(*items));

	for (size_t i = 0; i < count; i++)
		make_shape(program, &items[i], depth, element(argument, i).text);
	return (struct echo_seq_shape){ items, count };
}

static void make_option(struct program *program, struct echo_option_string *at, const char *argument)
{
	struct source source;

	*at = (struct echo_option_string){ true, ferry_string("not this") };
	if (choose_option(program, &source))
		take(program, &source, at, sizeof(*at), true, argument);
	else if (below(program, 2))
		make_text(program, &at->value, argument);
}

static void make_number(struct program *program, int64_t *at, const char *argument)
{
	static const int64_t plain[] = { 0, 7, -1, INT64_MIN };
	struct source source;

	*at = plain[below(program, COUNT_OF(plain))];
	if (choose_number(program, &source))
		take(program, &source, at, sizeof(*at), false, argument);
}

static void make_reader(struct program *program, struct echo_reader *at)
{
	struct source source;

	*at = (struct echo_reader){ 12345 };
	if (!choose(program, BIT(OPEN), &source))
		return;
	lead(&source, &program->steps[source.step].told.open.value, "");
	take(program, &source, at, sizeof(*at), false, "reader");
}

static void make_all(struct program *program, struct echo_all_types *at)
{
	struct echo_option_string *words = memory(program, 2 * sizeof(*words));
	struct echo_map_string_i64_pair *number = memory(program, sizeof(*number));
	struct echo_map_string_echo_request_pair *object = memory(program, sizeof(*object));
	struct source source;

	*at = (struct echo_all_types){ .an_f64 = 0.5, .a_color = ECHO_COLOR_BLUE };
	at->maybe_words = (struct echo_seq_option_string){ words, 2 };
	at->number_by_text = (struct echo_map_string_i64){ number, 1 };
	at->objects_by_text = (struct echo_map_string_echo_request){ object, 1 };
	number->key = ferry_string("n");
	object->key = ferry_string("kept");
	make_request(program, &object->value, "value.objects_by_text.kept");
	make_number(program, &number->value, "value.number_by_text.n");
	make_option(program, &words[1], "value.maybe_words[1]");
	make_request(program, &at->an_object, "value.an_object");
	make_text(program, &at->a_string, "value.a_string");
	make_number(program, &at->an_i64, "value.an_i64");
	make_option(program, &at->maybe_text, "value.maybe_text");
	at->maybe_object.present = below(program, 2);
	if (at->maybe_object.present) {
		at->maybe_object.value.message = ferry_string("not this");
		if (choose_request(program, &source))
			take(program, &source, &at->maybe_object.value, sizeof(at->maybe_object.value), false,
			     "value.maybe_object");
	}
}

#endif
