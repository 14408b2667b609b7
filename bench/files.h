/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder of small files for benchmarks that read files: made in $TMPDIR or /tmp, removed when the program ends.
 *
 * Sizes follow a fixed sequence from 100 to 3,500 bytes, like configuration files. Making them also caches them.
 */
#ifndef FERRY_BENCH_FILES_H
#define FERRY_BENCH_FILES_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BENCH_PATH_BYTES 128 /* longest path of a file, its NUL included */

static char bench_folder[BENCH_PATH_BYTES - 24];
static long bench_file_count;

static inline void bench_file_path(char path[BENCH_PATH_BYTES], long index)
{
	snprintf(path, BENCH_PATH_BYTES, "%s/%06ld", bench_folder, index);
}

static inline void bench_remove_files(void)
{
	char path[BENCH_PATH_BYTES];

	for (long i = 0; i < bench_file_count; i++) {
		bench_file_path(path, i);
		unlink(path);
	}
	rmdir(bench_folder);
}

static inline void bench_fail_files(const char *what)
{
	perror(what);
	exit(1);
}

/* Make `count` files; ends the program with a message when that fails. */
static inline void bench_make_files(long count)
{
	static const int sizes[] = { 100, 900, 400, 3500, 2000, 700, 1300 };
	const char *parent = getenv("TMPDIR");
	char path[BENCH_PATH_BYTES], content[4000];

	memset(content, 'f', sizeof(content));
	parent = parent && *parent ? parent : "/tmp";
	if ((size_t)snprintf(bench_folder, sizeof(bench_folder), "%s/ferry-bench-XXXXXX", parent) >=
	    sizeof(bench_folder)) {
		fprintf(stderr, "TMPDIR=%s: the name is too long; use a folder with a shorter one\n", parent);
		exit(1);
	}
	if (!mkdtemp(bench_folder))
		bench_fail_files(bench_folder);
	atexit(bench_remove_files);
	for (; bench_file_count < count; bench_file_count++) {
		size_t bytes = (size_t)sizes[bench_file_count % 7];
		int fd;

		bench_file_path(path, bench_file_count);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 || write(fd, content, bytes) != (ssize_t)bytes || close(fd) < 0)
			bench_fail_files(path);
	}
}

#endif /* FERRY_BENCH_FILES_H */
