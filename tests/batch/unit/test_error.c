/* SPDX-License-Identifier: BSD-3-Clause */
/* No error has an empty text: every reason, every code an executor may give up with, and numbers that are unknown. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/batch.h>
#include <ferry/wire.h>

/* a reason that is added is to be added here: the one behind it is asserted to be unknown */
#define REASON_LAST BATCH_REASON_NONBLOCK
#define CODE_MAX 4095
#define TEXT_BYTES 300
/* what is shorter says nothing about what to do */
#define SENTENCE_BYTES_MIN 30

static long answer;

static long answer_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	(void)executor;
	(void)rets;
	(void)slots;
	(void)count;
	return answer;
}

static const struct batch_executor giving_up = { "giving up", NULL, answer_run, NULL };

static void every_reason_has_a_sentence_of_its_own(void **state)
{
	(void)state;
	assert_string_equal(batch_reason_text(BATCH_REASON_NONE), "nothing is wrong");
	for (int reason = 1; reason <= (int)REASON_LAST; reason++) {
		const char *text = batch_reason_text((enum batch_reason)reason);

		assert_non_null(text);
		assert_true(strlen(text) >= SENTENCE_BYTES_MIN);
		assert_null(strstr(text, "unknown reason"));
		/* what is wrong, and behind it what to do */
		assert_non_null(strchr(text, ':'));
		for (int other = 0; other < reason; other++)
			assert_string_not_equal(text, batch_reason_text((enum batch_reason)other));
	}
}

static void a_reason_that_is_unknown_says_so(void **state)
{
	static const int numbers[] = { REASON_LAST + 1, 1000, -1, -22, 0x7fffffff };
	char text[TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct batch_error error = { -EPERM, (enum batch_reason)numbers[i], -1 };

		assert_string_equal(batch_reason_text(error.reason),
				    "unknown reason: the library is older than its caller");
		batch_error_format(&error, text, sizeof(text));
		assert_string_equal(text, "unknown reason: the library is older than its caller: Operation not "
					  "permitted (error code -1)");
	}
}

static void a_refusal_is_its_slot_and_sentence(void **state)
{
	struct batch_slot slot = scall0(getpid, 0, 0, 0);
	struct batch_error error;
	char text[TEXT_BYTES];
	long ret = 0;
	int bytes;

	(void)state;
	slot.argc = BATCH_ARGS_MAX + 1;
	assert_int_equal(batch_verify(&slot, &ret, 1, 0, &error), -EINVAL);
	bytes = batch_error_format(&error, text, sizeof(text));
	assert_int_equal(bytes, strlen(text));
	assert_string_equal(text, "slot 0: argument count above BATCH_ARGS_MAX: set argc to what the call takes");
	assert_int_equal(batch_error_format(&error, text, 8), bytes);
	assert_string_equal(text, "slot 0:");
}

/* A code that is not the reason's own is told behind it. */
static void a_code_of_another_kind_is_told(void **state)
{
	const struct batch_error no_memory = { -ENOMEM, BATCH_REASON_UNAVAILABLE, -1 };
	const struct batch_error nothing = { 0, BATCH_REASON_NONE, -1 };
	char text[TEXT_BYTES];

	(void)state;
	batch_error_format(&no_memory, text, sizeof(text));
	assert_string_equal(text, "this machine does not offer the executor: use the loop executor, or auto: "
				  "Cannot allocate memory (error code -12)");
	batch_error_format(&nothing, text, sizeof(text));
	assert_string_equal(text, "nothing is wrong");
}

static void whatever_an_executor_gives_up_with_has_a_text(void **state)
{
	char text[TEXT_BYTES], before[TEXT_BYTES] = "";
	struct batch_slot slot = scall0(getpid, 0, 0, 0);
	long ret;

	(void)state;
	for (answer = -1; answer >= -CODE_MAX; answer--) {
		struct batch_error error = { 0, BATCH_REASON_NONE, 5 };

		assert_int_equal(batch_run(&giving_up, &ret, &slot, 1, 0, &error), answer);
		assert_int_equal(error.code, answer);
		assert_int_equal(error.slot, -1);
		batch_error_format(&error, text, sizeof(text));
		assert_true(strlen(text) >= SENTENCE_BYTES_MIN);
		assert_null(strstr(text, "nothing is wrong"));
		assert_string_not_equal(text, before);
		memcpy(before, text, sizeof(before));
	}
	answer = -EPIPE;
	ret = batch_run(&giving_up, &ret, &slot, 1, 0, &(struct batch_error){ 0 });
	assert_int_equal(ret, -EPIPE);
	batch_error_format(&(struct batch_error){ -EPIPE, BATCH_REASON_NONE, -1 }, text, sizeof(text));
	assert_string_equal(text, "the executor gave up and names no reason: Broken pipe (error code -32)");
	batch_error_format(&(struct batch_error){ -4000, BATCH_REASON_NONE, -1 }, text, sizeof(text));
	assert_string_equal(text, "the executor gave up and names no reason: unknown (error code -4000)");
}

static void every_way_has_a_name(void **state)
{
	struct batch_kernel_executor kernel = { .way = BATCH_KERNEL_NONE };

	(void)state;
	assert_string_equal(batch_kernel_way_text(&kernel), "not in the kernel");
	kernel.way = BATCH_KERNEL_DEVICE;
	assert_string_equal(batch_kernel_way_text(&kernel), "/dev/batch");
	kernel.way = BATCH_KERNEL_SYSCALL;
	assert_string_equal(batch_kernel_way_text(&kernel), "batch(2)");
	kernel.way = (enum batch_kernel_way)99;
	assert_string_equal(batch_kernel_way_text(&kernel), "not in the kernel");
}

static void every_reason_of_the_wire_has_a_text(void **state)
{
	(void)state;
	for (int reason = 0; reason < FERRY_WIRE_REASON_COUNT; reason++) {
		const char *text = ferry_wire_reason_text((enum ferry_wire_reason)reason);

		assert_non_null(text);
		assert_true(strlen(text) > 4);
		assert_string_not_equal(text, "unknown reason");
		for (int other = 0; other < reason; other++)
			assert_string_not_equal(text, ferry_wire_reason_text((enum ferry_wire_reason)other));
	}
	assert_string_equal(ferry_wire_reason_text(FERRY_WIRE_REASON_COUNT), "unknown reason");
	assert_string_equal(ferry_wire_reason_text((enum ferry_wire_reason) - 1), "unknown reason");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_reason_has_a_sentence_of_its_own),
		cmocka_unit_test(a_reason_that_is_unknown_says_so),
		cmocka_unit_test(a_refusal_is_its_slot_and_sentence),
		cmocka_unit_test(a_code_of_another_kind_is_told),
		cmocka_unit_test(whatever_an_executor_gives_up_with_has_a_text),
		cmocka_unit_test(every_way_has_a_name),
		cmocka_unit_test(every_reason_of_the_wire_has_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
