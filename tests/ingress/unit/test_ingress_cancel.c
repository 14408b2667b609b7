/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelling a request: it waits, runs or was answered; the library sees it, and the terminal reply comes once. */
#include "ingress_tests.h"

static enum ingress_status submit_with(ingress_token context, uint32_t method, uint64_t word, uint64_t ticket,
				       struct heard *heard)
{
	const struct ingress_call call = { .method = method,
					   .wire = INGRESS_WIRE_C,
					   .data = &word,
					   .bytes = sizeof(word),
					   .reply = hear,
					   .user = heard,
					   .ticket = ticket };

	return ingress_submit(context, &call);
}

static void a_running_request_is_seen_by_its_library(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	uint64_t ticket = ingress_tickets(2);
	struct heard first = { 0 }, second = { 0 };

	(void)state;
	assert_int_equal(submit_with(context, ECHO_KEEP, 1, ticket, &first), INGRESS_OK);
	assert_int_equal(submit_with(context, ECHO_KEEP, 2, ticket + 1, &second), INGRESS_OK);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(ingress_cancel(context, ticket + 1), INGRESS_OK);
	wait_for(&second.terminal, 1);
	assert_int_equal(second.status, INGRESS_CANCELLED);
	assert_int_equal(second.bytes, 4);
	assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
	assert_int_equal(first.terminal, 1);
	assert_int_equal(first.status, INGRESS_OK);
	assert_int_equal(second.terminal, 1);
	close_echo(context);
}

static void a_handler_that_runs_long_may_ask(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	uint64_t ticket = ingress_tickets(2);
	struct heard running = { 0 }, waiting = { 0 }, kept = { 0 };

	(void)state;
	assert_int_equal(submit_with(context, ECHO_KEEP, 0, ticket + 1, &kept), INGRESS_OK);
	assert_int_equal(submit_with(context, ECHO_UNTIL, (uint64_t)LONG_NS, ticket, &running), INGRESS_OK);
	assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &waiting), INGRESS_OK);
	nap(10 * MS_NS);
	assert_int_equal(running.terminal, 0);
	/* while the handler runs another one is cancelled: it hears of that when the handler has returned */
	assert_int_equal(ingress_cancel(context, ticket + 1), INGRESS_OK);
	nap(MS_NS);
	assert_int_equal(ingress_cancel(context, ticket), INGRESS_OK);
	wait_for(&running.terminal, 1);
	assert_int_equal(running.status, INGRESS_CANCELLED);
	wait_for(&kept.terminal, 1);
	assert_int_equal(kept.status, INGRESS_CANCELLED);
	wait_for(&waiting.terminal, 1);
	assert_int_equal(waiting.status, INGRESS_OK);
	close_echo(context);
}

static void a_request_that_waits_is_never_handed_over(void **state)
{
	const struct ingress_options options = { .queue_depth = 64 };
	ingress_token context = open_echo(&echo_library, &options);
	uint64_t tickets = ingress_tickets(40);
	struct heard slow = { 0 }, counted = { 0 };
	struct heard full = { 0 };

	(void)state;
	assert_int_equal(submit_with(context, ECHO_SLEEP, 100 * MS_NS, 0, &slow), INGRESS_OK);
	/* so that the requests below are not in the same batch */
	nap(20 * MS_NS);
	for (uint64_t i = 0; i < 40; i++)
		assert_int_equal(submit_with(context, ECHO_COUNTER, 0, tickets + i, &counted), INGRESS_OK);
	for (uint64_t i = 0; i < 40; i++)
		assert_int_equal(ingress_cancel(context, tickets + (i * 7) % 40), INGRESS_OK);
	wait_for(&counted.terminal, 40);
	assert_int_equal(counted.status, INGRESS_CANCELLED);
	assert_int_equal(slow.terminal, 1);
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 0);
	assert_int_equal(counted.terminal, 40);
	/* their credits are back */
	for (int i = 0; i < 64; i++)
		assert_int_equal(submit(context, ECHO_KEEP, NULL, 0, &full), INGRESS_OK);
	cut_echo(context, 0);
	wait_for(&full.terminal, 64);
}

