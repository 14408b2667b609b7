/* SPDX-License-Identifier: BSD-3-Clause */
/* A library is told of a cancelled request together with those that its host cancelled before, or after them. */
#include "ingress_tests.h"

enum { ORDERED = 48, CONTEXTS = 400 };

struct told {
	uint64_t turn;
	struct heard heard;
};

static void note_turn(void *user, const struct ingress_reply *reply)
{
	struct told *told = user;

	told->turn = atomic_load(&echo_turns);
	hear(&told->heard, reply);
}

/* Else a library behind a network begins what waits behind the first one, when that ends. */
static void none_is_told_before_what_was_cancelled_before_it(void **state)
{
	(void)state;
	for (int c = 0; c < CONTEXTS; c++) {
		ingress_token context = open_echo(&echo_library, NULL);
		uint64_t tickets = ingress_tickets(ORDERED);
		struct told told[ORDERED] = { 0 };

		for (uint32_t i = 0; i < ORDERED; i++) {
			const struct ingress_call call = { .method = ECHO_KEEP,
							   .wire = INGRESS_WIRE_C,
							   .reply = note_turn,
							   .user = &told[i],
							   .ticket = tickets + i };

			assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		}
		assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
		for (uint32_t i = 0; i < ORDERED; i++)
			assert_int_equal(ingress_cancel(context, tickets + i), INGRESS_OK);
		for (uint32_t i = 0; i < ORDERED; i++) {
			wait_for(&told[i].heard.terminal, 1);
			if (i && told[i].turn < told[i - 1].turn)
				fail_msg("context %d: request %u was told %u turns before the one that was cancelled "
					 "before it",
					 c, i, (unsigned int)(told[i - 1].turn - told[i].turn));
		}
		close_echo(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(none_is_told_before_what_was_cancelled_before_it) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
