/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life cycle through the bindings that `ferry bindgen --lang c` writes: a forked child opens contexts of its own
 * and gives back what the parent was answered; a listener's `release` says when it is over, wherever it is ended; and
 * the cells of docs/ingress-life-cycle.md that generated functions can be called at.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "echo.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define PATIENCE (60 * SECOND) /* for what other threads do, so that a fault is a failure and not a hang */
#define HANG_S 120
#define FORKS 20
#define LARGE 3000 /* bytes: longer than what a reply keeps in itself */

#include "../../helpers/fork.h"

/* ThreadSanitizer does not follow new threads of a forked child, and holds signals back until a wait is over. */
#if defined(__SANITIZE_THREAD__)
#define NEEDS_NO_THREAD_SANITIZER() skip()
#else
#define NEEDS_NO_THREAD_SANITIZER()
#endif

/* In a child: cmocka's asserts would go on with the parent's tests. */
#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_child(__LINE__);                                                                          \
	} while (0)

_Noreturn static void fail_child(int line)
{
	dprintf(2, "# test_c_life_cycle.c:%d failed in a child\n", line);
	_exit(1);
}

static void nap(void)
{
	const struct timespec time = { 0, MILLISECOND };

	nanosleep(&time, NULL);
}

/* Wait until a count is that high; what it counts may be told by another thread. */
static void wait_for(atomic_uint *count, unsigned int least)
{
	for (int64_t waited = 0; atomic_load(count) < least && waited < PATIENCE; waited += MILLISECOND)
		nap();
	assert_true(atomic_load(count) >= least);
}

static struct echo_echo_request request(const char *message, int64_t delay_ms)
{
	return (struct echo_echo_request){ ferry_string(message), delay_ms };
}

static enum ingress_status create(const char *prefix, ingress_token *context)
{
	struct echo_create_reply reply;
	enum ingress_status status = echo_create(NULL, ferry_string(prefix), PATIENCE, context, &reply);

	echo_create_reply_free(&reply);
	return status;
}

static enum ingress_status ask(ingress_token context, const char *message)
{
	const struct echo_echo_request asked = request(message, 0);
	struct echo_echo_reply reply;
	enum ingress_status status = echo_echo(context, &asked, PATIENCE, &reply);

	echo_echo_reply_free(&reply);
	return status;
}

static ingress_token created(const char *prefix)
{
	ingress_token context;

	assert_int_equal(create(prefix, &context), INGRESS_OK);
	return context;
}

/* ---- fork ------------------------------------------------------------------------------------------------------- */

static void count_reply(void *user, const struct echo_echo_reply *reply)
{
	if (reply->status == INGRESS_OK && strcmp(reply->value.echoed.data, "c later") == 0)
		atomic_fetch_add((atomic_uint *)user, 1);
}

static void count_event(void *user, const struct echo_echoed_event *event)
{
	if (event->status == INGRESS_OK)
		atomic_fetch_add((atomic_uint *)user, 1);
}

/* All that a program does with a context, in a child. */
static void use_own(void)
{
	const struct echo_echo_request later = request("later", 5);
	atomic_uint replies = 0, events = 0;
	struct echo_echo_call call = { .done = count_reply, .user = &replies };
	struct echo_echoed_listener listener = { .notify = count_event, .user = &events };
	struct echo_version_reply version;
	struct ingress_inbox *inbox;
	struct echo_echo_reply reply;
	struct ingress_item item;
	ingress_token context;
	uint64_t id;

	CHECK(create("c ", &context) == INGRESS_OK);
	CHECK(echo_on_echoed(context, &listener, &id) == INGRESS_OK);
	CHECK(echo_echo_submit(context, &later, &call) == INGRESS_OK);
	CHECK(ask(context, "now") == INGRESS_OK);
	while (atomic_load(&replies) < 1 || atomic_load(&events) < 2)
		nap();
	CHECK(ingress_unlisten(context, id) == INGRESS_OK);
	CHECK(ingress_inbox_create(&inbox) == INGRESS_OK);
	CHECK(echo_echo_post(context, &later, inbox, 3) == INGRESS_OK);
	CHECK(ingress_inbox_take(inbox, &item, 1, PATIENCE) == 1 && item.tag == 3);
	CHECK(echo_echo_take(&item, &reply) == INGRESS_OK && strcmp(reply.value.echoed.data, "c later") == 0);
	echo_echo_reply_free(&reply);
	ingress_items_release(&item, 1);
	ingress_inbox_close(inbox);
	CHECK(echo_version(PATIENCE, &version) == INGRESS_OK);
	echo_version_reply_free(&version);
	CHECK(echo_destroy(context, PATIENCE) == INGRESS_OK);
	CHECK(ask(context, "after") == INGRESS_CLOSED);
}