static void what_was_answered_is_left_alone(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct heard heard = { 0 };

	(void)state;
	for (uint32_t round = 1; round <= 100; round++) {
		uint64_t ticket = ingress_tickets(1);

		assert_int_equal(submit_with(context, ECHO_SAME, round, ticket, &heard), INGRESS_OK);
		if (round % 2)
			wait_for(&heard.terminal, round);
		assert_int_equal(ingress_cancel(context, ticket), INGRESS_OK);
		wait_for(&heard.terminal, round);
	}
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(heard.terminal, 100);
	close_echo(context);
}

static void a_handler_sees_that_its_waiter_has_left(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	const uint64_t ns = (uint64_t)LONG_NS;
	struct ingress_answer answer;
	int64_t began = now_ns();

	(void)state;
	assert_int_equal(ingress_ask(context, ECHO_UNTIL, INGRESS_WIRE_C, &ns, sizeof(ns), 20 * MS_NS, &answer),
			 INGRESS_TIMEOUT);
	ingress_answer_release(&answer);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_true(now_ns() - began < LONG_NS / 2);
	close_echo(context);
}

static void a_handler_sees_that_its_context_was_given_up(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct heard heard = { 0 };
	int64_t began = now_ns();

	(void)state;
	assert_int_equal(submit_with(context, ECHO_UNTIL, (uint64_t)LONG_NS, 0, &heard), INGRESS_OK);
	nap(10 * MS_NS);
	cut_echo(context, 10 * MS_NS);
	assert_int_equal(heard.status, INGRESS_CLOSED);
	assert_true(now_ns() - began < LONG_NS / 2);
	assert_int_equal(ingress_cancel(context, 1), INGRESS_CLOSED);
}

static void wrong_arguments_are_refused(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);

	(void)state;
	assert_int_equal(ingress_cancel(context, 0), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ingress_cancel(0, 1), INGRESS_BAD_TOKEN);
	assert_int_equal(ingress_cancel(context, UINT64_MAX), INGRESS_OK);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	close_echo(context);
	assert_int_equal(ingress_cancel(context, 1), INGRESS_CLOSED);
}

