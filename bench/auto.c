/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which executor is best for a batch of each shape, and does `auto` choose it?
 *
 * Shapes, of n calls or chains each, cheap ones first:
 *
 *	:getppid	independent calls that do nothing
 *	:statx		independent calls that look a file up, each run the next ones of 2,000
 *	:fstat		chains of open, fstat and close, the descriptor fed by word copies; io_uring carries none
 *	:file		chains of open, read and close of a small file, which io_uring carries
 *	:large		the same of 64 KiB, of which the read takes nearly all
 *
 * Every executor has its batch verified once and run many times. The variants are those of the executors that this
 * machine offers: `kernel` hardly anywhere. `call` runs functions, not system calls, and `auto` never chooses it.
 */
#include <linux/stat.h>
#include <sys/stat.h>

#include "bench.h"
#include "files.h"

#define FILES 2000
#define N_MAX 1000 /* the largest n a run of this program takes */
#define SMALL_BYTES 4096
#define LARGE_BYTES (64 << 10)
#define CHAIN_SLOTS 5
#define FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC)

static char paths[FILES][BENCH_PATH_BYTES];
static char large_path[BENCH_PATH_BYTES];
static long next_file;
static char buffers[N_MAX][SMALL_BYTES];
static char (*large_buffers)[LARGE_BYTES];
static struct statx stats[N_MAX];
static struct stat chain_stats[N_MAX];
static struct batch_slot slots[N_MAX * CHAIN_SLOTS];
static long rets[N_MAX * CHAIN_SLOTS];
static struct batch_prepared prepared;
static struct batch_kernel_executor kernel;
static struct batch_uring_executor uring;
static struct batch_auto_executor automatic;

/* ---- shapes ---------------------------------------------------------------------------------------------------- */

static void add_getppid(struct batch_builder *builder, long index)
{
	(void)index;
	batch_builder_getppid(builder);
}

static void add_statx(struct batch_builder *builder, long index)
{
	batch_builder_statx(builder, AT_FDCWD, paths[index], 0, STATX_BASIC_STATS, &stats[index]);
}

static void add_fstat(struct batch_builder *builder, long index)
{
	struct batch_value fd = batch_builder_openat(builder, AT_FDCWD, paths[index], FLAGS, 0);

	batch_builder_fstat(builder, fd, &chain_stats[index]);
	batch_builder_close(builder, fd);
}

static void add_chain(struct batch_builder *builder, const char *path, void *buffer, size_t bytes)
{
	struct batch_label next = BATCH_LABEL_INIT;
	struct batch_value fd = batch_builder_openat(builder, AT_FDCWD, path, FLAGS, 0);

	batch_builder_jump(builder, fd, BATCH_ON_FAIL, &next);
	batch_builder_read(builder, fd, buffer, bytes);
	batch_builder_close(builder, fd);
	batch_builder_label(builder, &next);
}

static void add_file(struct batch_builder *builder, long index)
{
	add_chain(builder, paths[index], buffers[index], SMALL_BYTES);
}

static void add_large(struct batch_builder *builder, long index)
{
	add_chain(builder, large_path, large_buffers[index], LARGE_BYTES);
}

/* A shape: what its batch is made of, and which slot of an item has a path that is to be the next file's. */
struct shape {
	void (*add)(struct batch_builder *builder, long index);
	int item_slots;
	bool takes_next; /* argument 1 of an item's first slot is the next file */
};

static const struct shape getppid_shape = { add_getppid, 1, false };
static const struct shape statx_shape = { add_statx, 1, true };
static const struct shape fstat_shape = { add_fstat, CHAIN_SLOTS, true };
static const struct shape file_shape = { add_file, CHAIN_SLOTS, true };
static const struct shape large_shape = { add_large, CHAIN_SLOTS, false };

/* ---- running --------------------------------------------------------------------------------------------------- */

/* A variant's context. */
struct way {
	const struct shape *shape;
	const struct batch_executor *executor;
};

