/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers and wake-ups from other threads than the library thread: ingress_answer_post, ingress_provider_wake. */
#include "ingress_tests.h"

#include <ferry/ingress_provider.h>

#include <signal.h>

enum { HANG_S = 120 };

#include "../../helpers/fork.h"

/* A provider whose requests other threads answer. */
enum { POST_OPEN, POST_CLOSE, POST_SAME, POST_KEEP, POST_HERE, POST_TURNS, POST_METHODS };
enum { WORKERS = 3, QUEUE_MAX = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct ingress_request *queue[QUEUE_MAX];
static size_t queued;
static bool stops, polls;
static pthread_t workers[WORKERS];

static _Atomic(struct ingress_request *) kept;
static _Atomic(struct ingress_provider *) provider;
static _Atomic uint64_t turns, released;
static int never[2]; /* a pipe that nothing is written to */

static void release(void *owner, const void *data, size_t bytes)
{
	assert_ptr_equal(owner, &released);
	memset((void *)data, 0xee, bytes);
	free((void *)data);
	atomic_fetch_add(&released, 1);
}

/* Half of the answers are lent. */
static void answer_elsewhere(struct ingress_request *request)
{
	static _Atomic uint32_t count;
	bool fails = request->bytes == 3 && !memcmp(request->data, "bad", 3);
	enum ingress_status status = fails ? INGRESS_FAILED : INGRESS_OK;
	void *copy;

	if (atomic_fetch_add(&count, 1) & 1) {
		ingress_answer_post(request, status, request->data, request->bytes, NULL, NULL);
		return;
	}
	copy = malloc(request->bytes + 1);
	memcpy(copy, request->data, request->bytes);
	ingress_answer_post(request, status, copy, request->bytes, release, &released);
}

static void *work(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&lock);
	while (!stops || queued) {
		struct ingress_request *request;

		if (!queued) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		request = queue[--queued];
		pthread_mutex_unlock(&lock);
		answer_elsewhere(request);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int begin(struct ingress_provider *begun, void **state)
{
	*state = begun;
	return 0;
}

/* A thread may have served another context before, so `provider` is set where it serves, not where it begins. */
static void serve(void *state, struct ingress_request *const *requests, size_t count)
{
	atomic_store(&provider, state);
	for (size_t i = 0; i < count; i++) {
		struct ingress_request *request = requests[i];
		uint64_t word = atomic_load(&turns);

		switch (request->method) {
		case POST_KEEP:
			atomic_store(&kept, request);
			break;
		case POST_HERE:
			ingress_answer_post(request, INGRESS_OK, request->data, request->bytes, NULL, NULL);
			break;
		case POST_TURNS:
			ingress_answer_copy(request, INGRESS_OK, &word, sizeof(word));
			break;
		default:
			pthread_mutex_lock(&lock);
			assert_true(queued < QUEUE_MAX);
			queue[queued++] = request;
			pthread_cond_signal(&changed);
			pthread_mutex_unlock(&lock);
			break;
		}
	}
}

/* What a thread stored before it woke this one (a_wake_carries_what_came_before). */
static uint64_t stored;
static _Atomic bool reads_stored;
static _Atomic uint64_t seen;

static int64_t turn(void *state)
{
	(void)state;
	if (atomic_exchange_explicit(&reads_stored, false, memory_order_relaxed))
		atomic_store(&seen, stored);
	atomic_fetch_add(&turns, 1);
	return INGRESS_FOREVER;
}

static int descriptor(void *state)
{
	(void)state;
	return polls ? never[0] : -1;
}

static void forget(void *state)
{
	(void)state;
}

static const uint8_t kinds[POST_METHODS] = { [POST_OPEN] = INGRESS_CONSTRUCTOR, [POST_CLOSE] = INGRESS_DESTRUCTOR };
static const struct ingress_library library = {
	.abi = INGRESS_ABI,
	.name = "post",
	.interface_hash = 1,
	.method_count = POST_METHODS,
	.methods = kinds,
	.thread_begin = begin,
	.requests = serve,
	.turn = turn,
	.descriptor = descriptor,
	.context_end = forget,
};

static ingress_token context;

static enum ingress_status open_with(const char *payload, size_t bytes, ingress_token *token)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_context_create(&library, NULL, POST_OPEN, INGRESS_WIRE_C, payload, bytes,
							    LONG_NS, token, &answer);

	ingress_answer_release(&answer);
	return status;
}

static int open_one(void **state)
{
	(void)state;
	return open_with(NULL, 0, &context) == INGRESS_OK ? 0 : -1;
}

/* The same, with a thread that did not begin last: two contexts become idle, and the one that did so last is taken. */
static int open_older(void **state)
{
	ingress_token tokens[2];

	assert_int_equal(open_with(NULL, 0, &tokens[0]), INGRESS_OK);
	assert_int_equal(open_with(NULL, 0, &tokens[1]), INGRESS_OK);
	close_echo(tokens[1]);
	close_echo(tokens[0]);
	return open_one(state);
}

static int close_one(void **state)
{
	(void)state;
	close_echo(context);
	return 0;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void payloads_of_every_size_come_back(void **state)
{
	static const size_t sizes[] = { 0, 1, 159, 160, 161, 511, 512, 513, 65536, 1 << 20 };
	unsigned char *data = malloc(1 << 20);

	(void)state;
	for (size_t i = 0; i < 1 << 20; i++)
		data[i] = (unsigned char)(i * 31 >> 3);
	for (size_t i = 0; i < 6 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t bytes = sizes[i / 6];
		struct ingress_answer answer;

		assert_int_equal(ingress_ask(context, i % 3 ? POST_SAME : POST_HERE, INGRESS_WIRE_C, data, bytes,
					     LONG_NS, &answer),
				 INGRESS_OK);
		assert_int_equal(answer.bytes, bytes);
		assert_memory_equal(answer.data, data, bytes);
		ingress_answer_release(&answer);
	}
	free(data);
}

static void every_kind_of_host_hears_once(void **state)
{
	enum { COUNT = 2000 };
	struct heard heard = { 0 };
	struct ingress_inbox *inbox;
	struct ingress_call call = { .method = POST_SAME, .data = "12345678", .bytes = 8 };
	size_t taken = 0;

	(void)state;
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	call.inbox = inbox;
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(submit(context, POST_SAME, "12345678", 8, &heard), INGRESS_OK);
		assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	}
	while (taken < COUNT) {
		struct ingress_item items[64];
		size_t count = ingress_inbox_take(inbox, items, 64, LONG_NS);

		assert_true(count > 0);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(items[i].status, INGRESS_OK);
		ingress_items_release(items, count);
		taken += count;
	}
	wait_for(&heard.terminal, COUNT);
	nap(2 * MS_NS);
	assert_int_equal(heard.terminal, COUNT);
	assert_int_equal(taken, COUNT);
	ingress_inbox_close(inbox);
}

/* The library thread looks for tickets while other threads write answers. */
static void a_cancelled_request_may_be_answered_meanwhile(void **state)
{
	enum { COUNT = 3000 };
	struct heard heard = { 0 };
	uint64_t tickets = ingress_tickets(COUNT);

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct ingress_call call = { .method = POST_SAME,
						   .data = "12345678",
						   .bytes = 8,
						   .reply = hear,
						   .user = &heard,
						   .ticket = tickets + i };

		assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		assert_int_equal(ingress_cancel(context, tickets + i - (i > 3 ? i % 4 : 0)), INGRESS_OK);
	}
	wait_for(&heard.terminal, COUNT);
	assert_int_equal(ask(context, POST_SAME, "x", 1), INGRESS_OK);
	assert_int_equal(heard.terminal, COUNT);
}

