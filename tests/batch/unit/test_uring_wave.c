/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running batches through io_uring: what is accepted gives what `loop` gives, on real files.
 *
 * Every comparison builds the same batch twice, with buffers and results of its own, and runs one on each executor.
 */
#include <signal.h>

#include "uring_world.h"

static int is_descriptor_slot(const struct batch_slot *slot)
{
#ifdef __NR_open /* x86-64 has it, aarch64 has not */
	if (slot->nr == __NR_open)
		return 1;
#endif
	return slot->nr == __NR_openat;
}

/* Equal, except for the numbers of descriptors. */
static void expect_same_word(const struct batch_slot *slot, long loop, long carried, size_t index)
{
	if (is_descriptor_slot(slot) && loop >= 0 && loop != UNTOUCHED)
		assert_true(carried >= 0 && carried != UNTOUCHED);
	else if (loop != carried)
		fail_msg("slot %zu: loop gives %ld, uring %ld", index, loop, carried);
}

static void compare(void)
{
	const struct world *loop = &worlds[0], *carried = &worlds[1];

	if (loop->last != carried->last)
		fail_msg("loop ends at %ld, uring at %ld", loop->last, carried->last);
	for (size_t i = 0; i < loop->count; i++)
		expect_same_word(&loop->slots[i], loop->rets[i], carried->rets[i], i);
	assert_memory_equal(loop->buffers, carried->buffers, sizeof(loop->buffers));
	for (size_t i = 0; i < loop->count; i++) {
		const struct batch_slot *slot = &loop->slots[i];

		if (slot->nr == __NR_close || slot->nr == __NR_read || slot->nr == __NR_preadv2)
			assert_true((slot->arg[0] < 0) == (carried->slots[i].arg[0] < 0));
	}
}

static void run_world(struct world *world, const struct batch_executor *executor)
{
	struct batch_error error = { 0 };

	for (size_t i = 0; i < SLOTS_MAX; i++)
		world->rets[i] = UNTOUCHED;
	memset(world->buffers, 0, sizeof(world->buffers));
	world->last = batch_run(executor, world->rets, world->slots, world->count, 0, &error);
	if (world->last < 0)
		fail_msg("%s refused slot %ld: %s", executor->name, error.slot, batch_reason_text(error.reason));
}

/* Build the batch twice, run it on both executors, and expect the same. */
static void expect_same(void (*build)(struct world *world))
{
	for (int k = 0; k < 2; k++) {
		memset(&worlds[k], 0, sizeof(worlds[k]));
		build(&worlds[k]);
		run_world(&worlds[k], k ? &uring.executor : &batch_executor_loop);
	}
	compare();
}

static const char *const names[] = { "empty", "one", "small", "page-1", "page", "page+1", "large", "missing", "." };
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static void build_many(struct world *world)
{
	for (size_t i = 0; i < 300; i++)
		add_chain(world, path_of(names[i % NAME_COUNT]), world->buffers[i], 1 + (i * 811) % BUFFER_BYTES);
}

static void many_chains_in_several_waves_are_as_on_loop(void **state)
{
	(void)state;
	expect_same(build_many);
}

static void build_nowait(struct world *world)
{
	for (size_t i = 0; i < 7 * 30; i++)
		add_nowait_chain(world, path_of(names[i % 7]), world->buffers[i], BUFFER_BYTES);
}

static void reads_that_do_not_wait_are_as_on_loop(void **state)
{
	(void)state;
	expect_same(build_nowait);
}

static void build_without_jumps(struct world *world)
{
	for (size_t i = 0; i < NAME_COUNT * 3; i++) {
		const char *path = path_of(names[i % NAME_COUNT]);
#ifdef __NR_open
		long at = add(world, scall3(open, 0, 0, 0, path, FLAGS, 0));
#else
		long at = add(world, scall4(openat, 0, 0, 0, AT_FDCWD, path, FLAGS, 0));
#endif

		feed(world, at, 2);
		feed(world, at, 2);
		add(world, scall3(read, 0, 0, 0, 0, world->buffers[i], 100));
		add(world, scall1(close, 0, 0, 0, 0));
	}
}

static void calls_on_a_failed_open_give_ebadf_as_on_loop(void **state)
{
	(void)state;
	expect_same(build_without_jumps);
	assert_int_equal(worlds[1].rets[7 * 5], -ENOENT);
	assert_int_equal(worlds[1].rets[7 * 5 + 3], -EBADF);
}

