/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The uring executor: what it accepts gives what `loop` gives, on real files; what it refuses it names; a kernel that
 * forbids io_uring gets a clear answer.
 *
 * Every comparison builds the same batch twice, with buffers and results of its own, and runs one on each executor.
 * long: the comparisons share this pair of worlds.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

#define FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC)
#define SLOTS_MAX 2048
#define BUFFER_BYTES 8192
#define BUFFERS 400
#define UNTOUCHED 0x5a5a5a5aL

/* One of the two runs that are compared. */
struct world {
	struct batch_slot slots[SLOTS_MAX];
	long rets[SLOTS_MAX];
	char buffers[BUFFERS][BUFFER_BYTES];
	size_t count;
	long last;
};

static char folder[] = "/tmp/ferry-uring-XXXXXX";
static struct world *worlds;
static struct batch_uring_executor uring;

static const char *path_of(const char *name)
{
	static char paths[2048][128];
	static int next;
	char *path = paths[next++ % 2048];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static void make_file(const char *name, size_t bytes)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	for (size_t i = 0; i < bytes; i++)
		fputc('a' + (int)((i * 7 + bytes) % 26), file);
	fclose(file);
}

static long add(struct world *world, struct batch_slot slot)
{
	assert_true(world->count < SLOTS_MAX);
	world->slots[world->count] = slot;
	return (long)world->count++;
}

/* The word copy of slot `from`'s result to argument 0 of the slot `ahead` slots after the copy. */
static void feed(struct world *world, long from, long ahead)
{
	add(world, scall2(wdcpy, 0, 0, 0, &world->slots[(long)world->count + ahead].arg[0], &world->rets[from]));
}

/* open, read, close; a failed open skips the rest. */
static void add_chain(struct world *world, const char *path, char *buffer, size_t bytes)
{
	long at = add(world, scall4(openat, 4, 0, 0, AT_FDCWD, path, FLAGS, 0));

	feed(world, at, 1);
	add(world, scall3(read, 0, 0, 0, 0, buffer, bytes));
	feed(world, at, 1);
	add(world, scall1(close, 0, 0, 0, 0));
}

/* As add_chain, with preadv2 and RWF_NOWAIT; a read that fails leaves the file open. */
static void add_nowait_chain(struct world *world, const char *path, char *buffer, size_t bytes)
{
	long at = add(world, scall4(openat, 4, 0, 0, AT_FDCWD, path, FLAGS, 0));
	struct batch_slot *copy = &world->slots[world->count];

	feed(world, at, 2);
	copy->arg[2] = (long)buffer;
	copy->arg[3] = (long)bytes;
	feed(world, at, 2);
	add(world, scall6(preadv2, 1, 0, 0, 0, &copy->arg[2], 1, -1, 0, RWF_NOWAIT));
	add(world, scall1(close, 0, 0, 0, 0));
}

