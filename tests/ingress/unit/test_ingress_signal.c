/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signal handlers: one that interrupts a call of the ingress is refused, wherever it does, and nothing is touched; and
 * threads that are cancelled in the middle of a call finish it. The table of test_ingress_life_cycle.c has one such
 * moment for each function; here it is a timer that chooses.
 */
#include "ingress_anywhere.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { ROUNDS = 3000, ROUNDS_MAX = 60000, BURST = 64, LARGE = 1000 };

static ingress_token shared;
static struct heard from_thread, from_handler;
static _Atomic uint32_t accepted, refused, other_status, loans, loans_ended;

static void end_loan(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
	atomic_fetch_add(&loans_ended, 1);
}

/*
 * If the library thread is late, a handler that comes just before a call may be the one that grows its thread's heap.
 * ThreadSanitizer reports an allocation in any handler, also where no malloc can have been interrupted, as here. Its
 * library finds this function only if the program exports it.
 */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "report_signal_unsafe=0";
}

/*
 * What a handler must not do, for it may have interrupted malloc; here the thread that it interrupts calls nothing but
 * the ingress, and a handler that interrupts the ingress is refused.
 */
static void submit_in_handler(int number)
{
	static const char payload[16];
	const struct ingress_call call = { .method = ANYWHERE_RUN,
					   .wire = INGRESS_WIRE_C,
					   .data = payload,
					   .bytes = 8,
					   .release = end_loan,
					   .reply = hear,
					   .user = &from_handler };
	enum ingress_status status = ingress_submit(shared, &call);

	(void)number;
	atomic_fetch_add(&loans, 1);
	atomic_fetch_add(status == INGRESS_OK ? &accepted : status == INGRESS_REENTRANT ? &refused : &other_status, 1);
}