static void a_forked_child_uses_contexts_of_its_own(void **state)
{
	const struct echo_echo_request asked = request("parent's", 0);
	ingress_token context = created("p ");

	(void)state;
	NEEDS_NO_THREAD_SANITIZER();
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork_child();

		if (child == 0) {
			struct echo_echo_reply refused;

			CHECK(echo_echo(context, &asked, PATIENCE, &refused) == INGRESS_CLOSED);
			CHECK(strstr(refused.message.data, "fork"));
			echo_echo_reply_free(&refused);
			use_own();
			use_own();
			_exit(0);
		}
		wait_for_child(child);
		assert_int_equal(ask(context, "on"), INGRESS_OK);
	}
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
}

static void a_child_gives_back_what_the_parent_was_answered(void **state)
{
	struct echo_bytes_reply small, large;
	struct ingress_inbox *inbox;
	struct ingress_item item;
	static uint8_t payload[LARGE] = { 1, 2, 3 };
	ingress_token context = created("p ");
	pid_t child;

	(void)state;
	assert_int_equal(echo_bytes(context, (struct ferry_bytes){ payload, 3 }, PATIENCE, &small), INGRESS_OK);
	assert_int_equal(echo_bytes(context, (struct ferry_bytes){ payload, LARGE }, PATIENCE, &large), INGRESS_OK);
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	assert_int_equal(echo_bytes_post(context, (struct ferry_bytes){ payload, LARGE }, inbox, 1), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, &item, 1, PATIENCE), 1);
	child = fork_child();
	if (child == 0) {
		struct echo_bytes_reply taken;

		CHECK(small.value.bytes == 3 && memcmp(small.value.data, payload, 3) == 0);
		CHECK(large.value.bytes == LARGE && memcmp(large.value.data, payload, LARGE) == 0);
		CHECK(echo_bytes_take(&item, &taken) == INGRESS_OK && taken.value.bytes == LARGE);
		echo_bytes_reply_free(&taken);
		ingress_items_release(&item, 1);
		echo_bytes_reply_free(&small);
		echo_bytes_reply_free(&large);
		CHECK(!large.value.data);
		ingress_inbox_close(inbox);
		_exit(0);
	}
	wait_for_child(child);
	/* the child's were copies */
	assert_memory_equal(large.value.data, payload, LARGE);
	ingress_items_release(&item, 1);
	echo_bytes_reply_free(&small);
	echo_bytes_reply_free(&large);
	ingress_inbox_close(inbox);
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
}

/* ---- the end of a listener -------------------------------------------------------------------------------------- */

/* A listener in memory of its own, which its release frees. */
struct heard {
	struct echo_tick_listener listener;
	atomic_uint *events, *released;
	ingress_token context;
	atomic_ullong id; /* when it is there */
	bool ends;	  /* by its first event */
};

static void hear(void *user, const struct echo_tick_event *event)
{
	struct heard *heard = user;

	assert_int_equal(event->status, INGRESS_OK);
	while (!atomic_load(&heard->id))
		nap();
	if (heard->ends)
		assert_int_equal(ingress_unlisten(heard->context, atomic_load(&heard->id)), INGRESS_OK);
	/* its callback runs, so it has not been freed */
	atomic_fetch_add(heard->events, 1);
}

static void free_heard(void *user)
{
	atomic_uint *released = ((struct heard *)user)->released;

	free(user);
	atomic_fetch_add(released, 1);
}

static enum ingress_status listen_to(ingress_token context, bool ends, atomic_uint counts[2], uint64_t *id)
{
	struct heard *heard = malloc(sizeof(*heard));
	enum ingress_status status;

	*heard = (struct heard){ { hear, heard, free_heard }, &counts[0], &counts[1], context, 0, ends };
	*id = 0;
	status = echo_on_tick(context, &heard->listener, id);
	if (status == INGRESS_OK)
		atomic_store(&heard->id, *id);
	return status;
}

