/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_run on trees that change meanwhile, at the very moment where it matters: between listing and opening, between
 * openat and what comes after it (by an executor that does it), and while a directory is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/walk.h>

#include "walk_tests.h"

/* more than walk_run tries, and an end for it all the same */
#define ALWAYS 1000

/* What stands where a directory was. */
enum stand_in { NOTHING, FILE_THERE, LINK_THERE, OTHER_DIRECTORY, STAND_INS };

struct seen {
	int entered, files, vanished, errors, last_error;
	bool late; /* a file of a directory that was scanned already */
	/* when a directory of that name is `listed`, or of that depth entered: what to do once */
	const char *act_name;
	size_t act_depth;
	void (*act)(enum stand_in stand_in);
	enum stand_in stand_in;
};

static void put(const char *path, enum stand_in stand_in)
{
	if (stand_in == FILE_THERE)
		assert_int_equal(mknod(path, S_IFREG | 0600, 0), 0);
	else if (stand_in == LINK_THERE)
		assert_int_equal(symlink("/", path), 0);
	else if (stand_in == OTHER_DIRECTORY)
		assert_int_equal(mkdir(path, 0700), 0);
}

static void take(const char *path, enum stand_in stand_in)
{
	if (stand_in != NOTHING)
		assert_int_equal(unlinkat(AT_FDCWD, path, stand_in == OTHER_DIRECTORY ? AT_REMOVEDIR : 0), 0);
}

static void act(struct seen *seen)
{
	if (seen->act)
		seen->act(seen->stand_in);
	seen->act = NULL;
}

static int on_listed(void *context, unsigned int thread, struct walk_directory *directory)
{
	struct seen *seen = context;

	(void)thread;
	if (seen->act_name && strcmp(walk_directory_name(directory), seen->act_name) == 0)
		act(seen);
	return 0;
}

static int on_enter(void *context, unsigned int thread, struct walk_directory *directory, const struct statx *stat)
{
	struct seen *seen = context;

	(void)thread;
	assert_true(S_ISDIR(stat->stx_mode));
	seen->entered++;
	if (!seen->act_name && walk_directory_depth(directory) == seen->act_depth)
		act(seen);
	return WALK_CONTINUE;
}

static int on_file(void *context, unsigned int thread, const struct walk_file *file)
{
	struct seen *seen = context;

	(void)thread;
	seen->files++;
	seen->late |= *(bool *)walk_directory_data(file->parent);
	return 0;
}

static int on_scanned(void *context, unsigned int thread, struct walk_directory *directory, int code)
{
	(void)thread;
	((struct seen *)context)->vanished += code == -ENOENT;
	*(bool *)walk_directory_data(directory) = true;
	return 0;
}

static int on_error(void *context, unsigned int thread, const struct walk_error *error)
{
	struct seen *seen = context;

	(void)thread;
	seen->errors++;
	seen->last_error = error->code;
	return 0;
}

/* One thread, and as few descriptors as there can be: what happens is the same each time. */
static struct seen walk_with(const struct batch_executor *executor, struct seen seen)
{
	const struct walk_visitor visitor = {
		.listed = on_listed, .enter = on_enter, .file = on_file, .scanned = on_scanned, .error = on_error
	};
	const struct walk_options options = {
		.threads = 1, .descriptors = 1, .data_bytes = sizeof(bool), .executor = executor
	};

	assert_int_equal(walk_run("tree", &options, &visitor, &seen), 0);
	assert_false(seen.late);
	return seen;
}

/* ---- trees ----------------------------------------------------------------------------------------------------- */

static int remove_tree(void **state)
{
	(void)state;
	return system("rm -rf tree away");
}

/* tree/d/d/…, `depth` of them, each with a file and an empty directory listed beside the next. */
static void make_tree(int depth)
{
	char path[512] = "tree";
	size_t length = strlen(path);

	assert_int_equal(mkdir(path, 0700), 0);
	for (int i = 0; i < depth; i++) {
		snprintf(path + length, sizeof(path) - length, "/file");
		put(path, FILE_THERE);
		for (int tooth = 0; tooth < 3; tooth++) {
			snprintf(path + length, sizeof(path) - length, "/tooth%d", tooth);
			assert_int_equal(mkdir(path, 0700), 0);
		}
		length += (size_t)snprintf(path + length, sizeof(path) - length, "/d");
		assert_int_equal(mkdir(path, 0700), 0);
	}
}

