/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the OpenMP runtime's unit tests call of cmocka, for a C library for which Debian has no cmocka (musl). A failure
 * ends the program, so a test that fails leaves nothing to clean up.
 */
#ifndef TESTS_WHEELS_CMOCKA_H
#define TESTS_WHEELS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int cmocka_step(void **state);

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
	cmocka_step *setup, *teardown;
};

static jmp_buf cmocka_skip;

#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                                         \
	{                                                                                                              \
#test, test, setup, teardown                                                                           \
	}
#define cmocka_unit_test_setup(test, setup) cmocka_unit_test_setup_teardown(test, setup, NULL)
#define cmocka_unit_test(test) cmocka_unit_test_setup_teardown(test, NULL, NULL)
#define fail_msg(...)                                                                                                  \
	do {                                                                                                           \
		printf("%s:%d: ", __FILE__, __LINE__);                                                                 \
		printf(__VA_ARGS__);                                                                                   \
		putchar('\n');                                                                                         \
		exit(1);                                                                                               \
	} while (0)
#define assert_true(condition)                                                                                         \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_msg("not so: %s", #condition);                                                            \
	} while (0)
#define assert_false(condition) assert_true(!(condition))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_ptr_equal(one, other) assert_true((const void *)(one) == (const void *)(other))
#define assert_ptr_not_equal(one, other) assert_true((const void *)(one) != (const void *)(other))
#define assert_string_equal(one, other) assert_true(strcmp(one, other) == 0)
#define assert_in_range(value, least, most) assert_true((value) >= (least) && (value) <= (most))
#define assert_int_not_equal(one, other) assert_true((one) != (other))
#define assert_int_equal(one, other)                                                                                   \
	do {                                                                                                           \
		intmax_t found = (intmax_t)(one), wanted = (intmax_t)(other);                                          \
                                                                                                                       \
		if (found != wanted)                                                                                   \
			fail_msg("%s is %jd and not %jd", #one, found, wanted);                                        \
	} while (0)
#define print_message(...) printf(__VA_ARGS__)
#define skip() longjmp(cmocka_skip, 1)

static inline void cmocka_do(cmocka_step *step, void **state)
{
	if (step && step(state))
		exit(1);
}

static inline int cmocka_run(const struct CMUnitTest *tests, size_t count, cmocka_step *setup, cmocka_step *teardown)
{
	void *group = NULL;

	cmocka_do(setup, &group);
	for (size_t k = 0; k < count; k++) {
		void *state = group;

		cmocka_do(tests[k].setup, &state);
		if (setjmp(cmocka_skip) == 0) {
			tests[k].run(&state);
			printf("ok %s\n", tests[k].name);
		} else {
			printf("skipped %s\n", tests[k].name);
		}
		cmocka_do(tests[k].teardown, &state);
	}
	cmocka_do(teardown, &group);
	return 0;
}
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
	cmocka_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