static void tick(ingress_token context)
{
	struct echo_ticks_reply asked;

	assert_int_equal(echo_ticks(context, 1, PATIENCE, &asked), INGRESS_OK);
	echo_ticks_reply_free(&asked);
}

static void a_listener_is_given_back_once_wherever_it_ends(void **state)
{
	ingress_token context = created("");
	atomic_uint removed[2] = { 0 }, inside[2] = { 0 }, ended[2] = { 0 }, refused[2] = { 0 };
	uint64_t id;

	(void)state;
	/* by a host thread: before that returns */
	assert_int_equal(listen_to(context, false, removed, &id), INGRESS_OK);
	tick(context);
	wait_for(&removed[0], 1);
	assert_int_equal(removed[1], 0);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	assert_int_equal(removed[1], 1);
	/* in its own callback: when that returns */
	assert_int_equal(listen_to(context, true, inside, &id), INGRESS_OK);
	tick(context);
	wait_for(&inside[1], 1);
	assert_int_equal(inside[0], 1);
	/* with its context */
	assert_int_equal(listen_to(context, false, ended, &id), INGRESS_OK);
	assert_int_equal(echo_destroy(context, PATIENCE), INGRESS_OK);
	assert_int_equal(ended[1], 1);
	/* and when it is refused */
	assert_int_equal(listen_to(context, false, refused, &id), INGRESS_CLOSED);
	assert_int_equal(id, 0);
	assert_int_equal(refused[1], 1);
	assert_int_equal(removed[1] + inside[1] + ended[1], 3);
}

/* In a reply's callback: with a release nobody has to wait. */
struct ending {
	ingress_token context;
	uint64_t id;
	atomic_uint done;
	enum ingress_status status;
};

static void end_listener(void *user, const struct echo_echo_reply *reply)
{
	struct ending *ending = user;

	assert_int_equal(reply->status, INGRESS_OK);
	ending->status = ingress_unlisten(ending->context, ending->id);
	atomic_store(&ending->done, 1);
}

static void ignore(void *user, const struct echo_tick_event *event)
{
	(void)user;
	(void)event;
}

static void only_a_listener_with_a_release_ends_in_a_callback(void **state)
{
	const struct echo_echo_request asked = request("", 0);
	struct echo_tick_listener without = { .notify = ignore };
	atomic_uint counts[2] = { 0 };
	struct ending ending = { created(""), 0, 0, INGRESS_FAILED };
	struct echo_echo_call call = { .done = end_listener, .user = &ending };

	(void)state;
	assert_int_equal(listen_to(ending.context, false, counts, &ending.id), INGRESS_OK);
	assert_int_equal(echo_echo_submit(ending.context, &asked, &call), INGRESS_OK);
	wait_for(&ending.done, 1);
	assert_int_equal(ending.status, INGRESS_OK);
	wait_for(&counts[1], 1);
	assert_int_equal(echo_on_tick(ending.context, &without, &ending.id), INGRESS_OK);
	atomic_store(&ending.done, 0);
	assert_int_equal(echo_echo_submit(ending.context, &asked, &call), INGRESS_OK);
	wait_for(&ending.done, 1);
	assert_int_equal(ending.status, INGRESS_REENTRANT);
	assert_int_equal(echo_destroy(ending.context, PATIENCE), INGRESS_OK);
	assert_int_equal(counts[1], 1);
}

/* ---- other places ----------------------------------------------------------------------------------------------- */

struct inside {
	ingress_token context;
	enum ingress_status asked, submitted, created, fixed, ended;
	atomic_uint done;
};

static void note_done(void *user, const struct echo_echo_reply *reply)
{
	(void)reply;
	atomic_fetch_add((atomic_uint *)user, 1);
}

static void call_everything(struct inside *inside, struct echo_echo_call *call)
{
	const struct echo_echo_request asked = request("inside", 0);
	struct echo_version_reply version;
	ingress_token other;

	inside->asked = ask(inside->context, "inside");
	inside->submitted = echo_echo_submit(inside->context, &asked, call);
	inside->created = create("other", &other);
	if (inside->created == INGRESS_OK)
		assert_int_equal(echo_destroy(other, PATIENCE), INGRESS_OK);
	inside->fixed = echo_version(PATIENCE, &version);
	echo_version_reply_free(&version);
	inside->ended = echo_destroy(inside->context, PATIENCE);
}

static struct echo_echo_call noted;

