/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_verify: what it accepts, and that it names the first bad slot and why. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/batch.h>

static void expect_refusal(const struct batch_slot *slots, const long *rets, size_t count, unsigned long flags,
			   enum batch_reason reason, long slot)
{
	struct batch_error error = { 0 };
	int code = batch_verify(slots, rets, count, flags, &error);

	assert_true(code < 0);
	assert_int_equal(error.code, code);
	assert_int_equal(error.reason, reason);
	assert_int_equal(error.slot, slot);
	assert_int_equal(batch_verify(slots, rets, count, flags, NULL), code);
}

static void accepts_any_number_and_any_jump(void **state)
{
	struct batch_slot slots[] = {
		scall0(getpid, -1, 32767, -32768),
		BATCH_SLOT(-32768, 0, 0, 0, 0, 0),
		scall6(mmap, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	};
	long rets[3] = { 0 };

	(void)state;
	assert_int_equal(batch_verify(slots, rets, 3, 0, NULL), 0);
}

static void names_the_first_slot_with_too_many_arguments(void **state)
{
	struct batch_slot slots[4];
	long rets[4] = { 0 };

	(void)state;
	memset(slots, 0, sizeof(slots));
	slots[2].argc = 7;
	slots[3].argc = 255;
	expect_refusal(slots, rets, 4, 0, BATCH_REASON_ARGC, 2);
	assert_int_equal(batch_verify(slots, rets, 2, 0, NULL), 0);
}

static void refuses_bad_arrays_counts_and_flags(void **state)
{
	struct batch_slot slots[1] = { scall0(getpid, 0, 0, 0) };
	long rets[2] = { 0 };

	(void)state;
	expect_refusal(slots, rets, 0, 0, BATCH_REASON_EMPTY, -1);
	expect_refusal(slots, rets, BATCH_SLOTS_MAX + 1UL, 0, BATCH_REASON_TOO_LONG, -1);
	expect_refusal(slots, rets, (1UL << 61) + 1, 0, BATCH_REASON_TOO_LONG, -1);
	expect_refusal(NULL, rets, 1, 0, BATCH_REASON_NULL, -1);
	expect_refusal(slots, NULL, 1, 0, BATCH_REASON_NULL, -1);
	expect_refusal(slots, (long *)((char *)rets + 1), 1, 0, BATCH_REASON_MISALIGNED, -1);
	expect_refusal(slots, rets, 1, 1, BATCH_REASON_FLAGS, -1);
	expect_refusal(slots, rets, 1, 1UL << 63, BATCH_REASON_FLAGS, -1);
}

static void formats_an_error_as_a_sentence(void **state)
{
	const struct batch_error error = { -EINVAL, BATCH_REASON_ARGC, 2 };
	char text[200], small[4];

	(void)state;
	assert_true(batch_error_format(&error, text, sizeof(text)) > 20);
	assert_memory_equal(text, "slot 2: ", 8);
	batch_error_format(&error, small, sizeof(small));
	assert_string_equal(small, "slo");
	assert_non_null(batch_reason_text((enum batch_reason)9999));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_any_number_and_any_jump),
		cmocka_unit_test(names_the_first_slot_with_too_many_arguments),
		cmocka_unit_test(refuses_bad_arrays_counts_and_flags),
		cmocka_unit_test(formats_an_error_as_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