static int is_descriptor_slot(const struct batch_slot *slot)
{
	return slot->nr == __NR_openat || slot->nr == __NR_open;
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

static int make_files(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	make_file("empty", 0);
	make_file("one", 1);
	make_file("small", 700);
	make_file("page-1", 4095);
	make_file("page", 4096);
	make_file("page+1", 4097);
	make_file("large", 100000);
	worlds = calloc(2, sizeof(*worlds));
	return worlds ? batch_uring_open(&uring, 64, NULL) : -1;
}

static int remove_files(void **state)
{
	char command[64];

	(void)state;
	batch_uring_close(&uring);
	free(worlds);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* ---- what it accepts ------------------------------------------------------------------------------------------- */

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
		long at = add(world, scall3(open, 0, 0, 0, path_of(names[i % NAME_COUNT]), FLAGS, 0));

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

static void refuses_a_way_that_cannot_run_it_does_not_know(void **state)
{
	struct batch_error error;
	struct world *world = &worlds[0];

	(void)state;
	memset(world, 0, sizeof(*world));
	build_jumps(world);
	/* slot 5 jumps over slot 6 when bytes came, onto slot 7, which is not a call of the chain */
	assert_int_equal(uring.executor.check(&uring.executor, world->slots, world->rets, world->count, &error),
			 -EOPNOTSUPP);
	assert_int_equal(error.slot, 7);
	assert_int_equal(error.reason, BATCH_REASON_NOT_CARRIED);
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
	assert_int_equal(mkfifo(path, 0600), 0);
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

/* ---- what it refuses ------------------------------------------------------------------------------------------- */

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
	expect_refusal(5, scall4(openat, 4, 0, 0, AT_FDCWD, path, O_RDONLY, 0), BATCH_REASON_NOT_CARRIED, 5);
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

/* ---- kernels that forbid io_uring ------------------------------------------------------------------------------ */

/* From now on system call `nr` of this process fails with `code`. */
static int forbid(unsigned int nr, unsigned int code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Run `body` in a child. Returns its exit status: 0 when every check held, else the number of the first that did not.
 */
static int in_child(int (*body)(void))
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit(body());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

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

static int without_setup(void)
{
	return expect_unavailable(__NR_io_uring_setup, ENOSYS);
}

/* what sysctl kernel.io_uring_disabled answers */
static int with_setup_forbidden(void)
{
	return expect_unavailable(__NR_io_uring_setup, EPERM);
}

static int without_enter(void)
{
	return expect_unavailable(__NR_io_uring_enter, EPERM);
}

static int without_register(void)
{
	return expect_unavailable(__NR_io_uring_register, EACCES);
}

static void a_kernel_without_io_uring_gives_a_reason(void **state)
{
	(void)state;
	assert_int_equal(in_child(without_setup), 0);
	assert_int_equal(in_child(with_setup_forbidden), 0);
	assert_int_equal(in_child(without_enter), 0);
	assert_int_equal(in_child(without_register), 0);
}

/* The ring is taken away while the executor is in use: the batch still gives its results, later ones are refused. */
static int loses_the_ring(void)
{
	struct batch_uring_executor executor;
	struct batch_error error = { 0 };
	struct world *world = &worlds[1];

	if (batch_uring_open(&executor, 0, NULL) || forbid(__NR_io_uring_enter, EPERM))
		return 1;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 20; i++)
		add_chain(world, i == 3 ? "/no/such" : path_of("small"), world->buffers[i], 4000);
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != 99)
		return 2;
	if (world->rets[2] != 700 || world->rets[15] != -ENOENT || world->rets[97] != 700 || world->rets[99] != 0)
		return 3;
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, &error) != -EOPNOTSUPP)
		return 4;
	if (error.reason != BATCH_REASON_UNAVAILABLE)
		return 5;
	batch_uring_close(&executor);
	return 0;
}

static void a_ring_taken_away_loses_nothing(void **state)
{
	(void)state;
	assert_int_equal(in_child(loses_the_ring), 0);
}

/* A process that may have few descriptors gets a smaller table, not an error. */
static int with_few_descriptors(void)
{
	struct batch_uring_executor executor;
	struct rlimit limit = { 10, 10 };
	struct world *world = &worlds[1];

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
	assert_int_equal(in_child(with_few_descriptors), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_chains_in_several_waves_are_as_on_loop),
		cmocka_unit_test(reads_that_do_not_wait_are_as_on_loop),
		cmocka_unit_test(calls_on_a_failed_open_give_ebadf_as_on_loop),
		cmocka_unit_test(refuses_a_way_that_cannot_run_it_does_not_know),
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
		cmocka_unit_test(refuses_calls_it_cannot_carry),
		cmocka_unit_test(refuses_other_data_flow),
		cmocka_unit_test(refuses_other_jumps),
		cmocka_unit_test(refuses_a_chain_that_is_too_long),
		cmocka_unit_test(a_kernel_without_io_uring_gives_a_reason),
		cmocka_unit_test(a_ring_taken_away_loses_nothing),
		cmocka_unit_test(a_low_descriptor_limit_makes_small_waves),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
