/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains by chance, in C: a chain gives what the same calls one after another give, whether what is taken is there or
 * not, also where its time is over amid a call.
 *
 * An argument is made twice: with something else where parts are taken, for the chain, and with what the calls in turn
 * have given there. Those travel in format c and chains in cbor, so each format is held against the other.
 */
#include "chain_program.h"

#include <inttypes.h>

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/*
 * A call was appended: its parts are taken, in any order, and stand in its argument then. Returns the step, whose call
 * is made in turn if has_run says so: else it is known what it fails with. To need one that failed comes first.
 */
static struct step *append(struct program *program, enum method method, int call)
{
	struct step *step = &program->steps[program->count];
	const int cause =
		call > 0 && method != NAP && below(program, 8) == 0 ? (int)below(program, (uint32_t)call) : -1;

	assert_int_equal(call, program->count++);
	*step = (struct step){ .method = method, .status = INGRESS_OK };
	step->nested = program->nested + (method == DRAW);
	if (cause >= 0) {
		assert_int_equal(ferry_chain_after(program->chain, call, cause), 0);
		if (program->steps[cause].status != INGRESS_OK)
			step->status = INGRESS_SKIPPED;
	}
	while (program->take_count) {
		uint32_t chosen = below(program, program->take_count);
		const struct take taken = program->takes[chosen];
		const struct source *source = &taken.source;

		program->takes[chosen] = program->takes[--program->take_count];
		assert_int_equal((taken.is_option ? ferry_chain_take_option
						  : ferry_chain_take)(program->chain, call, taken.argument,
								      source->step, source->path),
				 0);
		if (program->steps[source->step].status != INGRESS_OK)
			step->status = INGRESS_SKIPPED;
		else if (source->value)
			memcpy(taken.at, source->value, taken.bytes);
		else if (step->status != INGRESS_SKIPPED)
			step->status = INGRESS_BAD_PAYLOAD;
	}
	if (program->is_late)
		step->status = INGRESS_TIMEOUT;
	step->has_run = step->status == INGRESS_OK;
	program->nested = 0;
	return step;
}

static void add_echo(struct program *program)
{
	struct echo_echo_request request;
	struct step *step;

	make_request(program, &request, "request");
	step = append(program, ECHO, echo_echo_chain(program->chain, &request));
	if (step->has_run)
		step->status = echo_echo(program->context, &request, PATIENCE, &step->told.echo);
}

static void add_complex(struct program *program)
{
	struct echo_echo_request messages[2];
	struct ferry_string tags[2];
	struct echo_complex_request request = { .messages = { messages, 2 }, .tags = { tags, 2 } };
	struct step *step;

	for (size_t i = 0; i < 2; i++) {
		make_request(program, &messages[i], element("request.messages", i).text);
		make_text(program, &tags[i], element("request.tags", i).text);
	}
	make_option(program, &request.note, "request.note");
	step = append(program, COMPLEX, echo_complex_chain(program->chain, &request));
	if (step->has_run)
		step->status = echo_complex(program->context, &request, PATIENCE, &step->told.complex);
}

static void add_all(struct program *program)
{
	struct echo_all_types value;
	struct step *step;

	make_all(program, &value);
	step = append(program, ALL, echo_all_chain(program->chain, &value));
	if (step->has_run)
		step->status = echo_all(program->context, &value, PATIENCE, &step->told.all);
}

static void add_maybe(struct program *program)
{
	struct echo_option_string value;
	struct step *step;

	make_option(program, &value, "value");
	step = append(program, MAYBE, echo_maybe_chain(program->chain, value));
	if (step->has_run)
		step->status = echo_maybe(program->context, value, PATIENCE, &step->told.maybe);
}

static void add_open(struct program *program)
{
	struct ferry_string text;
	struct step *step;

	make_text(program, &text, "text");
	step = append(program, OPEN, echo_open_chain(program->chain, text));
	if (step->has_run)
		step->status = echo_open(program->context, text, PATIENCE, &step->told.open);
}

/* Whole texts, since what is cut within a letter is none. */
static void add_read(struct program *program)
{
	struct echo_reader reader;
	struct step *step;

	make_reader(program, &reader);
	step = append(program, READ, echo_read_chain(program->chain, reader, BYTES_MAX));
	if (step->has_run)
		step->status = echo_read(program->context, reader, BYTES_MAX, PATIENCE, &step->told.read);
}

