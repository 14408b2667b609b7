/* SPDX-License-Identifier: BSD-3-Clause */
/* The auto executor: carries everything, and uses io_uring for exactly the batches it was measured to be better for. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

#define FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC)
#define CHAINS 100
#define CHAIN_SLOTS 5

static struct batch_slot slots[CHAINS * CHAIN_SLOTS];
static long rets[CHAINS * CHAIN_SLOTS];
static char buffers[CHAINS][512];
static struct batch_auto_executor automatic;

static int open_auto(void **state)
{
	(void)state;
	return batch_auto_open(&automatic);
}

static int close_auto(void **state)
{
	(void)state;
	batch_auto_close(&automatic);
	return 0;
}

/* `count` chains that open, read and close `path`. */
static size_t build(const char *path, size_t count, size_t bytes)
{
	struct batch_builder builder;

	batch_builder_init(&builder, slots, rets, CHAINS * CHAIN_SLOTS);
	for (size_t i = 0; i < count; i++) {
		struct batch_label next = BATCH_LABEL_INIT;
		struct batch_value opened = batch_builder_openat(&builder, AT_FDCWD, path, FLAGS, 0);

		batch_builder_jump(&builder, opened, BATCH_ON_FAIL, &next);
		batch_builder_read(&builder, opened, buffers[i], bytes);
		batch_builder_close(&builder, opened);
		batch_builder_label(&builder, &next);
	}
	return (size_t)batch_builder_finish(&builder, NULL);
}

static long run(size_t count)
{
	return batch_run(&automatic.executor, rets, slots, count, 0, NULL);
}

/* Whether the batch just run was carried by io_uring: only it gives such descriptors. */
static int used_uring(void)
{
	return rets[0] >= BATCH_URING_DESCRIPTOR_BASE;
}

static int has_uring(void)
{
	return automatic.uring.state != NULL;
}

static void as_many_chains_go_to_uring_as_pay_and_fewer_do_not(void **state)
{
	const long few = BATCH_AUTO_CHAINS_MIN - 1;

	(void)state;
	assert_int_equal(run(build("/etc/passwd", (size_t)few, 100)), few * CHAIN_SLOTS - 1);
	assert_false(used_uring());
	assert_int_equal(rets[(few - 1) * CHAIN_SLOTS + 2], 100);
	assert_int_equal(run(build("/etc/passwd", (size_t)few + 1, 100)), (few + 1) * CHAIN_SLOTS - 1);
	assert_int_equal(used_uring(), has_uring());
	assert_int_equal(rets[few * CHAIN_SLOTS + 2], 100);
}

static void chains_that_share_a_buffer_do_not(void **state)
{
	size_t count = build("/etc/passwd", 50, 100);

	(void)state;
	for (size_t i = 0; i < 50; i++)
		slots[i * 5 + 2].arg[1] = (long)buffers[0];
	assert_int_equal(run(count), 249);
	assert_false(used_uring());
}

static void everything_else_goes_to_loop(void **state)
{
	size_t count = build("/etc/passwd", 50, 100);

	(void)state;
	slots[0] = scall0(getpid, 4, 0, 0);
	slots[1] = scall0(getuid, 0, 0, 0);
	/* no call gives it a descriptor now: it reads no file, where 0 may be a terminal */
	slots[2].arg[0] = -1;
	assert_int_equal(run(count), 249);
	assert_int_equal(rets[0], getpid());
	assert_int_equal(rets[1], getuid());
}

static void chains_that_do_not_read_go_to_loop(void **state)
{
	size_t count = build("/etc/passwd", 50, 100);

	(void)state;
	for (size_t i = 0; i < 50; i++)
		slots[i * 5].jump_positive = 2;
	assert_int_equal(run(count), 249);
	assert_false(used_uring());
}

/* Reads that do not wait; a file that cannot be read so is left open, which takes `loop` to do. */
static size_t build_left_open(const char *path, size_t count)
{
	size_t total = build(path, count, 0);

	for (size_t i = 0; i < count; i++) {
		struct batch_slot *chain = &slots[i * CHAIN_SLOTS];

		chain[1].arg[2] = (long)buffers[i];
		chain[1].arg[3] = sizeof(buffers[i]);
		chain[2] = scall6(preadv2, 2, 0, 0, 0, &chain[1].arg[2], 1, -1, 0, RWF_NOWAIT);
	}
	return total;
}

static void files_that_run_twice_are_spared_for_a_while(void **state)
{
	size_t total = build_left_open("/proc/self/limits", 50);
	int came_back = 0;

	(void)state;
	assert_int_equal(run(total), 247);
	for (size_t i = 0; i < 50; i++) {
		assert_int_equal(rets[i * CHAIN_SLOTS + 2], -EOPNOTSUPP);
		assert_int_equal(close((int)rets[i * CHAIN_SLOTS]), 0);
	}
	assert_int_equal(run(build("/etc/passwd", 50, 100)), 249);
	assert_false(used_uring());
	for (int i = 0; i < 20; i++) {
		run(build("/etc/passwd", 50, 100));
		came_back |= used_uring();
	}
	assert_int_equal(came_back, has_uring());
}

static void the_environment_leaves_loop_alone(void **state)
{
	struct batch_auto_executor emulated;

	(void)state;
	assert_int_equal(setenv("BATCH_EMUL", "1", 1), 0);
	assert_int_equal(batch_auto_open(&emulated), 0);
	assert_int_equal(unsetenv("BATCH_EMUL"), 0);
	assert_int_equal(batch_run(&emulated.executor, rets, slots, build("/etc/passwd", 50, 100), 0, NULL), 249);
	assert_false(used_uring());
	batch_auto_close(&emulated);
}

static int refuse_odd(const struct batch_executor *executor, const struct batch_slot *batch, const long *results,
		      size_t count, struct batch_error *error)
{
	(void)executor;
	(void)batch;
	(void)results;
	(void)error;
	return count % 2 ? -EOPNOTSUPP : 0;
}

static void a_kernel_executor_is_preferred_where_it_carries_the_batch(void **state)
{
	struct batch_executor kernel = batch_executor_null;

	(void)state;
	kernel.check = refuse_odd;
	automatic.kernel = &kernel;
	assert_int_equal(run(build("/etc/passwd", 50, 100)), 249);
	assert_int_equal(rets[2], 0);
	assert_int_equal(run(build("/etc/passwd", 49, 100)), 244);
	assert_int_equal(rets[2], 100);
	automatic.kernel = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_chains_go_to_uring_as_pay_and_fewer_do_not),
		cmocka_unit_test(chains_that_share_a_buffer_do_not),
		cmocka_unit_test(everything_else_goes_to_loop),
		cmocka_unit_test(chains_that_do_not_read_go_to_loop),
		cmocka_unit_test(files_that_run_twice_are_spared_for_a_while),
		cmocka_unit_test(the_environment_leaves_loop_alone),
		cmocka_unit_test(a_kernel_executor_is_preferred_where_it_carries_the_batch),
	};

	return cmocka_run_group_tests(tests, open_auto, close_auto);
}
