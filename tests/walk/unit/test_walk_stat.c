/* SPDX-License-Identifier: BSD-3-Clause */
/* What walk_run says about a file is what statx says, whichever call it made to find out. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/walk.h>

#include "walk_tests.h"

static void make_file(const char *name, off_t bytes)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, bytes), 0);
	close(fd);
}

/* Everything STATX_BASIC_STATS asks for, beside a statx of the test's own. */
static int compare_stat(void *context, unsigned int thread, const struct walk_file *file)
{
	const struct statx *seen = file->stat;
	struct statx expected;

	(void)thread;
	assert_int_equal(statx(walk_directory_descriptor(file->parent), file->name, AT_SYMLINK_NOFOLLOW,
			       STATX_BASIC_STATS, &expected),
			 0);
	assert_int_equal(seen->stx_mask & STATX_BASIC_STATS, STATX_BASIC_STATS);
	assert_int_equal(seen->stx_mode, expected.stx_mode);
	assert_int_equal(seen->stx_nlink, expected.stx_nlink);
	assert_int_equal(seen->stx_uid, expected.stx_uid);
	assert_int_equal(seen->stx_gid, expected.stx_gid);
	assert_int_equal(seen->stx_ino, expected.stx_ino);
	assert_int_equal(seen->stx_size, expected.stx_size);
	assert_int_equal(seen->stx_blocks, expected.stx_blocks);
	assert_int_equal(seen->stx_blksize, expected.stx_blksize);
	assert_memory_equal(&seen->stx_atime, &expected.stx_atime, sizeof(expected.stx_atime));
	assert_memory_equal(&seen->stx_mtime, &expected.stx_mtime, sizeof(expected.stx_mtime));
	assert_memory_equal(&seen->stx_ctime, &expected.stx_ctime, sizeof(expected.stx_ctime));
	assert_int_equal(seen->stx_rdev_major, expected.stx_rdev_major);
	assert_int_equal(seen->stx_rdev_minor, expected.stx_rdev_minor);
	assert_int_equal(seen->stx_dev_major, expected.stx_dev_major);
	assert_int_equal(seen->stx_dev_minor, expected.stx_dev_minor);
	++*(int *)context;
	return 0;
}

/* An executor that knows statx and not newfstatat, as io_uring. */
static int refuse_newfstatat(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
			     size_t count, struct batch_error *error)
{
	(void)executor;
	(void)rets;
	(void)error;
	for (size_t i = 0; i < count; i++)
		if (slots[i].nr == __NR_newfstatat)
			return -EINVAL;
	return 0;
}

static long run_loop(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	(void)executor;
	return batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
}

/* An executor that finds out only when a batch is to run that it cannot, as `kernel` of a thread that is watched. */
static long refuse_late(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	(void)executor;
	(void)rets;
	(void)slots;
	(void)count;
	return -EOPNOTSUPP;
}

static void says_what_statx_says(void **state)
{
	const struct batch_executor picky = { "picky", refuse_newfstatat, run_loop, NULL };
	const struct batch_executor late = { "late", NULL, refuse_late, NULL };
	const struct walk_options ways[] = { { .threads = 1 },
					     { .threads = 1, .executor = &picky },
					     { .threads = 1, .executor = &late },
					     { .threads = 1, .stat_flags = AT_STATX_FORCE_SYNC },
					     { .threads = 1, .mask = STATX_BASIC_STATS | STATX_BTIME } };
	const struct walk_visitor comparer = { .file = compare_stat };
	const struct timespec times[] = { { -5, 123456789 }, { 5000000000, 987654321 } };
	int compared = 0;

	(void)state;
	assert_int_equal(mkdir("kinds", 0700), 0);
	make_file("kinds/sparse", (off_t)5 << 32);
	assert_int_equal(link("kinds/sparse", "kinds/second"), 0);
	make_file("kinds/old", 5);
	assert_int_equal(utimensat(AT_FDCWD, "kinds/old", times, 0), 0);
	assert_int_equal(symlink("nowhere", "kinds/dangling"), 0);
	assert_int_equal(mkfifo("kinds/fifo", 0640), 0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		assert_int_equal(walk_run("kinds", &ways[i], &comparer, &compared), 0);
		assert_int_equal(compared, 5 * (i + 1));
	}
}

static int compare_device(void *context, unsigned int thread, const struct walk_file *file)
{
	return strcmp(file->name, "null") && strcmp(file->name, "random") ? 0 : compare_stat(context, thread, file);
}

static void says_which_device_a_file_is(void **state)
{
	const struct walk_visitor comparer = { .file = compare_device };
	int compared = 0;

	(void)state;
	assert_int_equal(walk_run("/dev", &(struct walk_options){ .threads = 1, .one_device = 1 }, &comparer,
				  &compared),
			 0);
	assert_true(compared >= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_what_statx_says),
		cmocka_unit_test(says_which_device_a_file_is),
	};

	return cmocka_run_group_tests(tests, make_base, remove_base);
}
