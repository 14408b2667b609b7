/* SPDX-License-Identifier: BSD-3-Clause */
/* The builder: what it writes into the slots, that its first error sticks, and each error it has. */
#include "build_tests.h"

static void writes_every_field_of_a_slot(void **state)
{
	const struct batch_slot expected = scall3(lseek, 0, 0, 0, -1, 5, 2);
	const long words[] = { -1, 5, 2 };

	(void)state;
	assert_int_equal(slot(batch_builder_call(&f.builder, __NR_lseek, 3, words)), 0);
	assert_memory_equal(&f.slots[0], &expected, sizeof(expected));
	assert_int_equal(batch_builder_finish(&f.builder, &f.error), 1);
}

static void typed_builders_are_the_bare_slots(void **state)
{
	char buffer[8];
	const struct batch_slot expected[] = {
		scall4(openat, 0, 0, 0, AT_FDCWD, "/", O_RDONLY, 0),
		scall3(read, 0, 0, 0, 7, buffer, sizeof(buffer)),
		scall1(close, 0, 0, 0, -1),
		scall0(getpid, 0, 0, 0),
	};

	(void)state;
	assert_int_equal(slot(batch_builder_openat(&f.builder, AT_FDCWD, "/", O_RDONLY, 0)), 0);
	assert_int_equal(slot(batch_builder_read(&f.builder, 7, buffer, sizeof(buffer))), 1);
	assert_int_equal(slot(batch_builder_close(&f.builder, -1)), 2);
	assert_int_equal(slot(call(__NR_getpid)), 3);
	f.slots[0].arg[0] = expected[0].arg[0]; /* two equal strings may be two addresses */
	assert_memory_equal(f.slots, expected, sizeof(expected));
}

static void a_copy_is_what_it_says(void **state)
{
	long from = 0, to = 0;

	(void)state;
	assert_int_equal(slot(batch_builder_copy(&f.builder, &to, &from)), 0);
	assert_memory_equal(&f.slots[0], &scall2(wdcpy, 0, 0, 0, &to, &from), sizeof(struct batch_slot));
}

static void a_slot_may_be_marked(void **state)
{
	struct batch_value second;

	(void)state;
	call(39);
	second = call(39);
	assert_int_equal(batch_builder_may_block(&f.builder, second), 0);
	assert_int_equal(batch_builder_may_block(&f.builder, second), 0);
	assert_int_equal(f.slots[0].flags, 0);
	assert_int_equal(f.slots[1].flags, BATCH_SLOT_MAY_BLOCK);
	assert_int_equal(batch_builder_may_block(&f.builder, at(2)), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, 1);
}

static void labels_become_distances(void **state)
{
	struct batch_label near = BATCH_LABEL_INIT, end = BATCH_LABEL_INIT;

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_int_equal(slot(call(__NR_getpid)), i);
	/* several slots and outcomes wait for one label; one slot waits twice */
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_FAIL, &near), 0);
	assert_int_equal(batch_builder_jump(&f.builder, at(2), BATCH_ON_FAIL, &near), 0);
	assert_int_equal(batch_builder_jump(&f.builder, at(3), BATCH_ON_FAIL, &near), 0);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_POSITIVE, &near), 0);
	assert_int_equal(batch_builder_jump(&f.builder, at(1), BATCH_ON_ZERO, &end), 0);
	assert_int_equal(batch_builder_stop(&f.builder, at(4), BATCH_ON_ZERO), 0);
	assert_int_equal(batch_builder_label(&f.builder, &near), 0);
	assert_int_equal(slot(call(__NR_getpid)), 5);
	assert_int_equal(batch_builder_label(&f.builder, &end), 0);
	assert_int_equal(batch_builder_finish(&f.builder, &f.error), 6);
	assert_int_equal(f.slots[0].jump_fail, 4);
	assert_int_equal(f.slots[0].jump_positive, 4);
	assert_int_equal(f.slots[2].jump_fail, 2);
	assert_int_equal(f.slots[3].jump_fail, 1);
	assert_int_equal(f.slots[1].jump_zero, 4);
	assert_int_equal(f.slots[4].jump_zero, BATCH_STOP);
	assert_int_equal(f.slots[0].jump_zero, 0);
}