static void start_timer(long us)
{
	const struct itimerval timer = { { 0, us }, { 0, us } };

	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static void a_handler_in_the_middle_of_a_call_is_refused(void **state)
{
	const struct sigaction action = { .sa_handler = submit_in_handler, .sa_flags = SA_RESTART };
	static unsigned char data[LARGE];
	uint32_t submitted = 0;

	(void)state;
	shared = open_anywhere(NULL);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	start_timer(50);
	for (uint32_t round = 0; round < ROUNDS || (!atomic_load(&refused) && round < ROUNDS_MAX); round++) {
		struct ingress_answer answer;

		for (int i = 0; i < BURST; i++)
			submitted += submit(shared, ANYWHERE_RUN, data, (size_t)i % 9, &from_thread) == INGRESS_OK;
		assert_int_equal(ingress_ask(shared, ANYWHERE_LET, 0, data, sizeof(data), LONG_NS, &answer),
				 INGRESS_OK);
		assert_int_equal(answer.bytes, sizeof(data));
		ingress_answer_release(&answer);
	}
	start_timer(0);
	assert_int_not_equal(refused, 0);
	close_echo(shared);
	/* each request that was accepted has had one reply, each that was refused none */
	assert_int_equal(from_thread.terminal, submitted);
	assert_int_equal(from_handler.terminal, accepted);
	assert_int_equal(other_status, 0);
	assert_int_equal(loans_ended, loans);
}

/* A handler that calls in the middle of a callback does not interrupt the ingress. */
static void raise_in_release(void *owner, const void *data, size_t bytes)
{
	end_loan(owner, data, bytes);
	raise(SIGALRM);
}

static void a_handler_in_a_callback_may_call(void **state)
{
	const struct sigaction action = { .sa_handler = submit_in_handler };
	struct ingress_call call = { .method = ANYWHERE_METHODS, .reply = hear, .release = raise_in_release };

	(void)state;
	shared = open_anywhere(NULL);
	accepted = refused = 0;
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(ingress_submit(shared, &call), INGRESS_BAD_METHOD);
	assert_int_equal(accepted, 1);
	assert_int_equal(refused, 0);
	/* and the thread may call on */
	assert_int_equal(ask(shared, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
	close_echo(shared);
}

static void *raise_alarm(void *argument)
{
	(void)argument;
	raise(SIGALRM);
	return NULL;
}

/* The handler's call is the first of its thread, which has no heap yet. */
static void a_handler_may_be_the_first_to_call(void **state)
{
	const struct sigaction action = { .sa_handler = submit_in_handler };
	pthread_t thread;

	(void)state;
	shared = open_anywhere(NULL);
	accepted = refused = 0;
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, raise_alarm, NULL), 0);
	pthread_join(thread, NULL);
	assert_int_equal(accepted, 1);
	assert_int_equal(refused, 0);
	close_echo(shared);
}

/* ---- cancelling ------------------------------------------------------------------------------------------------- */

/* Everything with a cancellation point inside, until it is cancelled somewhere. */
static void *call_everything(void *argument)
{
	(void)argument;
	for (;;) {
		struct ingress_call call = { .method = ANYWHERE_RUN };
		ingress_token context = open_anywhere(NULL), fixed;
		struct ingress_item item;

		ingress_static_context(&anywhere_library, &fixed);
		ingress_inbox_create(&call.inbox);
		ingress_submit(context, &call);
		ingress_items_release(&item, ingress_inbox_take(call.inbox, &item, 1, LONG_NS));
		ingress_inbox_take(call.inbox, &item, 1, MS_NS / 10);
		ask(shared, ANYWHERE_RUN, NULL, 0);
		ingress_inbox_close(call.inbox);
		ingress_context_destroy(context, LONG_NS);
		pthread_testcancel();
	}
	return NULL;
}

static void a_thread_that_is_cancelled_finishes_its_call(void **state)
{
	(void)state;
	shared = open_anywhere(NULL);
	for (int round = 0; round < 200; round++) {
		pthread_t thread;
		void *how;

		assert_int_equal(pthread_create(&thread, NULL, call_everything, NULL), 0);
		nap(MS_NS / 50 * (round % 40));
		assert_int_equal(pthread_cancel(thread), 0);
		pthread_join(thread, &how);
		assert_ptr_equal(how, PTHREAD_CANCELED);
	}
	/* no lock was left taken, and every context has been ended */
	close_echo(shared);
	for (int i = 0; i < 20; i++)
		close_echo(open_anywhere(NULL));
}

/* How far a thread that is being cancelled has come: one for each call that it has finished; listeners that ended. */
static _Atomic uint32_t finished, ended;

/* A host's function with a cancellation point, which the ingress calls in the middle of a call. */
static void test_cancel_in_loan(void *owner, const void *data, size_t bytes)
{
	pthread_testcancel();
	end_loan(owner, data, bytes);
}

static void test_cancel_in_end(void *user)
{
	pthread_testcancel();
	atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

static void ignore_event(void *user, const struct ingress_event *event)
{
	(void)user;
	(void)event;
}

/*
 * Each call has a cancellation point inside: the host's own, or the reading of an inbox's descriptor.
 */
static void *finish_each(void *argument)
{
	struct ingress_call refusable = { .method = ANYWHERE_METHODS, .reply = hear, .release = test_cancel_in_loan };
	const struct ingress_listener listener = {
		.wire = INGRESS_WIRE_C, .notify = ignore_event, .release = test_cancel_in_end, .user = &ended
	};
	struct ingress_inbox *inbox = argument;
	struct ingress_item items[4];
	uint64_t id;

	pthread_cancel(pthread_self());
	ingress_submit(shared, &refusable);
	atomic_fetch_add(&finished, 1);
	ingress_listen(shared, &listener, &id);
	ingress_unlisten(shared, id);
	atomic_fetch_add(&finished, 1);
	ingress_listen(shared ^ 1, &listener, &id);
	atomic_fetch_add(&finished, 1);
	/* the first take leaves a wake-up that nobody has read, and the second one reads it */
	ingress_items_release(items, ingress_inbox_take(inbox, items, 4, 0));
	ingress_items_release(items, ingress_inbox_take(inbox, items, 4, 0));
	ingress_inbox_take(inbox, items, 4, MS_NS);
	atomic_fetch_add(&finished, 1);
	pthread_testcancel();
	return NULL;
}

static void what_a_call_does_is_not_cancelled(void **state)
{
	struct ingress_inbox *inbox;
	struct ingress_call posted = { .method = ANYWHERE_RUN };
	pthread_t thread;
	void *how;

	(void)state;
	shared = open_anywhere(NULL);
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	posted.inbox = inbox;
	assert_int_equal(ingress_submit(shared, &posted), INGRESS_OK);
	assert_int_equal(ask(shared, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
	loans_ended = 0;
	assert_int_equal(pthread_create(&thread, NULL, finish_each, inbox), 0);
	pthread_join(thread, &how);
	assert_ptr_equal(how, PTHREAD_CANCELED);
	assert_int_equal(finished, 4);
	assert_int_equal(loans_ended, 1);
	assert_int_equal(ended, 2);
	ingress_inbox_close(inbox);
	close_echo(shared);
}

/* ---- forking ---------------------------------------------------------------------------------------------------- */

static _Atomic int forked = -1;

static void fork_in_handler(int number)
{
	ingress_token made;
	struct ingress_answer answer;
	pid_t child;

	(void)number;
	child = fork();
	if (child == 0) {
		/* in the middle of its parent's call it has no ingress */
		_exit(ingress_context_create(&anywhere_library, NULL, ANYWHERE_OPEN, 0, NULL, 0, LONG_NS, &made,
					     &answer) != INGRESS_REENTRANT);
	}
	atomic_store(&forked, child);
}

static void *ask_kept(void *argument)
{
	*(enum ingress_status *)argument = ask(shared, ANYWHERE_KEEP, NULL, 0);
	return NULL;
}

static void see_kept(void *argument)
{
	*(bool *)argument = anywhere_kept[0];
}

static void a_handler_in_the_middle_of_a_call_may_fork_and_exit(void **state)
{
	const struct sigaction action = { .sa_handler = fork_in_handler };
	enum ingress_status asked = INGRESS_FAILED;
	bool kept = false;
	pthread_t thread;
	int status = -1;

	(void)state;
#if defined(__SANITIZE_THREAD__)
	/* ThreadSanitizer holds the signal back until the wait is over */
	skip();
#endif
	shared = open_anywhere(NULL);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, ask_kept, &asked), 0);
	while (!kept)
		assert_int_equal(run_inside(shared, see_kept, &kept), INGRESS_OK);
	assert_int_equal(pthread_kill(thread, SIGUSR1), 0);
	while (atomic_load(&forked) < 0)
		nap(MS_NS);
	assert_int_equal(waitpid(atomic_load(&forked), &status, 0), atomic_load(&forked));
	assert_int_equal(status, 0);
	assert_int_equal(ask(shared, ANYWHERE_LET, NULL, 0), INGRESS_OK);
	pthread_join(thread, NULL);
	assert_int_equal(asked, INGRESS_OK);
	close_echo(shared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* first: a handler that is not refused corrupts what the others stand on */
		cmocka_unit_test(a_handler_in_the_middle_of_a_call_may_fork_and_exit),
		cmocka_unit_test(a_handler_in_the_middle_of_a_call_is_refused),
		cmocka_unit_test(a_handler_in_a_callback_may_call),
		cmocka_unit_test(a_handler_may_be_the_first_to_call),
		cmocka_unit_test(a_thread_that_is_cancelled_finishes_its_call),
		cmocka_unit_test(what_a_call_does_is_not_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
