/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From how many files per batch does io_uring pay for opening, reading and closing them?
 *
 * One call (`:file`) is one small cached file opened, read and closed. `direct` is three hand-written system calls,
 * `libc` the same through open(2), read(2) and close(2), and `loop`, `uring` and `auto` are the executors with a batch
 * that was prepared once. `linked` makes the same requests as linked chains, all in one crossing, which the uring
 * executor does not do. Every run takes the next files of 10,000, as a program does that reads many files once; so the
 * kernel's data about a file are not in the CPU's nearest caches. `:nop` is a request that does nothing
 * (IORING_OP_NOP), beside an unimplemented system call: these two show the price of the ring and of the entry alone.
 */
#include <liburing.h>

#include "batch/syscall.h"
#include "bench.h"
#include "files.h"

#define FILES 10000
#define FILES_MAX 1024 /* the largest n a run of this program takes */
#define FILE_BYTES 8192
#define FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC)

enum { OPEN, FEED_READ, READ, FEED_CLOSE, CLOSE, CHAIN_SLOTS };

static char paths[FILES][BENCH_PATH_BYTES];
static long next_file;
static char buffers[FILES_MAX][FILE_BYTES];
static struct batch_slot slots[FILES_MAX * CHAIN_SLOTS];
static long rets[FILES_MAX * CHAIN_SLOTS];
static struct batch_prepared prepared;
static struct batch_uring_executor uring;
static struct batch_auto_executor automatic;
static struct io_uring ring;

/* The first of the n files of a run; the next run gets others. */
static long take_files(long n)
{
	long first = next_file + n <= FILES ? next_file : 0;

	next_file = first + n;
	return first;
}

static int check_n(void *context, long n)
{
	(void)context;
	return n > FILES_MAX ? -E2BIG : 0;
}

static int prepare_batch(void *context, long n)
{
	if (n > FILES_MAX)
		return -E2BIG;
	for (long i = 0; i < n; i++) {
		struct batch_slot *chain = &slots[i * CHAIN_SLOTS];
		long *opened = &rets[i * CHAIN_SLOTS + OPEN];

		chain[OPEN] = scall4(openat, CLOSE, 0, 0, AT_FDCWD, paths[i], FLAGS, 0);
		chain[FEED_READ] = scall2(wdcpy, 0, 0, 0, &chain[READ].arg[0], opened);
		chain[READ] = scall3(read, 0, 0, 0, 0, buffers[i], FILE_BYTES);
		chain[FEED_CLOSE] = scall2(wdcpy, 0, 0, 0, &chain[CLOSE].arg[0], opened);
		chain[CLOSE] = scall1(close, 0, 0, 0, 0);
	}
	return batch_prepare(&prepared, context, rets, slots, (size_t)n * CHAIN_SLOTS, 0, NULL);
}

static long run_prepared(void *context, long n)
{
	long first = take_files(n), last;

	(void)context;
	for (long i = 0; i < n; i++)
		slots[i * CHAIN_SLOTS + OPEN].arg[1] = (long)paths[first + i];
	last = batch_prepared_run(&prepared);
	if (last >= 0 && rets[n * CHAIN_SLOTS - 1] < 0)
		return rets[n * CHAIN_SLOTS - 1];
	return last;
}

static long run_direct_file(void *context, long n)
{
	long first = take_files(n);

	(void)context;
	for (long i = 0; i < n; i++) {
		long fd = batch__syscall6(__NR_openat, AT_FDCWD, (long)paths[first + i], FLAGS, 0, 0, 0);

		batch__syscall6(__NR_read, fd, (long)buffers[i], FILE_BYTES, 0, 0, 0);
		rets[i] = batch__syscall6(__NR_close, fd, 0, 0, 0, 0, 0);
	}
	return rets[n - 1];
}

/* The same as most programs write it: through the C library. */
static long run_libc_file(void *context, long n)
{
	long first = take_files(n);

	(void)context;
	for (long i = 0; i < n; i++) {
		int fd = open(paths[first + i], FLAGS);

		if (read(fd, buffers[i], FILE_BYTES) < 0)
			return -errno;
		rets[i] = close(fd);
	}
	return rets[n - 1];
}

