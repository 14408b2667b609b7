/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library echo in C: what examples/echo/echo.nim is in Nim. `ferry bindgen echo.json --provider c` made the first
 * form of this file, and makes generated/. An echo that is to come later waits in a list, in order of its time.
 *
 * long: one library with something of everything.
 */
#include "generated/echo_provider.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* An echo that is to come. */
struct later {
	struct later *next;
	int64_t due_ns;
	struct echo_echo_call *call;
	int64_t delay_ms;
	size_t bytes;
	char message[];
};

/* A nap that is not over. */
struct nap {
	struct nap *next;
	int64_t due_ns;
	struct echo_nap_call *call;
};

/* A count that is not over. `call` is what waits for its numbers; `next` lists the counts that have one. */
struct echo_count_stream_object {
	struct echo_count_stream_object *next;
	void *call;
	bool is_open; /* whether hosts have its handle, and `call` is one of count_next */
	struct echo_count_stream handle;
	uint32_t credits;
	uint32_t number, up_to, text_bytes;
	struct echo_option_u32 fail_at;
	int64_t delay_ms, due_ns;
};

/* A question to the host that is open, and the call that goes on with its answer. */
struct echo_pick_question_object {
	struct echo_pick_question_object *next;
	struct echo_consult_call *call;
	struct echo_pick_question handle;
	int64_t due_ns;
	size_t count;
	struct ferry_string choices[]; /* the texts are valid until the call is answered */
};

/* What the library keeps for one context. */
struct echo_state {
	struct later *first; /* the next that is due */
	struct nap *naps;
	struct echo_count_stream_object *waiting;
	struct echo_pick_question_object *questions;
	uint32_t question_count;
	struct echo_counts counts;
	uint32_t cancellations;
	size_t bytes;
	char prefix[];
};

/* Reads a text in pieces. */
struct echo_reader_object {
	size_t position;
	size_t bytes;
	char text[];
};

