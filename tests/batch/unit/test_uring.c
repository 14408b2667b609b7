/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening the uring executor, and losing what was opened: a kernel that has no io_uring, or forbids it, gets a clear
 * answer, and one that forbids it later loses no result, and makes no call twice that shows.
 */
#include <sys/resource.h>

#include "filters.h"
#include "uring_world.h"

static int expect_unavailable(unsigned int nr, unsigned int code)
{
	struct batch_uring_executor executor;
	struct batch_error error = { 0 };
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	long rets[] = { UNTOUCHED };

	if (forbid(nr, code))
		return 1;
	if (batch_uring_open(&executor, 0, &error) != -(int)code)
		return 2;
	if (error.code != -(int)code || error.reason != BATCH_REASON_UNAVAILABLE || error.slot != -1)
		return 3;
	if (batch_run(&executor.executor, rets, slots, 1, 0, &error) != -EOPNOTSUPP)
		return 4;
	if (error.reason != BATCH_REASON_UNAVAILABLE || error.slot != -1 || rets[0] != UNTOUCHED)
		return 5;
	if (executor.executor.run(&executor.executor, rets, slots, 1) != -EOPNOTSUPP)
		return 6;
	batch_uring_close(&executor);
	batch_uring_close(&executor);
	return 0;
}

static int without_setup(const void *data)
{
	(void)data;
	return expect_unavailable(__NR_io_uring_setup, ENOSYS);
}

/* what sysctl kernel.io_uring_disabled answers */
static int with_setup_forbidden(const void *data)
{
	(void)data;
	return expect_unavailable(__NR_io_uring_setup, EPERM);
}

static int without_enter(const void *data)
{
	(void)data;
	return expect_unavailable(__NR_io_uring_enter, EPERM);
}

static int without_register(const void *data)
{
	(void)data;
	return expect_unavailable(__NR_io_uring_register, EACCES);
}

static void a_kernel_without_io_uring_gives_a_reason(void **state)
{
	(void)state;
	assert_int_equal(in_child(without_setup, NULL), 0);
	assert_int_equal(in_child(with_setup_forbidden, NULL), 0);
	assert_int_equal(in_child(without_enter, NULL), 0);
	assert_int_equal(in_child(without_register, NULL), 0);
}

static int fill_and_run(struct batch_uring_executor *executor, struct batch_error *error)
{
	struct world *world = &worlds[1];

	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 20; i++)
		add_chain(world, i == 3 ? "/no/such" : path_of("small"), world->buffers[i], 4000);
	world->last = batch_run(&executor->executor, world->rets, world->slots, world->count, 0, error);
	return world->last == 99 && world->rets[2] == 700 && world->rets[15] == -ENOENT && world->rets[97] == 700 &&
	       world->rets[99] == 0;
}

/* The ring is taken away while the executor is in use: the batch still gives its results, later ones are refused. */
static int loses_the_ring(const void *data)
{
	const unsigned int *code = data;
	struct batch_uring_executor executor;
	struct batch_prepared prepared;
	struct batch_error error = { 0 };
	struct world *world = &worlds[1];

	if (batch_uring_open(&executor, 0, NULL) || !fill_and_run(&executor, NULL))
		return 1;
	if (batch_prepare(&prepared, &executor.executor, world->rets, world->slots, world->count, 0, NULL))
		return 2;
	if (forbid(__NR_io_uring_enter, *code))
		return 3;
	if (!fill_and_run(&executor, NULL))
		return 4;
	if (fill_and_run(&executor, &error) || world->last != -EPERM || world->rets[0] != 0)
		return 5;
	if (error.reason != BATCH_REASON_NO_ENTRY || error.code != -EPERM || error.slot != -1)
		return 6;
	if (batch_prepared_run(&prepared) != -EPERM)
		return 7;
	batch_uring_close(&executor);
	return 0;
}

/* What a kernel that is short of memory answers too, and 0, as if it had been done, for ever. */
static const unsigned int codes[] = { EPERM, EACCES, ENOSYS, EINVAL, EBADF, EFAULT, EAGAIN, EBUSY, EINTR, EIO, 0 };

static void a_ring_taken_away_loses_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		int status = in_child(loses_the_ring, &codes[i]);

		if (status)
			fail_msg("a filter that answers %u: check %d", codes[i], status);
	}
}

/* auto goes on, and notes why. */
static int auto_loses_the_ring(const void *data)
{
	const unsigned int *code = data;
	struct batch_auto_executor automatic;
	struct world *world = &worlds[1];

	batch_auto_open(&automatic);
	if (automatic.uring_reason != BATCH_REASON_NONE)
		return 1;
	for (int i = 0; i < 3; i++) {
		memset(world, 0, sizeof(*world));
		for (size_t k = 0; k < BATCH_AUTO_CHAINS_MIN; k++)
			add_chain(world, path_of("small"), world->buffers[k], 4000);
		world->last = batch_run(&automatic.executor, world->rets, world->slots, world->count, 0, NULL);
		if (world->last != (long)world->count - 1 || world->rets[world->last - 2] != 700)
			return 2;
		if ((world->rets[0] >= BATCH_URING_DESCRIPTOR_BASE) != (i == 0))
			return 3;
		if (i == 0 && forbid_by_another_thread(__NR_io_uring_enter, *code))
			return 4;
	}
	batch_auto_close(&automatic);
	return automatic.uring_reason == BATCH_REASON_NO_ENTRY ? 0 : 5;
}

