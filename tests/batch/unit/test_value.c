/* SPDX-License-Identifier: BSD-3-Clause */
/* Values: what becomes of them in the slots, which are refused, and what a run leaves of them. */
#include "build_tests.h"

static void any_number_or_pointer_is_a_word(void **state)
{
	const unsigned char byte = 200;
	const short negative = -2;
	const unsigned int large = 0xffffffff;
	const double half = 0.5;
	long bits;

	(void)state;
	memcpy(&bits, &half, sizeof(bits));
	batch_builder_add(&f.builder, 1, byte, negative, large, &bits, 0x8000000000000000UL, half);
	batch_builder_add(&f.builder, 2);
	batch_builder_add(&f.builder, 3, BATCH_ON_POSITIVE, NULL, 1.5F, sizeof(bits) == 8);
	assert_memory_equal(&f.slots[0], &BATCH_SLOT(1, 0, 0, 0, 6, 200, -2, 0xffffffff, (long)&bits, LONG_MIN, bits),
			    sizeof(struct batch_slot));
	assert_memory_equal(&f.slots[1], &BATCH_SLOT(2, 0, 0, 0, 0, 0), sizeof(struct batch_slot));
	assert_memory_equal(&f.slots[2], &BATCH_SLOT(3, 0, 0, 0, 4, 2, 0, 0x3ff8000000000000, 1),
			    sizeof(struct batch_slot));
}

static void arguments_are_evaluated_once(void **state)
{
	const int fds[] = { 7, 8, 9 };
	const int *next = fds;

	(void)state;
	batch_builder_close(&f.builder, *next++);
	batch_builder_add(&f.builder, __NR_close, *next++);
	assert_ptr_equal(next, fds + 2);
	assert_int_equal(f.slots[0].arg[0], 7);
	assert_int_equal(f.slots[1].arg[0], 8);
}

static void is_copy(long index, const void *to, const void *from)
{
	const struct batch_slot expected = scall2(wdcpy, 0, 0, 0, to, from);

	assert_memory_equal(&f.slots[index], &expected, sizeof(expected));
}

static void values_are_word_copies_ahead_of_the_call(void **state)
{
	struct batch_value one, two, read;
	char text[4];

	(void)state;
	one = call(__NR_getpid);
	two = call(__NR_getppid);
	read = batch_builder_read(&f.builder, two, text, one);
	assert_int_equal(slot(read), 4);
	batch_builder_add(&f.builder, __NR_lseek, 3, 5, read);
	batch_builder_add(&f.builder, __NR_close, batch_argument_of(one));
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 9);
	is_copy(2, &f.slots[4].arg[0], &f.rets[1]);
	is_copy(3, &f.slots[4].arg[2], &f.rets[0]);
	assert_memory_equal(&f.slots[4], &BATCH_SLOT(__NR_read, 0, 0, 0, 3, 0, (long)text, 0),
			    sizeof(struct batch_slot));
	is_copy(5, &f.slots[6].arg[2], &f.rets[4]);
	assert_memory_equal(&f.slots[6], &BATCH_SLOT(__NR_lseek, 0, 0, 0, 3, 3, 5, 0), sizeof(struct batch_slot));
	is_copy(7, &f.slots[8].arg[0], &f.rets[0]);
}

static void values_may_be_used_where_they_are_made(void **state)
{
	(void)state;
	batch_builder_close(&f.builder, batch_builder_dup3(&f.builder, batch_builder_add(&f.builder, 39), 5, 0));
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 5);
	is_copy(1, &f.slots[2].arg[0], &f.rets[0]);
	is_copy(3, &f.slots[4].arg[0], &f.rets[2]);
}

#ifdef __NR_open
static void open_takes_words_and_values(void **state)
{
	static const char path[] = "/";
	struct batch_value none;

	(void)state;
	assert_int_equal(slot(batch_builder_open(&f.builder, path, O_RDONLY | O_DIRECTORY, 0600)), 0);
	none = call(__NR_getpid);
	assert_int_equal(slot(batch_builder_open(&f.builder, path, none, none)), 4);
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 5);
	assert_memory_equal(&f.slots[0], &scall3(open, 0, 0, 0, path, O_RDONLY | O_DIRECTORY, 0600),
			    sizeof(struct batch_slot));
	is_copy(2, &f.slots[4].arg[1], &f.rets[1]);
	is_copy(3, &f.slots[4].arg[2], &f.rets[1]);
	assert_memory_equal(&f.slots[4], &scall3(open, 0, 0, 0, path, 0, 0), sizeof(struct batch_slot));
}

