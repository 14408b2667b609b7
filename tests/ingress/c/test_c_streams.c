/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams beside what happens to a whole thread or process: the host forks while a stream is open, and the thread that
 * takes a stream's values is suspended, by a signal whose handler waits. Runs with whichever library has
 * ferry_library_echo.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "echo.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define PATIENCE (60 * SECOND) /* for what other threads do, so that a fault is a failure and not a hang */

enum { FORKS = 8, SUSPENSIONS = 30, CREDITS = 16, LONG_COUNT = 3000, SHORT_COUNT = 300, HANG_S = 120 };

#include "../../helpers/fork.h"

/* ThreadSanitizer does not follow new threads of a forked child. */
#if defined(__SANITIZE_THREAD__)
#define NEEDS_THREADS_IN_CHILDREN() skip()
#else
#define NEEDS_THREADS_IN_CHILDREN()
#endif

/*
 * AddressSanitizer's allocator has locks that all threads share. A thread that is suspended inside it keeps such a
 * lock, and the next thread that allocates waits for ever.
 */
#if defined(__SANITIZE_ADDRESS__)
#define NEEDS_AN_ALLOCATOR_FOR_EACH_THREAD() skip()
#else
#define NEEDS_AN_ALLOCATOR_FOR_EACH_THREAD()
#endif

/* In a child and in other threads: cmocka's asserts are for the thread that runs the test. */
#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_here(__LINE__, #condition);                                                               \
	} while (0)

_Noreturn static void fail_here(int line, const char *what)
{
	dprintf(2, "# test_c_streams.c:%d: %s\n", line, what);
	_exit(1);
}

static void nap(int64_t ns)
{
	const struct timespec time = { ns / SECOND, ns % SECOND };

	nanosleep(&time, NULL);
}

static ingress_token create(void)
{
	struct echo_create_reply reply;
	ingress_token context;

	CHECK(echo_create(NULL, ferry_string("hi "), PATIENCE, &context, &reply) == INGRESS_OK);
	echo_create_reply_free(&reply);
	return context;
}

static uint64_t given(ingress_token context, uint32_t *running)
{
	struct echo_counting_reply reply;
	uint64_t found;

	CHECK(echo_counting(context, PATIENCE, &reply) == INGRESS_OK);
	found = reply.value.given;
	*running = reply.value.running;
	echo_counting_reply_free(&reply);
	return found;
}

/* A count, and how far the host has come with it. */
struct counting {
	ingress_token context;
	struct echo_option_count_stream stream;
	uint32_t number;
};

static void take_part(struct counting *counting, const struct echo_count_part *part)
{
	for (size_t i = 0; i < part->values.count; i++)
		CHECK(part->values.items[i].number == counting->number++);
	counting->stream = part->stream;
}

static struct counting begin_count(ingress_token context, uint32_t up_to)
{
	struct counting counting = { .context = context };
	struct echo_count_request what = echo_count_request_make(up_to);
	struct echo_count_reply first;

	CHECK(echo_count(context, &what, CREDITS, PATIENCE, &first) == INGRESS_OK);
	take_part(&counting, &first.value);
	echo_count_reply_free(&first);
	return counting;
}

static void go_on(struct counting *counting)
{
	struct echo_count_next_reply next;

	CHECK(echo_count_next(counting->context, counting->stream.value, CREDITS, PATIENCE, &next) == INGRESS_OK);
	take_part(counting, &next.value);
	echo_count_next_reply_free(&next);
}

static void end_count(struct counting *counting, uint32_t up_to)
{
	while (counting->stream.present)
		go_on(counting);
	CHECK(counting->number == up_to);
}

static void count(ingress_token context, uint32_t up_to)
{
	struct counting counting = begin_count(context, up_to);

	end_count(&counting, up_to);
}

/* ---- a fork while a stream is open ------------------------------------------------------------------------------- */

/*
 * The parent's stream is closed to a child, which has contexts and streams of its own; but with a library that does not
 * run in a forked child (ECHO_NOT_IN_CHILDREN is in the environment), such as one on GHC's runtime system.
 */
