/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the builder share: one builder that is started anew for each, and what an error looks like. */
#ifndef FERRY_TESTS_BUILD_TESTS_H
#define FERRY_TESTS_BUILD_TESTS_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/batch.h>

#define CAPACITY 16

struct fixture {
	struct batch_slot slots[CAPACITY];
	long rets[CAPACITY];
	struct batch_builder builder;
	struct batch_error error;
};

static struct fixture f;

static inline int start(void **state)
{
	(void)state;
	memset(&f, 0x5a, sizeof(f));
	batch_builder_init(&f.builder, f.slots, f.rets, CAPACITY);
	return 0;
}

static inline struct batch_value call(int nr)
{
	return batch_builder_call(&f.builder, nr, 0, NULL);
}

/* The value of a slot by its index, without a check. */
static inline struct batch_value at(long slot)
{
	return (struct batch_value){ slot, f.builder.batch, BATCH__RESULT };
}

/* The slot of a value, which may be an error. */
static inline long slot(struct batch_value value)
{
	return batch_value_slot(value);
}

/* The builder is in error: for this reason, at this slot; and every later call says the same and changes nothing. */
static inline void expect_stuck(enum batch_reason reason, long where)
{
	struct batch_label label = BATCH_LABEL_INIT;
	size_t count = f.builder.count;
	int code = f.builder.error.code;

	assert_true(code < 0);
	assert_int_equal(slot(call(__NR_getpid)), code);
	assert_int_equal(slot(batch_builder_copy(&f.builder, f.rets, f.rets)), code);
	assert_int_equal(slot(batch_builder_load(&f.builder, f.rets)), code);
	assert_int_equal(slot(batch_builder_value(&f.builder, 0)), code);
	assert_int_equal(slot(batch_builder_close(&f.builder, call(__NR_getpid))), code);
	assert_int_equal(slot(batch_builder_close(&f.builder, at(99))), code);
	assert_int_equal(batch_builder_may_block(&f.builder, at(0)), code);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_FAIL, &label), code);
	assert_int_equal(batch_builder_stop(&f.builder, call(__NR_getpid), BATCH_ON_FAIL), code);
	assert_int_equal(batch_value_result(call(__NR_getpid), f.rets), code);
	assert_int_equal(batch_builder_label(&f.builder, &label), code);
	assert_int_equal(f.builder.count, count);
	assert_int_equal(batch_builder_finish(&f.builder, &f.error), code);
	assert_int_equal(f.error.code, code);
	assert_int_equal(f.error.reason, reason);
	assert_int_equal(f.error.slot, where);
	assert_int_equal(batch_builder_finish(&f.builder, NULL), code);
	assert_int_equal(batch_builder_run(&f.builder, &batch_executor_null, NULL), code);
}

#endif /* FERRY_TESTS_BUILD_TESTS_H */
