/* SPDX-License-Identifier: BSD-3-Clause */
/* walk_run where symbolic links are followed: what is visited by which name, what is an error, and that it ends. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <cmocka.h>

#include <ferry/walk.h>

#include "walk_tests.h"

/* paths that a walk of a test here names, at most */
#define PATHS_MAX 64

/* What a walk said: "d path" for a directory that was entered, "f path", "e code path". */
struct said {
	pthread_mutex_t lock;
	char *lines[PATHS_MAX];
	size_t count;
};

static int say(struct said *said, const char *what, const struct walk_directory *directory, const char *name)
{
	char path[4096], line[4200];

	walk_path(directory, name, path, sizeof(path));
	snprintf(line, sizeof(line), "%s %s", what, path);
	pthread_mutex_lock(&said->lock);
	assert_true(said->count < PATHS_MAX);
	said->lines[said->count++] = strdup(line);
	pthread_mutex_unlock(&said->lock);
	return 0;
}

static int on_enter(void *context, unsigned int thread, struct walk_directory *directory, const struct statx *stat)
{
	(void)thread;
	assert_true(S_ISDIR(stat->stx_mode));
	return say(context, "d", directory, NULL);
}

static int on_file(void *context, unsigned int thread, const struct walk_file *file)
{
	(void)thread;
	return say(context, S_ISLNK(file->stat->stx_mode) ? "l" : "f", file->parent, file->name);
}

static int on_error(void *context, unsigned int thread, const struct walk_error *error)
{
	char what[32];

	(void)thread;
	snprintf(what, sizeof(what), "%s %d", error->failure == WALK_LOOP ? "loop" : "error", -error->code);
	return say(context, what, error->parent, error->name);
}

static const struct walk_visitor visitor = { .enter = on_enter, .file = on_file, .error = on_error };

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Walk with so many threads, and expect these lines, sorted, each ended by a newline. */
static void expect(const char *path, enum walk_follow follow, unsigned int threads, const char *expected)
{
	const struct walk_options options = { .threads = threads, .follow = follow };
	struct said said = { .lock = PTHREAD_MUTEX_INITIALIZER };
	char all[PATHS_MAX * 64] = "";

	assert_int_equal(walk_run(path, &options, &visitor, &said), 0);
	qsort(said.lines, said.count, sizeof(said.lines[0]), compare);
	for (size_t i = 0; i < said.count; i++) {
		strcat(strcat(all, said.lines[i]), "\n");
		free(said.lines[i]);
	}
	assert_string_equal(all, expected);
}

static void make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void follows_the_path_only(void **state)
{
	(void)state;
	assert_int_equal(mkdir("one", 0700) | mkdir("one/below", 0700), 0);
	assert_int_equal(symlink("below", "one/link") | symlink("one", "to-one") | symlink("nowhere", "dangling"), 0);
	make_file("file");
	assert_int_equal(symlink("file", "to-file"), 0);
	for (unsigned int threads = 1; threads <= 4; threads *= 2) {
		expect("to-one", WALK_FOLLOW_NONE, threads, "l to-one\n");
		expect("to-one", WALK_FOLLOW_PATH, threads, "d to-one\nd to-one/below\nl to-one/link\n");
		expect("to-one", WALK_FOLLOW_ALL, threads, "d to-one\nd to-one/below\nd to-one/link\n");
		expect("to-file", WALK_FOLLOW_PATH, threads, "f to-file\n");
		expect("dangling", WALK_FOLLOW_PATH, threads, "error 2 dangling\n");
		expect("dangling", WALK_FOLLOW_NONE, threads, "l dangling\n");
	}
}

static void links_that_lead_nowhere_are_errors(void **state)
{
	(void)state;
	assert_int_equal(mkdir("bad", 0700), 0);
	assert_int_equal(symlink("nowhere", "bad/dangling") | symlink("round", "bad/round"), 0);
	for (unsigned int threads = 1; threads <= 4; threads *= 2) {
		expect("bad", WALK_FOLLOW_ALL, threads, "d bad\nerror 2 bad/dangling\nerror 40 bad/round\n");
		expect("bad", WALK_FOLLOW_PATH, threads, "d bad\nl bad/dangling\nl bad/round\n");
	}
}

static void links_to_ancestors_are_loops(void **state)
{
	(void)state;
	assert_int_equal(mkdir("top", 0700) | mkdir("top/a", 0700) | mkdir("top/a/b", 0700), 0);
	assert_int_equal(symlink(".", "top/a/self") | symlink("..", "top/a/b/up"), 0);
	for (unsigned int threads = 1; threads <= 4; threads *= 2)
		expect("top", WALK_FOLLOW_ALL, threads,
		       "d top\nd top/a\nd top/a/b\nloop 40 top/a/b/up\nloop 40 top/a/self\n");
	/* out of what is walked, and in again from above: by a name that is no link */
	assert_int_equal(symlink("../..", "top/a/out"), 0);
	expect("top/a/b", WALK_FOLLOW_ALL, 1,
	       "d top/a/b\nd top/a/b/up\nd top/a/b/up/out\nd top/a/b/up/out/bad\nd top/a/b/up/out/one\n"
	       "d top/a/b/up/out/one/below\nd top/a/b/up/out/one/link\nd top/a/b/up/out/to-one\n"
	       "d top/a/b/up/out/to-one/below\nd top/a/b/up/out/to-one/link\nd top/a/b/up/out/top\n"
	       "error 2 top/a/b/up/out/bad/dangling\nerror 2 top/a/b/up/out/dangling\n"
	       "error 40 top/a/b/up/out/bad/round\nf top/a/b/up/out/file\nf top/a/b/up/out/to-file\n"
	       "loop 40 top/a/b/up/b\nloop 40 top/a/b/up/out/top/a\nloop 40 top/a/b/up/self\n");
}

/* Links between directories that are closed meanwhile, since there are few descriptors. */
static void opens_again_by_links(void **state)
{
	struct rlimit before, low;
	char name[64], to[64];

	(void)state;
	assert_int_equal(mkdir("chain", 0700), 0);
	for (int i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "chain/%02d", i);
		assert_int_equal(mkdir(name, 0700), 0);
		snprintf(name, sizeof(name), "chain/%02d/next", i);
		snprintf(to, sizeof(to), "../%02d", i + 1);
		if (i < 59)
			assert_int_equal(symlink(to, name), 0);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = before;
	low.rlim_cur = 16;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	for (unsigned int threads = 1; threads <= 2; threads++) {
		const struct walk_options options = { .threads = threads, .follow = WALK_FOLLOW_ALL };
		struct said said = { .lock = PTHREAD_MUTEX_INITIALIZER };

		assert_int_equal(walk_run("chain/00", &options, &visitor, &said), 0);
		assert_int_equal(said.count, 60);
		for (size_t i = 0; i < said.count; i++) {
			assert_int_equal(said.lines[i][0], 'd');
			free(said.lines[i]);
		}
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_path_only),
		cmocka_unit_test(links_that_lead_nowhere_are_errors),
		cmocka_unit_test(links_to_ancestors_are_loops),
		cmocka_unit_test(opens_again_by_links),
	};

	return cmocka_run_group_tests(tests, make_base, remove_base);
}