void echo_reader_free(struct echo_reader_object *object)
{
	free(object);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Whether a delay is one that may be asked for; otherwise a sentence that says so is in `message`. */
static bool is_delay(int64_t delay_ms, char *message, size_t bytes)
{
	if (delay_ms >= 0 && delay_ms <= ECHO_MAX_DELAY_MS)
		return true;
	snprintf(message, bytes, "the delay has to be from 0 to %u ms", (unsigned int)ECHO_MAX_DELAY_MS);
	return false;
}

/* ---- the context ------------------------------------------------------------------------------------------------- */

void echo_create(struct echo_context *context, struct echo_create_call *call, const struct echo_create_params *params)
{
	struct echo_state *state;

	if (params->prefix.bytes == 4 && !memcmp(params->prefix.data, "fail", 4)) {
		echo_create_fail(call, ferry_string("the prefix says to fail"));
		return;
	}
	state = malloc(sizeof(*state) + params->prefix.bytes + 1);
	if (!state) {
		echo_create_fail(call, ferry_string("no memory"));
		return;
	}
	state->first = NULL;
	state->naps = NULL;
	state->waiting = NULL;
	state->questions = NULL;
	state->question_count = 0;
	state->counts = (struct echo_counts){ 0 };
	state->cancellations = 0;
	state->bytes = params->prefix.bytes;
	memcpy(state->prefix, params->prefix.data, state->bytes);
	context->state = state;
	echo_create_answer(call);
}

void echo_destroy(struct echo_context *context)
{
	free(context->state);
}

/* ---- echo -------------------------------------------------------------------------------------------------------- */

/* Echo a message now. */
static void give(struct echo_context *context, struct echo_echo_call *call, struct ferry_string message,
		 int64_t delay_ms)
{
	const struct echo_state *state = context->state;
	char small[256], timer[32];
	char *text = state->bytes + message.bytes <= sizeof(small) ? small : malloc(state->bytes + message.bytes);
	struct echo_echo_response response;

	if (!text) {
		echo_echo_fail(call, ferry_string("no memory"));
		return;
	}
	memcpy(text, state->prefix, state->bytes);
	if (message.bytes)
		memcpy(text + state->bytes, message.data, message.bytes);
	snprintf(timer, sizeof(timer), "%" PRId64 " ms", delay_ms);
	response.echoed = (struct ferry_string){ text, state->bytes + message.bytes };
	response.timer = ferry_string(timer);
	echo_emit_echoed(context, &response);
	echo_echo_answer(call, &response);
	if (text != small)
		free(text);
}

void echo_echo(struct echo_context *context, struct echo_echo_call *call, const struct echo_echo_params *params)
{
	const struct echo_echo_request *request = &params->request;
	struct later *later, **at = &context->state->first;
	char message[80];

	if (!is_delay(request->delay_ms, message, sizeof(message))) {
		echo_echo_fail(call, ferry_string(message));
		return;
	}
	if (request->delay_ms == 0) {
		give(context, call, request->message, 0);
		return;
	}
	later = malloc(sizeof(*later) + request->message.bytes + 1);
	if (!later) {
		echo_echo_fail(call, ferry_string("no memory"));
		return;
	}
	later->due_ns = now_ns() + request->delay_ms * 1000000;
	later->call = call;
	later->delay_ms = request->delay_ms;
	later->bytes = request->message.bytes;
	if (later->bytes)
		memcpy(later->message, request->message.data, later->bytes);
	while (*at && (*at)->due_ns <= later->due_ns)
		at = &(*at)->next;
	later->next = *at;
	*at = later;
}

/* Give the echoes that are due. Returns how long it is until the next. */
static int64_t give_all(struct echo_context *context)
{
	struct later *later;

	while ((later = context->state->first)) {
		int64_t now = now_ns();

		if (later->due_ns > now)
			return later->due_ns - now;
		context->state->first = later->next;
		give(context, later->call, (struct ferry_string){ later->message, later->bytes }, later->delay_ms);
		free(later);
	}
	return INGRESS_FOREVER;
}

/* ---- what may be cancelled --------------------------------------------------------------------------------------- */

void echo_nap(struct echo_context *context, struct echo_nap_call *call, const struct echo_nap_params *params)
{
	struct nap *nap;
	char message[80];

	if (!is_delay(params->delay_ms, message, sizeof(message))) {
		echo_nap_fail(call, ferry_string(message));
		return;
	}
	nap = malloc(sizeof(*nap));
	if (!nap) {
		echo_nap_fail(call, ferry_string("no memory"));
		return;
	}
	*nap = (struct nap){ context->state->naps, now_ns() + params->delay_ms * 1000000, call };
	context->state->naps = nap;
}

/* End the naps that are over. Returns how long it is until the next. */
static int64_t end_naps(struct echo_state *state)
{
	int64_t now = now_ns(), least_ns = INGRESS_FOREVER;
	struct nap **at = &state->naps, *nap;

	while ((nap = *at)) {
		if (nap->due_ns <= now) {
			*at = nap->next;
			echo_nap_answer(nap->call);
			free(nap);
			continue;
		}
		if (nap->due_ns - now < least_ns)
			least_ns = nap->due_ns - now;
		at = &nap->next;
	}
	return least_ns;
}

/* End a count whose host wants no more numbers. */
static void stop_counting(struct echo_context *context, struct echo_count_stream_object *count)
{
	struct echo_count_stream_object **at = &context->state->waiting;

	while (*at && *at != count)
		at = &(*at)->next;
	if (*at)
		*at = count->next;
	if (count->call && count->is_open)
		echo_count_next_give_up(count->call);
	else if (count->call)
		echo_count_give_up(count->call);
	if (count->handle.id)
		echo_count_stream_close(context, count->handle);
	context->state->counts.stopped++;
	context->state->counts.running--;
	free(count);
}

/* Take a question out of the list; its handle is refused from now on. */
static void close_question(struct echo_context *context, struct echo_pick_question_object *question)
{
	struct echo_pick_question_object **at = &context->state->questions;

	while (*at != question)
		at = &(*at)->next;
	*at = question->next;
	context->state->question_count--;
	echo_pick_question_close(context, question->handle);
}

void echo_cancelled(struct echo_context *context, const void *call)
{
	struct nap **at = context->state ? &context->state->naps : NULL, *nap;

	for (struct echo_count_stream_object *count = at ? context->state->waiting : NULL; count; count = count->next)
		if (count->call == call) {
			stop_counting(context, count);
			return;
		}
	for (struct echo_pick_question_object *each = at ? context->state->questions : NULL; each; each = each->next)
		if (each->call == call) {
			close_question(context, each);
			echo_consult_give_up(each->call);
			free(each);
			return;
		}
	for (; at && (nap = *at); at = &nap->next)
		if (nap->call == call) {
			*at = nap->next;
			context->state->cancellations++;
			echo_nap_give_up(nap->call);
			free(nap);
			return;
		}
}

void echo_spin(struct echo_context *context, struct echo_spin_call *call, const struct echo_spin_params *params)
{
	char message[80];
	int64_t over_ns;

	if (!is_delay(params->delay_ms, message, sizeof(message))) {
		echo_spin_fail(call, ferry_string(message));
		return;
	}
	over_ns = now_ns() + params->delay_ms * 1000000;
	while (now_ns() < over_ns)
		if (echo_spin_cancelled(call)) {
			context->state->cancellations++;
			echo_spin_give_up(call);
			return;
		}
	echo_spin_answer(call);
}

void echo_cancellations(struct echo_context *context, struct echo_cancellations_call *call)
{
	echo_cancellations_answer(call, context->state->cancellations);
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

void echo_count_stream_free(struct echo_count_stream_object *object)
{
	free(object);
}

static bool fails_next(const struct echo_count_stream_object *count)
{
	return count->fail_at.present && count->fail_at.value == count->number;
}

/* How many numbers can be given now. */
static uint32_t ready(const struct echo_count_stream_object *count)
{
	enum { PART_BYTES_MAX = 65536, NUMBER_BYTES = 16 };
	uint32_t most = PART_BYTES_MAX / (count->text_bytes + NUMBER_BYTES) + 1;
	uint32_t left = count->up_to - count->number;

	if (count->delay_ms > 0)
		return now_ns() >= count->due_ns && !fails_next(count) && left > 0;
	if (count->fail_at.present && count->fail_at.value - count->number < left)
		left = count->fail_at.value - count->number;
	if (left > count->credits)
		left = count->credits;
	return left < most ? left : most;
}

/* Answer the call of a count with so many numbers, and the count's end if they are the last. */
static void give_numbers(struct echo_context *context, struct echo_count_stream_object *count, uint32_t numbers)
{
	struct echo_counted *items = calloc(numbers + 1, sizeof(*items));
	char *text = malloc(count->text_bytes + 1);
	struct echo_count_part part = { .values = { items, numbers } };
	bool is_open = count->is_open;
	void *call = count->call;

	if (!items || !text) {
		stop_counting(context, count);
		goto out;
	}
	memset(text, 'x', count->text_bytes);
	for (uint32_t i = 0; i < numbers; i++)
		items[i] = (struct echo_counted){ count->number++, { text, count->text_bytes } };
	count->due_ns += count->delay_ms * 1000000;
	context->state->counts.given += numbers;
	count->call = NULL;
	if (count->number < count->up_to) {
		if (!count->handle.id)
			count->handle = echo_count_stream_open(context, count);
		count->is_open = true;
		part.stream = (struct echo_option_count_stream){ true, count->handle };
	} else {
		if (count->handle.id)
			echo_count_stream_close(context, count->handle);
		context->state->counts.running--;
		free(count);
	}
	if (is_open)
		echo_count_next_answer(call, &part);
	else if (part.stream.present && !part.stream.value.id) {
		echo_count_fail(call, ferry_string("no memory for another stream"));
		context->state->counts.running--;
		free(count);
	} else
		echo_count_answer(call, &part);
out:
	free(text);
	free(items);
}

static void fail_counting(struct echo_context *context, struct echo_count_stream_object *count)
{
	if (count->is_open)
		echo_count_next_raise(count->call, ECHO_COUNT_ERROR_TOO_FAR);
	else
		echo_count_raise(count->call, ECHO_COUNT_ERROR_TOO_FAR);
	if (count->handle.id)
		echo_count_stream_close(context, count->handle);
	context->state->counts.running--;
	free(count);
}

/* Answer the call of a count if there is something to answer with. Returns whether there was. */
static bool go_on(struct echo_context *context, struct echo_count_stream_object *count)
{
	uint32_t numbers = ready(count);
	bool nobody_waits = count->is_open ? echo_count_next_cancelled(count->call) : echo_count_cancelled(count->call);

	if (nobody_waits)
		stop_counting(context, count);
	else if (numbers > 0 || count->number == count->up_to)
		give_numbers(context, count, numbers);
	else if (fails_next(count) && now_ns() >= count->due_ns)
		fail_counting(context, count);
	else
		return false;
	return true;
}

/* Answer a call of a count, now or later. */
static void serve_count(struct echo_context *context, struct echo_count_stream_object *count, void *call,
			uint32_t credits)
{
	count->call = call;
	count->credits = credits ? credits : 1;
	if (go_on(context, count))
		return;
	count->next = context->state->waiting;
	context->state->waiting = count;
}

void echo_count(struct echo_context *context, struct echo_count_call *call, const struct echo_count_params *params)
{
	const struct echo_count_request *request = &params->request;
	struct echo_count_stream_object *count;
	char message[80];

	if (!is_delay(request->delay_ms, message, sizeof(message))) {
		echo_count_fail(call, ferry_string(message));
		return;
	}
	count = calloc(1, sizeof(*count));
	if (!count) {
		echo_count_fail(call, ferry_string("no memory"));
		return;
	}
	count->up_to = request->up_to;
	count->fail_at = request->fail_at;
	count->text_bytes = request->text_bytes;
	count->delay_ms = request->delay_ms;
	count->due_ns = now_ns() + request->delay_ms * 1000000;
	context->state->counts.running++;
	serve_count(context, count, call, params->credits);
}

void echo_count_next(struct echo_context *context, struct echo_count_next_call *call,
		     const struct echo_count_next_params *params)
{
	struct echo_count_stream_object *count = echo_count_stream_object(context, params->stream);

	if (count->call)
		echo_count_next_fail(call, ferry_string("another request of this stream waits for values"));
	else
		serve_count(context, count, call, params->credits);
}

void echo_count_close(struct echo_context *context, struct echo_count_close_call *call,
		      const struct echo_count_close_params *params)
{
	stop_counting(context, echo_count_stream_object(context, params->stream));
	echo_count_close_answer(call);
}

void echo_counting(struct echo_context *context, struct echo_counting_call *call)
{
	echo_counting_answer(call, &context->state->counts);
}

/* Go on with the counts whose next number is due. Returns how long it is until the next. */
static int64_t count_on(struct echo_context *context)
{
	struct echo_count_stream_object **at = &context->state->waiting, *count;
	int64_t least_ns = INGRESS_FOREVER, now = now_ns();

	while ((count = *at)) {
		if (count->due_ns <= now) {
			*at = count->next;
			if (go_on(context, count))
				continue;
			count->next = *at;
			*at = count;
		}
		if (count->due_ns - now < least_ns)
			least_ns = count->due_ns > now ? count->due_ns - now : 0;
		at = &count->next;
	}
	return least_ns;
}

/* ---- questions to the host --------------------------------------------------------------------------------------- */

enum { QUESTIONS_MAX = 64, LOOK_MS = 100 };

void echo_pick_question_free(struct echo_pick_question_object *object)
{
	free(object);
}

static void consulted(struct echo_consult_call *call, enum echo_consultation outcome, struct ferry_string text)
{
	const struct echo_consulted consulted = { outcome, text };

	echo_consult_answer(call, &consulted);
}

/* A question has its outcome: its call goes on. */
static void end_question(struct echo_context *context, struct echo_pick_question_object *question,
			 enum echo_consultation outcome, struct ferry_string text)
{
	close_question(context, question);
	consulted(question->call, outcome, text);
	free(question);
}

void echo_consult(struct echo_context *context, struct echo_consult_call *call,
		  const struct echo_consult_params *params)
{
	struct echo_state *state = context->state;
	struct echo_pick_question_object *question;
	struct echo_pick_asked asked = { .title = params->title, .choices = params->choices };

	if (state->question_count == QUESTIONS_MAX) {
		consulted(call, ECHO_CONSULTATION_TOO_MANY, ferry_string("64 questions are open"));
		return;
	}
	if (!echo_hears_pick(context)) {
		consulted(call, ECHO_CONSULTATION_UNHEARD, ferry_string("nobody answers"));
		return;
	}
	question = malloc(sizeof(*question) + params->choices.count * sizeof(*question->choices));
	if (question)
		question->handle = echo_pick_question_open(context, question);
	if (!question || !question->handle.id) {
		free(question);
		echo_consult_fail(call, ferry_string("no memory for another question"));
		return;
	}
	question->call = call;
	question->due_ns = now_ns() + params->wait_ms * INT64_C(1000000);
	question->count = params->choices.count;
	if (question->count)
		memcpy(question->choices, params->choices.items, question->count * sizeof(*question->choices));
	question->next = state->questions;
	state->questions = question;
	state->question_count++;
	asked.question = question->handle;
	echo_emit_pick(context, &asked);
}

void echo_pick_return(struct echo_context *context, struct echo_pick_return_call *call,
		      const struct echo_pick_return_params *params)
{
	struct echo_pick_question_object *question = echo_pick_question_object(context, params->question);

	if (params->value < question->count) {
		end_question(context, question, ECHO_CONSULTATION_ANSWERED, question->choices[params->value]);
	} else {
		close_question(context, question);
		echo_consult_fail(question->call, ferry_string("there is no such choice"));
		free(question);
	}
	echo_pick_return_answer(call);
}

void echo_pick_raise(struct echo_context *context, struct echo_pick_raise_call *call,
		     const struct echo_pick_raise_params *params)
{
	const char *why = params->error == ECHO_PICK_ERROR_NONE_FITS ? "noneFits" : "asksTooMuch";

	end_question(context, echo_pick_question_object(context, params->question), ECHO_CONSULTATION_REFUSED,
		     ferry_string(why));
	echo_pick_raise_answer(call);
}

void echo_pick_fail(struct echo_context *context, struct echo_pick_fail_call *call,
		    const struct echo_pick_fail_params *params)
{
	end_question(context, echo_pick_question_object(context, params->question), ECHO_CONSULTATION_FAILED,
		     params->message);
	echo_pick_fail_answer(call);
}

void echo_asking(struct echo_context *context, struct echo_asking_call *call)
{
	echo_asking_answer(call, context->state->question_count);
}

/* End the questions to which no answer will come. Returns how long it is until the next look. */
static int64_t look_at_questions(struct echo_context *context)
{
	int64_t now = now_ns(), least_ns = INGRESS_FOREVER;
	bool is_heard = !context->state->questions || echo_hears_pick(context);

	for (struct echo_pick_question_object *each = context->state->questions, *next; each; each = next) {
		next = each->next;
		if (echo_consult_cancelled(each->call)) {
			close_question(context, each);
			echo_consult_give_up(each->call);
			free(each);
		} else if (each->due_ns <= now) {
			end_question(context, each, ECHO_CONSULTATION_TOO_LATE, ferry_string("no answer came in time"));
		} else if (!is_heard) {
			end_question(context, each, ECHO_CONSULTATION_UNHEARD, ferry_string("nobody answers"));
		} else {
			int64_t left_ns =
				each->due_ns - now < LOOK_MS * 1000000 ? each->due_ns - now : LOOK_MS * 1000000;

			least_ns = left_ns < least_ns ? left_ns : least_ns;
		}
	}
	return least_ns;
}

int64_t echo_turn(struct echo_context *context)
{
	int64_t echo_ns, nap_ns, count_ns, look_ns;

	if (!context->state)
		return INGRESS_FOREVER;
	echo_ns = give_all(context);
	nap_ns = end_naps(context->state);
	count_ns = count_on(context);
	look_ns = look_at_questions(context);
	if (look_ns < nap_ns)
		nap_ns = look_ns;
	if (nap_ns < echo_ns)
		echo_ns = nap_ns;
	return count_ns < echo_ns ? count_ns : echo_ns;
}

/* ---- complex ----------------------------------------------------------------------------------------------------- */

/* Write a text where it goes. Returns where to go on. */
static char *copied(char *at, struct ferry_string text)
{
	if (text.bytes)
		memcpy(at, text.data, text.bytes);
	return at + text.bytes;
}

/* Write a text where it goes, with a comma before it unless it is the first. Returns where to go on. */
static char *append(char *at, struct ferry_string text, bool is_first)
{
	if (!is_first)
		*at++ = ',';
	return copied(at, text);
}

void echo_complex(struct echo_context *context, struct echo_complex_call *call,
		  const struct echo_complex_params *params)
{
	const struct echo_complex_request *request = &params->request;
	struct echo_complex_response response = {
		.item_count = (uint32_t)(request->messages.count + request->tags.count),
		.has_note = request->note.present,
		.retries = request->retries.present ? request->retries.value : -1,
	};
	size_t bytes = 1 + response.item_count;
	char *text, *at;

	(void)context;
	for (size_t i = 0; i < request->messages.count; i++)
		bytes += request->messages.items[i].message.bytes;
	for (size_t i = 0; i < request->tags.count; i++)
		bytes += request->tags.items[i].bytes;
	at = text = malloc(bytes);
	if (!text) {
		echo_complex_fail(call, ferry_string("no memory"));
		return;
	}
	for (size_t i = 0; i < request->messages.count; i++)
		at = append(at, request->messages.items[i].message, i == 0);
	*at++ = ';';
	for (size_t i = 0; i < request->tags.count; i++)
		at = append(at, request->tags.items[i], i == 0);
	response.summary = (struct ferry_string){ text, (size_t)(at - text) };
	echo_complex_answer(call, &response);
	free(text);
}

/* ---- what comes back as it is ------------------------------------------------------------------------------------ */

void echo_bytes(struct echo_context *context, struct echo_bytes_call *call, const struct echo_bytes_params *params)
{
	(void)context;
	echo_bytes_answer(call, params->payload);
}

void echo_fail(struct echo_context *context, struct echo_fail_call *call, const struct echo_fail_params *params)
{
	(void)context;
	echo_fail_fail(call, params->message);
}

void echo_all(struct echo_context *context, struct echo_all_call *call, const struct echo_all_params *params)
{
	(void)context;
	echo_all_answer(call, &params->value);
}

void echo_tree(struct echo_context *context, struct echo_tree_call *call, const struct echo_tree_params *params)
{
	(void)context;
	echo_tree_answer(call, &params->root);
}

void echo_maybe(struct echo_context *context, struct echo_maybe_call *call, const struct echo_maybe_params *params)
{
	(void)context;
	echo_maybe_answer(call, params->value);
}

void echo_divide(struct echo_context *context, struct echo_divide_call *call, const struct echo_divide_params *params)
{
	(void)context;
	if (params->divisor == 0)
		echo_divide_raise(call, ECHO_DIVIDE_ERROR_BY_ZERO);
	else if (params->dividend == INT64_MIN && params->divisor == -1)
		echo_divide_raise(call, ECHO_DIVIDE_ERROR_OVERFLOW);
	else
		echo_divide_answer(call, params->dividend / params->divisor);
}

void echo_ticks(struct echo_context *context, struct echo_ticks_call *call, const struct echo_ticks_params *params)
{
	for (uint32_t i = 0; i < params->count; i++)
		echo_emit_tick(context);
	echo_ticks_answer(call);
}

/* ---- readers ----------------------------------------------------------------------------------------------------- */

void echo_open(struct echo_context *context, struct echo_open_call *call, const struct echo_open_params *params)
{
	struct echo_reader_object *reader = malloc(sizeof(*reader) + params->text.bytes + 1);
	struct echo_reader handle;

	if (!reader) {
		echo_open_fail(call, ferry_string("no memory"));
		return;
	}
	reader->position = 0;
	reader->bytes = params->text.bytes;
	if (reader->bytes)
		memcpy(reader->text, params->text.data, reader->bytes);
	handle = echo_reader_open(context, reader);
	if (!handle.id)
		free(reader);
	echo_open_answer(call, handle);
}

void echo_read(struct echo_context *context, struct echo_read_call *call, const struct echo_read_params *params)
{
	struct echo_reader_object *reader = echo_reader_object(context, params->reader);
	struct echo_option_string piece = { 0 };

	if (params->bytes_max == 0) {
		echo_read_fail(call, ferry_string("bytes_max has to be 1 or more"));
		return;
	}
	if (reader->position < reader->bytes) {
		size_t left = reader->bytes - reader->position;

		piece.present = true;
		piece.value.data = reader->text + reader->position;
		piece.value.bytes = left < params->bytes_max ? left : params->bytes_max;
		reader->position += piece.value.bytes;
	}
	echo_read_answer(call, piece);
}

void echo_close(struct echo_context *context, struct echo_close_call *call, const struct echo_close_params *params)
{
	free(echo_reader_close(context, params->reader));
	echo_close_answer(call);
}

/* ---- statics ----------------------------------------------------------------------------------------------------- */

void echo_version(struct echo_context *context, struct echo_version_call *call)
{
	(void)context;
	echo_version_answer(call, ferry_string(ECHO_VERSION));
}

void echo_sum(struct echo_context *context, struct echo_sum_call *call, const struct echo_sum_params *params)
{
	(void)context;
	echo_sum_answer(call, (int64_t)((uint64_t)params->left + (uint64_t)params->right));
}

void echo_sing(struct echo_context *context, struct echo_sing_call *call, const struct echo_sing_params *params)
{
	enum { TIMES_MAX = 100, NUMBER_BYTES_MAX = 16 };
	const struct echo_chorus *chorus = &params->chorus;
	double times = chorus->times * chorus->factor;
	struct ferry_string remark = { 0 };
	char *text, *at;

	(void)context;
	if (!(times >= 0 && times <= TIMES_MAX)) {
		echo_sing_fail(call, ferry_string("a text is said at most 100 times"));
		return;
	}
	if (chorus->remark.present)
		remark = chorus->remark.value;
	at = text = malloc(remark.bytes + (size_t)times * (chorus->text.bytes + chorus->separator.bytes) +
			   NUMBER_BYTES_MAX);
	if (!text) {
		echo_sing_fail(call, ferry_string("no memory"));
		return;
	}
	at = copied(at, remark);
	for (int i = 0; i < (int)times; i++) {
		if (i > 0)
			at = copied(at, chorus->separator);
		at = copied(at, chorus->text);
	}
	at += sprintf(at, "%s %d", chorus->loud ? "!" : "", (int)chorus->color);
	echo_sing_answer(call, (struct ferry_string){ text, (size_t)(at - text) });
	free(text);
}

void echo_parse(struct echo_context *context, struct echo_parse_call *call, const struct echo_parse_params *params)
{
	enum { DIGITS_MAX = 18 };
	struct echo_parse_error error = { 0 };
	int64_t number = 0;

	(void)context;
	for (size_t i = 0; i < params->text.bytes && !error.reason.bytes; i++) {
		char c = params->text.data[i];

		error.position = (uint32_t)i;
		if (i == DIGITS_MAX)
			error.reason = ferry_string("too long");
		else if (c < '0' || c > '9')
			error.reason = ferry_string("no digit");
		else
			number = number * 10 + (c - '0');
	}
	if (!params->text.bytes)
		echo_parse_fail(call, ferry_string("there is no text"));
	else if (error.reason.bytes)
		echo_parse_raise(call, &error);
	else
		echo_parse_answer(call, number);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* Answer with the shapes behind their name; `all` has room for one more than there are. */
static void drawn(struct echo_context *context, struct echo_draw_call *call, const struct echo_draw_params *params,
		  struct echo_shape *all, char *text)
{
	const struct echo_drawing *drawing = &params->drawing;
	struct echo_shape whole = { .which = ECHO_SHAPE_GROUP, .as.group.parts = { all, 1 } };
	char *at = copied(text, drawing->name);

	if (drawing->is_colored.which == ECHO_DRAWING_BY_IS_COLORED_TRUE) {
		at += sprintf(at, " %d", (int)drawing->is_colored.as.true_.color);
		all[0] = (struct echo_shape){ .which = ECHO_SHAPE_CAPTION,
					      .as.caption.text = { text, (size_t)(at - text) } };
	} else {
		all[0] = (struct echo_shape){ .which = ECHO_SHAPE_LABEL,
					      .as.label.text = { text, (size_t)(at - text) } };
	}
	for (size_t i = 0; i < drawing->shapes.count; i++)
		all[whole.as.group.parts.count++] = drawing->shapes.items[i];
	if (params->extra.present)
		all[whole.as.group.parts.count++] = params->extra.value;
	echo_emit_drawn(context, &whole);
	echo_draw_answer(call, &whole);
}

void echo_draw(struct echo_context *context, struct echo_draw_call *call, const struct echo_draw_params *params)
{
	enum { SHAPES_MAX = 100, NUMBER_BYTES_MAX = 16 };
	size_t count = params->drawing.shapes.count + params->extra.present;
	struct echo_draw_error error = { .which = ECHO_DRAW_ERROR_EMPTY };
	struct echo_shape *all;
	char *text;

	if (count == 0 || count > SHAPES_MAX) {
		if (count)
			error = (struct echo_draw_error){ .which = ECHO_DRAW_ERROR_TOO_MANY,
							  .as.too_many.count = (uint32_t)count };
		echo_draw_raise(call, &error);
		return;
	}
	all = malloc((count + 1) * sizeof(*all));
	text = malloc(params->drawing.name.bytes + NUMBER_BYTES_MAX);
	if (all && text)
		drawn(context, call, params, all, text);
	else
		echo_draw_fail(call, ferry_string("no memory"));
	free(all);
	free(text);
}
