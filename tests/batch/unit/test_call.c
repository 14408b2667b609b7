/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call executor: its table's errors, and C functions of every kind. What a batch of functions means is pinned by
 * the vectors with `table: functions`; here are the things a vector cannot say.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/batch.h>

typedef void (*address)(void);

static double value(long word)
{
	double number;

	memcpy(&number, &word, sizeof(number));
	return number;
}

static int init_one(struct batch_function function)
{
	static struct batch_function kept;
	struct batch_call_executor call;

	kept = function;
	return batch_call_executor_init(&call, &kept, 1);
}

static void refuses_a_table_that_cannot_be(void **state)
{
	(void)state;
	assert_int_equal(init_one((struct batch_function){ (address)strlen, 1, 0, BATCH_RESULT_LONG, { 0 }, NULL }), 0);
	assert_int_equal(init_one((struct batch_function){ (address)strlen, 7, 0, BATCH_RESULT_LONG, { 0 }, NULL }),
			 -EINVAL);
	assert_int_equal(init_one((struct batch_function){ (address)strlen, 1, 0, BATCH_RESULT_DOUBLE + 1, { 0 }, "" }),
			 -EINVAL);
	assert_int_equal(init_one((struct batch_function){ (address)strlen, 1, 2, BATCH_RESULT_LONG, { 0 }, NULL }),
			 -EINVAL);
	assert_int_equal(init_one((struct batch_function){ (address)strlen, 6, 0x40, BATCH_RESULT_LONG, { 0 }, NULL }),
			 -EINVAL);
	assert_int_equal(init_one((struct batch_function){ NULL, 6, 0x3f, BATCH_RESULT_VOID, { 0 }, NULL }), 0);
}

static void an_empty_table_denies_everything(void **state)
{
	struct batch_call_executor call;
	struct batch_slot slots[] = { BATCH_SLOT(0, 0, 0, 0, 0, 0), BATCH_SLOT(1, 0, 0, 0, 6, 0) };
	long rets[2] = { 0 };

	(void)state;
	assert_int_equal(batch_call_executor_init(&call, NULL, 0), 0);
	assert_int_equal(batch_run(&call.executor, rets, slots, 2, 0, NULL), 1);
	assert_int_equal(rets[0], -ENOSYS);
	assert_int_equal(rets[1], -ENOSYS);
}

static void names_the_slot_with_the_wrong_signature(void **state)
{
	const struct batch_function functions[] = { { (address)strlen, 1, 0, BATCH_RESULT_LONG, { 0 }, "strlen" } };
	struct batch_call_executor call;
	struct batch_slot slots[] = { BATCH_SLOT(0, 0, 0, 0, 1, (long)"ab"), BATCH_SLOT(0, 0, 0, 0, 2, 0, 0) };
	long rets[2] = { 77, 77 };
	struct batch_error error = { 0 };

	(void)state;
	assert_int_equal(batch_call_executor_init(&call, functions, 1), 0);
	assert_int_equal(batch_run(&call.executor, rets, slots, 2, 0, &error), -EINVAL);
	assert_int_equal(error.reason, BATCH_REASON_SIGNATURE);
	assert_int_equal(error.slot, 1);
	assert_int_equal(batch_run(&call.executor, rets, slots, 2, 0, NULL), -EINVAL);
	assert_int_equal(rets[0], 77);
	assert_int_equal(batch_run(&call.executor, rets, slots, 1, 0, NULL), 0);
	assert_int_equal(rets[0], 2);
}

/* Real functions of the C libraries, fed from one to the next. */
static void carries_library_functions(void **state)
{
	enum { STRLEN, STRCHR, SQRT, POW, ABS, LDEXP, ISNAN };
	const struct batch_function functions[] = {
		[STRLEN] = { (address)strlen, 1, 0, BATCH_RESULT_LONG, { 0 }, "strlen" },
		[STRCHR] = { (address)(char *(*)(const char *, int))strchr, 2, 0, BATCH_RESULT_LONG, { 0 }, "strchr" },
		[SQRT] = { (address)(double (*)(double))sqrt, 1, 1, BATCH_RESULT_DOUBLE, { 0 }, "sqrt" },
		[POW] = { (address)(double (*)(double, double))pow, 2, 3, BATCH_RESULT_DOUBLE, { 0 }, "pow" },
		[ABS] = { (address)abs, 1, 0, BATCH_RESULT_INT, { 0 }, "abs" },
		[LDEXP] = { (address)(double (*)(double, int))ldexp, 2, 1, BATCH_RESULT_DOUBLE, { 0 }, "ldexp" },
	};
	static const char text[] = "many calls, one crossing";
	struct batch_call_executor call;
	struct batch_slot slots[16];
	long rets[16];
	struct batch_builder builder;
	struct batch_value found, root, five;

	(void)state;
	assert_int_equal(batch_call_executor_init(&call, functions, 6), 0);
	batch_builder_init(&builder, slots, rets, 16);
	found = batch_builder_add(&builder, STRCHR, text, ',');
	batch_builder_add(&builder, STRLEN, found);
	root = batch_builder_add(&builder, SQRT, 2.0);
	batch_builder_add(&builder, POW, root, 2.0);
	five = batch_builder_add(&builder, ABS, -5);
	batch_builder_add(&builder, SQRT, -1.0);
	batch_builder_add(&builder, LDEXP, 0.75, five);
	assert_int_equal(batch_builder_finish(&builder, NULL), 10);
	assert_int_equal(batch_run(&call.executor, rets, slots, 10, 0, NULL), 9);
	assert_ptr_equal((void *)rets[0], text + 10);
	assert_int_equal(rets[2], strlen(", one crossing"));
	assert_true(fabs(value(rets[5]) - 2.0) < 1e-12);
	assert_int_equal(rets[6], 5);
	assert_true(isnan(value(rets[7])));
	assert_true(value(rets[9]) == 24.0);
}