/* ---- between listing and opening ------------------------------------------------------------------------------- */

static void replace_tooth(enum stand_in stand_in)
{
	assert_int_equal(rmdir("tree/tooth1"), 0);
	put("tree/tooth1", stand_in);
}

static void what_vanishes_is_no_error(void **state)
{
	(void)state;
	for (enum stand_in stand_in = NOTHING; stand_in < STAND_INS; stand_in++) {
		struct seen seen;

		make_tree(2);
		seen = walk_with(NULL,
				 (struct seen){ .act_name = "tooth1", .act = replace_tooth, .stand_in = stand_in });
		assert_int_equal(seen.errors, 0);
		assert_int_equal(seen.vanished, stand_in == OTHER_DIRECTORY ? 0 : 1);
		assert_int_equal(seen.files, 2);
		remove_tree(NULL);
	}
}

/* ---- between openat and statx ---------------------------------------------------------------------------------- */

/* Takes a directory away before a batch opens it, and puts it back before anything else is done. */
struct blinker {
	struct batch_executor executor;
	enum stand_in stand_in;
	int *blinks; /* how often it still does */
};

static long run_blinking(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	const struct blinker *blinker = (const struct blinker *)executor;
	long last;

	if (*blinker->blinks == 0 || slots[0].nr != __NR_openat || strcmp((const char *)slots[0].arg[1], "d") != 0)
		return batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
	--*blinker->blinks;
	assert_int_equal(rename("tree/d", "away"), 0);
	put("tree/d", blinker->stand_in);
	last = batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
	take("tree/d", blinker->stand_in);
	assert_int_equal(rename("away", "tree/d"), 0);
	return last;
}

static struct seen walk_blinking(enum stand_in stand_in, int blinks)
{
	const struct blinker blinker = { { "blinker", NULL, run_blinking, NULL }, stand_in, &blinks };

	return walk_with(&blinker.executor, (struct seen){ 0 });
}

static void what_comes_back_is_walked(void **state)
{
	(void)state;
	make_tree(2);
	for (int blinks = 1; blinks < 5; blinks++)
		for (enum stand_in stand_in = NOTHING; stand_in < OTHER_DIRECTORY; stand_in++) {
			struct seen seen = walk_blinking(stand_in, blinks);

			assert_int_equal(seen.errors, 0);
			assert_int_equal(seen.entered, 9);
			assert_int_equal(seen.files, 2);
		}
}

static void what_never_opens_is_told_once(void **state)
{
	(void)state;
	make_tree(1);
	for (enum stand_in stand_in = NOTHING; stand_in < OTHER_DIRECTORY; stand_in++) {
		struct seen seen = walk_blinking(stand_in, ALWAYS);

		assert_int_equal(seen.errors, 1);
		assert_int_equal(seen.last_error, stand_in == NOTHING ? -ENOENT : -ENOTDIR);
		assert_int_equal(seen.entered, 5);
	}
}

/* ---- while closed ---------------------------------------------------------------------------------------------- */

/* What is below is open or closed; those that are closed cannot be opened again. */
static void replace_ancestor(enum stand_in stand_in)
{
	assert_int_equal(rename("tree/d/d/d", "away"), 0);
	put("tree/d/d/d", stand_in);
}

static void what_moved_while_closed_has_vanished(void **state)
{
	(void)state;
	for (enum stand_in stand_in = NOTHING; stand_in < STAND_INS; stand_in++) {
		struct seen seen;

		make_tree(30);
		seen = walk_with(NULL, (struct seen){ .act_depth = 20, .act = replace_ancestor, .stand_in = stand_in });
		assert_int_equal(seen.errors, 0);
		assert_true(seen.vanished > 0);
		assert_true(seen.entered > 20);
		assert_int_equal(seen.entered + seen.vanished, 1 + 30 * 4);
		remove_tree(NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_vanishes_is_no_error, remove_tree),
		cmocka_unit_test_teardown(what_comes_back_is_walked, remove_tree),
		cmocka_unit_test_teardown(what_never_opens_is_told_once, remove_tree),
		cmocka_unit_test_teardown(what_moved_while_closed_has_vanished, remove_tree),
	};

	return cmocka_run_group_tests(tests, make_base, remove_base);
}
