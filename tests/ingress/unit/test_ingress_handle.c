/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: an id is one object's, of one kind, in one context, and never given again. */
#include "ingress_tests.h"

#include "ingress/limits.h"

#include <ferry/ingress_provider.h>

enum { OPEN, OBJECT, CLOSE, CLOSE_ANY, OPEN_ALL };
#define NONE 0

static uint64_t handle(ingress_token context, uint64_t what, uint64_t kind, uint64_t id)
{
	return ask_words(context, ECHO_HANDLE, what, kind, id);
}

static void an_id_is_its_object_until_it_is_closed(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	uint64_t one = handle(context, OPEN, 3, 0), other = handle(context, OPEN, 4, 0), object;

	(void)state;
	assert_true(one && other && one != other);
	object = handle(context, OBJECT, 3, one);
	assert_true(object != NONE);
	assert_true(handle(context, OBJECT, 4, other) != object);
	assert_int_equal(handle(context, OBJECT, 4, one), NONE);
	assert_int_equal(handle(context, OBJECT, 3, one + 1), NONE);
	assert_int_equal(handle(context, OBJECT, 3, 0), NONE);
	assert_int_equal(handle(context, CLOSE, 4, one), NONE);
	assert_int_equal(handle(context, CLOSE, 3, one), object);
	assert_int_equal(handle(context, CLOSE, 3, one), NONE);
	assert_int_equal(handle(context, OBJECT, 3, one), NONE);
	close_echo(context);
}

static void an_id_is_never_given_again(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL), other = open_echo(&echo_library, NULL);
	uint64_t first = handle(context, OPEN, 1, 0), last = first;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t id;

		assert_true(handle(context, CLOSE, 1, last) != NONE);
		id = handle(context, OPEN, 1, 0);
		assert_true(id > last);
		last = id;
	}
	assert_int_equal(handle(context, OBJECT, 1, first), NONE);
	/* nor is one context's another's */
	assert_int_equal(handle(other, OBJECT, 1, last), NONE);
	assert_true(handle(other, OPEN, 1, 0) != last);
	close_echo(context);
	context = open_echo(&echo_library, NULL);
	assert_int_equal(handle(context, OBJECT, 1, last), NONE);
	close_echo(context);
	close_echo(other);
}

static void all_that_is_open_is_found(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	uint64_t ids[1000];
	int found = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		ids[i] = handle(context, OPEN, (uint64_t)i % 5, 0);
		assert_true(ids[i] != 0);
	}
	for (int i = 0; i < 1000; i += 3)
		assert_true(handle(context, CLOSE, (uint64_t)i % 5, ids[i]) != NONE);
	while (handle(context, CLOSE_ANY, 0, 0) != NONE)
		found++;
	assert_int_equal(found, 666);
	assert_true(handle(context, OPEN, 1, 0) != 0);
	close_echo(context);
}

static void there_are_no_more_than_allowed(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	uint64_t id = handle(context, OPEN, 1, 0);

	(void)state;
	assert_int_equal(handle(context, OPEN_ALL, 1, 0), INGRESS__HANDLES_MAX - 1);
	assert_int_equal(handle(context, OPEN, 1, 0), 0);
	/* one that is closed makes room for one */
	assert_int_not_equal(handle(context, CLOSE, 1, id), NONE);
	assert_int_not_equal(handle(context, OPEN, 1, 0), 0);
	assert_int_equal(handle(context, OPEN, 1, 0), 0);
	close_echo(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_id_is_its_object_until_it_is_closed),
		cmocka_unit_test(an_id_is_never_given_again),
		cmocka_unit_test(all_that_is_open_is_found),
		cmocka_unit_test(there_are_no_more_than_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
