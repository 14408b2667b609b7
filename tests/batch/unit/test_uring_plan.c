/* SPDX-License-Identifier: BSD-3-Clause */
/* What the uring executor refuses, it refuses before anything runs, and names the slot and the reason. */
#include "uring_world.h"

static void looks_only_at_slots_that_can_run(void **state)
{
	struct batch_error error;
	struct world *world = &worlds[0];

	(void)state;
	memset(world, 0, sizeof(*world));
	add_chain(world, path_of("small"), world->buffers[0], 100);
	add(world, BATCH_SLOT(-5, 0, 0, 0, 0, 0));
	assert_int_equal(uring.executor.check(&uring.executor, world->slots, world->rets, world->count, &error),
			 -EOPNOTSUPP);
	assert_int_equal(error.slot, 5);
	/* a slot that no way leads to may be anything */
	world->slots[4].jump_zero = world->slots[4].jump_fail = world->slots[0].jump_fail = 5;
	assert_int_equal(uring.executor.check(&uring.executor, world->slots, world->rets, world->count, &error), 0);
	world->slots[4].jump_fail = 0;
	assert_int_equal(uring.executor.check(&uring.executor, world->slots, world->rets, world->count, &error),
			 -EOPNOTSUPP);
	assert_int_equal(error.slot, 5);
	assert_int_equal(error.reason, BATCH_REASON_NOT_CARRIED);
}

/* Eight plain chains with one slot changed; the refusal must name `slot` and the reason. */
static void expect_refusal(size_t changed, struct batch_slot slot, enum batch_reason reason, long named)
{
	struct world *world = &worlds[0];
	struct batch_error error = { 0 };

	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 8; i++)
		add_chain(world, path_of("small"), world->buffers[i], 100);
	world->slots[changed] = slot;
	world->rets[0] = UNTOUCHED;
	assert_int_equal(batch_run(&uring.executor, world->rets, world->slots, world->count, 0, &error), -EOPNOTSUPP);
	assert_int_equal(error.code, -EOPNOTSUPP);
	if (error.reason != reason || error.slot != named)
		fail_msg("named slot %ld, reason %d; expected slot %ld, reason %d", error.slot, (int)error.reason,
			 named, (int)reason);
	assert_int_equal(world->rets[0], UNTOUCHED);
}

