/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_run and prepared batches: verify and check go first, arguments may change between runs, threads do not meet. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

/* An executor that notes what it was asked, and refuses or runs. */
struct watcher {
	struct batch_executor executor;
	int checks, runs;
	int refusal; /* what check answers */
};

static int watcher_check(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
			 size_t count, struct batch_error *error)
{
	struct watcher *watcher = (struct watcher *)executor;

	(void)slots;
	(void)rets;
	(void)count;
	watcher->checks++;
	if (watcher->refusal && error)
		*error = (struct batch_error){ watcher->refusal, BATCH_REASON_NOT_CARRIED, 0 };
	return watcher->refusal;
}

static long watcher_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	struct watcher *watcher = (struct watcher *)executor;

	watcher->runs++;
	return batch_executor_null.run(&batch_executor_null, rets, slots, count);
}

#define WATCHER(refusal)                                                                                               \
	{                                                                                                              \
		{ "watcher", watcher_check, watcher_run, NULL }, 0, 0, refusal                                         \
	}

static void verify_goes_before_check_and_run(void **state)
{
	struct watcher watcher = WATCHER(0);
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	long rets[] = { 5 };
	struct batch_error error = { 0 };

	(void)state;
	assert_int_equal(batch_run(&watcher.executor, rets, slots, 0, 0, &error), -EINVAL);
	assert_int_equal(batch_run(&watcher.executor, rets, slots, 1, 1, &error), -EINVAL);
	assert_int_equal(error.reason, BATCH_REASON_FLAGS);
	assert_int_equal(watcher.checks + watcher.runs, 0);
	assert_int_equal(batch_run(&watcher.executor, rets, slots, 1, 0, &error), 0);
	assert_int_equal(watcher.checks, 1);
	assert_int_equal(watcher.runs, 1);
}

static void check_goes_before_run(void **state)
{
	struct watcher watcher = WATCHER(-EOPNOTSUPP);
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	long rets[] = { 5 };
	struct batch_error error = { 0 };
	struct batch_prepared prepared;

	(void)state;
	assert_int_equal(batch_run(&watcher.executor, rets, slots, 1, 0, &error), -EOPNOTSUPP);
	assert_int_equal(error.reason, BATCH_REASON_NOT_CARRIED);
	assert_int_equal(batch_prepare(&prepared, &watcher.executor, rets, slots, 1, 0, NULL), -EOPNOTSUPP);
	assert_int_equal(watcher.runs, 0);
	assert_int_equal(rets[0], 5);
}

static void a_prepared_batch_verifies_once(void **state)
{
	struct watcher watcher = WATCHER(0);
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	long rets[1];
	struct batch_prepared prepared;

	(void)state;
	assert_int_equal(batch_prepare(&prepared, &watcher.executor, rets, slots, 1, 0, NULL), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(batch_prepared_run(&prepared), 0);
	assert_int_equal(watcher.checks, 1);
	assert_int_equal(watcher.runs, 3);
}

static void arguments_may_change_between_runs(void **state)
{
	int ends[2];
	struct batch_slot slots[] = { scall3(read, -1, 0, 0, -1, 0, 0), scall1(close, 0, 0, 0, -1) };
	long rets[2] = { 0 };
	char byte = 0;
	struct batch_prepared prepared;

	(void)state;
	assert_int_equal(batch_prepare(&prepared, &batch_executor_loop, rets, slots, 2, 0, NULL), 0);
	assert_int_equal(batch_prepared_run(&prepared), 0);
	assert_int_equal(rets[0], -EBADF);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	slots[0].arg[0] = ends[0];
	slots[0].arg[1] = (long)&byte;
	slots[0].arg[2] = 1;
	slots[1].arg[0] = ends[0];
	assert_int_equal(batch_prepared_run(&prepared), 1);
	assert_int_equal(rets[0], 1);
	assert_int_equal(rets[1], 0);
	assert_int_equal(byte, 'x');
	close(ends[1]);
}

static void the_longest_batch_runs(void **state)
{
	struct batch_slot *slots = calloc(BATCH_SLOTS_MAX, sizeof(*slots));
	long *rets = calloc(BATCH_SLOTS_MAX, sizeof(*rets));

	(void)state;
	assert_non_null(slots);
	assert_non_null(rets);
	for (size_t i = 0; i < BATCH_SLOTS_MAX; i++)
		slots[i].nr = -1;
	assert_int_equal(batch_run(&batch_executor_loop, rets, slots, BATCH_SLOTS_MAX, 0, NULL), BATCH_SLOTS_MAX - 1);
	assert_int_equal(rets[BATCH_SLOTS_MAX - 1], -ENOSYS);
	free(slots);
	free(rets);
}

static void *run_many(void *failures)
{
	struct batch_slot slots[] = { scall0(gettid, 0, 0, 0), scall2(wdcpy, 0, 0, 0, 0, 0),
				      scall1(close, 0, 0, 0, 0) };
	long rets[3], tid = gettid();

	slots[1].arg[0] = (long)&slots[2].arg[1];
	slots[1].arg[1] = (long)&rets[0];
	slots[2].arg[0] = -1;
	for (int i = 0; i < 2000; i++) {
		long last = batch_run(&batch_executor_loop, rets, slots, 3, 0, NULL);

		if (last != 2 || rets[0] != tid || slots[2].arg[1] != tid || rets[2] != -EBADF)
			++*(int *)failures;
	}
	return NULL;
}

static void different_batches_run_on_different_threads(void **state)
{
	pthread_t threads[4];
	int failures[4] = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_many, &failures[i]), 0);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(failures[i], 0);
	}
}

static void the_library_is_the_header(void **state)
{
	(void)state;
	assert_string_equal(ferry_version(), FERRY_VERSION);
	assert_string_equal(batch_executor_loop.name, "loop");
	assert_string_equal(batch_executor_null.name, "null");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verify_goes_before_check_and_run),
		cmocka_unit_test(check_goes_before_run),
		cmocka_unit_test(a_prepared_batch_verifies_once),
		cmocka_unit_test(arguments_may_change_between_runs),
		cmocka_unit_test(the_longest_batch_runs),
		cmocka_unit_test(different_batches_run_on_different_threads),
		cmocka_unit_test(the_library_is_the_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
