/* SPDX-License-Identifier: BSD-3-Clause */
/* No status of the ingress has an empty text, and a number that is none says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/ingress.h>

static void every_status_has_a_text_of_its_own(void **state)
{
	(void)state;
	for (int status = 0; status < INGRESS_STATUS_COUNT; status++) {
		const char *text = ingress_status_text((enum ingress_status)status);

		assert_non_null(text);
		assert_true(strlen(text) > 8);
		for (int other = 0; other < status; other++)
			assert_string_not_equal(text, ingress_status_text((enum ingress_status)other));
	}
}

static void a_number_that_is_no_status_says_so(void **state)
{
	static const int numbers[] = { INGRESS_STATUS_COUNT, INGRESS_STATUS_COUNT + 1, -1, 1 << 30 };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		assert_string_equal(ingress_status_text((enum ingress_status)numbers[i]),
				    "not a status; the library is newer than the binding");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_status_has_a_text_of_its_own),
		cmocka_unit_test(a_number_that_is_no_status_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
