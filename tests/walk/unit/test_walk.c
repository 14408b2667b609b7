/* SPDX-License-Identifier: BSD-3-Clause */
/* walk_run: what a visitor is told, in which order, on one thread and on several, and what ends a walk. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/walk.h>

#include "walk_tests.h"

#define THREADS_MAX 4

/* What a walk found, and the promises it kept on the way. */
struct seen {
	pthread_mutex_t lock;
	unsigned int inside[THREADS_MAX]; /* calls running with this thread index */
	size_t files, entered, left, scanned, listed, errors, vanished, filtered;
	size_t depth_max;
	uint64_t bytes;
	int last_error, stop_at_file, skip_depth;
	enum walk_failure failure;
	const char *hidden; /* name that filter leaves out */
	bool broken;	    /* an order that must not be */
};

/* In every directory's data. */
struct state {
	int phase; /* 1 listed, 2 entered, 3 scanned, 4 left */
	int children;
};

static void begin(struct seen *seen, unsigned int thread)
{
	pthread_mutex_lock(&seen->lock);
	seen->broken |= thread >= THREADS_MAX || seen->inside[thread]++ != 0;
}

static int end(struct seen *seen, unsigned int thread, int answer)
{
	seen->inside[thread]--;
	pthread_mutex_unlock(&seen->lock);
	return answer;
}

static void step(struct seen *seen, struct walk_directory *directory, int least, int most, int to)
{
	struct state *state = walk_directory_data(directory);

	seen->broken |= state->phase < least || state->phase > most;
	state->phase = to;
}

static int on_filter(void *context, unsigned int thread, struct walk_directory *parent, const char *name,
		     unsigned char type)
{
	struct seen *seen = context;

	(void)parent;
	(void)type;
	begin(seen, thread);
	seen->filtered += seen->hidden && strcmp(name, seen->hidden) == 0;
	return end(seen, thread, seen->hidden && strcmp(name, seen->hidden) == 0 ? WALK_SKIP : WALK_CONTINUE);
}

static int on_listed(void *context, unsigned int thread, struct walk_directory *directory)
{
	struct seen *seen = context;

	begin(seen, thread);
	step(seen, directory, 0, 0, 1);
	step(seen, walk_directory_parent(directory), 2, 2, 2);
	((struct state *)walk_directory_data(walk_directory_parent(directory)))->children++;
	seen->listed++;
	return end(seen, thread, 0);
}

static int on_enter(void *context, unsigned int thread, struct walk_directory *directory, const struct statx *stat)
{
	struct seen *seen = context;
	size_t depth = walk_directory_depth(directory);

	begin(seen, thread);
	step(seen, directory, depth ? 1 : 0, depth ? 1 : 0, 2);
	seen->entered++;
	seen->depth_max = depth > seen->depth_max ? depth : seen->depth_max;
	seen->broken |= !S_ISDIR(stat->stx_mode);
	return end(seen, thread, seen->skip_depth && (int)depth == seen->skip_depth ? WALK_SKIP : WALK_CONTINUE);
}

static int on_file(void *context, unsigned int thread, const struct walk_file *file)
{
	struct seen *seen = context;

	begin(seen, thread);
	if (file->parent)
		step(seen, file->parent, 2, 2, 2);
	seen->files++;
	seen->bytes += file->stat->stx_size;
	return end(seen, thread, seen->stop_at_file && (int)seen->files >= seen->stop_at_file ? -EDOM : 0);
}

static int on_scanned(void *context, unsigned int thread, struct walk_directory *directory, int code)
{
	struct seen *seen = context;

	begin(seen, thread);
	step(seen, directory, 0, 2, 3);
	seen->scanned++;
	seen->vanished += code == -ENOENT;
	return end(seen, thread, 0);
}

static int on_leave(void *context, unsigned int thread, struct walk_directory *directory)
{
	struct seen *seen = context;
	struct walk_directory *parent = walk_directory_parent(directory);

	begin(seen, thread);
	step(seen, directory, 3, 3, 4);
	seen->broken |= ((struct state *)walk_directory_data(directory))->children != 0;
	if (parent)
		((struct state *)walk_directory_data(parent))->children--;
	seen->left++;
	return end(seen, thread, 0);
}

static int on_error(void *context, unsigned int thread, const struct walk_error *error)
{
	struct seen *seen = context;

	begin(seen, thread);
	seen->errors++;
	seen->last_error = error->code;
	seen->failure = error->failure;
	return end(seen, thread, 0);
}

static const struct walk_visitor visitor = { on_filter, on_listed, on_enter, on_file, on_scanned, on_leave, on_error };

