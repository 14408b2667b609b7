/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_result_next and batch_result_failed: which slots ran, read from the results alone. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/batch.h>

#define UNTOUCHED (-777L) /* a failure, if anything looked at it */

static void follows_the_jumps(void **state)
{
	const struct batch_slot slots[] = {
		scall0(getpid, 1, 0, 0), scall0(getpid, 0, 0, 0),  scall0(getpid, 0, 0, 1),
		scall0(getpid, 0, 0, 0), scall0(getpid, 0, -1, 0), scall0(getpid, 0, 0, 0),
	};
	const long rets[] = { -EBADF, UNTOUCHED, 5, UNTOUCHED, 0, UNTOUCHED };

	(void)state;
	assert_int_equal(batch_result_next(slots, rets, 4, 0), 2);
	assert_int_equal(batch_result_next(slots, rets, 4, 2), 4);
	assert_int_equal(batch_result_next(slots, rets, 4, 4), -1);
	assert_int_equal(batch_result_failed(slots, rets, 4), 0);
}

static void slots_that_did_not_run_did_not_fail(void **state)
{
	const struct batch_slot slots[] = { scall0(getpid, 0, 2, 0), scall0(getpid, 0, 0, 0), scall0(getpid, 0, 0, 0),
					    scall0(getpid, 0, 0, 0) };
	const long rets[] = { 0, UNTOUCHED, UNTOUCHED, 0 };
	const long late[] = { 0, UNTOUCHED, UNTOUCHED, -EPERM };

	(void)state;
	assert_int_equal(batch_result_failed(slots, rets, 3), -1);
	assert_int_equal(batch_result_failed(slots, late, 3), 3);
}

static void nothing_ran(void **state)
{
	const struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	const long rets[] = { UNTOUCHED };

	(void)state;
	assert_int_equal(batch_result_failed(slots, rets, -EINVAL), -1);
	assert_int_equal(batch_result_next(slots, rets, -EINVAL, 0), -1);
}

static void indexes_outside_the_run(void **state)
{
	const struct batch_slot slots[] = { scall0(getpid, 0, 0, 0), scall0(getpid, 0, 0, 32767) };
	const long rets[] = { 1, 1 };

	(void)state;
	assert_int_equal(batch_result_next(slots, rets, 1, -1), -1);
	assert_int_equal(batch_result_next(slots, rets, 1, 1), -1);
	assert_int_equal(batch_result_next(slots, rets, 1, 2), -1);
	assert_int_equal(batch_result_next(slots, rets, 1, 0), 1);
}

static void agrees_with_a_run(void **state)
{
	struct batch_slot slots[] = {
		scall1(close, 0, 0, 0, -1), scall0(clone, 2, 0, 0),  scall0(getpid, 0, 0, 0),
		scall0(getpid, 0, 0, 0),    scall0(getpid, 0, 0, 7), scall0(getpid, 0, 0, 0),
	};
	long rets[6] = { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED };
	const long ran[] = { 0, 1, 4 };
	long last = batch_run(&batch_executor_loop, rets, slots, 6, 0, NULL), index = 0;

	(void)state;
	assert_int_equal(last, 4);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(index, ran[i]);
		index = batch_result_next(slots, rets, last, index);
	}
	assert_int_equal(index, -1);
	assert_int_equal(batch_result_failed(slots, rets, last), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_jumps), cmocka_unit_test(slots_that_did_not_run_did_not_fail),
		cmocka_unit_test(nothing_ran),	     cmocka_unit_test(indexes_outside_the_run),
		cmocka_unit_test(agrees_with_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
