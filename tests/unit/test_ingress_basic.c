/* SPDX-License-Identifier: BSD-3-Clause */
/* A context from start to end: requests by callback, by waiting and by inbox, and what each refusal says. */
#include "ingress_tests.h"

static void a_waiting_call_gets_its_answer(void **state)
{
	struct ingress_answer answer;
	ingress_token context = open_echo(&echo_library, NULL);

	(void)state;
	assert_int_equal(ingress_ask(context, ECHO_SAME, INGRESS_WIRE_C, "hello", 5, INGRESS_FOREVER, &answer),
			 INGRESS_OK);
	assert_int_equal(answer.bytes, 5);
	assert_int_equal(answer.wire, INGRESS_WIRE_C);
	assert_memory_equal(answer.data, "hello", 5);
	ingress_answer_release(&answer);
	ingress_answer_release(&answer);
	close_echo(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_waiting_call_gets_its_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
