/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A storm: threads that come and go submit by every way to contexts that are made and destroyed under them, with small
 * queues, stale replies, listeners that come and go and payloads of every size. Afterwards each request that was
 * accepted has had exactly one terminal reply, each that was refused none, each loan has ended once, and no callback
 * came after its context was destroyed. FERRY_STRESS_SECONDS makes it last so long.
 */
#include "ingress_tests.h"

enum { PLACES = 4, THREADS = 6, ROUNDS = 300, SHARED_BYTES = 3000 };

/* A context under the storm. Its destroyer takes the token away first; requests may still come with the old one. */
struct place {
	_Atomic ingress_token token;
};

static struct place places[PLACES];
static _Atomic uint64_t accepted, answered, doubled, late, loans, loans_ended, refused_of[INGRESS_STATUS_COUNT];
static _Atomic bool over;
static unsigned char shared[SHARED_BYTES];

struct request {
	_Atomic uint32_t terminal;
	_Atomic uint32_t *destroyed; /* of its context */
};

/* Whether a context has been destroyed, by its token's place in a table that only grows. */
enum { DESTROYED_MAX = 1 << 20 };
static struct life {
	_Atomic ingress_token token;
	_Atomic uint32_t destroyed;
} * lives;

static uint32_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 32);
}

static struct life *life_of(ingress_token token)
{
	uint64_t at = token * 0x9e3779b97f4a7c15u >> 44;

	for (;; at = (at + 1) % DESTROYED_MAX) {
		ingress_token none = 0;

		if (atomic_load(&lives[at].token) == token)
			return &lives[at];
		if (atomic_compare_exchange_strong(&lives[at].token, &none, token))
			return &lives[at];
		if (none == token)
			return &lives[at];
	}
}

static void hear_once(void *user, const struct ingress_reply *reply)
{
	struct request *request = user;

	if (atomic_load(request->destroyed))
		atomic_fetch_add(&late, 1);
	if (reply->status == INGRESS_STALE)
		return;
	if (atomic_fetch_add(&request->terminal, 1))
		atomic_fetch_add(&doubled, 1);
	atomic_fetch_add(&answered, 1);
}

static void end_loan(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
	atomic_fetch_add(&loans_ended, 1);
}

/* Not ECHO_KEEP: a handler that never answers holds its place and its two threads for good. */
static uint32_t some_method(uint64_t *seed)
{
	static const uint32_t methods[] = { ECHO_SAME, ECHO_SAME,    ECHO_SAME,	 ECHO_LATER,   ECHO_LENT,
					    ECHO_FAIL, ECHO_COUNTER, ECHO_LATER, ECHO_VERSION, ECHO_SLEEP };

	return methods[draw(seed) % (sizeof(methods) / sizeof(methods[0]))];
}

static size_t some_size(uint64_t *seed)
{
	uint32_t kind = draw(seed) % 8;

	return kind == 0 ? draw(seed) % SHARED_BYTES : kind == 1 ? 0 : draw(seed) % 150;
}

static void count_refusal(enum ingress_status status)
{
	atomic_fetch_add(&refused_of[status], 1);
}

static void submit_some(ingress_token token, struct request *requests, size_t room, uint64_t *seed)
{
	struct ingress_call calls[8];
	size_t count = 1 + draw(seed) % (room < 8 ? room : 8), done;
	enum ingress_status status;

	for (size_t i = 0; i < count; i++) {
		requests[i].destroyed = &life_of(token)->destroyed;
		calls[i] = (struct ingress_call){ .method = some_method(seed),
						  .wire = draw(seed) % 2,
						  .data = shared,
						  .bytes = some_size(seed),
						  .reply = hear_once,
						  .user = &requests[i] };
		if (draw(seed) % 4 == 0)
			calls[i].release = end_loan;
	}
	done = ingress_submit_many(token, calls, count, &status);
	atomic_fetch_add(&accepted, done);
	for (size_t i = 0; i < done + (status != INGRESS_OK); i++)
		atomic_fetch_add(&loans, calls[i].release != NULL);
	if (status != INGRESS_OK)
		count_refusal(status);
}

static void ask_one(ingress_token token, uint64_t *seed)
{
	size_t bytes = some_size(seed);
	struct ingress_answer answer;
	enum ingress_status status = ingress_ask(token, draw(seed) % 2 ? ECHO_SAME : ECHO_LATER, 0, shared, bytes,
						 draw(seed) % 8 ? LONG_NS : draw(seed) % 100000, &answer);

	if (status == INGRESS_OK)
		assert_int_equal(answer.bytes, bytes);
	else
		count_refusal(status);
	ingress_answer_release(&answer);
}

static void hear_event(void *user, const struct ingress_event *event)
{
	struct life *life = user;

	(void)event;
	if (atomic_load(&life->destroyed))
		atomic_fetch_add(&late, 1);
}

static void listen_a_while(ingress_token token, uint64_t *seed)
{
	const struct ingress_listener listener = { .event = draw(seed) % ECHO_EVENTS,
						   .wire = draw(seed) % 2,
						   .notify = hear_event,
						   .user = life_of(token),
						   .depth = 8 };
	const uint64_t words[3] = { 30, listener.event, 8 };
	struct ingress_answer answer;
	uint64_t id;

	if (ingress_listen(token, &listener, &id) != INGRESS_OK)
		return;
	ingress_ask(token, ECHO_EMIT, 0, words, sizeof(words), LONG_NS, &answer);
	ingress_answer_release(&answer);
	if (draw(seed) % 2)
		ingress_unlisten(token, id);
}