static void a_failure_has_its_message(void **state)
{
	struct ingress_answer answer;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ingress_ask(context, POST_SAME, INGRESS_WIRE_C, "bad", 3, LONG_NS, &answer),
				 INGRESS_FAILED);
		assert_int_equal(answer.bytes, 3);
		assert_memory_equal(answer.data, "bad", 3);
		ingress_answer_release(&answer);
	}
}

static void a_constructor_may_be_answered_elsewhere(void **state)
{
	ingress_token token;

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(open_with("bad", 3, &token), INGRESS_FAILED);
		assert_int_equal(open_with("good", 4, &token), INGRESS_OK);
		assert_int_equal(ask(token, POST_SAME, "x", 1), INGRESS_OK);
		close_echo(token);
	}
}

/* The host was told CLOSED; the answer that comes later is dropped, its loan ends, and then the context does. */
static void an_answer_after_the_end_is_dropped(void **state)
{
	uint64_t ended = atomic_load(&released);
	struct heard heard = { 0 };
	ingress_token token;

	(void)state;
	assert_int_equal(open_with(NULL, 0, &token), INGRESS_OK);
	atomic_store(&kept, NULL);
	assert_int_equal(submit(token, POST_KEEP, "1234", 4, &heard), INGRESS_OK);
	while (!atomic_load(&kept))
		nap(MS_NS / 10);
	assert_int_equal(ingress_context_destroy(token, 20 * MS_NS), INGRESS_TIMEOUT);
	wait_for(&heard.terminal, 1);
	assert_int_equal(heard.status, INGRESS_CLOSED);
	ingress_answer_post(atomic_load(&kept), INGRESS_OK, malloc(4), 4, release, &released);
	wait_for(&released, ended + 1);
	nap(2 * MS_NS);
	assert_int_equal(heard.terminal, 1);
}

