/* SPDX-License-Identifier: BSD-3-Clause */
/* How listeners end: by whom, on which thread, beside the end of their context; and when their `release` is called. */
#include "ingress_tests.h"

/* A listener's user, which counts and may be told to take its time. It is on the heap: a callback that comes after its
 * end is found by AddressSanitizer. */
struct user {
	_Atomic uint32_t holds; /* 1: the callback waits until it is 0 */
	_Atomic uint32_t inside, count, released;
};

static void notice(void *given, const struct ingress_event *event)
{
	struct user *user = given;

	(void)event;
	atomic_store(&user->inside, 1);
	while (atomic_load(&user->holds))
		nap(MS_NS / 10);
	atomic_fetch_add(&user->count, 1);
	atomic_store(&user->inside, 0);
}

static uint64_t listen_to(ingress_token context, struct user *user)
{
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = notice, .user = user };
	uint64_t id;

	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	return id;
}

static void emit(ingress_token context, uint64_t count)
{
	assert_int_equal(ask_words(context, ECHO_EMIT, count, ECHO_EVENT_OLDEST, 8), count);
}

/* A context whose listener's callback runs, and does not return before `user->holds` is 0. */
static ingress_token open_held(struct user *user, uint64_t *id)
{
	ingress_token context = open_echo(&echo_library, NULL);

	*id = listen_to(context, user);
	atomic_store(&user->holds, 1);
	emit(context, 1);
	wait_for(&user->inside, 1);
	return context;
}

static void *destroy(void *token)
{
	return (void *)(uintptr_t)ingress_context_destroy(*(ingress_token *)token, LONG_NS);
}

/* Lets the callback go on after a while. */
static void *let_go(void *given)
{
	struct user *user = given;

	nap(30 * MS_NS);
	atomic_store(&user->holds, 0);
	return NULL;
}

/* ---- beside the end of the context ------------------------------------------------------------------------------- */

static void unlistening_waits_while_another_thread_destroys(void **state)
{
	struct user *user = calloc(1, sizeof(*user));
	pthread_t destroyer, other;
	uint64_t id;
	ingress_token context = open_held(user, &id);
	void *status;

	(void)state;
	pthread_create(&destroyer, NULL, destroy, &context);
	/* the context ends, its end has taken the listener out of the list and waits for the callback */
	while (ask(context, ECHO_SAME, NULL, 0) != INGRESS_CLOSED)
		nap(MS_NS);
	nap(20 * MS_NS);
	pthread_create(&other, NULL, let_go, user);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_CLOSED);
	assert_int_equal(user->inside, 0);
	assert_int_equal(user->count, 1);
	free(user);
	pthread_join(other, NULL);
	pthread_join(destroyer, &status);
	assert_int_equal((uintptr_t)status, INGRESS_OK);
}

struct unlistener {
	ingress_token context;
	uint64_t id;
};

static void *unlisten(void *given)
{
	const struct unlistener *unlistener = given;

	return (void *)(uintptr_t)ingress_unlisten(unlistener->context, unlistener->id);
}

static void of_two_that_unlisten_both_wait(void **state)
{
	struct user *user = calloc(1, sizeof(*user));
	struct unlistener unlistener;
	enum ingress_status own;
	pthread_t first, other;
	void *status;

	(void)state;
	unlistener.context = open_held(user, &unlistener.id);
	pthread_create(&first, NULL, unlisten, &unlistener);
	nap(10 * MS_NS);
	pthread_create(&other, NULL, let_go, user);
	own = ingress_unlisten(unlistener.context, unlistener.id);
	assert_int_equal(user->inside, 0);
	pthread_join(other, NULL);
	pthread_join(first, &status);
	/* mostly the other thread removes the listener, but on a busy machine this one may have come first */
	assert_int_equal(own == INGRESS_OK ? (uintptr_t)status : own, INGRESS_BAD_ARGUMENT);
	assert_int_equal(own == INGRESS_OK ? own : (uintptr_t)status, INGRESS_OK);
	free(user);
	close_echo(unlistener.context);
}

static void an_id_is_of_one_context_for_good(void **state)
{
	struct user user = { 0 };
	ingress_token old = open_echo(&echo_small_library, NULL), now;
	uint64_t was = listen_to(old, &user), id;

	(void)state;
	close_echo(old);
	/* the only place of this library that is idle */
	now = open_echo(&echo_small_library, NULL);
	assert_int_equal(old & 0xffff, now & 0xffff);
	id = listen_to(now, &user);
	assert_true(id != was);
	assert_int_equal(ingress_unlisten(old, was), INGRESS_CLOSED);
	assert_int_equal(ingress_unlisten(old, id), INGRESS_CLOSED);
	assert_int_equal(ingress_unlisten(now, was), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ingress_unlisten(now ^ 1ull << 50, id), INGRESS_BAD_TOKEN);
	assert_int_equal(ingress_context_destroy(old, LONG_NS), INGRESS_CLOSED);
	assert_int_equal(ingress_unlisten(now, id), INGRESS_OK);
	close_echo(now);
}

/* ---- release ----------------------------------------------------------------------------------------------------- */

