/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does walking a tree cost, and how close to the floor is libferry's walk?
 *
 * The floor makes only the system calls without which no program can add up a tree's blocks. For each directory these
 * are openat, newfstatat of the descriptor, getdents64 until the end, and close. For each other entry it is newfstatat
 * by name, which was measured to cost less than statx. On ext4 the last entry shows the end, as src/walk/scan.c
 * explains; on other file systems the end costs a call of its own. The floor keeps no paths, no links and no limits,
 * and recurses on the C stack. So it is no tool for users: a tree deeper than DEPTH_MAX ends it. Variants: floor and
 * libferry's walk_run, on one and two threads, interleaved, on the caller's tree.
 *
 * With --floor the program walks the tree once and prints what it found, for comparisons of whole processes.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <ferry/walk.h>

#include "batch/syscall.h"
#include "bench.h"
#include "walk/dents.h"

#define DEPTH_MAX 1000
#define DENTS_BYTES 65536
#define FLOOR_THREADS_MAX 64

/* How many subtrees the program opens before its threads start; the threads share them. */
#define SUBTREES 256

#define STAT_MASK (STATX_TYPE | STATX_NLINK | STATX_INO | STATX_SIZE | STATX_BLOCKS)

/* What one thread has. */
struct floor {
	char *dents;
	char *names; /* of subdirectories not walked yet, one after the other */
	size_t names_bytes, names_capacity;
	unsigned long entries, blocks;
	long failed; /* the first -errno */
	bool ext4;   /* the tree's file system keeps the position INT64_MAX for the end */
	struct pool *pool;
};

/* Subtrees as open descriptors, taken one by one. */
struct pool {
	int fds[SUBTREES * 16];
	size_t count;
	atomic_size_t next; /* relaxed: only a ticket */
};

static long fail(struct floor *floor, long code)
{
	floor->failed = floor->failed ? floor->failed : code;
	return code;
}

static void add_stat(struct floor *floor, int fd, const char *name, int flags)
{
	struct stat stat;
	long code = batch__syscall6(__NR_newfstatat, fd, (long)name, (long)&stat, AT_NO_AUTOMOUNT | flags, 0, 0);

	if (code) {
		fail(floor, code);
		return;
	}
	floor->entries++;
	floor->blocks += (unsigned long)stat.st_blocks;
}

static void add_name(struct floor *floor, const char *name)
{
	size_t bytes = strlen(name) + 1;

	if (floor->names_bytes + bytes > floor->names_capacity) {
		size_t capacity = 2 * (floor->names_capacity + bytes);
		char *grown = realloc(floor->names, capacity);

		if (!grown) {
			fail(floor, -ENOMEM);
			return;
		}
		floor->names = grown;
		floor->names_capacity = capacity;
	}
	memcpy(floor->names + floor->names_bytes, name, bytes);
	floor->names_bytes += bytes;
}

/* Make the floor's calls for everything in fd; subdirectories go to floor->names. */
static void list(struct floor *floor, int fd)
{
	int64_t position = 0;
	long bytes = 0;

	add_stat(floor, fd, "", AT_EMPTY_PATH);
	while (!(floor->ext4 && position == INT64_MAX) &&
	       (bytes = batch__syscall6(__NR_getdents64, fd, (long)floor->dents, DENTS_BYTES, 0, 0, 0)) > 0) {
		const struct walk__dent *dent;
		size_t offset = 0;

		floor->dents[bytes] = '\0';
		while ((dent = walk__dents_next(floor->dents, (size_t)bytes, &offset))) {
			position = dent->next;
			if (walk__dent_is_dot(dent))
				continue;
			if (dent->type == DT_DIR)
				add_name(floor, dent->name);
			else
				add_stat(floor, fd, dent->name, AT_SYMLINK_NOFOLLOW);
		}
	}
	if (bytes < 0)
		fail(floor, bytes);
}

static long open_at(struct floor *floor, int fd, const char *name)
{
	long opened =
		batch__syscall6(__NR_openat, fd, (long)name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, 0, 0);

	return opened < 0 ? fail(floor, opened) : opened;
}

static void close_fd(long fd)
{
	batch__syscall6(__NR_close, fd, 0, 0, 0, 0, 0);
}

static void walk_down(struct floor *floor, int fd, int depth)
{
	size_t begin = floor->names_bytes, end;

	list(floor, fd);
	end = floor->names_bytes;
	for (size_t at = begin; at < end; at += strlen(floor->names + at) + 1) {
		long below = depth == DEPTH_MAX ? fail(floor, -ELOOP) : open_at(floor, fd, floor->names + at);

		if (below < 0)
			continue;
		walk_down(floor, (int)below, depth + 1);
		close_fd(below);
	}
	floor->names_bytes = begin;
}