/* Three reads, an early way out on each, and slots that never run. */
static void build_jumps(struct world *world)
{
	for (size_t i = 0; i < NAME_COUNT * 4; i++) {
		long at = add(world, scall4(openat, 8, 0, 0, AT_FDCWD, path_of(names[i % NAME_COUNT]), FLAGS, 0));

		for (long k = 0; k < 3; k++)
			feed(world, at, 3);
		add(world, scall3(read, 3, 3, 0, 0, world->buffers[i], 1 + 1000 * (i % 4)));
		world->slots[at + 1].arg[2] = (long)world->buffers[i] + 4000;
		world->slots[at + 1].arg[3] = 96;
		add(world, scall6(preadv2, 2, 2, 1, 0, &world->slots[at + 1].arg[2], 1, -1, 0, RWF_NOWAIT));
		feed(world, at, 1);
		add(world, BATCH_SLOT(-5, 0, 0, 0, 0, 0));
		add(world, scall1(close, 0, 0, 0, 0));
		world->slots[at + 3].arg[0] = (long)&world->slots[at + 8].arg[0];
		world->slots[at + 1].arg[0] = (long)&world->slots[at + 4].arg[0];
		world->slots[at + 2].arg[0] = (long)&world->slots[at + 5].arg[0];
		world->slots[at + 6].nr = -5;
	}
}

static void build_reachable_jumps(struct world *world)
{
	build_jumps(world);
	for (size_t i = 0; i < world->count; i += 9)
		world->slots[i + 5].jump_positive = 2;
}

static void jumps_inside_a_chain_are_as_on_loop(void **state)
{
	(void)state;
	expect_same(build_reachable_jumps);
}

static void build_stops_in_last_chain(struct world *world)
{
	for (size_t i = 0; i < 10; i++)
		add_chain(world, path_of("small"), world->buffers[i], 50);
	add_chain(world, path_of("missing"), world->buffers[10], 50);
	world->slots[world->count - 5].jump_fail = BATCH_STOP;
}

static void build_jump_past_the_end(struct world *world)
{
	build_stops_in_last_chain(world);
	world->slots[world->count - 5].jump_fail = 32767;
}

static void the_last_chain_may_end_the_batch_anyhow(void **state)
{
	(void)state;
	expect_same(build_stops_in_last_chain);
	assert_int_equal(worlds[1].last, 50);
	expect_same(build_jump_past_the_end);
	assert_int_equal(worlds[1].last, 50);
}

static void build_same_buffer(struct world *world)
{
	for (size_t i = 0; i < 40; i++)
		add_chain(world, path_of(names[i % 7]), world->buffers[i % 3], 3000);
}

static void build_falling_buffers(struct world *world)
{
	for (size_t i = 0; i < 40; i++)
		add_chain(world, path_of(names[i % 7]), world->buffers[40 - i], BUFFER_BYTES);
}

static void buffers_that_overlap_keep_the_order_of_the_slots(void **state)
{
	(void)state;
	expect_same(build_same_buffer);
	expect_same(build_falling_buffers);
}

/* The first chain reads the path that the second one opens. */
static void build_path_from_a_file(struct world *world)
{
	add_chain(world, path_of("path"), world->buffers[0], 200);
	add_chain(world, world->buffers[0], world->buffers[1], 200);
	add_chain(world, world->buffers[0] + 4000, world->buffers[2], 200);
}

static void a_path_that_an_earlier_chain_reads_is_seen(void **state)
{
	FILE *file = fopen(path_of("path"), "w");

	(void)state;
	fputs(path_of("small"), file);
	fclose(file);
	expect_same(build_path_from_a_file);
	assert_int_equal(worlds[1].rets[7], 200);
}

static void build_bad_addresses(struct world *world)
{
	for (size_t i = 0; i < 5; i++)
		add_chain(world, path_of("small"), i == 2 ? (char *)16 : world->buffers[i], 100);
	add_chain(world, (const char *)8, world->buffers[6], 100);
	add_chain(world, path_of("small"), world->buffers[7], 100);
}

static void bad_addresses_give_efault_in_their_slots(void **state)
{
	(void)state;
	expect_same(build_bad_addresses);
	assert_int_equal(worlds[1].rets[2 * 5 + 2], -EFAULT);
	assert_int_equal(worlds[1].rets[5 * 5], -EFAULT);
	assert_int_equal(worlds[1].rets[6 * 5 + 2], 100);
}

static void build_proc(struct world *world)
{
	for (size_t i = 0; i < 30; i++)
		add_chain(world, i % 3 ? "/proc/self/limits" : path_of("small"), world->buffers[i], BUFFER_BYTES);
}

static void files_that_cannot_be_read_without_waiting_are_as_on_loop(void **state)
{
	(void)state;
	expect_same(build_proc);
	assert_true(worlds[1].rets[7] > 500);
}