static void a_wake_calls_turn(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		uint64_t before;

		/* every other time the library thread sleeps */
		nap(i % 2 ? 2 * MS_NS : 0);
		before = ask_words(context, POST_TURNS, 0, 0, 0);
		/* turn() is called after that request */
		wait_for(&turns, before + 1);
		before = atomic_load(&turns);
		ingress_provider_wake(atomic_load(&provider));
		wait_for(&turns, before + 1);
	}
}

/* A child has no library thread of the parent's: nothing happens there, but that a loan ends. */
static void a_child_answers_nothing(void **state)
{
	struct heard heard = { 0 };
	pid_t child;

	(void)state;
	atomic_store(&kept, NULL);
	assert_int_equal(submit(context, POST_KEEP, "1234", 4, &heard), INGRESS_OK);
	while (!atomic_load(&kept))
		nap(MS_NS / 10);
	child = fork_child();
	if (child == 0) {
		uint64_t ended = atomic_load(&released);

		ingress_answer_post(atomic_load(&kept), INGRESS_OK, malloc(4), 4, release, &released);
		ingress_answer_post(atomic_load(&kept), INGRESS_OK, "1234", 4, NULL, NULL);
		ingress_provider_wake(atomic_load(&provider));
		_exit(atomic_load(&released) == ended + 1 ? 0 : 1);
	}
	wait_for_child(child);
	assert_int_equal(heard.terminal, 0);
	ingress_answer_post(atomic_load(&kept), INGRESS_OK, "1234", 4, NULL, NULL);
	wait_for(&heard.terminal, 1);
	assert_int_equal(heard.status, INGRESS_OK);
}

/* As `release`, for what was not allocated. */
static void count_end(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
	atomic_fetch_add(&released, 1);
}

static void interrupt(int number)
{
	(void)number;
	ingress_answer_post(atomic_load(&kept), INGRESS_OK, "1234", 4, NULL, NULL);
	ingress_answer_post(atomic_load(&kept), INGRESS_OK, "1234", 4, count_end, NULL);
	ingress_provider_wake(atomic_load(&provider));
}

static void *wait_in_a_call(void *argument)
{
	struct ingress_inbox *inbox = argument;
	struct ingress_item item;

	assert_int_equal(ingress_inbox_take(inbox, &item, 1, 200 * MS_NS), 0);
	return NULL;
}