static void add_close(struct program *program)
{
	struct echo_reader reader;
	struct step *step;

	make_reader(program, &reader);
	step = append(program, CLOSE, echo_close_chain(program->chain, reader));
	if (step->has_run)
		step->status = echo_close(program->context, reader, PATIENCE, &step->told.close);
}

static void add_fail(struct program *program)
{
	struct ferry_string message;
	struct step *step;

	make_text(program, &message, "message");
	step = append(program, FAIL, echo_fail_chain(program->chain, message));
	if (step->has_run)
		step->status = echo_fail(program->context, message, PATIENCE, &step->told.fail);
}

static void add_sum(struct program *program)
{
	int64_t left, right;
	struct step *step;

	make_number(program, &left, "left");
	make_number(program, &right, "right");
	step = append(program, SUM, echo_sum_chain(program->chain, left, right));
	if (step->has_run)
		step->status = echo_sum(left, right, PATIENCE, &step->told.sum);
}

static void add_divide(struct program *program)
{
	int64_t dividend, divisor;
	struct step *step;

	make_number(program, &dividend, "dividend");
	make_number(program, &divisor, "divisor");
	step = append(program, DIVIDE, echo_divide_chain(program->chain, dividend, divisor));
	if (step->has_run)
		step->status = echo_divide(program->context, dividend, divisor, PATIENCE, &step->told.divide);
}

static void add_draw(struct program *program)
{
	struct echo_drawing drawing = { .is_colored.which = ECHO_DRAWING_BY_IS_COLORED_FALSE };
	struct echo_option_shape extra = { .present = below(program, 2) };
	struct step *step;

	if (below(program, 2))
		drawing.is_colored = (struct echo_drawing_by_is_colored){ .which = ECHO_DRAWING_BY_IS_COLORED_TRUE,
									  .as.true_.color = ECHO_COLOR_BLUE };
	make_text(program, &drawing.name, "drawing.name");
	drawing.shapes = make_shapes(program, 0, "drawing.shapes");
	if (extra.present)
		make_shape(program, &extra.value, 0, "extra");
	step = append(program, DRAW, echo_draw_chain(program->chain, &drawing, extra));
	if (step->has_run)
		step->status = echo_draw(program->context, &drawing, extra, PATIENCE, &step->told.draw);
}

/* A call that is longer than its chain may take. */
static void add_nap(struct program *program)
{
	program->is_late = true;
	append(program, NAP, echo_nap_chain(program->chain, NAP_MS));
}

/* ---- what came of it --------------------------------------------------------------------------------------------- */

static bool same_text(struct ferry_string a, struct ferry_string b)
{
	return a.bytes == b.bytes && (!a.bytes || !memcmp(a.data, b.data, a.bytes));
}

