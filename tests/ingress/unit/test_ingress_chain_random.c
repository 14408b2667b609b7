/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that waits for a chain; and chains by chance: a chain gives what the same calls one after another give, and
 * each request is answered once while many threads submit and cancel, and deadlines pass.
 */
#include "ingress_chain.h"

/* ---- waiting ---------------------------------------------------------------------------------------------------- */

/* A thread that waits for a whole chain. */
static void a_chain_can_be_waited_for(void **state)
{
	static const uint64_t sleep_ns = 300 * MS_NS;
	ingress_token context = open_echo(&echo_library, NULL);
	struct ingress_answer answers[3];
	struct ingress_refusal error;
	struct made *made = make_chain();
	uint64_t begun = atomic_load(&echo_sleeps);

	(void)state;
	ADD(made, ECHO_LATER, "\x01");
	ADD(made, ECHO_SAME, "\x81\xf6");
	ADD(made, ECHO_FAIL, "no");
	link_to(made, 1, 0, INGRESS_LINK_FIELD, 1, "");
	assert_int_equal(ingress_ask_chain(context, made->calls, 3, made->links, 1, LONG_NS, answers, &error),
			 INGRESS_BAD_ARGUMENT);
	for (int i = 0; i < 3; i++)
		made->calls[i].reply = NULL;
	for (int round = 0; round < 100; round++) {
		assert_int_equal(ingress_ask_chain(context, made->calls, 3, made->links, 1, LONG_NS, answers, &error),
				 INGRESS_OK);
		assert_int_equal(answers[0].status, INGRESS_OK);
		assert_int_equal(answers[1].bytes, 2);
		assert_memory_equal(answers[1].data, "\x81\x01", 2);
		assert_int_equal(answers[2].status, INGRESS_FAILED);
		for (int i = 0; i < 3; i++)
			ingress_answer_release(&answers[i]);
	}
	/* at its deadline the thread leaves, and those that did not begin do not run */
	made->calls[0] = (struct ingress_call){ .method = ECHO_SLEEP, .data = &sleep_ns, .bytes = sizeof(sleep_ns) };
	made->calls[1] = made->calls[2] = (struct ingress_call){ .method = ECHO_COUNTER };
	assert_int_equal(ingress_ask_chain(context, made->calls, 3, NULL, 0, 50 * MS_NS, answers, NULL), INGRESS_OK);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(answers[i].status, INGRESS_TIMEOUT);
		ingress_answer_release(&answers[i]);
	}
	assert_true(atomic_load(&echo_sleeps) <= begun + 1);
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 0);
	free(made);
	close_echo(context);
}

/* ---- by chance --------------------------------------------------------------------------------------------------- */