/* Open the top of the tree level by level, until there are enough subtrees to share. */
static void fill_pool(struct floor *floor, struct pool *pool, int fd)
{
	size_t first = 0;

	pool->fds[0] = fd;
	pool->count = 1;
	while (first < pool->count && pool->count - first < SUBTREES) {
		int from = pool->fds[first++];

		list(floor, from);
		for (size_t at = 0; at < floor->names_bytes; at += strlen(floor->names + at) + 1) {
			long below = open_at(floor, from, floor->names + at);

			if (below < 0)
				continue;
			if (pool->count < sizeof(pool->fds) / sizeof(pool->fds[0])) {
				pool->fds[pool->count++] = (int)below;
			} else {
				size_t begin = floor->names_bytes;

				walk_down(floor, (int)below, 0);
				floor->names_bytes = begin;
				close_fd(below);
			}
		}
		floor->names_bytes = 0;
		close_fd(from);
	}
	atomic_init(&pool->next, first);
}

static void *drain_pool(void *argument)
{
	struct floor *floor = argument;
	struct pool *pool = floor->pool;
	size_t mine;

	while ((mine = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed)) < pool->count) {
		walk_down(floor, pool->fds[mine], 0);
		close_fd(pool->fds[mine]);
	}
	return NULL;
}

static long share_out(struct floor *floors, unsigned int threads, int fd)
{
	static struct pool pool;
	pthread_t handles[FLOOR_THREADS_MAX];
	unsigned int started = 1;

	fill_pool(&floors[0], &pool, fd);
	for (unsigned int i = 0; i < threads; i++)
		floors[i].pool = &pool;
	while (started < threads && pthread_create(&handles[started], NULL, drain_pool, &floors[started]) == 0)
		started++;
	drain_pool(&floors[0]);
	for (unsigned int i = 1; i < started; i++)
		pthread_join(handles[i], NULL);
	return started == threads ? 0 : -EAGAIN;
}

/* What a run found. */
struct found {
	unsigned long entries, blocks;
};

static long run_floor(const char *tree, unsigned int threads, struct found *found)
{
	static struct floor floors[FLOOR_THREADS_MAX];
	struct statfs fs = { 0 };
	bool ext4 = statfs(tree, &fs) == 0 && fs.f_type == EXT4_SUPER_MAGIC;
	long code = 0, fd;

	*found = (struct found){ 0, 0 };
	for (unsigned int i = 0; i < threads; i++) {
		char *dents = floors[i].dents ? floors[i].dents : malloc(DENTS_BYTES + 1);

		free(floors[i].names);
		floors[i] = (struct floor){ .dents = dents, .ext4 = ext4 };
		if (!dents)
			return -ENOMEM;
	}
	fd = open_at(&floors[0], AT_FDCWD, tree);
	if (fd < 0)
		return fd;
	if (threads == 1) {
		walk_down(&floors[0], (int)fd, 0);
		close_fd(fd);
	} else {
		code = share_out(floors, threads, (int)fd);
	}
	for (unsigned int i = 0; i < threads; i++) {
		found->entries += floors[i].entries;
		found->blocks += floors[i].blocks;
		code = code ? code : floors[i].failed;
	}
	return code;
}

/* ---- libferry's walk ------------------------------------------------------------------------------------------- */

struct sum {
	_Alignas(64) struct found found;
};

static int add_directory(void *context, unsigned int thread, struct walk_directory *directory, const struct statx *stat)
{
	struct sum *sum = context;

	(void)directory;
	sum[thread].found.entries++;
	sum[thread].found.blocks += stat->stx_blocks;
	return WALK_CONTINUE;
}

static int add_file(void *context, unsigned int thread, const struct walk_file *file)
{
	struct sum *sum = context;

	sum[thread].found.entries++;
	sum[thread].found.blocks += file->stat->stx_blocks;
	return 0;
}

static int add_error(void *context, unsigned int thread, const struct walk_error *error)
{
	(void)context;
	(void)thread;
	return error->code;
}

static long run_walk(const char *tree, unsigned int threads, struct found *found)
{
	const struct walk_visitor visitor = { .enter = add_directory, .file = add_file, .error = add_error };
	const struct walk_options options = { .threads = threads, .mask = STAT_MASK };
	struct sum sums[FLOOR_THREADS_MAX] = { 0 };
	long code = walk_run(tree, &options, &visitor, sums);

	*found = (struct found){ 0, 0 };
	for (unsigned int i = 0; i < threads; i++) {
		found->entries += sums[i].found.entries;
		found->blocks += sums[i].found.blocks;
	}
	return code;
}

/* ---- measuring ------------------------------------------------------------------------------------------------- */