static struct seen walk_with(const char *path, struct walk_options options, struct seen seen, int expected)
{
	options.data_bytes = sizeof(struct state);
	pthread_mutex_init(&seen.lock, NULL);
	assert_int_equal(walk_run(path, &options, &visitor, &seen), expected);
	pthread_mutex_destroy(&seen.lock);
	assert_false(seen.broken);
	return seen;
}

static struct seen walk_plain(const char *path, unsigned int threads)
{
	return walk_with(path, (struct walk_options){ .threads = threads }, (struct seen){ 0 }, 0);
}

/* ---- trees ----------------------------------------------------------------------------------------------------- */

static void make_file(int directory, const char *name, size_t bytes)
{
	int fd = openat(directory, name, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	close(fd);
}

/* A chain of `depth` directories, each with a file and, as a comb, another directory. */
static void make_chain(const char *name, size_t depth, bool comb)
{
	int fd;

	assert_int_equal(mkdir(name, 0700), 0);
	fd = open(name, O_RDONLY | O_DIRECTORY);
	for (size_t i = 0; i < depth; i++) {
		int below;

		assert_int_equal(mkdirat(fd, "deeper", 0700), 0);
		if (comb)
			assert_int_equal(mkdirat(fd, "tooth", 0700), 0);
		make_file(fd, "file", 1);
		below = openat(fd, "deeper", O_RDONLY | O_DIRECTORY);
		close(fd);
		fd = below;
	}
	close(fd);
}

static void make_wide(const char *name, size_t files, size_t directories)
{
	char text[32];
	int fd;

	assert_int_equal(mkdir(name, 0700), 0);
	fd = open(name, O_RDONLY | O_DIRECTORY);
	for (size_t i = 0; i < files; i++) {
		snprintf(text, sizeof(text), "f%zu", i);
		assert_int_equal(linkat(AT_FDCWD, "one", fd, text, 0), 0);
	}
	for (size_t i = 0; i < directories; i++) {
		snprintf(text, sizeof(text), "d%zu", i);
		assert_int_equal(mkdirat(fd, text, 0700), 0);
	}
	close(fd);
}

/* ---- tests ----------------------------------------------------------------------------------------------------- */

static void a_file_is_a_walk_of_its_own(void **state)
{
	struct seen seen;

	(void)state;
	make_file(AT_FDCWD, "alone", 7);
	seen = walk_plain("alone", 2);
	assert_int_equal(seen.files, 1);
	assert_int_equal(seen.bytes, 7);
	assert_int_equal(seen.entered + seen.left, 0);
}

static void a_missing_path_is_an_error(void **state)
{
	struct seen seen = walk_plain("no such file", 2);

	(void)state;
	assert_int_equal(seen.errors, 1);
	assert_int_equal(seen.last_error, -ENOENT);
	assert_int_equal(seen.failure, WALK_CANNOT_STAT);
	assert_int_equal(walk_plain("", 1).last_error, -ENOENT);
}

static void goes_deep_with_few_descriptors(void **state)
{
	(void)state;
	make_chain("comb", 1500, true);
	for (unsigned int threads = 1; threads <= THREADS_MAX; threads *= 2)
		for (unsigned int descriptors = 1; descriptors <= 1000; descriptors *= 10) {
			struct seen seen =
				walk_with("comb",
					  (struct walk_options){ .threads = threads, .descriptors = descriptors },
					  (struct seen){ 0 }, 0);

			assert_int_equal(seen.entered, 3001);
			assert_int_equal(seen.left, 3001);
			assert_int_equal(seen.files, 1500);
			assert_int_equal(seen.depth_max, 1500);
			assert_int_equal(seen.errors, 0);
		}
}

static void makes_do_with_a_low_limit_on_open_files(void **state)
{
	struct rlimit limit, low;
	struct seen seen;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = (struct rlimit){ 24, limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	seen = walk_with("comb", (struct walk_options){ .threads = 1, .descriptors = 100000 }, (struct seen){ 0 }, 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(seen.entered, 3001);
	assert_int_equal(seen.errors, 0);
}

static void goes_wide(void **state)
{
	(void)state;
	make_file(AT_FDCWD, "one", 3);
	make_wide("wide", 20000, 3000);
	for (unsigned int threads = 1; threads <= THREADS_MAX; threads *= 2) {
		struct seen seen = walk_plain("wide", threads);

		assert_int_equal(seen.files, 20000);
		assert_int_equal(seen.bytes, 60000);
		assert_int_equal(seen.entered, 3001);
		assert_int_equal(seen.listed, 3000);
		assert_int_equal(seen.scanned, 3001);
		assert_int_equal(seen.left, 3001);
	}
}

static void filter_and_enter_leave_things_out(void **state)
{
	struct seen seen;

	(void)state;
	seen = walk_with("comb", (struct walk_options){ .threads = 2 }, (struct seen){ .hidden = "tooth" }, 0);
	assert_int_equal(seen.entered, 1501);
	assert_int_equal(seen.filtered, 1500);
	seen = walk_with("comb", (struct walk_options){ .threads = 2 }, (struct seen){ .skip_depth = 10 }, 0);
	assert_int_equal(seen.depth_max, 10);
	assert_int_equal(seen.entered, 21);
	assert_int_equal(seen.left, 21);
	seen = walk_with("comb", (struct walk_options){ .threads = 1 }, (struct seen){ .hidden = "comb" }, 0);
	assert_int_equal(seen.entered, 0);
}

static void a_negative_answer_ends_the_walk(void **state)
{
	(void)state;
	for (unsigned int threads = 1; threads <= THREADS_MAX; threads *= 2) {
		struct seen seen = walk_with("comb", (struct walk_options){ .threads = threads },
					     (struct seen){ .stop_at_file = 100 }, -EDOM);

		assert_true(seen.files >= 100 && seen.files < 1500);
	}
}

static void symbolic_links_are_files(void **state)
{
	struct seen seen;

	(void)state;
	assert_int_equal(mkdir("links", 0700), 0);
	assert_int_equal(symlink("..", "links/up"), 0);
	assert_int_equal(symlink(".", "links/self"), 0);
	assert_int_equal(symlink("nowhere", "links/dangling"), 0);
	assert_int_equal(symlink("links", "to-links"), 0);
	assert_int_equal(walk_plain("links", 2).files, 3);
	assert_int_equal(walk_plain("to-links", 2).files, 1);
	seen = walk_plain("to-links/", 2);
	assert_int_equal(seen.files, 3);
	assert_int_equal(seen.entered, 1);
}

static void refuses_options_beyond_a_limit(void **state)
{
	const struct walk_options many = { .threads = WALK_THREADS_MAX + 1 };
	const struct walk_options fat = { .data_bytes = WALK_DATA_BYTES_MAX + 1 };
	const struct walk_options flags = { .stat_flags = AT_SYMLINK_FOLLOW };
	const struct walk_options follow = { .follow = (enum walk_follow)(WALK_FOLLOW_ALL + 1) };

	(void)state;
	assert_int_equal(walk_run(".", &many, &visitor, NULL), -EINVAL);
	assert_int_equal(walk_run(".", &fat, &visitor, NULL), -EINVAL);
	assert_int_equal(walk_run(".", &flags, &visitor, NULL), -EINVAL);
	assert_int_equal(walk_run(".", &follow, &visitor, NULL), -EINVAL);
	assert_int_equal(walk_threads(&many), -EINVAL);
	assert_int_equal(walk_threads(&(struct walk_options){ .threads = 3 }), 3);
	assert_true(walk_threads(NULL) >= 1);
}

static int check_path(void *context, unsigned int thread, const struct walk_file *file)
{
	char path[64], small[4];
	size_t length = walk_path(file->parent, file->name, path, sizeof(path));

	(void)thread;
	assert_string_equal(path, "paths/a/b/file");
	assert_int_equal(length, strlen(path));
	assert_int_equal(walk_path(file->parent, file->name, small, sizeof(small)), length);
	assert_string_equal(small, "pat");
	assert_int_equal(walk_path(file->parent, file->name, NULL, 0), length);
	assert_int_equal(walk_path(file->parent, NULL, path, sizeof(path)), strlen("paths/a/b"));
	assert_string_equal(path, "paths/a/b");
	assert_int_equal(faccessat(walk_directory_descriptor(file->parent), "file", F_OK, 0), 0);
	++*(int *)context;
	return 0;
}

static void writes_paths(void **state)
{
	const struct walk_visitor checker = { .file = check_path };
	const struct walk_options alone = { .threads = 1 };
	int checked = 0;

	(void)state;
	assert_int_equal(mkdir("paths", 0700) | mkdir("paths/a", 0700) | mkdir("paths/a/b", 0700), 0);
	make_file(AT_FDCWD, "paths/a/b/file", 0);
	assert_int_equal(walk_run("paths", &alone, &checker, &checked), 0);
	assert_int_equal(walk_run("paths/", &alone, &checker, &checked), 0);
	assert_int_equal(checked, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_a_walk_of_its_own),
		cmocka_unit_test(a_missing_path_is_an_error),
		cmocka_unit_test(goes_deep_with_few_descriptors),
		cmocka_unit_test(makes_do_with_a_low_limit_on_open_files),
		cmocka_unit_test(goes_wide),
		cmocka_unit_test(filter_and_enter_leave_things_out),
		cmocka_unit_test(a_negative_answer_ends_the_walk),
		cmocka_unit_test(symbolic_links_are_files),
		cmocka_unit_test(refuses_options_beyond_a_limit),
		cmocka_unit_test(writes_paths),
	};

	return cmocka_run_group_tests(tests, make_base, remove_base);
}