static void what_is_no_ticket_is_refused(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct heard heard = { 0 };

	(void)state;
	for (int bit = 61; bit < 64; bit++)
		assert_int_equal(submit_with(context, ECHO_SAME, 0, (uint64_t)1 << bit, &heard), INGRESS_BAD_ARGUMENT);
	assert_int_equal(submit_with(context, ECHO_SAME, 0, UINT64_MAX, &heard), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(heard.terminal, 0);
	close_echo(context);
}

/* A request with a number beyond the last ticket would seem to be cancelled. */
static void tickets_end_and_do_not_begin_again(void **state)
{
	uint64_t before = ingress_tickets(1), first = ingress_tickets((uint64_t)1 << 60);

	(void)state;
	assert_true(first > before);
	assert_int_equal(ingress_tickets((uint64_t)1 << 60), 0);
	assert_int_equal(ingress_tickets(UINT64_MAX), 0);
	assert_int_equal(ingress_tickets(1), first + ((uint64_t)1 << 60));
}

/* ---- many cancels ------------------------------------------------------------------------------------------------ */

/* A context whose library thread is held in a callback, so that it looks for no ticket. */
struct held {
	ingress_token context;
	_Atomic uint32_t is_held, let_go;
};

static void stay(void *user, const struct ingress_reply *reply)
{
	struct held *held = user;

	(void)reply;
	atomic_store(&held->is_held, 1);
	while (!atomic_load(&held->let_go))
		nap(MS_NS / 10);
}

static void hold(const struct ingress_library *library, struct held *held, uint32_t depth)
{
	const struct ingress_options options = { .queue_depth = depth };
	const struct ingress_call call = { .method = ECHO_SAME, .wire = INGRESS_WIRE_C, .reply = stay, .user = held };

	*held = (struct held){ .context = open_echo(library, &options) };
	assert_int_equal(ingress_submit(held->context, &call), INGRESS_OK);
	wait_for(&held->is_held, 1);
}

/* The memory of this process. */
static size_t resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	size_t pages = 0;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*u %zu", &pages), 1);
	fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void cancelling_again_costs_no_memory(void **state)
{
	enum { TIMES = 200000, BYTES_MAX = 8 << 20 };
	struct heard first = { 0 }, second = { 0 };
	uint64_t ticket = ingress_tickets(2);
	struct held held;
	size_t before;

	(void)state;
	hold(&echo_library, &held, 64);
	assert_int_equal(submit_with(held.context, ECHO_COUNTER, 0, ticket, &first), INGRESS_OK);
	before = resident_bytes();
	for (int i = 0; i < TIMES; i++)
		assert_int_equal(ingress_cancel(held.context, ticket + (uint64_t)i % 2), INGRESS_OK);
	assert_true(resident_bytes() < before + BYTES_MAX);
	assert_int_equal(submit_with(held.context, ECHO_COUNTER, 0, ticket + 1, &second), INGRESS_OK);
	/* too early, it was cancelled before it was submitted: now it is not */
	assert_int_equal(ingress_cancel(held.context, ticket + 1), INGRESS_OK);
	atomic_store(&held.let_go, 1);
	wait_for(&first.terminal, 1);
	wait_for(&second.terminal, 1);
	assert_int_equal(first.status, INGRESS_CANCELLED);
	assert_int_equal(second.status, INGRESS_CANCELLED);
	assert_int_equal(ask_words(held.context, ECHO_COUNTER, 0, 0, 0), 0);
	close_echo(held.context);
}

/* For each depth, a full queue whose requests have tickets `stride` apart. */
static void cancel_a_full_queue(uint32_t depth, uint64_t stride)
{
	uint64_t tickets = ingress_tickets(depth * stride);
	struct heard heard = { 0 };
	uint32_t count = 0;
	struct held held;

	hold(&echo_library, &held, depth);
	while (submit_with(held.context, ECHO_COUNTER, 0, tickets + count * stride, &heard) == INGRESS_OK)
		count++;
	assert_true(count >= depth - 1);
	for (uint32_t again = 0; again < 3; again++)
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(ingress_cancel(held.context, tickets + i * stride), INGRESS_OK);
	atomic_store(&held.let_go, 1);
	wait_for(&heard.terminal, count);
	assert_int_equal(heard.status, INGRESS_CANCELLED);
	assert_int_equal(ask_words(held.context, ECHO_COUNTER, 0, 0, 0), 0);
	assert_int_equal(heard.terminal, count);
	close_echo(held.context);
}

static void all_of_a_full_queue_may_be_cancelled(void **state)
{
	static const uint32_t depths[] = { 1, 2, 64, 1024, 16384 };
	static const uint64_t strides[] = { 1, 3, 64, 65536, 832040 };

	(void)state;
	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++)
		for (size_t j = 0; j < sizeof(strides) / sizeof(strides[0]); j++)
			cancel_a_full_queue(depths[i], strides[j]);
}

static void cancelling_what_is_over_is_limited(void **state)
{
	enum { DEPTH = 256, TIMES = 100 * DEPTH };
	uint64_t tickets = ingress_tickets(TIMES + 1);
	struct heard heard = { 0 };
	uint32_t taken = 0;
	struct held held;

	(void)state;
	/* a library of whose contexts none had a deeper queue before */
	hold(&echo_small_library, &held, DEPTH);
	for (uint64_t i = 1; i <= TIMES; i++) {
		enum ingress_status status = ingress_cancel(held.context, tickets + i);

		assert_true(status == INGRESS_OK || status == INGRESS_QUEUE_FULL);
		taken += status == INGRESS_OK;
	}
	assert_in_range(taken, 2 * DEPTH, 4 * DEPTH);
	/* submitting is not refused */
	assert_int_equal(submit_with(held.context, ECHO_KEEP, 0, tickets, &heard), INGRESS_OK);
	atomic_store(&held.let_go, 1);
	assert_int_equal(ask(held.context, ECHO_SAME, NULL, 0), INGRESS_OK);
	assert_int_equal(heard.terminal, 0);
	/* and the library thread has made room */
	for (uint64_t i = 1; i <= DEPTH; i++)
		assert_int_equal(ingress_cancel(held.context, tickets + i), INGRESS_OK);
	assert_int_equal(ingress_cancel(held.context, tickets), INGRESS_OK);
	wait_for(&heard.terminal, 1);
	assert_int_equal(heard.status, INGRESS_CANCELLED);
	close_echo(held.context);
}