static void open_opens(void **state)
{
	struct batch_value fd, none, closed;

	(void)state;
	none = batch_builder_open(&f.builder, "/nowhere/at all", O_RDONLY, 0);
	fd = batch_builder_open(&f.builder, "/", O_RDONLY | O_DIRECTORY, 0);
	closed = batch_builder_close(&f.builder, fd);
	batch_builder_run(&f.builder, &batch_executor_loop, &f.error);
	assert_int_equal(batch_value_result(none, f.rets), -ENOENT);
	assert_true(batch_value_result(fd, f.rets) >= 0);
	assert_int_equal(batch_value_result(closed, f.rets), 0);
}
#endif

static void a_loaded_word_goes_to_its_arguments(void **state)
{
	const long from = 0;
	struct batch_value word, other;

	(void)state;
	word = batch_builder_load(&f.builder, &from);
	other = batch_builder_load(&f.builder, &from);
	assert_int_equal(slot(other), 1);
	/* nothing takes it yet: it goes to a word of its own slot that nothing reads */
	assert_ptr_equal((void *)f.slots[0].arg[0], &f.slots[0].arg[2]);
	assert_ptr_equal((void *)f.slots[0].arg[1], &from);
	batch_builder_ftruncate(&f.builder, 3, word);
	assert_ptr_equal((void *)f.slots[0].arg[0], &f.slots[2].arg[1]);
	assert_int_equal(f.slots[0].jump_fail, BATCH_STOP);
	/* twice in one call, and once more: from where it went first */
	batch_builder_lseek(&f.builder, other, other, 0);
	is_copy(3, &f.slots[4].arg[1], &f.slots[4].arg[0]);
	assert_ptr_equal((void *)f.slots[1].arg[0], &f.slots[4].arg[0]);
	batch_builder_close(&f.builder, word);
	is_copy(5, &f.slots[6].arg[0], &f.slots[2].arg[1]);
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 7);
}

static void a_load_that_fails_goes_where_it_is_sent(void **state)
{
	struct batch_label label = BATCH_LABEL_INIT;
	struct batch_value word = batch_builder_load(&f.builder, f.rets);

	(void)state;
	assert_int_equal(batch_builder_jump(&f.builder, word, BATCH_ON_FAIL, &label), 0);
	call(39);
	assert_int_equal(batch_builder_label(&f.builder, &label), 0);
	assert_int_equal(f.slots[0].jump_fail, 1);
	assert_int_equal(batch_builder_stop(&f.builder, word, BATCH_ON_FAIL), -EINVAL);
	expect_stuck(BATCH_REASON_JUMP_SET, 0);
}

/* What is none of this batch's values: everywhere one is taken, and named where it was to be used. */
static void expect_refused(struct batch_value value)
{
	struct batch_label label = BATCH_LABEL_INIT;

	for (int where = 0; where < 5; where++) {
		start(NULL);
		call(__NR_getpid);
		call(__NR_getpid);
		if (where == 0)
			batch_builder_close(&f.builder, value);
		else if (where == 1)
			batch_builder_add(&f.builder, __NR_close, value);
		else if (where == 2)
			batch_builder_stop(&f.builder, value, BATCH_ON_FAIL);
		else if (where == 3)
			batch_builder_jump(&f.builder, value, BATCH_ON_FAIL, &label);
		else
			batch_builder_may_block(&f.builder, value);
		assert_int_equal(f.builder.count, 2);
		expect_stuck(BATCH_REASON_VALUE, where < 2 ? 2 : 1);
	}
}

static void a_value_of_another_batch(void **state)
{
	struct batch_slot slots[2];
	long rets[2];
	struct batch_builder other;
	struct batch_value value;

	(void)state;
	batch_builder_init(&other, slots, rets, 1);
	value = batch_builder_add(&other, __NR_getpid);
	expect_refused(value);
	/* its error is its own, too */
	expect_refused(batch_builder_add(&other, __NR_getpid));
	/* an earlier batch in the same memory, of the same builder */
	batch_builder_init(&other, slots, rets, 2);
	assert_int_equal(slot(batch_builder_close(&other, value)), -EINVAL);
	start(NULL);
	expect_refused(call(__NR_getpid));
	/* never set */
	expect_refused((struct batch_value){ 0, 0, 0 });
	start(NULL);
	call(__NR_getpid);
	value = (struct batch_value){ 0, f.builder.batch, 0 };
	assert_int_equal(slot(batch_builder_close(&f.builder, value)), -EINVAL);
	expect_stuck(BATCH_REASON_VALUE, 1);
}