static long depth;

/* A function may run a batch of its own. */
static long nested(struct batch_call_executor *call)
{
	struct batch_slot slots[] = { BATCH_SLOT(0, 0, 0, 0, 1, (long)call) };
	long rets[1] = { 0 };

	if (++depth == 5)
		return depth;
	assert_int_equal(batch_run(&call->executor, rets, slots, 1, 0, NULL), 0);
	return rets[0];
}

static void functions_may_run_batches(void **state)
{
	const struct batch_function functions[] = { { (address)nested, 1, 0, BATCH_RESULT_LONG, { 0 }, "nested" } };
	struct batch_call_executor call;

	(void)state;
	assert_int_equal(batch_call_executor_init(&call, functions, 1), 0);
	depth = 0;
	assert_int_equal(nested(&call), 5);
}

/* errno is the functions' own: the executor neither clears nor restores it. */
static void errno_is_the_functions_business(void **state)
{
	const struct batch_function functions[] = { { (address)strlen, 1, 0, BATCH_RESULT_LONG, { 0 }, "strlen" } };
	struct batch_call_executor call;
	struct batch_slot slots[] = { BATCH_SLOT(0, 0, 0, 0, 1, (long)"ab"), BATCH_SLOT(5, 0, 0, 0, 0, 0),
				      scall2(wdcpy, 0, 0, 0, 0, 0) };
	long rets[3];

	(void)state;
	assert_int_equal(batch_call_executor_init(&call, functions, 1), 0);
	errno = 4242;
	assert_int_equal(batch_run(&call.executor, rets, slots, 3, 0, NULL), 2);
	assert_int_equal(errno, 4242);
	assert_int_equal(rets[2], -EFAULT);
}

static long long_0(void)
{
	return 7L << 40;
}

static long long_2(long a, long b)
{
	return a * 10 + b;
}

static long long_6(long a, long b, long c, long d, long e, long f)
{
	return ((((a * 10 + b) * 10 + c) * 10 + d) * 10 + e) * 10 + f;
}

static int int_0(void)
{
	return -7;
}

static int int_2(int a, int b)
{
	return -a * 10 - b;
}

static int int_6(int a, int b, int c, int d, int e, int f)
{
	return -(int)long_6(a, b, c, d, e, f);
}

/* Tables of one kind of result run by drivers that load no more words than their functions take. */
static void every_word_arrives_in_its_place(void **state)
{
	static const struct {
		struct batch_function function;
		long expected;
	} rows[] = {
		{ { (address)long_0, 0, 0, BATCH_RESULT_LONG, { 0 }, "long_0" }, 7L << 40 },
		{ { (address)long_2, 2, 0, BATCH_RESULT_LONG, { 0 }, "long_2" }, 12 },
		{ { (address)long_6, 6, 0, BATCH_RESULT_LONG, { 0 }, "long_6" }, 123456 },
		{ { (address)int_0, 0, 0, BATCH_RESULT_INT, { 0 }, "int_0" }, -7 },
		{ { (address)int_2, 2, 0, BATCH_RESULT_INT, { 0 }, "int_2" }, -12 },
		{ { (address)int_6, 6, 0, BATCH_RESULT_INT, { 0 }, "int_6" }, -123456 },
	};
	const unsigned long go = 1;

	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct batch_slot slots[40];
		long rets[40];
		struct batch_call_executor call;
		struct batch_prepared prepared;

		for (size_t i = 0; i < 40; i++)
			slots[i] = BATCH_SLOT(0, 0, 0, 0, rows[k].function.argc, 1, 2, 3, 4, 5, 6);
		slots[33].flags = BATCH_SLOT_MAY_BLOCK;
		assert_int_equal(batch_call_executor_init(&call, &rows[k].function, 1), 0);
		assert_int_equal(batch_prepare(&prepared, &call.executor, rets, slots, 40, 0, NULL), 0);
		for (int way = 0; way < 3; way++) {
			memset(rets, 0, sizeof(rets));
			if (way == 0)
				assert_int_equal(batch_prepared_run(&prepared), 39);
			if (way == 1)
				assert_int_equal(batch_prepared_run_some(&prepared, 0, 33), ~33L);
			if (way == 2)
				assert_int_equal(batch_prepared_run_while(&prepared, 0, &go), ~33L);
			for (size_t i = 0; i < 40; i++)
				assert_int_equal(rets[i], i < 33 || way == 0 ? rows[k].expected : 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_table_that_cannot_be),
		cmocka_unit_test(an_empty_table_denies_everything),
		cmocka_unit_test(names_the_slot_with_the_wrong_signature),
		cmocka_unit_test(carries_library_functions),
		cmocka_unit_test(functions_may_run_batches),
		cmocka_unit_test(errno_is_the_functions_business),
		cmocka_unit_test(every_word_arrives_in_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