static void auto_goes_on_without_its_ring(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		int status = in_child(auto_loses_the_ring, &codes[i]);

		if (status)
			fail_msg("a filter that answers %u: check %d", codes[i], status);
	}
}

/*
 * The ring is lost between the reads and the closes: nine chains read and close, one closes without reading, so that
 * only the round of the closes has nine requests. What was read is not read again: a FIFO has only the rest.
 */
static int loses_the_ring_behind_a_read(const void *data)
{
	struct batch_uring_executor executor;
	struct world *world = &worlds[1];
	char rest[16];
	int fifo;

	(void)data;
	if (mkfifo(path_of("taken"), 0600) || (fifo = open(path_of("taken"), O_RDWR | O_NONBLOCK)) < 0 ||
	    write(fifo, "ferryboats", 10) != 10 || batch_uring_open(&executor, 0, NULL))
		return 1;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 10; i++)
		add_chain(world, path_of(i ? "small" : "taken"), world->buffers[i], 5);
	world->slots[45].jump_positive = 2;
	if (filter_call(__NR_io_uring_enter, SECCOMP_RET_ERRNO | EPERM, 9, 0))
		return 2;
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != 49)
		return 3;
	for (size_t i = 0; i < 10; i++)
		if (world->rets[i * 5 + 4] != 0 || (i < 9 && world->rets[i * 5 + 2] != 5))
			return 4;
	if (memcmp(world->buffers[0], "ferry", 5) != 0 || read(fifo, rest, sizeof(rest)) != 5 ||
	    memcmp(rest, "boats", 5) != 0)
		return 5;
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != -EPERM)
		return 6;
	batch_uring_close(&executor);
	return 0;
}

static void what_was_read_is_not_read_again(void **state)
{
	(void)state;
	assert_int_equal(in_child(loses_the_ring_behind_a_read, NULL), 0);
}

static int open_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/*
 * The ring is lost when all chains have ended, and only the files that three of them left open are to be closed in it:
 * their real descriptors have been opened by then, and are not opened again.
 */
static int loses_the_ring_behind_everything(const void *data)
{
	struct batch_uring_executor executor;
	struct world *world = &worlds[1];
	int before;

	(void)data;
	if (batch_uring_open(&executor, 0, NULL))
		return 1;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 10; i++)
		add_nowait_chain(world, i % 4 ? path_of("small") : "/proc/self/limits", world->buffers[i], 4000);
	if (filter_call(__NR_io_uring_enter, SECCOMP_RET_ERRNO | EPERM, 3, 0))
		return 2;
	before = open_descriptors();
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != 49)
		return 3;
	/* three are left open, and the ring's own is gone */
	if (open_descriptors() != before + 3 - 1)
		return 4;
	for (size_t i = 0; i < 10; i++)
		if (world->rets[i * 5 + 3] != (i % 4 ? 700 : -EOPNOTSUPP))
			return 5;
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != -EPERM)
		return 6;
	batch_uring_close(&executor);
	return 0;
}

static void what_has_ended_is_not_begun_again(void **state)
{
	(void)state;
	require_nowait();
	assert_int_equal(in_child(loses_the_ring_behind_everything, NULL), 0);
}

/* A process that may have few descriptors gets a smaller table, not an error. */
static int with_few_descriptors(const void *data)
{
	struct batch_uring_executor executor;
	struct rlimit limit = { 10, 10 };
	struct world *world = &worlds[1];

	(void)data;
	if (setrlimit(RLIMIT_NOFILE, &limit) || batch_uring_open(&executor, 0, NULL))
		return 1;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 50; i++)
		add_chain(world, path_of("small"), world->buffers[i], 4000);
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != 249)
		return 2;
	for (size_t i = 0; i < 50; i++)
		if (world->rets[i * 5 + 2] != 700)
			return 3;
	batch_uring_close(&executor);
	return 0;
}

static void a_low_descriptor_limit_makes_small_waves(void **state)
{
	(void)state;
	assert_int_equal(in_child(with_few_descriptors, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_without_io_uring_gives_a_reason),
		cmocka_unit_test(a_ring_taken_away_loses_nothing),
		cmocka_unit_test(auto_goes_on_without_its_ring),
		cmocka_unit_test(what_was_read_is_not_read_again),
		cmocka_unit_test(what_has_ended_is_not_begun_again),
		cmocka_unit_test(a_low_descriptor_limit_makes_small_waves),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