/* A handler of a signal that interrupted a call of the ingress on its thread does nothing, but that a loan ends. */
static void a_signal_handler_answers_nothing(void **state)
{
	const struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
	uint64_t ended = atomic_load(&released);
	struct heard heard = { 0 };
	struct ingress_inbox *inbox;
	pthread_t thread;

	(void)state;
	atomic_store(&kept, NULL);
	assert_int_equal(submit(context, POST_KEEP, "1234", 4, &heard), INGRESS_OK);
	while (!atomic_load(&kept))
		nap(MS_NS / 10);
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_in_a_call, inbox), 0);
	nap(50 * MS_NS);
	assert_int_equal(pthread_kill(thread, SIGUSR1), 0);
	pthread_join(thread, NULL);
	ingress_inbox_close(inbox);
	assert_int_equal(atomic_load(&released), ended + 1);
	assert_int_equal(heard.terminal, 0);
	ingress_answer_post(atomic_load(&kept), INGRESS_OK, "1234", 4, NULL, NULL);
	wait_for(&heard.terminal, 1);
}

/* ---- what a wake-up carries -------------------------------------------------------------------------------------- */

/* relaxed everywhere: these order nothing, so that ThreadSanitizer sees what the wake-up orders */
static _Atomic uint32_t is_held, is_stored;
static void *store_and_wake(void *unused)
{
	(void)unused;
	stored = 7;
	ingress_provider_wake(atomic_load_explicit(&provider, memory_order_relaxed));
	atomic_store_explicit(&is_stored, 1, memory_order_relaxed);
	return NULL;
}

/* On the library thread, which takes what was posted only when this has returned. */
static void hold(void *unused, const struct ingress_reply *reply)
{
	(void)unused;
	(void)reply;
	atomic_store(&is_held, 1);
	while (!atomic_load_explicit(&is_stored, memory_order_relaxed))
		nap(MS_NS / 10);
}

/* On the library thread, which has just taken what was posted, and calls ->turn() afterwards. */
static void let_turn_read(void *unused, const struct ingress_reply *reply)
{
	(void)unused;
	(void)reply;
	atomic_store_explicit(&reads_stored, true, memory_order_relaxed);
}

/* A thread wakes the library thread that has a posted answer to take. */
static void a_wake_carries_what_came_before(void **state)
{
	const struct ingress_call kept_call = { .method = POST_KEEP, .wire = INGRESS_WIRE_C, .reply = let_turn_read };
	const struct ingress_call held_call = { .method = POST_TURNS, .wire = INGRESS_WIRE_C, .reply = hold };
	pthread_t waker;

	(void)state;
	atomic_store(&is_held, 0);
	atomic_store(&is_stored, 0);
	atomic_store(&seen, 0);
	assert_int_equal(ingress_submit(context, &kept_call), INGRESS_OK);
	assert_int_equal(ingress_submit(context, &held_call), INGRESS_OK);
	wait_for(&is_held, 1);
	ingress_answer_post(atomic_load(&kept), INGRESS_OK, NULL, 0, NULL, NULL);
	pthread_create(&waker, NULL, store_and_wake, NULL);
	wait_for(&seen, 7);
	pthread_join(waker, NULL);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(payloads_of_every_size_come_back, open_one, close_one),
		cmocka_unit_test_setup_teardown(every_kind_of_host_hears_once, open_one, close_one),
		cmocka_unit_test_setup_teardown(a_cancelled_request_may_be_answered_meanwhile, open_one, close_one),
		cmocka_unit_test_setup_teardown(a_failure_has_its_message, open_one, close_one),
		cmocka_unit_test(a_constructor_may_be_answered_elsewhere),
		cmocka_unit_test(an_answer_after_the_end_is_dropped),
		cmocka_unit_test_setup_teardown(a_wake_calls_turn, open_older, close_one),
		cmocka_unit_test_setup_teardown(a_wake_carries_what_came_before, open_one, close_one),
		cmocka_unit_test_setup_teardown(a_child_answers_nothing, open_one, close_one),
		cmocka_unit_test_setup_teardown(a_signal_handler_answers_nothing, open_one, close_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	int failed;

	alarm(HANG_S);
	if (pipe(never))
		return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	failed = run();
	/* again, with library threads that sleep in poll(2) */
	polls = true;
	failed |= run();
	pthread_mutex_lock(&lock);
	stops = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return failed;
}