static void batches_of_many_threads_and_times_differ(void **state)
{
	static unsigned int seen[2000];
	struct batch_builder other;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		batch_builder_init(&other, f.slots, f.rets, CAPACITY);
		seen[i] = other.batch;
		for (int k = 0; k < i; k++)
			assert_int_not_equal(seen[k], seen[i]);
	}
}

/*
 * A value whose call a jump may pass by. The program: `jumps` says for each of its calls which later call it jumps to;
 * the label is placed before that one, and the last is given the value of call `from`.
 */
static int use_after(const int *jumps, int count, int from)
{
	struct batch_label labels[CAPACITY];
	struct batch_value values[CAPACITY];

	start(NULL);
	for (int i = 0; i < count; i++)
		labels[i] = (struct batch_label)BATCH_LABEL_INIT;
	for (int i = 0; i < count; i++) {
		assert_int_equal(batch_builder_label(&f.builder, &labels[i]), 0);
		if (i == count - 1)
			break;
		values[i] = call(__NR_getpid);
		if (jumps[i])
			assert_int_equal(batch_builder_jump(&f.builder, values[i], (enum batch_outcome)(i % 3),
							    &labels[jumps[i]]),
					 0);
	}
	return (int)slot(batch_builder_close(&f.builder, values[from]));
}

static void a_value_whose_call_may_be_passed_by(void **state)
{
	static const int over_one[] = { 2, 0, 0, 0 };
	static const int apart[] = { 2, 0, 0, 5, 0, 0, 0 };
	static const int to_the_end[] = { 0, 4, 0, 0, 0 };

	(void)state;
	assert_int_equal(use_after(over_one, 3, 0), 3);
	assert_int_equal(use_after(over_one, 3, 1), -EINVAL);
	expect_stuck(BATCH_REASON_SKIPPED, 1);
	/* of two parts, each with a jump: what begins a part always runs, what is between does not */
	for (int from = 0; from < 6; from++)
		assert_int_equal(use_after(apart, 7, from) < 0, from == 1 || from == 4);
	/* a jump that leads to just before the use; and one that leads no farther than its own part */
	for (int from = 0; from < 4; from++)
		assert_int_equal(use_after(to_the_end, 5, from) < 0, from == 2 || from == 3);
}

/* A jump that is added late, to a call before a part that seemed done: nothing that was found of that part holds. */
static void a_jump_added_late_counts(void **state)
{
	struct batch_label near = BATCH_LABEL_INIT, end = BATCH_LABEL_INIT;
	struct batch_value first, second, third;

	(void)state;
	first = call(__NR_getpid);
	second = call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, first, BATCH_ON_FAIL, &end), 0);
	assert_int_equal(batch_builder_label(&f.builder, &end), 0);
	assert_int_equal(slot(batch_builder_close(&f.builder, second)), -EINVAL);
	expect_stuck(BATCH_REASON_SKIPPED, 1);

	/* and of a value that was looked at before: another jump made that necessary */
	start(NULL);
	end = (struct batch_label)BATCH_LABEL_INIT;
	first = call(__NR_getpid);
	second = call(__NR_getpid);
	third = call(__NR_getpid);
	assert_int_equal(batch_builder_jump(&f.builder, third, BATCH_ON_FAIL, &near), 0);
	assert_int_equal(batch_builder_label(&f.builder, &near), 0);
	assert_int_equal(slot(call(__NR_getpid)), 3);
	assert_int_equal(slot(batch_builder_close(&f.builder, second)), 5);
	assert_int_equal(slot(batch_builder_close(&f.builder, second)), 7);
	assert_int_equal(batch_builder_jump(&f.builder, first, BATCH_ON_FAIL, &end), 0);
	assert_int_equal(batch_builder_label(&f.builder, &end), 0);
	assert_int_equal(slot(batch_builder_close(&f.builder, first)), 9);
	assert_int_equal(slot(batch_builder_close(&f.builder, second)), -EINVAL);
	expect_stuck(BATCH_REASON_SKIPPED, 1);
}