/* Whether two values are the same, by what they are in format cbor. */
#define DEFINE_SAME(type, name)                                                                                        \
	static bool same_##name(type a, type b)                                                                        \
	{                                                                                                              \
		struct ferry_buffer one = { 0 }, two = { 0 };                                                          \
		struct ferry_wire_error error;                                                                         \
		bool same;                                                                                             \
                                                                                                                       \
		assert_int_equal(echo_##name##_encode_cbor(&a, &one, &error), 0);                                      \
		assert_int_equal(echo_##name##_encode_cbor(&b, &two, &error), 0);                                      \
		same = one.bytes == two.bytes && !memcmp(one.data, two.data, one.bytes);                               \
		ferry_buffer_free(&one);                                                                               \
		ferry_buffer_free(&two);                                                                               \
		return same;                                                                                           \
	}
DEFINE_SAME(struct echo_echo_response, echo_response)
DEFINE_SAME(struct echo_complex_response, complex_response)
DEFINE_SAME(struct echo_all_types, all_types)
DEFINE_SAME(struct echo_option_string, option_string)
DEFINE_SAME(struct echo_shape, shape)
DEFINE_SAME(struct echo_draw_error, draw_error)

/* Whether a call has ended so since the time of its chain was over, which may be before a call that took little. */
static bool is_late(const struct program *program, enum ingress_status status)
{
	return program->is_late && (status == INGRESS_TIMEOUT || status == INGRESS_SKIPPED);
}

/* Hold the result of call i in the chain against that of the call in turn, of which `same` compares the values. */
#define HOLD(method, same, same_error)                                                                                 \
	do {                                                                                                           \
		struct echo_##method##_reply found, *told = &step->told.method;                                        \
		const enum ingress_status status = echo_##method##_result(program->chain, i, &found);                  \
                                                                                                                       \
		if (!is_late(program, status)) {                                                                       \
			assert_int_equal(status, step->status);                                                        \
			assert_true(status != INGRESS_OK || (same));                                                   \
			assert_true(!step->has_run || status != INGRESS_RAISED || (same_error));                       \
			assert_true(!step->has_run || same_text(found.message, told->message));                        \
		}                                                                                                      \
		if (step->has_run)                                                                                     \
			echo_##method##_reply_free(told);                                                              \
		echo_##method##_reply_free(&found);                                                                    \
	} while (0)

/* It is answered where the machine had no time for this thread. */
static void hold_nap(struct program *program, int i)
{
	struct echo_nap_reply found;
	const enum ingress_status status = echo_nap_result(program->chain, i, &found);

	assert_true(status == INGRESS_OK || status == INGRESS_TIMEOUT);
	echo_nap_reply_free(&found);
}

static void hold(struct program *program, int i)
{
	struct step *step = &program->steps[i];

	switch (step->method) {
	case NAP:
		hold_nap(program, i);
		break;
	case ECHO:
		HOLD(echo, same_echo_response(found.value, told->value), false);
		break;
	case COMPLEX:
		HOLD(complex, same_complex_response(found.value, told->value), false);
		break;
	case ALL:
		HOLD(all, same_all_types(found.value, told->value), false);
		break;
	case MAYBE:
		HOLD(maybe, same_option_string(found.value, told->value), false);
		break;
	case OPEN:
		HOLD(open, true, false);
		break;
	case READ:
		HOLD(read, same_option_string(found.value, told->value), false);
		break;
	case CLOSE:
		HOLD(close, true, false);
		break;
	case FAIL:
		HOLD(fail, false, false);
		break;
	case SUM:
		HOLD(sum, found.value == told->value, false);
		break;
	case DIVIDE:
		HOLD(divide, found.value == told->value, found.error == told->error);
		break;
	default:
		HOLD(draw, same_shape(found.value, told->value), same_draw_error(found.error, told->error));
	}
}

static void run(uint64_t seed, unsigned int *seen)
{
	static void (*const adds[])(struct program *) = { add_echo, add_complex, add_all,    add_maybe, add_open,
							  add_read, add_read,	 add_close,  add_fail,	add_sum,
							  add_sum,  add_divide,	 add_divide, add_draw,	add_draw,
							  add_draw, add_draw };
	struct program *program = calloc(1, sizeof(*program));
	struct echo_create_reply created;
	uint32_t calls;

	assert_non_null(program);
	program->seed = seed;
	assert_int_equal(echo_create(NULL, ferry_string("hi "), PATIENCE, &program->context, &created), INGRESS_OK);
	echo_create_reply_free(&created);
	program->chain = ferry_chain_create(program->context);
	for (calls = 1 + below(program, CALLS_MAX); calls; calls--)
		if (!program->is_late && below(program, 64) == 0)
			add_nap(program);
		else
			adds[below(program, COUNT_OF(adds))](program);
	assert_int_equal(ferry_chain_ask(program->chain, program->is_late ? LATE : PATIENCE), INGRESS_OK);
	for (int i = 0; i < program->count; i++) {
		hold(program, i);
		seen[program->steps[i].status]++;
	}
	ferry_chain_free(program->chain);
	assert_int_equal(echo_destroy(program->context, PATIENCE), INGRESS_OK);
	while (program->block_count)
		free(program->blocks[--program->block_count]);
	free(program);
}

static uint64_t seed_of_chain; /* of the one that is run; 0: none is */

static int say_seed(void **state)
{
	(void)state;
	if (seed_of_chain)
		printf("# a_chain_gives_what_calls_in_turn_give: seed %" PRIu64 "\n", seed_of_chain);
	return 0;
}

static void a_chain_gives_what_calls_in_turn_give(void **state)
{
	static const enum ingress_status ends[] = { INGRESS_OK,		 INGRESS_RAISED, INGRESS_SKIPPED,
						    INGRESS_BAD_PAYLOAD, INGRESS_FAILED, INGRESS_BAD_HANDLE,
						    INGRESS_TIMEOUT };
	unsigned int seen[64] = { 0 };

	(void)state;
	for (seed_of_chain = 1; seed_of_chain <= CHAINS; seed_of_chain++)
		run(seed_of_chain, seen);
	seed_of_chain = 0;
	/* chains come to something, and fail in every way that they can */
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		assert_in_range(seen[ends[i]], 30, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_chain_gives_what_calls_in_turn_give, say_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
