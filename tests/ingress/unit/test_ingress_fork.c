/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork: the parent's contexts and inboxes are dead in the child, which opens its own, wherever it was forked. The
 * parent never notices. test_ingress_fork_storm.c does it thousands of times beside busy threads.
 */
#include "ingress_fork.h"

#include <poll.h>
#include <spawn.h>

/* ---- what the parent has is dead in the child ------------------------------------------------------------------- */

static void expect_closed(ingress_token context)
{
	const struct ingress_listener listener = { .notify = take_event };
	const struct ingress_call call = { .method = ANYWHERE_RUN, .reply = hear };
	struct ingress_answer answer;
	enum ingress_status status;
	struct heard heard = { 0 };
	uint64_t id;

	CHECK(submit(context, ANYWHERE_RUN, NULL, 0, &heard) == INGRESS_CLOSED);
	CHECK(ingress_submit_many(context, &call, 1, &status) == 0 && status == INGRESS_CLOSED);
	CHECK(ingress_ask(context, ANYWHERE_RUN, 0, NULL, 0, LONG_NS, &answer) == INGRESS_CLOSED);
	CHECK(strstr(answer.data, "fork"));
	ingress_answer_release(&answer);
	CHECK(ingress_context_destroy(context, LONG_NS) == INGRESS_CLOSED);
	CHECK(ingress_listen(context, &listener, &id) == INGRESS_CLOSED);
	CHECK(ingress_unlisten(context, 1) == INGRESS_CLOSED);
	/* forged ones are still told from those */
	CHECK(ingress_context_destroy(context ^ 1ull << 40, LONG_NS) == INGRESS_BAD_TOKEN);
	CHECK(ingress_context_destroy(context + (1u << 16), LONG_NS) == INGRESS_BAD_TOKEN);
}

