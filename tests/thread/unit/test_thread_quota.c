/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread/quota.c on hierarchies that the test makes of plain files: both versions of control groups, nested groups,
 * containers with and without a namespace of their own, and text that is not what the kernel writes. The real ones are
 * in tests/openmp/test_openmp_quota.py.
 */
#include "thread/clock.h"
#include "thread/quota.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define PROCESSOR THREAD__SECOND_NS

static char folder[64];
static struct thread__quota quota;

static const char *in_folder(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Write a file, and make the folders on the way to it. */
static void put(const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s", in_folder(name));
	for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* One mount, at `point` in the folder. */
static void mount_at(const char *root, const char *point, const char *type, const char *options)
{
	char line[1024];

	snprintf(line, sizeof(line),
		 "22 1 8:1 / / rw,relatime - ext4 /dev/vda rw\n"
		 "36 22 0:30 %s %s/%s rw,nosuid shared:9 master:1 - %s cgroup rw,%s\n",
		 root, folder, point, type, options);
	put("mountinfo", line);
}

static uint64_t read_quota(const char *groups)
{
	char path[512];

	put("groups", groups);
	snprintf(path, sizeof(path), "%s", in_folder("groups"));
	thread__quota_find(&quota, in_folder("mountinfo"));
	return thread__quota_read(&quota, path);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/test_thread_quota.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void version_2(void **state)
{
	(void)state;
	mount_at("/", "unified", "cgroup2", "nsdelegate");
	put("unified/job/cpu.max", "150000 100000\n");
	assert_int_equal(read_quota("0::/job\n"), PROCESSOR * 3 / 2);
	assert_string_equal(quota.least, in_folder("unified/job/cpu.max"));
	put("unified/job/cpu.max", "max 100000\n");
	assert_int_equal(read_quota("0::/job\n"), THREAD__NO_QUOTA);
	assert_string_equal(quota.least, "");
}

static void version_1(void **state)
{
	(void)state;
	mount_at("/", "cpu", "cgroup", "cpuacct,cpu");
	put("cpu/job/cpu.cfs_quota_us", "50000\n");
	put("cpu/job/cpu.cfs_period_us", "100000\n");
	assert_int_equal(read_quota("5:devices:/other\n4:cpuacct,cpu:/job\n"), PROCESSOR / 2);
	put("cpu/job/cpu.cfs_quota_us", "-1\n");
	assert_int_equal(read_quota("5:devices:/other\n4:cpuacct,cpu:/job\n"), THREAD__NO_QUOTA);
}

/* cpuset and cpuacct are other controllers. */
static void names_of_controllers_are_whole_words(void **state)
{
	(void)state;
	mount_at("/", "cpu", "cgroup", "cpuset");
	put("cpu/job/cpu.cfs_quota_us", "50000\n");
	put("cpu/job/cpu.cfs_period_us", "100000\n");
	assert_int_equal(read_quota("4:cpuset:/job\n"), THREAD__NO_QUOTA);
	mount_at("/", "cpu", "cgroup", "cpu");
	assert_int_equal(read_quota("4:cpuset:/job\n"), THREAD__NO_QUOTA);
	assert_int_equal(read_quota("4:cpu:/job\n"), PROCESSOR / 2);
}

static void the_least_on_the_way_up(void **state)
{
	(void)state;
	mount_at("/", "unified", "cgroup2", "rw");
	put("unified/a/b/c/cpu.max", "400000 100000\n");
	put("unified/a/b/cpu.max", "25000 50000\n");
	put("unified/a/cpu.max", "max 100000\n");
	assert_int_equal(read_quota("0::/a/b/c\n"), PROCESSOR / 2);
	assert_string_equal(quota.least, in_folder("unified/a/b/cpu.max"));
	put("unified/cpu.max", "10000 100000\n");
	assert_int_equal(read_quota("0::/a/b/c\n"), PROCESSOR / 10);
}

/* Docker with version 1: the process sees its path on the host, and its own group where the hierarchy is mounted. */
static void a_container_without_a_namespace(void **state)
{
	(void)state;
	mount_at("/docker/0123", "cpu", "cgroup", "cpu,cpuacct");
	put("cpu/cpu.cfs_quota_us", "200000\n");
	put("cpu/cpu.cfs_period_us", "100000\n");
	put("cpu/inner/cpu.cfs_quota_us", "100000\n");
	put("cpu/inner/cpu.cfs_period_us", "100000\n");
	assert_int_equal(read_quota("4:cpu,cpuacct:/docker/0123\n"), PROCESSOR * 2);
	assert_int_equal(read_quota("4:cpu,cpuacct:/docker/0123/inner\n"), PROCESSOR);
	assert_int_equal(read_quota("4:cpu,cpuacct:/docker/01234\n"), THREAD__NO_QUOTA);
}

static void a_container_with_a_namespace(void **state)
{
	(void)state;
	mount_at("/", "unified", "cgroup2", "rw");
	put("unified/cpu.max", "300000 100000\n");
	assert_int_equal(read_quota("0::/\n"), PROCESSOR * 3);
	assert_int_equal(read_quota("0::/../other\n"), PROCESSOR * 3);
}

static void both_versions_hold(void **state)
{
	char line[2048];

	(void)state;
	snprintf(line, sizeof(line),
		 "36 22 0:30 / %s/cpu rw - cgroup cgroup rw,cpu\n37 22 0:31 / %s/two\\040words rw - cgroup2 none rw\n",
		 folder, folder);
	put("mountinfo", line);
	put("cpu/a/cpu.cfs_quota_us", "200000\n");
	put("cpu/a/cpu.cfs_period_us", "100000\n");
	put("two words/b/cpu.max", "100000 100000\n");
	assert_int_equal(read_quota("1:cpu:/a\n0::/b\n"), PROCESSOR);
	assert_int_equal(read_quota("1:cpu:/a\n0::/\n"), PROCESSOR * 2);
	assert_int_equal(read_quota("1:cpu:/a:b\n0::/b\n"), PROCESSOR);
}

/*
 * In a container that is shown the groups of its machine too, at whichever place: those above its own group are outside
 * of its namespace, where the names of what lies between are not known.
 */
static void a_mount_from_outside_comes_last(void **state)
{
	static const char *const mounts[] = {
		"36 22 0:30 /.. %s/machine rw - cgroup2 none rw\n37 22 0:30 / %s/own rw - cgroup2 none rw\n",
		"36 22 0:30 / %s/own rw - cgroup2 none rw\n37 22 0:30 /../.. %s/machine rw - cgroup2 none rw\n",
		"36 22 0:30 /..x %s/other rw - cgroup2 none rw\n37 22 0:30 / %s/own rw - cgroup2 none rw\n",
	};
	static const uint64_t wanted[] = { PROCESSOR, PROCESSOR, THREAD__NO_QUOTA };
	char line[2048];

	(void)state;
	put("own/cpu.max", "100000 100000\n");
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		snprintf(line, sizeof(line), mounts[i], folder, folder);
		put("mountinfo", line);
		assert_int_equal(read_quota("0::/\n"), wanted[i]);
	}
}

/* Text that no kernel writes is no quota, and no crash. */
static void strange_text(void **state)
{
	static const char *const limits[] = { "",      "\n",	   "max",
					      "0 0\n", "100000\n", "100000 0\n",
					      "x y\n", "-5 100\n", "18446744073709551615 1\n" };
	static const char *const groups[] = { "", "\n", "0", "0:", "0::", "::\n", "4:cpu\n", "0::\n\n0::relative\n" };
	static char line[THREAD__QUOTA_TEXT * 3];

	(void)state;
	mount_at("/", "unified", "cgroup2", "rw");
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		put("unified/job/cpu.max", limits[i]);
		assert_int_equal(read_quota("0::/job\n"), THREAD__NO_QUOTA);
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		assert_int_equal(read_quota(groups[i]), THREAD__NO_QUOTA);
	put("mountinfo", "\n- \n1 2 3 4 5 -\n1 2 3 4 5 - cgroup2\n\n1 2 3 \\0 \\ - cgroup2 x");
	assert_int_equal(read_quota("0::/job\n"), THREAD__NO_QUOTA);
	/* an overlay's line, longer than the buffer, before the one that counts */
	memset(line, 'x', sizeof(line));
	memcpy(line, "9 8 7 / / rw - overlay o ", 25);
	snprintf(line + THREAD__QUOTA_TEXT * 2, 512, "\n37 22 0:31 / %s/unified rw - cgroup2 none rw\n", folder);
	put("mountinfo", line);
	put("unified/job/cpu.max", "100000 100000\n");
	assert_int_equal(read_quota("0::/job\n"), PROCESSOR);
}

static void nothing_to_read(void **state)
{
	(void)state;
	errno = EPERM;
	thread__quota_find(&quota, in_folder("none"));
	assert_int_equal(thread__quota_read(&quota, in_folder("none")), THREAD__NO_QUOTA);
	mount_at("/", "unified", "cgroup2", "rw");
	thread__quota_find(&quota, in_folder("mountinfo"));
	errno = EPERM;
	assert_int_equal(thread__quota_read(&quota, in_folder("none")), THREAD__NO_QUOTA);
	assert_int_equal(errno, EPERM);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(version_2),
		TEST(version_1),
		TEST(names_of_controllers_are_whole_words),
		TEST(the_least_on_the_way_up),
		TEST(a_container_without_a_namespace),
		TEST(a_container_with_a_namespace),
		TEST(both_versions_hold),
		TEST(a_mount_from_outside_comes_last),
		TEST(strange_text),
		TEST(nothing_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