_Noreturn static void be_a_child(const struct counting *parents)
{
	struct echo_count_close_reply closed;
	struct echo_count_next_reply next;
	ingress_token own;

	CHECK(echo_count_next(parents->context, parents->stream.value, CREDITS, PATIENCE, &next) == INGRESS_CLOSED);
	echo_count_next_reply_free(&next);
	CHECK(echo_count_close(parents->context, parents->stream.value, PATIENCE, &closed) == INGRESS_CLOSED);
	echo_count_close_reply_free(&closed);
	if (getenv("ECHO_NOT_IN_CHILDREN"))
		_exit(0);
	own = create();
	count(own, SHORT_COUNT);
	CHECK(echo_destroy(own, PATIENCE) == INGRESS_OK);
	_exit(0);
}

static void a_child_has_no_part_in_its_parents_stream(void **state)
{
	ingress_token context = create();
	struct counting counting = begin_count(context, LONG_COUNT);
	uint32_t running;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork_child();

		if (child == 0)
			be_a_child(&counting);
		/* the stream goes on beside the child, and after it */
		go_on(&counting);
		wait_for_child(child);
		go_on(&counting);
	}
	end_count(&counting, LONG_COUNT);
	given(context, &running);
	assert_int_equal(running, 0);
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
}

static _Atomic bool is_over;

static void *count_on(void *context)
{
	while (!atomic_load(&is_over))
		count(*(ingress_token *)context, SHORT_COUNT);
	return NULL;
}

/*
 * The fork comes wherever the thread that takes the values is: before its request, in it, or after it. That thread may
 * be inside of the allocator, so not every child may do more than end.
 */
static void a_fork_amid_a_part_leaves_the_stream_whole(void **state)
{
	ingress_token context = create();
	struct counting open = begin_count(context, LONG_COUNT);
	pthread_t thread;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	atomic_store(&is_over, false);
	assert_int_equal(pthread_create(&thread, NULL, count_on, &context), 0);
	for (int i = 0; i < FORKS; i++) {
		pid_t child;

		nap(i * MILLISECOND / 4);
		child = fork_child();
		if (child == 0) {
			if (CHILD_MAY_ALLOCATE)
				be_a_child(&open);
			_exit(0);
		}
		wait_for_child(child);
	}
	atomic_store(&is_over, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	end_count(&open, LONG_COUNT);
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
}

/* ---- a thread that is suspended ---------------------------------------------------------------------------------- */

/* How often the consumer was suspended, and how often it was let go. Both are counters that one thread writes. */
static _Atomic uint32_t suspended, released;

static void stay(int signal)
{
	/* the release pairs with the acquire of the test's thread, which then knows where the consumer is */
	uint32_t turn = atomic_fetch_add_explicit(&suspended, 1, memory_order_release);

	int kept = errno;

	(void)signal;
	while (atomic_load_explicit(&released, memory_order_acquire) == turn)
		nap(MILLISECOND / 10);
	errno = kept;
}

static void suspend(pthread_t thread, uint32_t turn)
{
	assert_int_equal(pthread_kill(thread, SIGUSR1), 0);
	while (atomic_load_explicit(&suspended, memory_order_acquire) == turn)
		nap(MILLISECOND / 100);
}

static void a_suspended_consumer_holds_up_its_own_stream_alone(void **state)
{
	const struct sigaction action = { .sa_handler = stay, .sa_flags = SA_RESTART };
	ingress_token context = create();
	pthread_t thread;

	(void)state;
	NEEDS_AN_ALLOCATOR_FOR_EACH_THREAD();
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	alarm(HANG_S);
	atomic_store(&is_over, false);
	assert_int_equal(pthread_create(&thread, NULL, count_on, &context), 0);
	for (uint32_t turn = 0; turn < SUSPENSIONS; turn++) {
		uint32_t running;
		uint64_t before, after;

		nap(turn * MILLISECOND / 16);
		suspend(thread, turn);
		/* what the consumer has asked for comes, and one value more; then its stream stands still */
		before = given(context, &running);
		assert_true(running <= 1);
		count(context, SHORT_COUNT);
		nap(MILLISECOND);
		after = given(context, &running);
		assert_true(running <= 1);
		assert_true(after - before <= SHORT_COUNT + CREDITS + 1);
		assert_int_equal(given(context, &running), after);
		atomic_store_explicit(&released, turn + 1, memory_order_release);
	}
	atomic_store(&is_over, true);
	/* it has checked that each of its values came, once and in order */
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_has_no_part_in_its_parents_stream),
		cmocka_unit_test(a_fork_amid_a_part_leaves_the_stream_whole),
		cmocka_unit_test(a_suspended_consumer_holds_up_its_own_stream_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