static long run_direct_nop(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		rets[i] = batch__syscall6(NR_UNIMPLEMENTED, 0, 0, 0, 0, 0, 0);
	return 0;
}

/* Submit what is prepared and take `expected` completions. Returns the least result. */
static long finish_ring(unsigned int expected)
{
	struct io_uring_cqe *cqe;
	unsigned int head, seen = 0;
	long least = 0;
	int code = io_uring_submit_and_wait(&ring, expected);

	if (code < 0)
		return code;
	io_uring_for_each_cqe(&ring, head, cqe)
	{
		least = cqe->res < least ? cqe->res : least;
		seen++;
	}
	io_uring_cq_advance(&ring, seen);
	return seen == expected ? least : -EIO;
}

static long run_uring_nop(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		io_uring_prep_nop(io_uring_get_sqe(&ring));
	return finish_ring((unsigned int)n);
}

static void link_chain(const char *path, unsigned int index)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

	io_uring_prep_openat_direct(sqe, AT_FDCWD, path, FLAGS & ~O_CLOEXEC, 0, index);
	sqe->flags |= IOSQE_IO_LINK;
	sqe = io_uring_get_sqe(&ring);
	io_uring_prep_read(sqe, (int)index, buffers[index], FILE_BYTES, -1ULL);
	/* a short read breaks a plain link, but not a hard link */
	sqe->flags |= IOSQE_FIXED_FILE | IOSQE_IO_HARDLINK;
	io_uring_prep_close_direct(io_uring_get_sqe(&ring), index);
}

static long run_linked(void *context, long n)
{
	long first = take_files(n);

	(void)context;
	for (unsigned int i = 0; i < n; i++)
		link_chain(paths[first + i], i);
	return finish_ring(3 * (unsigned int)n);
}

static const struct bench_variant variants[] = {
	{ "direct:file", check_n, run_direct_file, NULL, false },
	{ "libc:file", check_n, run_libc_file, NULL, false },
	{ "loop:file", prepare_batch, run_prepared, (void *)&batch_executor_loop, false },
	{ "uring:file", prepare_batch, run_prepared, &uring.executor, false },
	{ "auto:file", prepare_batch, run_prepared, &automatic.executor, false },
	{ "linked:file", check_n, run_linked, NULL, false },
	{ "direct:nop", check_n, run_direct_nop, NULL, false },
	{ "uring:nop", check_n, run_uring_nop, NULL, false },
};

/* A ring of the program's own, for requests that no executor makes. */
static int open_ring(void)
{
	static int files[FILES_MAX];
	struct io_uring_params params = { .flags = IORING_SETUP_COOP_TASKRUN };
	int code = io_uring_queue_init_params(4 * FILES_MAX, &ring, &params);

	for (int i = 0; i < FILES_MAX; i++)
		files[i] = -1;
	return code < 0 ? code : io_uring_register_files(&ring, files, FILES_MAX);
}

static void set_up(void)
{
	struct batch_error error;
	int code = batch_uring_open(&uring, 0, &error);

	if (code < 0)
		bench_unavailable("opening the io_uring executor", code);
	batch_auto_open(&automatic);
	code = open_ring();
	if (code < 0)
		bench_unavailable("opening a ring", code);
	bench_make_files(FILES);
	for (long i = 0; i < FILES; i++)
		bench_file_path(paths[i], i);
}

int main(int argc, char **argv)
{
	static const long n[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 };
	const struct bench_suite suite = {
		.boundary = "uring",
		.question = "From how many files per batch does io_uring pay for opening, reading and closing them?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 100,
		.quick_repetitions = 20,
		.set_up = set_up,
	};
	int code = bench_main(argc, argv, &suite);

	io_uring_queue_exit(&ring);
	batch_auto_close(&automatic);
	batch_uring_close(&uring);
	return code;
}