static void released(void *given)
{
	struct user *user = given;

	if (atomic_load(&user->inside))
		abort();
	atomic_fetch_add(&user->released, 1);
}

static uint64_t lend_to(ingress_token context, struct user *user)
{
	const struct ingress_listener listener = {
		.wire = INGRESS_WIRE_C, .notify = notice, .user = user, .release = released
	};
	uint64_t id;

	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	return id;
}

static void a_user_is_released_also_where_listening_is_refused(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct user user = { 0 };
	const struct ingress_listener good = { .notify = notice, .user = &user, .release = released },
				      bad = { .event = ECHO_EVENTS, .user = &user, .release = released };
	uint64_t id;

	(void)state;
	assert_int_equal(ingress_listen(context, &bad, &id), INGRESS_BAD_ARGUMENT);
	assert_int_equal(user.released, 1);
	assert_int_equal(ingress_listen(context, &good, NULL), INGRESS_BAD_ARGUMENT);
	assert_int_equal(user.released, 2);
	assert_int_equal(ingress_listen(0, &good, &id), INGRESS_BAD_TOKEN);
	assert_int_equal(user.released, 3);
	close_echo(context);
	assert_int_equal(ingress_listen(context, &good, &id), INGRESS_CLOSED);
	assert_int_equal(user.released, 4);
}

static void a_user_is_released_once_when_nothing_runs(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	struct user users[3] = { 0 };
	uint64_t id = lend_to(context, &users[0]);
	pthread_t other;

	(void)state;
	emit(context, 3);
	wait_for(&users[0].count, 3);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	assert_int_equal(users[0].released, 1);
	/* one that runs is waited for, and released by then */
	id = lend_to(context, &users[1]);
	lend_to(context, &users[2]);
	atomic_store(&users[1].holds, 1);
	emit(context, 1);
	wait_for(&users[1].inside, 1);
	pthread_create(&other, NULL, let_go, &users[1]);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	assert_int_equal(users[1].released, 1);
	pthread_join(other, NULL);
	/* the end of the context releases what is left, also one whose callback runs */
	atomic_store(&users[2].holds, 1);
	emit(context, 1);
	wait_for(&users[2].inside, 1);
	pthread_create(&other, NULL, let_go, &users[2]);
	close_echo(context);
	pthread_join(other, NULL);
	for (int i = 0; i < 3; i++)
		assert_int_equal(users[i].released, 1);
}

static void a_stuck_callback_is_released_when_it_comes_back(void **state)
{
	const struct ingress_options options = { .stuck_ns = 20 * MS_NS };
	ingress_token context = open_echo(&echo_library, &options);
	struct user *user = calloc(2, sizeof(*user)), *other = user + 1;

	(void)state;
	lend_to(context, user);
	lend_to(context, other);
	atomic_store(&user->holds, 1);
	atomic_store(&other->holds, 1);
	emit(context, 1);
	wait_for(&other->inside, 1);
	assert_int_equal(ingress_context_destroy(context, 5 * MS_NS), INGRESS_EVENTS_STUCK);
	assert_int_equal(other->released, 0);
	/* the end of the context does not wait for it with those that do not run */
	wait_for(&user->released, 1);
	assert_int_equal(other->released, 0);
	atomic_store(&other->holds, 0);
	wait_for(&other->released, 1);
	assert_int_equal(user->count, 0);
	/* its end may be waited for once more */
	assert_int_equal(ingress_context_destroy(context, LONG_NS), INGRESS_CLOSED);
	free(user);
}

/* ---- on threads of the core -------------------------------------------------------------------------------------- */

struct ending {
	ingress_token context;
	uint64_t id;
	_Atomic uint32_t status, destroyed, closed, done;
	_Atomic uint32_t released_by_then;
	struct user user;
};

static void unlisten_in_reply(void *given, const struct ingress_reply *reply)
{
	struct ending *ending = given;

	(void)reply;
	atomic_store(&ending->status, ingress_unlisten(ending->context, ending->id));
	atomic_store(&ending->released_by_then, atomic_load(&ending->user.released));
	atomic_store(&ending->done, 1);
}

static void reply_and_unlisten(struct ending *ending)
{
	const struct ingress_call call = {
		.method = ECHO_SAME, .wire = INGRESS_WIRE_C, .reply = unlisten_in_reply, .user = ending
	};

	atomic_store(&ending->done, 0);
	assert_int_equal(ingress_submit(ending->context, &call), INGRESS_OK);
	wait_for(&ending->done, 1);
}