static void a_handler_finds_its_own_among_many(void **state)
{
	enum { DEPTH = 256, ROUNDS = 100 };
	const struct ingress_options options = { .queue_depth = DEPTH };
	ingress_token context = open_echo(&echo_library, &options);
	uint64_t tickets = ingress_tickets(DEPTH);
	struct heard running = { 0 }, waiting = { 0 };

	(void)state;
	assert_int_equal(submit_with(context, ECHO_UNTIL, (uint64_t)LONG_NS, tickets, &running), INGRESS_OK);
	nap(5 * MS_NS);
	assert_int_equal(submit_with(context, ECHO_COUNTER, 0, tickets + 1, &waiting), INGRESS_OK);
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint64_t i = 1; i < DEPTH; i++)
			assert_int_equal(ingress_cancel(context, tickets + i), INGRESS_OK);
	assert_int_equal(running.terminal, 0);
	assert_int_equal(ingress_cancel(context, tickets), INGRESS_OK);
	wait_for(&running.terminal, 1);
	assert_int_equal(running.status, INGRESS_CANCELLED);
	wait_for(&waiting.terminal, 1);
	assert_int_equal(waiting.status, INGRESS_CANCELLED);
	assert_int_equal(ask_words(context, ECHO_COUNTER, 0, 0, 0), 0);
	close_echo(context);
}

/* ---- many threads ------------------------------------------------------------------------------------------------ */

/* The last thread begins when the others have ended, since what they leave may fill the queue. */
enum { STORM_THREADS = 5, STORM_REQUESTS = 3000 };

struct storm {
	ingress_token context;
	_Atomic uint64_t tickets[STORM_THREADS][STORM_REQUESTS];
	struct heard heard[STORM_THREADS][STORM_REQUESTS];
	_Atomic uint32_t next;
};

static struct storm storm;

static uint32_t mixed(uint64_t number)
{
	number = (number ^ number >> 31) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(number >> 40);
}

/* Cancel some of a thread's requests that are not answered; all before *oldest are. */
static void cancel_oldest(uint32_t of, uint32_t *oldest)
{
	enum { AT_ONCE = 4 };
	uint64_t ticket;

	while (*oldest < STORM_REQUESTS && storm.heard[of][*oldest].terminal)
		++*oldest;
	for (uint32_t i = *oldest, left = AT_ONCE; i < STORM_REQUESTS && left; i++) {
		ticket = atomic_load(&storm.tickets[of][i]);
		if (!ticket)
			break;
		if (storm.heard[of][i].terminal)
			continue;
		ingress_cancel(storm.context, ticket);
		left--;
	}
}

/*
 * The queue is full: let the kept requests go. They may be all that fills it, and then there is no room for that
 * request either. So cancel some, of every thread: when the others have come to their ends, all may be theirs.
 */
static void make_room(uint32_t *oldest)
{
	if (ask(storm.context, ECHO_LET, NULL, 0) != INGRESS_QUEUE_FULL)
		return;
	for (uint32_t of = 0; of < STORM_THREADS; of++)
		cancel_oldest(of, &oldest[of]);
	nap(MS_NS / 10);
}