static size_t open_descriptors(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void build_left_open(struct world *world)
{
	for (size_t i = 0; i < 10; i++)
		add_nowait_chain(world, i % 4 ? path_of("small") : "/proc/self/limits", world->buffers[i], 4000);
}

static void a_file_left_open_is_a_real_descriptor(void **state)
{
	size_t before = open_descriptors();
	char byte;

	(void)state;
	require_nowait();
	expect_same(build_left_open);
	assert_int_equal(open_descriptors(), before + 6);
	for (size_t i = 0; i < 10; i += 4) {
		for (int k = 0; k < 2; k++) {
			int fd = (int)worlds[k].rets[i * 5];

			assert_int_equal(worlds[k].rets[i * 5 + 3], -EOPNOTSUPP);
			assert_int_equal(worlds[k].slots[i * 5 + 3].arg[0], fd);
			assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
			assert_int_equal(read(fd, &byte, 1), 1);
			close(fd);
		}
	}
}

static void a_fifo_keeps_its_reader_and_its_bytes(void **state)
{
	const char *path = path_of("fifo");
	struct world *world = &worlds[1];
	char text[8];
	int writer, only_writer;

	(void)state;
	require_nowait();
	writer = open(path, O_RDWR);
	assert_int_equal(write(writer, "ferry", 5), 5);
	memset(world, 0, sizeof(*world));
	add_nowait_chain(world, path_of("small"), world->buffers[0], 4000);
	add_nowait_chain(world, path, world->buffers[1], 4000);
	run_world(world, &uring.executor);
	assert_int_equal(world->rets[8], -EOPNOTSUPP);
	assert_int_equal(read((int)world->rets[5], text, sizeof(text)), 5);
	assert_memory_equal(text, "ferry", 5);
	/* with the caller's descriptor closed, no other reader is left behind */
	close((int)world->rets[5]);
	assert_true((only_writer = open(path, O_WRONLY)) >= 0);
	close(writer);
	assert_ptr_not_equal(signal(SIGPIPE, SIG_IGN), SIG_ERR);
	assert_int_equal(write(only_writer, "x", 1), -1);
	assert_int_equal(errno, EPIPE);
	close(only_writer);
}

static void build_empty_fifo(struct world *world)
{
	for (size_t i = 0; i < 30; i++)
		add_chain(world, path_of(i % 3 == 1 ? "fifo" : "small"), world->buffers[i], 100);
}

static void an_empty_fifo_is_not_waited_for(void **state)
{
	int writer = open(path_of("fifo"), O_RDWR);

	(void)state;
	expect_same(build_empty_fifo);
	assert_int_equal(worlds[1].rets[7], -EAGAIN);
	close(writer);
	expect_same(build_empty_fifo);
	assert_int_equal(worlds[1].rets[7], 0);
}

static void a_prepared_batch_takes_other_arguments(void **state)
{
	struct world *world = &worlds[0];
	struct batch_prepared prepared;

	(void)state;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 20; i++)
		add_chain(world, path_of("small"), world->buffers[i], 4000);
	assert_int_equal(batch_prepare(&prepared, &uring.executor, world->rets, world->slots, world->count, 0, NULL),
			 0);
	assert_int_equal(batch_prepared_run(&prepared), 99);
	assert_int_equal(world->rets[2], 700);
	world->slots[0].arg[1] = (long)path_of("one");
	assert_int_equal(batch_prepared_run(&prepared), 99);
	assert_int_equal(world->rets[2], 1);
	/* an argument that makes it another kind of batch: refused again, before anything runs */
	world->slots[95].arg[2] = FLAGS | O_CREAT;
	world->rets[2] = UNTOUCHED;
	assert_int_equal(batch_prepared_run(&prepared), -EOPNOTSUPP);
	assert_int_equal(world->rets[2], UNTOUCHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_chains_in_several_waves_are_as_on_loop),
		cmocka_unit_test(reads_that_do_not_wait_are_as_on_loop),
		cmocka_unit_test(calls_on_a_failed_open_give_ebadf_as_on_loop),
		cmocka_unit_test(jumps_inside_a_chain_are_as_on_loop),
		cmocka_unit_test(the_last_chain_may_end_the_batch_anyhow),
		cmocka_unit_test(buffers_that_overlap_keep_the_order_of_the_slots),
		cmocka_unit_test(a_path_that_an_earlier_chain_reads_is_seen),
		cmocka_unit_test(bad_addresses_give_efault_in_their_slots),
		cmocka_unit_test(files_that_cannot_be_read_without_waiting_are_as_on_loop),
		cmocka_unit_test(a_file_left_open_is_a_real_descriptor),
		cmocka_unit_test(a_fifo_keeps_its_reader_and_its_bytes),
		cmocka_unit_test(an_empty_fifo_is_not_waited_for),
		cmocka_unit_test(a_prepared_batch_takes_other_arguments),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