static void a_label_right_behind_is_distance_0(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;

	(void)state;
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_FAIL, &label), 0);
	assert_int_equal(batch_builder_label(&f.builder, &label), 0);
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 1);
	assert_int_equal(f.slots[0].jump_fail, 0);
}

static void capacity_is_kept(void **state)
{
	(void)state;
	batch_builder_init(&f.builder, f.slots, f.rets, 1);
	assert_int_equal(slot(call(__NR_getpid)), 0);
	assert_int_equal(slot(call(__NR_getpid)), -ENOSPC);
	assert_int_equal(f.slots[1].nr, 0x5a5a);
	expect_stuck(BATCH_REASON_CAPACITY, 1);
}

static void too_many_arguments(void **state)
{
	const long words[7] = { 0 };

	(void)state;
	assert_int_equal(slot(batch_builder_call(&f.builder, __NR_getpid, 7, words)), -EINVAL);
	expect_stuck(BATCH_REASON_ARGC, 0);
	start(NULL);
	assert_int_equal(slot(batch_builder_add_arguments(&f.builder, __NR_getpid, 7, NULL)), -EINVAL);
	expect_stuck(BATCH_REASON_ARGC, 0);
}

static void an_empty_batch(void **state)
{
	(void)state;
	assert_int_equal(batch_builder_finish(&f.builder, &f.error), -EINVAL);
	assert_int_equal(f.error.reason, BATCH_REASON_EMPTY);
}

static void a_label_that_is_not_placed(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;

	(void)state;
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_ZERO, &label), 0);
	assert_int_equal(batch_builder_finish(&f.builder, &f.error), -EINVAL);
	expect_stuck(BATCH_REASON_LABEL_UNPLACED, -1);
}

static void a_jump_backwards(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;

	(void)state;
	assert_int_equal(batch_builder_label(&f.builder, &label), 0);
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_ZERO, &label), -EINVAL);
	expect_stuck(BATCH_REASON_LABEL_BACKWARD, 0);
}

static void a_label_placed_twice(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;

	(void)state;
	call(__NR_getpid);
	assert_int_equal(batch_builder_label(&f.builder, &label), 0);
	assert_int_equal(batch_builder_label(&f.builder, &label), -EINVAL);
	expect_stuck(BATCH_REASON_LABEL_BACKWARD, 1);
}

static void an_outcome_set_twice(void **state)
{
	struct batch_label first = BATCH_LABEL_INIT, second = BATCH_LABEL_INIT;

	(void)state;
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_ZERO, &first), 0);
	assert_int_equal(batch_builder_stop(&f.builder, at(0), BATCH_ON_FAIL), 0);
	/* the waiting jump would be lost to its label */
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_ZERO, &second), -EINVAL);
	expect_stuck(BATCH_REASON_JUMP_SET, 0);
}

static void a_stop_over_a_jump(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;

	(void)state;
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_ZERO, &label), 0);
	assert_int_equal(batch_builder_stop(&f.builder, at(0), BATCH_ON_ZERO), -EINVAL);
	expect_stuck(BATCH_REASON_JUMP_SET, 0);
}

static void a_slot_that_is_not_there(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;

	(void)state;
	call(__NR_getpid);
	assert_int_equal(slot(batch_builder_value(&f.builder, 0)), 0);
	assert_int_equal(slot(batch_builder_value(&f.builder, 1)), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, 1);
	start(NULL);
	assert_int_equal(slot(batch_builder_value(&f.builder, -1)), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, -1);
	start(NULL);
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(1), BATCH_ON_ZERO, &label), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, 0);
	start(NULL);
	call(__NR_getpid);
	assert_int_equal(batch_builder_stop(&f.builder, at(-1), BATCH_ON_ZERO), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, 0);
	start(NULL);
	call(__NR_getpid);
	assert_int_equal(slot(batch_builder_close(&f.builder, at(1))), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, 1);
}

static void a_call_that_does_not_fit_adds_nothing(void **state)
{
	struct batch_value value;

	(void)state;
	batch_builder_init(&f.builder, f.slots, f.rets, 2);
	value = call(__NR_getpid);
	assert_int_equal(slot(batch_builder_close(&f.builder, value)), -ENOSPC);
	assert_int_equal(f.builder.count, 1);
	expect_stuck(BATCH_REASON_CAPACITY, 2);
}

