/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists: each item has the result that direct calls have, whatever its neighbours' and wherever a batch ends. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

/* more than three batches of one slot an item, and a last one that is not full */
#define ITEMS (3 * BATCH_LIST_SLOTS + 7)

/* A folder with one file for every second item; file i holds i % 5 bytes. */
struct world {
	char folder[32];
	int dirfd;
	char names[ITEMS][16];
	const char *paths[ITEMS];
	long results[ITEMS];
};

static struct world w;

static int make_world(void **state)
{
	(void)state;
	snprintf(w.folder, sizeof(w.folder), "/tmp/ferry-list-XXXXXX");
	assert_non_null(mkdtemp(w.folder));
	w.dirfd = open(w.folder, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	assert_true(w.dirfd >= 0);
	for (int i = 0; i < ITEMS; i++) {
		snprintf(w.names[i], sizeof(w.names[i]), "f%d", i);
		w.paths[i] = w.names[i];
		w.results[i] = 1234567;
		if (i % 2 == 0) {
			int fd = openat(w.dirfd, w.names[i], O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

			assert_int_equal(write(fd, "12345", (size_t)i % 5), i % 5);
			close(fd);
		}
	}
	return 0;
}

static int end_world(void **state)
{
	(void)state;
	for (int i = 0; i < ITEMS; i++)
		unlinkat(w.dirfd, w.names[i], 0);
	close(w.dirfd);
	rmdir(w.folder);
	return 0;
}

static void stats_what_is_there(void **state)
{
	struct statx *found = (struct statx *)calloc(ITEMS, sizeof(*found));
	struct statx direct;

	(void)state;
	assert_int_equal(batch_list_statx(&batch_executor_loop, w.dirfd, w.paths, ITEMS, 0, STATX_SIZE | STATX_INO,
					  found, w.results, NULL),
			 ITEMS);
	for (int i = 0; i < ITEMS; i++) {
		assert_int_equal(w.results[i], i % 2 ? -ENOENT : 0);
		if (i % 2)
			continue;
		assert_int_equal(statx(w.dirfd, w.paths[i], 0, STATX_SIZE | STATX_INO, &direct), 0);
		assert_int_equal(found[i].stx_size, i % 5);
		assert_int_equal(found[i].stx_ino, direct.stx_ino);
	}
	free(found);
}

/* Read all files on an executor; a file of 4 bytes has a buffer of 3. */
static void read_on(const struct batch_executor *executor, int flags)
{
	static char bytes[ITEMS][8];
	static struct iovec buffers[ITEMS];
	int before = dup(w.dirfd), after;

	close(before);
	memset(bytes, 'x', sizeof(bytes));
	for (int i = 0; i < ITEMS; i++)
		buffers[i] = (struct iovec){ bytes[i], 3 };
	assert_int_equal(batch_list_read(executor, w.dirfd, w.paths, ITEMS, flags, buffers, w.results, NULL), ITEMS);
	for (int i = 0; i < ITEMS; i++) {
		long expected = i % 5 < 3 ? i % 5 : 3;

		assert_int_equal(w.results[i], i % 2 ? -ENOENT : expected);
		assert_memory_equal(bytes[i], i % 2 ? "xxx" : "123", i % 2 ? 3 : (size_t)expected);
		assert_int_equal(bytes[i][3], 'x');
	}
	/* every descriptor is closed again: the next one has the same number */
	after = dup(w.dirfd);
	close(after);
	assert_int_equal(after, before);
}

static void reads_what_is_there(void **state)
{
	(void)state;
	read_on(&batch_executor_loop, 0);
}

static void reads_through_io_uring_where_there_is_one(void **state)
{
	struct batch_auto_executor automatic;
	struct batch_uring_executor uring;
	struct batch_error error;

	(void)state;
	assert_int_equal(batch_auto_open(&automatic), 0);
	read_on(&automatic.executor, O_NONBLOCK);
	batch_auto_close(&automatic);
	if (batch_uring_open(&uring, 0, NULL) == 0) {
		read_on(&uring.executor, O_NONBLOCK);
		/* it does not carry files that may be FIFOs: nothing is read, and the caller is told why */
		assert_true(batch_list_read(&uring.executor, w.dirfd, w.paths, 1, 0, &(struct iovec){ 0 }, w.results,
					    &error) < 0);
		assert_int_equal(error.slot, 0);
		assert_int_equal(w.results[0], -ECANCELED);
	}
	batch_uring_close(&uring);
}

static void unlinks_what_is_there(void **state)
{
	(void)state;
	assert_int_equal(batch_list_unlinkat(&batch_executor_loop, w.dirfd, w.paths, ITEMS, 0, w.results, NULL), ITEMS);
	for (int i = 0; i < ITEMS; i++) {
		assert_int_equal(w.results[i], i % 2 ? -ENOENT : 0);
		assert_int_equal(faccessat(w.dirfd, w.paths[i], F_OK, 0), -1);
	}
}

/* ---- programs of one's own ------------------------------------------------------------------------------------- */

/* An item of `slots` calls of getpid that ends the list at item `stop_at`, and has a mistake at item `wrong_at`. */
struct shape {
	size_t slots, stop_at, wrong_at;
	struct batch_value kept; /* of item 0 */
};

static struct batch_value add_shape(struct batch_builder *builder, size_t index, void *user)
{
	struct shape *shape = (struct shape *)user;
	struct batch_label never = BATCH_LABEL_INIT;
	struct batch_value value = { 0 };

	for (size_t i = 0; i < shape->slots; i++)
		value = batch_builder_call(builder, __NR_getpid, 0, NULL);
	if (index == 0)
		shape->kept = value;
	if (index == shape->stop_at)
		batch_builder_stop(builder, value, BATCH_ON_POSITIVE);
	if (index == shape->wrong_at)
		batch_builder_jump(builder, value, BATCH_ON_FAIL, &never);
	return value;
}

#define NOWHERE ((size_t)-1)

static void a_stop_ends_the_list_wherever_it_is(void **state)
{
	static const size_t stops[] = { 0, 1, 84, 85, 86, 169, 170, 299 };

	(void)state;
	/* 3 slots an item: 85 items in a batch, with one slot left over */
	for (size_t k = 0; k < sizeof(stops) / sizeof(stops[0]); k++) {
		struct shape shape = { 3, stops[k], NOWHERE, { 0 } };
		size_t ran = stops[k] + 1;

		assert_int_equal(batch_list_run(&batch_executor_loop, 300, add_shape, &shape, w.results, NULL), ran);
		for (size_t i = 0; i < 300; i++)
			assert_int_equal(w.results[i], i < ran ? getpid() : -ECANCELED);
	}
}

static void an_item_may_fill_a_batch_and_no_more(void **state)
{
	struct shape full = { BATCH_LIST_SLOTS, NOWHERE, NOWHERE, { 0 } };
	struct shape over = { BATCH_LIST_SLOTS + 1, NOWHERE, NOWHERE, { 0 } };
	struct batch_error error;

	(void)state;
	assert_int_equal(batch_list_run(&batch_executor_loop, 3, add_shape, &full, w.results, NULL), 3);
	assert_int_equal(w.results[2], getpid());
	assert_int_equal(batch_list_run(&batch_executor_loop, 3, add_shape, &over, w.results, &error), -ENOSPC);
	assert_int_equal(error.reason, BATCH_REASON_CAPACITY);
	assert_int_equal(w.results[0], -ECANCELED);
}

static void nothing_is_a_list_too(void **state)
{
	struct shape shape = { 1, NOWHERE, NOWHERE, { 0 } };

	(void)state;
	assert_int_equal(batch_list_run(&batch_executor_loop, 0, add_shape, &shape, w.results, NULL), 0);
}

static struct batch_value add_kept(struct batch_builder *builder, size_t index, void *user)
{
	struct shape *shape = (struct shape *)user;

	return index == 0 ? add_shape(builder, index, user) : (batch_builder_close(builder, -1), shape->kept);
}

static void mistakes_are_named_before_their_batch_runs(void **state)
{
	struct shape open_label = { 1, NOWHERE, 2, { 0 } }, empty = { 0, NOWHERE, NOWHERE, { 0 } };
	struct shape kept = { 1, NOWHERE, NOWHERE, { 0 } };
	struct batch_error error;

	(void)state;
	assert_int_equal(batch_list_run(&batch_executor_loop, 5, add_shape, &open_label, w.results, &error), -EINVAL);
	assert_int_equal(error.reason, BATCH_REASON_LABEL_UNPLACED);
	assert_int_equal(w.results[0], -ECANCELED);
	assert_int_equal(batch_list_run(&batch_executor_loop, 5, add_shape, &empty, w.results, &error), -EINVAL);
	assert_int_equal(error.reason, BATCH_REASON_EMPTY);
	/* a value of another item, though it may stand in the same batch */
	assert_int_equal(batch_list_run(&batch_executor_loop, 2, add_kept, &kept, w.results, &error), -EINVAL);
	assert_int_equal(error.reason, BATCH_REASON_VALUE);
}

static struct batch_value add_failing(struct batch_builder *builder, size_t index, void *user)
{
	struct batch_label end = BATCH_LABEL_INIT;
	struct batch_value first, result;

	(void)user;
	first = batch_builder_call(builder, __NR_close, 1, (long[]){ index == 1 ? -1 : dup(w.dirfd) });
	batch_builder_jump(builder, first, BATCH_ON_FAIL, &end);
	batch_builder_call(builder, __NR_close, 1, (long[]){ -1 });
	result = batch_builder_call(builder, __NR_getpid, 0, NULL);
	if (index == 2)
		batch_builder_jump(builder, first, BATCH_ON_ZERO, &end);
	batch_builder_label(builder, &end);
	return result;
}

static void an_item_has_the_result_of_its_call_or_of_what_kept_it_from_running(void **state)
{
	(void)state;
	assert_int_equal(batch_list_run(&batch_executor_loop, 4, add_failing, NULL, w.results, NULL), 4);
	assert_int_equal(w.results[0], getpid()); /* a call before it failed, which kept nothing from running */
	assert_int_equal(w.results[1], -EBADF);
	assert_int_equal(w.results[2], -ECANCELED); /* jumped by, and nothing failed */
	assert_int_equal(w.results[3], getpid());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stats_what_is_there),
		cmocka_unit_test(reads_what_is_there),
		cmocka_unit_test(reads_through_io_uring_where_there_is_one),
		cmocka_unit_test(unlinks_what_is_there),
		cmocka_unit_test(a_stop_ends_the_list_wherever_it_is),
		cmocka_unit_test(an_item_may_fill_a_batch_and_no_more),
		cmocka_unit_test(nothing_is_a_list_too),
		cmocka_unit_test(mistakes_are_named_before_their_batch_runs),
		cmocka_unit_test(an_item_has_the_result_of_its_call_or_of_what_kept_it_from_running),
	};

	return cmocka_run_group_tests(tests, make_world, end_world);
}