static void what_is_passed_by_may_be_loaded(void **state)
{
	struct batch_label end = BATCH_LABEL_INIT;
	struct batch_value first = call(__NR_getpid), second;

	(void)state;
	batch_builder_jump(&f.builder, first, BATCH_ON_FAIL, &end);
	second = call(__NR_getpid);
	batch_builder_label(&f.builder, &end);
	batch_builder_close(&f.builder, batch_builder_load(&f.builder, &f.rets[slot(second)]));
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 4);
}

/* One descriptor for every part of a long batch, each part with a jump: looking for jumps has to stay cheap. */
static void one_value_in_every_part_is_cheap(void **state)
{
	const size_t parts = 100000, capacity = 3 * parts + 30002;
	struct batch_slot *slots = calloc(capacity, sizeof(*slots));
	long *rets = calloc(capacity, sizeof(*rets));
	struct batch_value shared = { 0, 0, 0 };

	(void)state;
	assert_non_null(slots);
	assert_non_null(rets);
	batch_builder_init(&f.builder, slots, rets, capacity);
	for (int i = 0; i < 30000; i++)
		shared = call(__NR_getpid);
	for (size_t i = 0; i < parts; i++) {
		struct batch_label next = BATCH_LABEL_INIT;

		batch_builder_jump(&f.builder, call(__NR_getpid), BATCH_ON_FAIL, &next);
		batch_builder_label(&f.builder, &next);
		batch_builder_close(&f.builder, shared);
	}
	assert_int_equal(batch_builder_finish(&f.builder, NULL), 30000 + 3 * parts);
	free(slots);
	free(rets);
}

static void a_run_leaves_no_old_results(void **state)
{
	struct batch_value fd, got, done;
	char text[4];
	long last;

	(void)state;
	fd = batch_builder_openat(&f.builder, AT_FDCWD, "/nowhere/at all", O_RDONLY, 0);
	batch_builder_stop(&f.builder, fd, BATCH_ON_FAIL);
	got = batch_builder_read(&f.builder, fd, text, sizeof(text));
	done = batch_builder_close(&f.builder, fd);
	last = batch_builder_run(&f.builder, &batch_executor_loop, &f.error);
	assert_int_equal(last, 0);
	assert_int_equal(batch_value_result(fd, f.rets), -ENOENT);
	assert_int_equal(batch_value_result(got, f.rets), -ECANCELED);
	assert_int_equal(batch_value_result(done, f.rets), -ECANCELED);
	/* and a batch that is refused leaves none at all */
	f.rets[2] = 7;
	f.slots[4].argc = 7;
	assert_int_equal(batch_builder_run(&f.builder, &batch_executor_loop, &f.error), -EINVAL);
	assert_int_equal(f.error.reason, BATCH_REASON_ARGC);
	assert_int_equal(batch_value_result(got, f.rets), -ECANCELED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(any_number_or_pointer_is_a_word, start),
		cmocka_unit_test_setup(arguments_are_evaluated_once, start),
		cmocka_unit_test_setup(values_are_word_copies_ahead_of_the_call, start),
		cmocka_unit_test_setup(values_may_be_used_where_they_are_made, start),
#ifdef __NR_open /* not on aarch64 */
		cmocka_unit_test_setup(open_takes_words_and_values, start),
		cmocka_unit_test_setup(open_opens, start),
#endif
		cmocka_unit_test_setup(a_loaded_word_goes_to_its_arguments, start),
		cmocka_unit_test_setup(a_load_that_fails_goes_where_it_is_sent, start),
		cmocka_unit_test_setup(a_value_of_another_batch, start),
		cmocka_unit_test_setup(batches_of_many_threads_and_times_differ, start),
		cmocka_unit_test_setup(a_value_whose_call_may_be_passed_by, start),
		cmocka_unit_test_setup(a_jump_added_late_counts, start),
		cmocka_unit_test_setup(what_is_passed_by_may_be_loaded, start),
		cmocka_unit_test_setup(one_value_in_every_part_is_cheap, start),
		cmocka_unit_test_setup(a_run_leaves_no_old_results, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