static void refuses_calls_it_cannot_carry(void **state)
{
	char *buffer = worlds[0].buffers[0];
	const char *path = path_of("small");

	(void)state;
	expect_refusal(10, scall0(getpid, 0, 0, 0), BATCH_REASON_NOT_CARRIED, 10);
	expect_refusal(0, scall0(getpid, 0, 0, 0), BATCH_REASON_NOT_CARRIED, 0);
	expect_refusal(12, scall3(write, 0, 0, 0, 0, buffer, 1), BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(12, scall4(pread64, 0, 0, 0, 0, buffer, 1, 0), BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(12, scall3(read, 0, 0, 0, 0, buffer, 0x80000000UL), BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(5, scall4(openat, 4, 0, 0, AT_FDCWD, path, O_RDONLY, 0), BATCH_REASON_NONBLOCK, 5);
	expect_refusal(5, scall4(openat, 4, 0, 0, AT_FDCWD, path, FLAGS | O_RDWR, 0), BATCH_REASON_NOT_CARRIED, 5);
	expect_refusal(5, scall4(openat, 4, 0, 0, AT_FDCWD, path, FLAGS | O_TRUNC, 0), BATCH_REASON_NOT_CARRIED, 5);
	expect_refusal(5, scall4(openat, 4, 0, 0, AT_FDCWD, path, FLAGS | O_PATH, 0), BATCH_REASON_NOT_CARRIED, 5);
	expect_refusal(12, scall6(preadv2, 0, 0, 0, 0, buffer, 1, -1, 0, 0), BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(12, scall6(preadv2, 0, 0, 0, 0, &worlds[0].slots[11].arg[2], 1, 0, 0, 0),
		       BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(12, scall6(preadv2, 0, 0, 0, 0, &worlds[0].slots[11].arg[2], 2, -1, 0, 0),
		       BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(12, scall6(preadv2, 0, 0, 0, 0, &worlds[0].slots[11].arg[5], 1, -1, 0, 0),
		       BATCH_REASON_NOT_CARRIED, 12);
	expect_refusal(12, scall6(preadv2, 0, 0, 0, 0, &worlds[0].slots[11].arg[0], 1, -1, 0, 0),
		       BATCH_REASON_NOT_CARRIED, 12);
}

/* The batch of section 2 of docs/guide.md, which opens its file with `flags`. Returns what batch_builder_run does. */
static long run_guides_batch(int flags, struct batch_error *error)
{
	struct world *world = &worlds[0];
	struct batch_builder builder;
	struct batch_value fd;

	batch_builder_init(&builder, world->slots, world->rets, 8);
	fd = batch_builder_openat(&builder, AT_FDCWD, path_of("small"), flags, 0);
	batch_builder_stop(&builder, fd, BATCH_ON_FAIL);
	batch_builder_read(&builder, fd, world->buffers[0], 100);
	batch_builder_close(&builder, fd);
	return batch_builder_run(&builder, &uring.executor, error);
}

static void says_that_one_flag_is_missing(void **state)
{
	struct batch_error error;
	char text[256];

	(void)state;
	assert_int_equal(run_guides_batch(O_RDONLY, &error), -EOPNOTSUPP);
	assert_int_equal(error.slot, 0);
	batch_error_format(&error, text, sizeof(text));
	assert_non_null(strstr(text, "add O_NONBLOCK to the flags"));
	assert_int_equal(run_guides_batch(O_RDONLY | O_NONBLOCK, &error), 4);
	assert_int_equal(worlds[0].rets[2], 100);
	assert_true(worlds[0].rets[0] >= BATCH_URING_DESCRIPTOR_BASE);
}

static void refuses_other_data_flow(void **state)
{
	struct world *world = &worlds[0];
	long *rets = world->rets;
	struct batch_slot *slots = world->slots;
	char *buffer = world->buffers[0];

	(void)state;
	expect_refusal(0, scall2(wdcpy, 0, 0, 0, buffer, &rets[0]), BATCH_REASON_DATA_FLOW, 0);
	expect_refusal(11, scall2(wdcpy, 0, 0, 0, &slots[12].arg[0], &rets[5]), BATCH_REASON_DATA_FLOW, 11);
	expect_refusal(11, scall2(wdcpy, 0, 0, 0, &slots[12].arg[2], &rets[10]), BATCH_REASON_DATA_FLOW, 11);
	expect_refusal(11, scall2(wdcpy, 0, 0, 0, &slots[17].arg[0], &rets[10]), BATCH_REASON_DATA_FLOW, 11);
	expect_refusal(11, scall2(wdcpy, 0, 0, 0, &slots[13].arg[0], &rets[10]), BATCH_REASON_DATA_FLOW, 11);
	expect_refusal(11, scall2(wdcpy, 0, 0, 0, (char *)&slots[12].arg[0] + 4, &rets[10]), BATCH_REASON_DATA_FLOW,
		       11);
	/* the read's descriptor would be a stale number */
	expect_refusal(11, scall2(wdcpy, 0, 0, 0, &slots[14].arg[0], &rets[10]), BATCH_REASON_DATA_FLOW, 12);
	expect_refusal(10, scall4(openat, 1, 0, 0, AT_FDCWD, path_of("small"), FLAGS, 0), BATCH_REASON_DATA_FLOW, 12);
	/* a read into the batch itself, or of a path that is part of it */
	expect_refusal(12, scall3(read, 0, 0, 0, 0, &slots[30], 8), BATCH_REASON_DATA_FLOW, 12);
	expect_refusal(12, scall3(read, 0, 0, 0, 0, rets, 8), BATCH_REASON_DATA_FLOW, 12);
	expect_refusal(10, scall4(openat, 4, 0, 0, AT_FDCWD, &slots[3].arg[2], FLAGS, 0), BATCH_REASON_DATA_FLOW, 10);
	/* io_uring would wait for the bytes of an empty FIFO */
	expect_refusal(14, scall3(read, 0, 0, 0, 0, buffer, 8), BATCH_REASON_NOT_CARRIED, 14);
	/* a second close would hit whoever got the number */
	expect_refusal(12, scall1(close, 0, 0, 0, 0), BATCH_REASON_DATA_FLOW, 14);
}

static void refuses_other_jumps(void **state)
{
	char *buffer = worlds[0].buffers[2];
	const char *path = path_of("small");

	(void)state;
	expect_refusal(10, scall4(openat, BATCH_STOP, 0, 0, AT_FDCWD, path, FLAGS, 0), BATCH_REASON_JUMP, 10);
	expect_refusal(10, scall4(openat, 5, 0, 0, AT_FDCWD, path, FLAGS, 0), BATCH_REASON_JUMP, 10);
	expect_refusal(14, scall1(close, 0, 1, 0, 0), BATCH_REASON_JUMP, 14);
	/* past the close: with bytes read, and with none left to read */
	expect_refusal(12, scall3(read, 0, 0, 2, 0, buffer, 100), BATCH_REASON_JUMP, 12);
	expect_refusal(12, scall3(read, 0, 2, 0, 0, buffer, 100), BATCH_REASON_JUMP, 12);
}

static void refuses_a_chain_that_is_too_long(void **state)
{
	struct world *world = &worlds[0];
	struct batch_error error;
	long at;

	(void)state;
	memset(world, 0, sizeof(*world));
	at = add(world, scall4(openat, 0, 0, 0, AT_FDCWD, path_of("small"), FLAGS, 0));
	while (world->count < 17) {
		feed(world, at, 1);
		add(world, scall3(read, 0, 0, 0, 0, world->buffers[0], 1));
	}
	assert_int_equal(batch_run(&uring.executor, world->rets, world->slots, world->count, 0, &error), -EOPNOTSUPP);
	assert_int_equal(error.slot, BATCH_URING_CHAIN_SLOTS_MAX);
	assert_int_equal(error.reason, BATCH_REASON_NOT_CARRIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_only_at_slots_that_can_run),
		cmocka_unit_test(refuses_calls_it_cannot_carry),
		cmocka_unit_test(says_that_one_flag_is_missing),
		cmocka_unit_test(refuses_other_data_flow),
		cmocka_unit_test(refuses_other_jumps),
		cmocka_unit_test(refuses_a_chain_that_is_too_long),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