static long run(void *context, long n)
{
	const struct shape *shape = ((const struct way *)context)->shape;
	long last;

	if (shape->takes_next) {
		long first = next_file + n <= FILES ? next_file : 0;

		next_file = first + n;
		for (long i = 0; i < n; i++)
			slots[i * shape->item_slots].arg[1] = (long)paths[first + i];
	}
	last = batch_prepared_run(&prepared);
	return last >= 0 && rets[last] < 0 ? rets[last] : last;
}

/*
 * Build the batch, and run it once: what ran before it was another executor, whose code the processor has at hand.
 * Every sample is of the same files, since names and sizes differ.
 */
static int prepare(void *context, long n)
{
	const struct way *way = context;
	struct batch_builder builder;
	int code;

	if (n > N_MAX)
		return -E2BIG;
	batch_builder_init(&builder, slots, rets, (size_t)N_MAX * CHAIN_SLOTS);
	for (long i = 0; i < n; i++)
		way->shape->add(&builder, i);
	next_file = 0;
	code = batch_builder_prepare(&builder, &prepared, way->executor, NULL);
	if (code == 0)
		code = (int)run(context, n);
	next_file = 0;
	return code;
}

#define WAY(SHAPE, EXECUTOR)                                                                                           \
	(void *)&(const struct way)                                                                                    \
	{                                                                                                              \
		&SHAPE##_shape, EXECUTOR                                                                               \
	}
#define EVERYWHERE(SHAPE)                                                                                              \
	{ "loop:" #SHAPE, prepare, run, WAY(SHAPE, &batch_executor_loop), false },                                     \
		{ "kernel:" #SHAPE, prepare, run, WAY(SHAPE, &kernel.executor), false },                               \
	{                                                                                                              \
		"auto:" #SHAPE, prepare, run, WAY(SHAPE, &automatic.executor), false                                   \
	}
#define BY_URING(SHAPE)                                                                                                \
	{                                                                                                              \
		"uring:" #SHAPE, prepare, run, WAY(SHAPE, &uring.executor), false                                      \
	}

static const struct bench_variant all[] = {
	EVERYWHERE(getppid), EVERYWHERE(statx), EVERYWHERE(fstat), EVERYWHERE(file),
	BY_URING(file),	     EVERYWHERE(large), BY_URING(large),
};
static struct bench_variant offered[sizeof(all) / sizeof(all[0])];

/* Leave out what this machine does not offer. Returns how many variants are left. */
static size_t choose_variants(void)
{
	bool has_kernel = batch_kernel_open(&kernel, NULL) == 0, has_uring = batch_uring_open(&uring, 0, NULL) == 0;
	size_t count = 0;

	for (size_t v = 0; v < sizeof(all) / sizeof(all[0]); v++)
		if ((has_kernel || strncmp(all[v].name, "kernel", 6) != 0) &&
		    (has_uring || strncmp(all[v].name, "uring", 5) != 0))
			offered[count++] = all[v];
	return count;
}

static void remove_large(void)
{
	unlink(large_path);
}

static void set_up(void)
{
	int fd;

	batch_auto_open(&automatic);
	large_buffers = calloc(N_MAX, sizeof(*large_buffers));
	bench_make_files(FILES);
	for (long i = 0; i < FILES; i++)
		bench_file_path(paths[i], i);
	bench_file_path(large_path, FILES);
	fd = open(large_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* before the folder is removed */
	atexit(remove_large);
	if (!large_buffers || fd < 0 || write(fd, large_buffers, LARGE_BYTES) != LARGE_BYTES || close(fd) < 0)
		bench_fail_files(large_path);
}

int main(int argc, char **argv)
{
	static const long n[] = { 1, 2, 4, 8, 16, 32, 64, 200 };
	const struct bench_suite suite = {
		.boundary = "auto",
		.question = "Which executor is best for a batch of each shape, and does auto choose it?",
		.variants = offered,
		.variant_count = choose_variants(),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 30,
		.quick_repetitions = 10,
		.set_up = set_up,
	};
	int code = bench_main(argc, argv, &suite);

	batch_auto_close(&automatic);
	batch_uring_close(&uring);
	batch_kernel_close(&kernel);
	return code;
}