static void a_prepared_batch_needs_no_builder(void **state)
{
	struct batch_prepared prepared;
	struct batch_value fd;

	(void)state;
	fd = batch_builder_openat(&f.builder, AT_FDCWD, "/", O_RDONLY, 0);
	batch_builder_close(&f.builder, fd);
	assert_int_equal(batch_builder_prepare(&f.builder, &prepared, &batch_executor_loop, &f.error), 0);
	memset(&f.builder, 0, sizeof(f.builder));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(batch_prepared_run(&prepared), 2);
		assert_true(batch_value_result(fd, f.rets) >= 0);
		assert_int_equal(f.rets[2], 0);
	}
	start(NULL);
	assert_int_equal(batch_builder_prepare(&f.builder, &prepared, &batch_executor_loop, &f.error), -EINVAL);
	assert_int_equal(f.error.reason, BATCH_REASON_EMPTY);
}

/* A jump over `between` slots to a label. Returns what placing the label, or the jump, said. */
static int jump_over(struct batch_slot *slots, long *rets, size_t capacity, size_t between, int pending)
{
	struct batch_label label = BATCH_LABEL_INIT;

	batch_builder_init(&f.builder, slots, rets, capacity);
	call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, at(0), BATCH_ON_FAIL, &label), 0);
	for (size_t i = 0; i < between; i++)
		assert_true(slot(call(__NR_getpid)) > 0);
	if (pending)
		return batch_builder_jump(&f.builder, at((long)between), BATCH_ON_FAIL, &label);
	return batch_builder_label(&f.builder, &label);
}

static void the_farthest_label(void **state)
{
	static struct batch_slot slots[BATCH_JUMP_MAX + 3];
	static long rets[BATCH_JUMP_MAX + 3];
	const size_t capacity = BATCH_JUMP_MAX + 3;

	(void)state;
	assert_int_equal(jump_over(slots, rets, capacity, BATCH_JUMP_MAX, 0), 0);
	assert_int_equal(slots[0].jump_fail, BATCH_JUMP_MAX);
	assert_int_equal(jump_over(slots, rets, capacity, BATCH_JUMP_MAX + 1, 0), -ERANGE);
	expect_stuck(BATCH_REASON_LABEL_FAR, 0);
	/* a slot that is too far behind the one that waits already */
	assert_int_equal(jump_over(slots, rets, capacity, BATCH_JUMP_MAX, 1), 0);
	assert_int_equal(jump_over(slots, rets, capacity, BATCH_JUMP_MAX + 1, 1), -ERANGE);
	expect_stuck(BATCH_REASON_LABEL_FAR, 0);
}

static void errno_is_left_alone(void **state)
{
	(void)state;
	errno = 4242;
	call(__NR_getpid);
	batch_builder_stop(&f.builder, at(5), BATCH_ON_FAIL);
	batch_builder_finish(&f.builder, &f.error);
	assert_int_equal(errno, 4242);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(writes_every_field_of_a_slot, start),
		cmocka_unit_test_setup(typed_builders_are_the_bare_slots, start),
		cmocka_unit_test_setup(a_copy_is_what_it_says, start),
		cmocka_unit_test_setup(a_slot_may_be_marked, start),
		cmocka_unit_test_setup(labels_become_distances, start),
		cmocka_unit_test_setup(a_label_right_behind_is_distance_0, start),
		cmocka_unit_test_setup(capacity_is_kept, start),
		cmocka_unit_test_setup(too_many_arguments, start),
		cmocka_unit_test_setup(an_empty_batch, start),
		cmocka_unit_test_setup(a_label_that_is_not_placed, start),
		cmocka_unit_test_setup(a_jump_backwards, start),
		cmocka_unit_test_setup(a_label_placed_twice, start),
		cmocka_unit_test_setup(an_outcome_set_twice, start),
		cmocka_unit_test_setup(a_stop_over_a_jump, start),
		cmocka_unit_test_setup(a_slot_that_is_not_there, start),
		cmocka_unit_test_setup(a_call_that_does_not_fit_adds_nothing, start),
		cmocka_unit_test_setup(a_prepared_batch_needs_no_builder, start),
		cmocka_unit_test_setup(the_farthest_label, start),
		cmocka_unit_test_setup(errno_is_left_alone, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