/* Requests live until the end: what is late is to be seen. */
struct thread {
	uint64_t seed;
	struct request *requests;
	size_t used, room;
};

static void *run_thread(void *given)
{
	struct thread *thread = given;

	for (int i = 0; i < 60 && !atomic_load(&over) && thread->room - thread->used >= 8; i++) {
		ingress_token token = atomic_load(&places[draw(&thread->seed) % PLACES].token);
		uint32_t what = draw(&thread->seed) % 16;

		if (!token)
			continue;
		if (what == 0)
			listen_a_while(token, &thread->seed);
		else if (what < 5)
			ask_one(token, &thread->seed);
		else {
			submit_some(token, thread->requests + thread->used, 8, &thread->seed);
			thread->used += 8;
		}
	}
	return NULL;
}

/* One after the other: a thread that submits some, ends, and another comes. */
static void *run_threads(void *given)
{
	struct thread *thread = given;

	while (!atomic_load(&over) && thread->room - thread->used >= 8) {
		pthread_t next;

		if (pthread_create(&next, NULL, run_thread, thread))
			abort();
		pthread_join(next, NULL);
	}
	return NULL;
}

static ingress_token start_one(uint64_t *seed)
{
	const struct ingress_options options = { .queue_depth = 1u << draw(seed) % 8,
						 .stale_ns = MS_NS,
						 .spin_ns = draw(seed) % 2 ? -1 : 0 };
	bool fails = draw(seed) % 8 == 0;
	struct ingress_answer answer;
	ingress_token token;
	enum ingress_status status = ingress_context_create(&echo_library, &options, ECHO_OPEN, 0, "bad", fails ? 3 : 2,
							    LONG_NS, &token, &answer);

	assert_int_equal(status, fails ? INGRESS_BAD_PAYLOAD : INGRESS_OK);
	ingress_answer_release(&answer);
	return token;
}

static void destroy_one(ingress_token token, uint64_t *seed)
{
	enum ingress_status status;

	if (!token)
		return;
	status = ingress_context_destroy(token, draw(seed) % 4 ? 20 * MS_NS : draw(seed) % 1000);
	atomic_store(&life_of(token)->destroyed, 1);
	assert_true(status == INGRESS_OK || status == INGRESS_TIMEOUT);
}

static void storm(uint64_t seed, int rounds)
{
	struct thread threads[THREADS];
	pthread_t ids[THREADS];

	atomic_store(&over, false);
	for (int t = 0; t < THREADS; t++) {
		threads[t] = (struct thread){ .seed = seed + 1 + (uint64_t)t, .room = 400000 };
		threads[t].requests = calloc(threads[t].room, sizeof(struct request));
		pthread_create(&ids[t], NULL, run_threads, &threads[t]);
	}
	for (int round = 0; round < rounds; round++) {
		struct place *place = &places[draw(&seed) % PLACES];

		destroy_one(atomic_exchange(&place->token, 0), &seed);
		atomic_store(&place->token, start_one(&seed));
		nap(draw(&seed) % MS_NS);
	}
	atomic_store(&over, true);
	for (int t = 0; t < THREADS; t++)
		pthread_join(ids[t], NULL);
	for (int p = 0; p < PLACES; p++)
		destroy_one(atomic_exchange(&places[p].token, 0), &seed);
	/* loans of requests that were cut end when the handler does */
	for (int i = 0; i < 200 && atomic_load(&loans) != atomic_load(&loans_ended); i++)
		nap(MS_NS);
	assert_int_equal(doubled, 0);
	assert_int_equal(late, 0);
	assert_int_equal(accepted, answered);
	for (int t = 0; t < THREADS; t++) {
		for (size_t i = 0; i < threads[t].used; i++)
			assert_true(threads[t].requests[i].terminal <= 1);
		free(threads[t].requests);
	}
}

static void every_accepted_request_is_answered_once(void **state)
{
	const char *seconds = getenv("FERRY_STRESS_SECONDS"), *seed = getenv("FERRY_SEED");
	int64_t until = now_ns() + (seconds ? atoi(seconds) : 0) * SECOND_NS;
	uint64_t first = seed ? strtoull(seed, NULL, 0) : (uint64_t)now_ns();

	(void)state;
	printf("# FERRY_SEED=%llu\n", (unsigned long long)first);
	/* what ECHO_SLEEP sleeps, so that destroying meets handlers that run */
	memcpy(shared, &(uint64_t){ MS_NS / 2 }, sizeof(uint64_t));
	lives = calloc(DESTROYED_MAX, sizeof(*lives));
	do
		storm(first++ | 1, ROUNDS);
	while (now_ns() < until);
	printf("# %llu accepted, full %llu, closed %llu\n", (unsigned long long)accepted,
	       (unsigned long long)refused_of[INGRESS_QUEUE_FULL], (unsigned long long)refused_of[INGRESS_CLOSED]);
	assert_true(accepted > 100);
	free(lives);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_accepted_request_is_answered_once) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