static void call_in_reply(void *user, const struct echo_echo_reply *reply)
{
	struct inside *inside = user;

	(void)reply;
	call_everything(inside, &noted);
	atomic_fetch_add(&inside->done, 1);
}

static void call_in_event(void *user, const struct echo_tick_event *event)
{
	struct inside *inside = user;

	(void)event;
	call_everything(inside, &noted);
	atomic_fetch_add(&inside->done, 1);
}

static void callbacks_and_listeners_are_told_what_they_may_not(void **state)
{
	const struct echo_echo_request asked = request("", 0);
	atomic_uint later = 0;
	struct inside reply = { .context = created("") }, event = { .context = reply.context };
	struct echo_echo_call call = { .done = call_in_reply, .user = &reply };
	struct echo_tick_listener listener = { .notify = call_in_event, .user = &event };
	uint64_t id;

	(void)state;
	noted = (struct echo_echo_call){ .done = note_done, .user = &later };
	assert_int_equal(echo_echo_submit(reply.context, &asked, &call), INGRESS_OK);
	wait_for(&reply.done, 1);
	assert_int_equal(reply.submitted, INGRESS_OK);
	assert_int_equal(reply.asked, INGRESS_REENTRANT);
	assert_int_equal(reply.created, INGRESS_REENTRANT);
	assert_int_equal(reply.fixed, INGRESS_REENTRANT);
	assert_int_equal(reply.ended, INGRESS_REENTRANT);
	assert_int_equal(echo_on_tick(reply.context, &listener, &id), INGRESS_OK);
	tick(reply.context);
	wait_for(&event.done, 1);
	assert_int_equal(event.asked, INGRESS_OK);
	assert_int_equal(event.submitted, INGRESS_OK);
	assert_int_equal(event.created, INGRESS_OK);
	assert_int_equal(event.fixed, INGRESS_OK);
	assert_int_equal(event.ended, INGRESS_REENTRANT);
	wait_for(&later, 2);
	assert_int_equal(echo_destroy(reply.context, PATIENCE), INGRESS_OK);
}

static ingress_token interrupted;
static atomic_int in_handler;

static void call_in_handler(int number)
{
	struct echo_echo_reply reply;
	const struct echo_echo_request asked = request("signal", 0);

	(void)number;
	atomic_store(&in_handler, (int)echo_echo(interrupted, &asked, PATIENCE, &reply));
	echo_echo_reply_free(&reply);
}

static atomic_uint is_waiting;

static void *wait_long(void *user)
{
	const struct echo_echo_request asked = request("slow", 1000);
	struct echo_echo_reply reply;

	atomic_store(&is_waiting, 1);
	*(enum ingress_status *)user = echo_echo(interrupted, &asked, PATIENCE, &reply);
	echo_echo_reply_free(&reply);
	return NULL;
}

static void a_signal_handler_in_the_middle_of_a_call_is_refused(void **state)
{
	const struct sigaction action = { .sa_handler = call_in_handler };
	enum ingress_status status = INGRESS_FAILED;
	pthread_t thread;

	(void)state;
	NEEDS_NO_THREAD_SANITIZER();
	interrupted = created("s ");
	atomic_store(&in_handler, -1);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_long, &status), 0);
	wait_for(&is_waiting, 1);
	/* it waits for a second; before that the handler may interrupt its malloc, and after that nothing */
	until_other_threads_sleep();
	for (int i = 0; i < 200 && atomic_load(&in_handler) != INGRESS_REENTRANT; i++) {
		pthread_kill(thread, SIGUSR1);
		nap();
	}
	pthread_join(thread, NULL);
	assert_int_equal(in_handler, INGRESS_REENTRANT);
	assert_int_equal(status, INGRESS_OK);
	assert_int_equal(ask(interrupted, "on"), INGRESS_OK);
	assert_int_equal(echo_destroy(interrupted, PATIENCE), INGRESS_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forked_child_uses_contexts_of_its_own),
		cmocka_unit_test(a_child_gives_back_what_the_parent_was_answered),
		cmocka_unit_test(a_listener_is_given_back_once_wherever_it_ends),
		cmocka_unit_test(only_a_listener_with_a_release_ends_in_a_callback),
		cmocka_unit_test(callbacks_and_listeners_are_told_what_they_may_not),
		cmocka_unit_test(a_signal_handler_in_the_middle_of_a_call_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