static void a_parents_context_is_closed_in_the_child(void **state)
{
	const uint64_t bytes[2] = { LARGE, 0 }, lent[2] = { LENT, 1 };
	ingress_token context = open_anywhere(NULL), fixed;
	struct ingress_answer kept[2];
	pid_t child;

	(void)state;
	assert_int_equal(ingress_static_context(&anywhere_library, &fixed), INGRESS_OK);
	assert_int_equal(ingress_ask(context, ANYWHERE_LARGE, 0, bytes, sizeof(bytes), LONG_NS, &kept[0]), INGRESS_OK);
	assert_int_equal(ingress_ask(context, ANYWHERE_LARGE, 0, lent, sizeof(lent), LONG_NS, &kept[1]), INGRESS_OK);
	child = fork_child();
	if (child == 0) {
		expect_closed(context);
		expect_closed(fixed);
		for (int i = 0; i < 2; i++) {
			CHECK(kept[i].bytes == (i ? LENT : LARGE) && ((const unsigned char *)kept[i].data)[99] == 0);
			ingress_answer_release(&kept[i]);
		}
		_exit(0);
	}
	wait_for_child(child);
	assert_int_equal(ask(context, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
	assert_int_equal(ask(fixed, ANYWHERE_VERSION, NULL, 0), INGRESS_OK);
	for (int i = 0; i < 2; i++)
		ingress_answer_release(&kept[i]);
	close_echo(context);
}

static bool is_readable(const struct ingress_inbox *inbox)
{
	struct pollfd pollfd = { ingress_inbox_descriptor(inbox), POLLIN, 0 };

	return poll(&pollfd, 1, 0) == 1;
}

/* The child's half: the parent's inbox, which has an item, is not its own. */
static void expect_foreign(struct ingress_inbox *inbox, struct ingress_item *held)
{
	const struct ingress_call call = { .method = ANYWHERE_RUN, .inbox = inbox };
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .inbox = inbox };
	struct ingress_inbox *own;
	struct ingress_item item;
	ingress_token context;
	uint64_t id;

	CHECK(ingress_inbox_descriptor(inbox) == -1);
	CHECK(ingress_inbox_take(inbox, &item, 1, LONG_NS) == 0);
	ingress_items_release(held, 1);
	CHECK(ingress_inbox_create(&own) == INGRESS_OK);
	CHECK(!is_readable(own));
#if !defined(__SANITIZE_THREAD__)
	context = open_anywhere(NULL);
	CHECK(ingress_submit(context, &call) == INGRESS_CLOSED);
	CHECK(ingress_listen(context, &listener, &id) == INGRESS_CLOSED);
	use_inbox(context);
#else
	(void)call;
	(void)listener;
	(void)id;
	(void)context;
#endif
	ingress_inbox_close(inbox);
	ingress_inbox_close(own);
	/* what it was is used again, as the child's */
	for (int i = 0; i < 3; i++)
		CHECK(ingress_inbox_create(&own) == INGRESS_OK && ingress_inbox_descriptor(own) >= 0);
	_exit(0);
}

static void a_parents_inbox_is_closed_in_the_child(void **state)
{
	struct ingress_call call = { .method = ANYWHERE_RUN, .tag = 3 };
	ingress_token context = open_anywhere(NULL);
	struct ingress_inbox *idle, *inbox;
	struct ingress_item items[2];
	pid_t child;

	(void)state;
	/* one is idle, with a wake-up perhaps that nobody has read */
	assert_int_equal(ingress_inbox_create(&idle), INGRESS_OK);
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	call.inbox = idle;
	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	assert_int_equal(ask(context, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
	ingress_inbox_close(idle);
	call.inbox = inbox;
	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, items, 1, LONG_NS), 1);
	assert_int_equal(ingress_inbox_take(inbox, items + 1, 1, 0), 0);
	assert_false(is_readable(inbox));
	child = fork_child();
	if (child == 0)
		expect_foreign(inbox, items);
	wait_for_child(child);
	/* the child has neither taken nor made a wake-up */
	assert_false(is_readable(inbox));
	assert_int_equal(items[0].tag, 3);
	ingress_items_release(items, 1);
	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	assert_int_equal(ingress_inbox_take(inbox, items, 2, LONG_NS), 1);
	ingress_items_release(items, 1);
	ingress_inbox_close(inbox);
	close_echo(context);
}

/* ---- the child has its own -------------------------------------------------------------------------------------- */

static void a_child_opens_its_own_and_so_does_its_child(void **state)
{
	ingress_token context = open_anywhere(NULL);
	pid_t child;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	child = fork_child();
	if (child == 0) {
		ingress_token own, fixed;
		pid_t grandchild;

		use_own_context();
		own = open_anywhere(NULL);
		CHECK(ingress_static_context(&anywhere_library, &fixed) == INGRESS_OK);
		expect_closed(context);
		grandchild = fork_child();
		if (grandchild == 0) {
			expect_closed(context);
			expect_closed(own);
			expect_closed(fixed);
			use_own_context();
			expect_closed(own);
			_exit(0);
		}
		use_own_context();
		CHECK(ask(own, ANYWHERE_RUN, NULL, 0) == INGRESS_OK);
		CHECK(waitpid(grandchild, (int[1]){ 0 }, 0) == grandchild);
		CHECK(ingress_context_destroy(own, LONG_NS) == INGRESS_OK);
		_exit(0);
	}
	wait_for_child(child);
	assert_int_equal(shared->opened, 3);
	assert_int_equal(ask(context, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
	close_echo(context);
}

static void no_token_of_the_childs_is_one_of_the_parents(void **state)
{
	enum { BEFORE = 6, AFTER = 9 };
	ingress_token parents[BEFORE], own[AFTER];
	pid_t child;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	for (int i = 0; i < BEFORE; i++)
		parents[i] = open_anywhere(NULL);
	/* two places are idle, one of them used twice */
	close_echo(parents[0]);
	close_echo(parents[1]);
	parents[1] = open_anywhere(NULL);
	close_echo(parents[1]);
	child = fork_child();
	if (child == 0) {
		for (int i = 0; i < AFTER; i++) {
			own[i] = open_anywhere(NULL);
			for (int k = 0; k < BEFORE; k++)
				CHECK(own[i] != parents[k]);
			for (int k = 0; k < i; k++)
				CHECK(own[i] != own[k]);
		}
		for (int i = 0; i < AFTER; i++)
			CHECK(ask(own[i], ANYWHERE_RUN, NULL, 0) == INGRESS_OK);
		for (int i = 0; i < BEFORE; i++)
			expect_closed(parents[i]);
		_exit(0);
	}
	wait_for_child(child);
	for (int i = 2; i < BEFORE; i++)
		close_echo(parents[i]);
}

static void other_ways_to_a_new_process_leave_the_parent_alone(void **state)
{
	char *const arguments[] = { "true", NULL };
	ingress_token context = open_anywhere(NULL);
	pid_t child;

	(void)state;
	assert_int_equal(posix_spawnp(&child, "true", NULL, NULL, arguments, NULL), 0);
	wait_for_child(child);
	child = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork): what is tested */
	if (child == 0)
		_exit(0);
	wait_for_child(child);
	assert_int_equal(ask(context, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
	close_echo(context);
}

/* ---- forked where the core calls out ---------------------------------------------------------------------------- */

/* The child uses a context of its own and returns; then it ends: the core does not go on as the parent's thread. */
static void fork_here(void *argument)
{
	pid_t child = fork_child();
	int status = -1;

	(void)argument;
	if (child == 0) {
		struct ingress_provider *provider = anywhere_provider;
		struct ingress_request *request = anywhere_request;

		/* the handler's answers are the parent's to give */
		if (request) {
			ingress_answer_copy(request, INGRESS_OK, NULL, 0);
			ingress_answer_lend(request, INGRESS_OK, "x", 1, anywhere_end, NULL);
			CHECK(!ingress_answer_room(request, 1000));
			CHECK(ingress_handle_open(provider, 1, request) == 0);
			ingress_event_emit(provider, 0, INGRESS_WIRE_C, NULL, 0);
		}
		use_own_context();
		return;
	}
	if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		atomic_fetch_add(&shared->exited, 1);
	else
		atomic_fetch_add(&shared->failed, 1);
}

static void fork_in_reply(void *user, const struct ingress_reply *reply)
{
	_Atomic uint32_t *terminal = user;

	fork_here(NULL);
	if (reply->status != INGRESS_STALE)
		atomic_fetch_add(terminal, 1);
}

static void fork_in_event(void *user, const struct ingress_event *event)
{
	fork_here(NULL);
	take_event(user, event);
}

/* A child that failed ends the waiting. */
static void wait_for_forks(uint32_t count)
{
	while (atomic_load(&shared->exited) < count && !atomic_load(&shared->failed))
		nap(MS_NS / 10);
	assert_int_equal(shared->failed, 0);
}

static void expect_forks(uint32_t count)
{
	assert_int_equal(shared->failed, 0);
	assert_int_equal(shared->opened, count);
	assert_int_equal(shared->exited, count);
}

static void a_library_forks(void **state)
{
	/* one that has no threads yet, in the parent or a child */
	static const struct ingress_library fresh = ANYWHERE_LIBRARY;
	const struct anywhere_job job = { fork_here, NULL };
	ingress_token context;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	/* first in a handler, where a child that is taken for the parent's library thread can tell */
	context = open_anywhere(NULL);
	assert_int_equal(run_inside(context, fork_here, NULL), INGRESS_OK);
	expect_forks(1);
	close_echo(context);
	anywhere_arm(&anywhere.at_thread_begin, fork_here, NULL);
	assert_int_equal(open_of(&fresh, NULL, &job, &context), INGRESS_OK);
	expect_forks(3);
	anywhere_arm(&anywhere.at_turn, fork_here, NULL);
	assert_int_equal(run_inside(context, NULL, NULL), INGRESS_OK);
	wait_for_forks(4);
	anywhere_arm(&anywhere.at_end, fork_here, NULL);
	close_echo(context);
	expect_forks(5);
	context = open_anywhere(NULL);
	anywhere_arm(&anywhere.at_context_end, fork_here, NULL);
	close_echo(context);
	expect_forks(6);
}

static void a_callback_forks(void **state)
{
	const struct ingress_options options = { .stale_ns = 20 * MS_NS };
	_Atomic uint32_t terminal = 0, events = 0;
	const struct ingress_call kept = { .method = ANYWHERE_KEEP, .reply = fork_in_reply, .user = &terminal };
	const struct ingress_call plain = { .method = ANYWHERE_LARGE, .reply = fork_in_reply, .user = &terminal };
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = fork_in_event, .user = &events };
	ingress_token context;
	uint64_t id;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	context = open_anywhere(&options);
	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	assert_int_equal(ask(context, ANYWHERE_EMIT, NULL, 0), INGRESS_OK);
	wait_for(&events, 1);
	assert_int_equal(ingress_unlisten(context, id), INGRESS_OK);
	expect_forks(1);
	assert_int_equal(ingress_submit(context, &plain), INGRESS_OK);
	wait_for(&terminal, 1);
	/* stale first, by the event thread; then closed while it waits or runs */
	assert_int_equal(ingress_submit(context, &kept), INGRESS_OK);
	wait_for_forks(3);
	cut_echo(context, 0);
	assert_int_equal(terminal, 2);
	assert_true(shared->exited >= 4);
	assert_int_equal(shared->exited, shared->opened);
}

static void wait_until(void *given)
{
	while (!atomic_load((_Atomic uint32_t *)given))
		nap(MS_NS / 10);
}

/* Counts in the child too, if it runs there. */
static void count_opened(void *unused)
{
	(void)unused;
	atomic_fetch_add(&shared->opened, 1);
}

static void fork_without_more(void *user, const struct ingress_reply *reply)
{
	pid_t child = fork_child();

	(void)reply;
	if (child == 0)
		return;
	wait_for_child(child);
	atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

/* The child of a late request's callback does not run the handlers of the batch that the request stood in. */
static void the_callback_of_a_late_request_forks(void **state)
{
	_Atomic uint32_t go_on = 0, terminal = 0;
	const struct anywhere_job waits = { wait_until, &go_on }, counts = { count_opened, NULL };
	const struct ingress_call late = {
		.method = ANYWHERE_RUN, .wire = INGRESS_WIRE_C, .reply = fork_without_more, .user = &terminal
	};
	ingress_token context = open_anywhere(NULL);
	struct heard heard = { 0 };

	(void)state;
	assert_int_equal(submit(context, ANYWHERE_RUN, &waits, sizeof(waits), &heard), INGRESS_OK);
	nap(10 * MS_NS);
	assert_int_equal(ingress_submit_until(context, &late, 1), INGRESS_OK);
	assert_int_equal(submit(context, ANYWHERE_RUN, &counts, sizeof(counts), &heard), INGRESS_OK);
	atomic_store(&go_on, 1);
	wait_for(&heard.terminal, 2);
	assert_int_equal(terminal, 1);
	assert_int_equal(shared->opened, 1);
	close_echo(context);
}

static void fork_in_release(void *owner, const void *data, size_t bytes)
{
	(void)owner;
	(void)data;
	(void)bytes;
	/* the child goes on: it is its own thread, in a call that ends */
	if (fork_child() == 0) {
		use_own_context();
		atomic_fetch_add(&shared->exited, 100);
	}
}

/* A loan ends where a request is refused, on the host's thread: the child returns from that call too. */
static void the_end_of_a_loan_forks(void **state)
{
	struct ingress_call call = {
		.method = ANYWHERE_KEEP, .reply = hear, .bytes = 8, .data = "payload", .release = fork_in_release
	};
	pid_t self = getpid();
	ingress_token context, made;
	int status;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	context = open_anywhere(NULL);
	/* no constructor: the place that was to be used goes back, but in the child, whose it is not */
	assert_int_equal(ingress_context_start(&anywhere_library, NULL, &call, &made), INGRESS_BAD_METHOD);
	if (getpid() != self) {
		use_own_context();
		use_own_context();
		_exit(0);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	assert_int_equal(shared->opened, 3);
	close_echo(context);
	/* it has ended: refused */
	assert_int_equal(ingress_submit(context, &call), INGRESS_CLOSED);
	if (getpid() != self) {
		use_own_context();
		_exit(0);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	assert_int_equal(shared->opened, 5);
	close_echo(open_anywhere(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_parents_context_is_closed_in_the_child, clear),
		cmocka_unit_test_setup(a_parents_inbox_is_closed_in_the_child, clear),
		cmocka_unit_test_setup(a_child_opens_its_own_and_so_does_its_child, clear),
		cmocka_unit_test_setup(no_token_of_the_childs_is_one_of_the_parents, clear),
		cmocka_unit_test_setup(other_ways_to_a_new_process_leave_the_parent_alone, clear),
		cmocka_unit_test_setup(a_library_forks, clear),
		cmocka_unit_test_setup(a_callback_forks, clear),
		cmocka_unit_test_setup(the_callback_of_a_late_request_forks, clear),
		cmocka_unit_test_setup(the_end_of_a_loan_forks, clear),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