struct variant {
	const char *name;
	long (*run)(const char *tree, unsigned int threads, struct found *found);
	unsigned int threads;
};

static const struct variant variants[] = {
	{ "floor", run_floor, 1 },
	{ "walk", run_walk, 1 },
	{ "floor-j2", run_floor, 2 },
	{ "walk-j2", run_walk, 2 },
};
#define VARIANT_COUNT (sizeof(variants) / sizeof(variants[0]))

static void check(const struct variant *variant, const char *tree, long code, const struct found *found,
		  const struct found *expected)
{
	if (code < 0) {
		fprintf(stderr, "walk: %s of %s: %s\n", variant->name, tree, strerror((int)-code));
		exit(1);
	}
	if (found->entries != expected->entries || found->blocks != expected->blocks) {
		fprintf(stderr,
			"walk: %s found %lu entries and %lu blocks, not %lu and %lu: leave %s as it is meanwhile\n",
			variant->name, found->entries, found->blocks, expected->entries, expected->blocks, tree);
		exit(1);
	}
}

static int measure(const char *tree, long repetitions)
{
	struct found expected, found;
	long code = run_floor(tree, 1, &expected);
	double overhead_ns;

	check(&variants[0], tree, code, &expected, &expected);
	bench_print_machine();
	overhead_ns = bench_calibrate().timer_ns;
	bench_print_calibration("timer", overhead_ns);
	for (long repetition = 0; repetition < repetitions; repetition++) {
		for (size_t i = 0; i < VARIANT_COUNT; i++) {
			const struct variant *variant = &variants[(i + (size_t)repetition) % VARIANT_COUNT];
			double start = bench_now_ns(), ns;

			code = variant->run(tree, variant->threads, &found);
			ns = bench_now_ns() - start - overhead_ns;
			check(variant, tree, code, &found, &expected);
			bench_print_sample("walk", variant->name, (long)expected.entries, repetition, ns);
		}
	}
	return fflush(stdout) || ferror(stdout);
}

static int floor_once(const char *tree, unsigned int threads)
{
	const struct variant floor = { "floor", run_floor, threads };
	struct found found;
	long code = run_floor(tree, threads, &found);

	check(&floor, tree, code, &found, &found);
	printf("%lu entries\t%lu blocks\n", found.entries, found.blocks);
	return fflush(stdout) || ferror(stdout);
}

static const char help_text[] =
	"What does walking a tree cost, and how close to the floor is libferry's walk?\n"
	"\n"
	"Usage: walk [--quick] [--repetitions R] TREE\n"
	"       walk --floor [-j N] TREE\n"
	"Prints one JSON object per line; bench/README.md describes them.\n"
	"\n"
	"  --floor            walk TREE once with getdents64 and newfstatat alone, and print what was found\n"
	"  -j N               use N threads for it (1 to 64; 1)\n"
	"  --quick            take 3 repetitions, not 15\n"
	"  --repetitions R    take R repetitions\n"
	"  --help             show this text and exit\n"
	"  --version          show the version and exit\n";

static long parse(const char *option, const char *text, long max)
{
	const char *at = text;
	long number = bench_parse_number(&at, max);

	if (number < 0 || *at)
		bench_usage_error(option, text, "give one whole number, 1 or more");
	return number;
}

int main(int argc, char **argv)
{
	static const struct option known[] = { { "floor", no_argument, NULL, 'f' },
					       { "quick", no_argument, NULL, 'q' },
					       { "repetitions", required_argument, NULL, 'r' },
					       { "help", no_argument, NULL, 'h' },
					       { "version", no_argument, NULL, 'V' },
					       { NULL, 0, NULL, 0 } };
	long repetitions = 15, threads = 1;
	bool once = false;
	int option;

	while ((option = getopt_long(argc, argv, "j:", known, NULL)) != -1) {
		switch (option) {
		case 'f':
			once = true;
			break;
		case 'j':
			threads = parse("-j", optarg, FLOOR_THREADS_MAX);
			break;
		case 'q':
			repetitions = 3;
			break;
		case 'r':
			repetitions = parse("--repetitions", optarg, BENCH_REPETITIONS_MAX);
			break;
		case 'h':
			return fputs(help_text, stdout) < 0 || fflush(stdout);
		case 'V':
			return printf("walk (Ferry) %s\n", FERRY_VERSION) < 0 || fflush(stdout);
		default:
			fprintf(stderr, "Try 'walk --help'.\n");
			return 2;
		}
	}
	if (optind != argc - 1) {
		fprintf(stderr, "walk: give one TREE (see --help)\n");
		return 2;
	}
	return once ? floor_once(argv[optind], (unsigned int)threads) : measure(argv[optind], repetitions);
}
