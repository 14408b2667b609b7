/* SPDX-License-Identifier: BSD-3-Clause */
/* INGRESS_STALE: heard of what runs for long, never after the terminal reply, and never at the same time. */
#include "ingress_tests.h"

/* How often one request may have said so since then; a machine in use may let a quick handler wait too. */
static uint32_t stale_most(int64_t since_ns, int64_t stale_ns)
{
	return (uint32_t)((now_ns() - since_ns) / stale_ns);
}

static void a_host_hears_that_a_handler_still_runs(void **state)
{
	const struct ingress_options options = { .stale_ns = 20 * MS_NS };
	int64_t since_ns = now_ns();
	ingress_token context = open_echo(&echo_library, &options);
	const uint64_t ns = 200 * MS_NS;
	struct heard blocking = { 0 }, kept = { 0 }, quick = { 0 };

	(void)state;
	assert_int_equal(submit(context, ECHO_KEEP, NULL, 0, &kept), INGRESS_OK);
	assert_int_equal(submit(context, ECHO_SLEEP, &ns, sizeof(ns), &blocking), INGRESS_OK);
	wait_for(&blocking.terminal, 1);
	assert_true(blocking.stale >= 2);
	assert_true(blocking.stale <= stale_most(since_ns, options.stale_ns));
	assert_true(kept.stale >= 2);
	assert_int_equal(kept.terminal, 0);
	since_ns = now_ns();
	for (int i = 0; i < 100; i++)
		assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &quick), INGRESS_OK);
	assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
	assert_int_equal(kept.terminal, 1);
	assert_int_equal(kept.status, INGRESS_OK);
	assert_int_equal(quick.terminal, 100);
	assert_true(quick.stale <= 100 * stale_most(since_ns, options.stale_ns));
	/* heard no more */
	blocking.stale = kept.stale = 0;
	nap(60 * MS_NS);
	assert_int_equal(blocking.stale + kept.stale, 0);
	close_echo(context);
}

/* One request's replies, and whether two came at once or one after the last. */
struct watched {
	_Atomic uint32_t inside, terminal, stale, wrong;
};

static void watch(void *user, const struct ingress_reply *reply)
{
	struct watched *watched = user;

	if (atomic_exchange(&watched->inside, 1) || atomic_load(&watched->terminal))
		atomic_fetch_add(&watched->wrong, 1);
	if (reply->status == INGRESS_STALE) {
		atomic_fetch_add(&watched->stale, 1);
		nap(MS_NS / 5);
	} else {
		atomic_fetch_add(&watched->terminal, 1);
	}
	atomic_store(&watched->inside, 0);
}

static void stale_and_the_terminal_reply_do_not_meet(void **state)
{
	const struct ingress_options options = { .stale_ns = MS_NS / 2 };
	ingress_token context = open_echo(&echo_library, &options);
	uint32_t stale = 0;

	(void)state;
	/* on a busy machine the event thread may get no processor in 60 short naps: they become longer then */
	for (int round = 0; round < 60 || (stale == 0 && round < 1000); round++) {
		struct watched watched[32] = { 0 };

		for (int i = 0; i < 32; i++) {
			const struct ingress_call call = { .method = ECHO_KEEP, .reply = watch, .user = &watched[i] };

			assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		}
		nap(MS_NS / 4 * (round % 8) + MS_NS * (round / 60));
		assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
		for (int i = 0; i < 32; i++) {
			assert_int_equal(watched[i].terminal, 1);
			assert_int_equal(watched[i].wrong, 0);
			stale += watched[i].stale;
		}
	}
	assert_true(stale > 0);
	close_echo(context);
}

static void destroying_while_stale_is_told(void **state)
{
	const struct ingress_options options = { .stale_ns = MS_NS / 2 };

	(void)state;
	for (int round = 0; round < 60; round++) {
		ingress_token context = open_echo(&echo_library, &options);
		struct watched watched[16] = { 0 };
		const uint64_t ns = 2 * MS_NS;
		int64_t limit = round % 2 ? 0 : LONG_NS;

		for (int i = 0; i < 16; i++) {
			const struct ingress_call call = { .method = ECHO_SLEEP,
							   .data = &ns,
							   .bytes = sizeof(ns),
							   .reply = watch,
							   .user = &watched[i] };

			assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		}
		nap(MS_NS / 2 * (round % 8));
		assert_int_not_equal(ingress_context_destroy(context, limit), INGRESS_EVENTS_STUCK);
		for (int i = 0; i < 16; i++) {
			assert_int_equal(watched[i].terminal, 1);
			assert_int_equal(watched[i].wrong, 0);
			/* nothing comes after destroying */
			watched[i].wrong = 100;
		}
		for (int i = 0; i < 16; i++)
			assert_int_equal(watched[i].inside, 0);
	}
}

/*
 * The owner before had a period that is longer than this test may take, and the event thread was about to sleep for it
 * when the context became another's: it must hear of the period of that one.
 */
static void the_next_owner_has_its_own_period(void **state)
{
	const struct ingress_options patient = { .stale_ns = 1000 * SECOND_NS }, curious = { .stale_ns = MS_NS };

	(void)state;
	for (int round = 0; round < 80; round++) {
		struct heard kept = { 0 };
		ingress_token context = open_echo(&echo_library, &patient);

		assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
		nap(MS_NS / 16 * (round % 16));
		close_echo(context);
		context = open_echo(&echo_library, &curious);
		assert_int_equal(submit(context, ECHO_KEEP, NULL, 0, &kept), INGRESS_OK);
		wait_for(&kept.stale, 1);
		assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
		close_echo(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_hears_that_a_handler_still_runs),
		cmocka_unit_test(stale_and_the_terminal_reply_do_not_meet),
		cmocka_unit_test(destroying_while_stale_is_told),
		cmocka_unit_test(the_next_owner_has_its_own_period),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