static void *submit_and_cancel(void *unused)
{
	static const uint32_t methods[] = { ECHO_SAME, ECHO_LATER, ECHO_KEEP, ECHO_KEEP, ECHO_UNTIL };
	uint32_t self = atomic_fetch_add(&storm.next, 1), oldest[STORM_THREADS] = { 0 };

	(void)unused;
	for (uint32_t i = 0; i < STORM_REQUESTS; i++) {
		uint32_t chance = mixed((uint64_t)self << 32 | i), other = chance % STORM_THREADS;
		uint32_t method = methods[chance / 16 % 5];
		uint64_t ticket = ingress_tickets(1), theirs;
		enum ingress_status status;

		while ((status = submit_with(storm.context, method, 20000, ticket, &storm.heard[self][i])) ==
		       INGRESS_QUEUE_FULL)
			make_room(oldest);
		if (status != INGRESS_OK)
			abort();
		atomic_store(&storm.tickets[self][i], ticket);
		if (chance / 128 % 4 == 0)
			ingress_cancel(storm.context, ticket);
		theirs = atomic_load(&storm.tickets[other][i > 3 ? i - chance / 512 % 4 : 0]);
		if (theirs && chance / 4096 % 2)
			ingress_cancel(storm.context, theirs);
	}
	return NULL;
}

static void each_is_answered_once_whoever_cancels(void **state)
{
	const struct ingress_options options = { .queue_depth = 256, .stale_ns = MS_NS };
	pthread_t threads[STORM_THREADS];
	uint32_t cancelled = 0, done = 0;

	(void)state;
	storm.context = open_echo(&echo_library, &options);
	for (int i = 0; i < STORM_THREADS - 1; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, submit_and_cancel, NULL), 0);
	for (int i = 0; i < STORM_THREADS - 1; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(pthread_create(&threads[STORM_THREADS - 1], NULL, submit_and_cancel, NULL), 0);
	pthread_join(threads[STORM_THREADS - 1], NULL);
	for (int i = 0; i < STORM_THREADS; i++)
		for (int j = 0; j < STORM_REQUESTS; j++) {
			int64_t until_ns = now_ns() + LONG_NS;

			/* what other threads have submitted may be served after this, and may still fill the queue */
			while (!storm.heard[i][j].terminal && now_ns() < until_ns) {
				enum ingress_status status = ask(storm.context, ECHO_LET, NULL, 0);

				assert_true(status == INGRESS_OK || status == INGRESS_QUEUE_FULL);
				if (status == INGRESS_QUEUE_FULL) {
					ingress_cancel(storm.context, atomic_load(&storm.tickets[i][j]));
					nap(MS_NS / 10);
				}
			}
			assert_int_equal(storm.heard[i][j].terminal, 1);
			cancelled += storm.heard[i][j].status == INGRESS_CANCELLED;
			done += storm.heard[i][j].status == INGRESS_OK;
		}
	close_echo(storm.context);
	for (int i = 0; i < STORM_THREADS; i++)
		for (int j = 0; j < STORM_REQUESTS; j++)
			assert_int_equal(storm.heard[i][j].terminal, 1);
	assert_int_equal(cancelled + done, STORM_THREADS * STORM_REQUESTS);
	assert_true(cancelled > STORM_REQUESTS / 10);
	assert_true(done > STORM_REQUESTS / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_running_request_is_seen_by_its_library),
		cmocka_unit_test(a_handler_that_runs_long_may_ask),
		cmocka_unit_test(a_request_that_waits_is_never_handed_over),
		cmocka_unit_test(what_was_answered_is_left_alone),
		cmocka_unit_test(a_handler_sees_that_its_waiter_has_left),
		cmocka_unit_test(a_handler_sees_that_its_context_was_given_up),
		cmocka_unit_test(wrong_arguments_are_refused),
		cmocka_unit_test(what_is_no_ticket_is_refused),
		cmocka_unit_test(tickets_end_and_do_not_begin_again),
		cmocka_unit_test(cancelling_again_costs_no_memory),
		cmocka_unit_test(all_of_a_full_queue_may_be_cancelled),
		cmocka_unit_test(cancelling_what_is_over_is_limited),
		cmocka_unit_test(a_handler_finds_its_own_among_many),
		cmocka_unit_test(each_is_answered_once_whoever_cancels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