static void the_library_thread_ends_a_listener_that_is_released(void **state)
{
	struct ending *ending = calloc(1, sizeof(*ending));

	(void)state;
	ending->context = open_echo(&echo_library, NULL);
	ending->id = lend_to(ending->context, &ending->user);
	reply_and_unlisten(ending);
	assert_int_equal(ending->status, INGRESS_OK);
	assert_int_equal(ending->released_by_then, 1);
	/* while its callback runs */
	ending->id = lend_to(ending->context, &ending->user);
	atomic_store(&ending->user.holds, 1);
	emit(ending->context, 1);
	wait_for(&ending->user.inside, 1);
	reply_and_unlisten(ending);
	assert_int_equal(ending->status, INGRESS_OK);
	assert_int_equal(ending->released_by_then, 1);
	assert_int_equal(ending->user.inside, 1);
	atomic_store(&ending->user.holds, 0);
	wait_for(&ending->user.released, 2);
	assert_int_equal(ingress_unlisten(ending->context, ending->id), INGRESS_BAD_ARGUMENT);
	close_echo(ending->context);
	assert_int_equal(ending->user.released, 2);
	assert_int_equal(ending->user.count, 1);
	free(ending);
}

static void without_a_release_the_library_thread_is_refused(void **state)
{
	struct ending *ending = calloc(1, sizeof(*ending));

	(void)state;
	ending->context = open_echo(&echo_library, NULL);
	ending->id = listen_to(ending->context, &ending->user);
	reply_and_unlisten(ending);
	assert_int_equal(ending->status, INGRESS_REENTRANT);
	/* it listens on */
	emit(ending->context, 1);
	wait_for(&ending->user.count, 1);
	assert_int_equal(ingress_unlisten(ending->context, ending->id), INGRESS_OK);
	close_echo(ending->context);
	free(ending);
}

static void unlisten_in_event(void *given, const struct ingress_event *event)
{
	struct ending *ending = given;

	(void)event;
	atomic_store(&ending->user.inside, 1);
	while (!atomic_load(&ending->user.holds))
		nap(MS_NS / 10);
	atomic_store(&ending->status, ingress_unlisten(ending->context, ending->id));
	atomic_store(&ending->released_by_then, atomic_load(&ending->user.released));
	atomic_store(&ending->user.inside, 0);
}

static void destroy_in_release(void *given)
{
	struct ending *ending = given;

	atomic_store(&ending->destroyed, ingress_context_destroy(ending->context, LONG_NS));
	atomic_store(&ending->closed, ingress_context_close(ending->context));
	released(&ending->user);
}

static uint64_t listen_with(ingress_token context, struct ending *ending, ingress_end_fn *release)
{
	const struct ingress_listener listener = {
		.wire = INGRESS_WIRE_C, .notify = unlisten_in_event, .user = ending, .release = release
	};
	uint64_t id;

	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	return id;
}

static void a_listener_ends_itself_and_its_release_the_context(void **state)
{
	struct ending *ending = calloc(1, sizeof(*ending));

	(void)state;
	atomic_store(&ending->user.holds, 1);
	ending->context = open_echo(&echo_library, NULL);
	ending->id = listen_with(ending->context, ending, destroy_in_release);
	emit(ending->context, 5);
	wait_for(&ending->user.released, 1);
	assert_int_equal(ending->status, INGRESS_OK);
	assert_int_equal(ending->released_by_then, 0);
	assert_int_equal(ending->destroyed, INGRESS_REENTRANT);
	assert_int_equal(ending->closed, INGRESS_OK);
	/* what was closed ends by itself, and that can be waited for */
	assert_int_equal(ingress_context_destroy(ending->context, LONG_NS), INGRESS_CLOSED);
	assert_int_equal(ingress_context_close(ending->context), INGRESS_CLOSED);
	free(ending);
}

static void release_ending(void *given)
{
	struct ending *ending = given;

	released(&ending->user);
}

static void listeners_of_two_contexts_end_each_other(void **state)
{
	struct ending *endings = calloc(2, sizeof(*endings));

	(void)state;
	for (int i = 0; i < 2; i++)
		endings[1 - i].context = open_echo(&echo_library, NULL);
	for (int i = 0; i < 2; i++)
		endings[1 - i].id = listen_with(endings[1 - i].context, &endings[i], release_ending);
	for (int i = 0; i < 2; i++)
		emit(endings[i].context, 1);
	for (int i = 0; i < 2; i++)
		wait_for(&endings[i].user.inside, 1);
	/* both callbacks run now, and neither waits for the other */
	for (int i = 0; i < 2; i++)
		atomic_store(&endings[i].user.holds, 1);
	for (int i = 0; i < 2; i++) {
		wait_for(&endings[i].user.released, 1);
		assert_int_equal(endings[i].status, INGRESS_OK);
		close_echo(endings[i].context);
		assert_int_equal(endings[i].user.released, 1);
	}
	free(endings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unlistening_waits_while_another_thread_destroys),
		cmocka_unit_test(of_two_that_unlisten_both_wait),
		cmocka_unit_test(an_id_is_of_one_context_for_good),
		cmocka_unit_test(a_user_is_released_also_where_listening_is_refused),
		cmocka_unit_test(a_user_is_released_once_when_nothing_runs),
		cmocka_unit_test(a_stuck_callback_is_released_when_it_comes_back),
		cmocka_unit_test(the_library_thread_ends_a_listener_that_is_released),
		cmocka_unit_test(without_a_release_the_library_thread_is_refused),
		cmocka_unit_test(a_listener_ends_itself_and_its_release_the_context),
		cmocka_unit_test(listeners_of_two_contexts_end_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