static uint32_t chance(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

/* Payloads, each with two nulls where something may be taken: in an array, and in fields of an object, one inside. */
struct form {
	const char *data;
	size_t bytes;
	uint32_t places[2];
};
static const struct form forms[] = {
	{ "\x83\x0a\xf6\xf6", 4, { 2, 3 } },
	{ "\x83\x0b\xf6\xf6", 4, { 2, 3 } },
	{ "\xa2\x61\x61\xf6\x61\x62\x82\xf6\x0c", 9, { 3, 7 } }, /* {"a": null, "b": [null, 12]} */
	{ "\x82\xa1\x61\x62\xf6\xf6", 6, { 4, 5 } },		 /* [{"b": null}, null] */
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void make_by_chance(struct made *made, uint64_t *seed)
{
	static const uint32_t methods[] = { ECHO_SAME, ECHO_LATER, ECHO_LENT, ECHO_FAIL, ECHO_SAME, ECHO_LATER };
	static const char *const paths[] = { "", "[1]", "[2]", "[0]", "a", "b", "b[0]", "[0].b", "[1].a", "b[0][1]" };
	uint32_t count = 1 + chance(seed) % 12;

	for (uint32_t i = 0; i < count; i++) {
		const struct form *form = &forms[chance(seed) % COUNT_OF(forms)];

		add(made, methods[chance(seed) % COUNT_OF(methods)], form->data, form->bytes);
		for (uint32_t place = 0; i && place < 2; place++)
			if (chance(seed) % 3 == 0)
				link_to(made, i, chance(seed) % i, chance(seed) % 2, form->places[place],
					paths[chance(seed) % COUNT_OF(paths)]);
		if (i && chance(seed) % 4 == 0)
			link_to(made, i, chance(seed) % i, INGRESS_LINK_AFTER, 0, "");
	}
}

/* The bytes of such a payload or a part of it: short arrays and maps, null, small numbers, keys of one letter. */
static size_t item_bytes(const char *at)
{
	unsigned char head = (unsigned char)*at;
	size_t bytes = head == 0x61 ? 2 : 1;
	int items = head >> 5 == 4 ? head & 31 : head >> 5 == 5 ? 2 * (head & 31) : 0;

	for (int i = 0; i < items; i++)
		bytes += item_bytes(at + bytes);
	return bytes;
}

/*
 * The part of it that a path leads to; NULL: there is none. *is_absent: the last step leads to a field or an element
 * that is absent, or null.
 */
static const char *part(const char *at, const char *path, bool *is_absent)
{
	*is_absent = false;
	while (*path) {
		int head = (unsigned char)*at++, items = head & 31, index = 0;

		path += *path == '.';
		if (head >> 5 != (*path == '[' ? 4 : 5))
			return NULL;
		if (*path == '[') {
			for (; index < path[1] - '0' && index < items; index++)
				at += item_bytes(at);
			path += 3;
		} else {
			for (; index < items && at[1] != *path; index++) {
				at += item_bytes(at);
				at += item_bytes(at);
			}
			at += 2;
			path++;
		}
		*is_absent = index == items && !*path;
		if (index == items)
			return NULL;
	}
	*is_absent = (unsigned char)*at == 0xf6;
	return at;
}

/* What a host does that makes the calls one after another. */
static void call_in_turn(ingress_token context, const struct made *made, enum ingress_status *statuses,
			 struct kept *answers)
{
	for (uint32_t i = 0; i < made->count; i++) {
		const struct ingress_call *call = &made->calls[i];
		struct ingress_answer answer;
		char payload[ANSWER_BYTES];
		size_t bytes = 0, from = 0;

		statuses[i] = INGRESS_OK;
		for (uint32_t j = 0; j < made->link_count; j++) {
			const struct ingress_link *link = &made->links[j];

			if (link->request == i && statuses[link->source] != INGRESS_OK)
				statuses[i] = INGRESS_SKIPPED;
		}
		for (uint32_t j = 0; j < made->link_count && statuses[i] == INGRESS_OK; j++) {
			const struct ingress_link *link = &made->links[j];
			const char *field, null = '\xf6';
			bool is_absent;

			if (link->request != i || link->kind == INGRESS_LINK_AFTER)
				continue;
			field = part(answers[link->source].data, link->path, &is_absent);
			if (is_absent && link->kind == INGRESS_LINK_OPTION)
				field = &null;
			else if (!field || is_absent) {
				statuses[i] = INGRESS_BAD_PAYLOAD;
				break;
			}
			assert_in_range(bytes + call->bytes + item_bytes(field), 1, sizeof(payload));
			memcpy(payload + bytes, (const char *)call->data + from, link->place - from);
			bytes += link->place - from;
			memcpy(payload + bytes, field, item_bytes(field));
			bytes += item_bytes(field);
			from = link->place + 1;
		}
		if (statuses[i] != INGRESS_OK)
			continue;
		memcpy(payload + bytes, (const char *)call->data + from, call->bytes - from);
		bytes += call->bytes - from;
		statuses[i] = ingress_ask(context, call->method, call->wire, payload, bytes, LONG_NS, &answer);
		answers[i].bytes = answer.bytes;
		memcpy(answers[i].data, answer.data, answer.bytes);
		ingress_answer_release(&answer);
	}
}

static void a_chain_gives_what_calls_in_turn_give(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	static enum ingress_status statuses[CHAIN];
	static struct kept answers[CHAIN];
	uint64_t seed = 0x0c0ffee;
	uint32_t seen[INGRESS_STATUS_COUNT] = { 0 };

	(void)state;
	for (int round = 0; round < 1500; round++) {
		struct made *made = make_chain();

		make_by_chance(made, &seed);
		call_in_turn(context, made, statuses, answers);
		run(context, made);
		for (uint32_t i = 0; i < made->count; i++) {
			assert_int_equal(made->heard[i].status, statuses[i]);
			seen[statuses[i]]++;
			if (statuses[i] == INGRESS_OK)
				assert_answer(made, i, statuses[i], answers[i].data, answers[i].bytes);
		}
		free(made);
	}
	assert_true(seen[INGRESS_OK] > 100 && seen[INGRESS_FAILED] > 100 && seen[INGRESS_SKIPPED] > 100 &&
		    seen[INGRESS_BAD_PAYLOAD] > 100);
	close_echo(context);
}

/* Many threads submit chains and plain requests and cancel some: each is answered once. */
enum { STORM_THREADS = 4, STORM_CHAINS = 400 };

static _Atomic uint32_t storm_answered[INGRESS_STATUS_COUNT], storm_doubled;
static _Atomic uint32_t storm_submitted;

static void hear_storm(void *user, const struct ingress_reply *reply)
{
	if (reply->status == INGRESS_STALE)
		return;
	if (atomic_fetch_add((_Atomic uint32_t *)user, 1))
		atomic_fetch_add(&storm_doubled, 1);
	atomic_fetch_add(&storm_answered[reply->status], 1);
}

static void *storm_of_chains(void *argument)
{
	ingress_token context = *(ingress_token *)argument;
	_Atomic uint32_t *terminal = calloc(STORM_CHAINS * (CHAIN + 1), sizeof(*terminal));
	uint64_t seed = (uint64_t)(uintptr_t)terminal;

	for (int round = 0; round < STORM_CHAINS; round++) {
		struct made *made = make_chain();

		make_by_chance(made, &seed);
		for (uint32_t i = 0; i < made->count; i++) {
			made->calls[i].reply = hear_storm;
			made->calls[i].user = (void *)&terminal[round * (CHAIN + 1) + (int)i];
		}
		while (submit_chain(context, made, chance(&seed) % 8 ? INGRESS_FOREVER : MS_NS / 20, NULL) ==
		       INGRESS_QUEUE_FULL)
			nap(MS_NS / 20);
		atomic_fetch_add(&storm_submitted, made->count);
		if (chance(&seed) % 2)
			ingress_cancel(context, made->tickets + chance(&seed) % made->count);
		free(made);
	}
	return (void *)terminal;
}

static void each_is_answered_once(void **state)
{
	const struct ingress_options options = { .queue_depth = 64, .stale_ns = MS_NS };
	ingress_token context = open_echo(&echo_library, &options);
	pthread_t threads[STORM_THREADS];
	void *counts[STORM_THREADS];
	uint32_t answered = 0;

	(void)state;
	for (int i = 0; i < STORM_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, storm_of_chains, &context), 0);
	for (int i = 0; i < STORM_THREADS; i++)
		pthread_join(threads[i], &counts[i]);
	close_echo(context);
	for (int i = 0; i < INGRESS_STATUS_COUNT; i++)
		answered += storm_answered[i];
	assert_int_equal(answered, storm_submitted);
	assert_int_equal(storm_doubled, 0);
	for (int i = 0; i < STORM_THREADS; i++)
		free(counts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_can_be_waited_for),
		cmocka_unit_test(a_chain_gives_what_calls_in_turn_give),
		cmocka_unit_test(each_is_answered_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
