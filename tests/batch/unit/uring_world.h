/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of the uring executor share: a folder of files, an open executor, and a batch with memory of its own.
 * Group set-up is make_files, tear-down remove_files.
 */
#ifndef FERRY_TESTS_UNIT_URING_WORLD_H
#define FERRY_TESTS_UNIT_URING_WORLD_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
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

static char folder[64];
static bool has_nowait; /* whether files there can be read with RWF_NOWAIT; on tmpfs, often /tmp, they cannot */
static struct world *worlds;
static struct batch_uring_executor uring;

static inline const char *path_of(const char *name)
{
	static char paths[2048][128];
	static int next;
	char *path = paths[next++ % 2048];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static inline void make_file(const char *name, size_t bytes)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	for (size_t i = 0; i < bytes; i++)
		fputc('a' + (int)((i * 7 + bytes) % 26), file);
	fclose(file);
}

static inline long add(struct world *world, struct batch_slot slot)
{
	assert_true(world->count < SLOTS_MAX);
	world->slots[world->count] = slot;
	return (long)world->count++;
}

/* The word copy of slot `from`'s result to argument 0 of the slot `ahead` slots after the copy. */
static inline void feed(struct world *world, long from, long ahead)
{
	add(world, scall2(wdcpy, 0, 0, 0, &world->slots[(long)world->count + ahead].arg[0], &world->rets[from]));
}

/* open, read, close; a failed open skips the rest. */
static inline void add_chain(struct world *world, const char *path, char *buffer, size_t bytes)
{
	long at = add(world, scall4(openat, 4, 0, 0, AT_FDCWD, path, FLAGS, 0));

	feed(world, at, 1);
	add(world, scall3(read, 0, 0, 0, 0, buffer, bytes));
	feed(world, at, 1);
	add(world, scall1(close, 0, 0, 0, 0));
}

/* As add_chain, with preadv2 and RWF_NOWAIT; a read that fails leaves the file open. */
static inline void add_nowait_chain(struct world *world, const char *path, char *buffer, size_t bytes)
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

/* Make the folder below `parent`, if files there can be read with RWF_NOWAIT or if this does not matter. */
static inline bool make_folder(const char *parent, bool needs_nowait)
{
	char byte;
	struct iovec vector = { &byte, 1 };
	int fd;

	snprintf(folder, sizeof(folder), "%s/ferry-uring-XXXXXX", parent);
	if (!mkdtemp(folder))
		return false;
	make_file("small", 700);
	fd = open(path_of("small"), O_RDONLY);
	has_nowait = preadv2(fd, &vector, 1, -1, RWF_NOWAIT) == 1;
	close(fd);
	if (has_nowait || !needs_nowait)
		return true;
	unlink(path_of("small"));
	rmdir(folder);
	return false;
}

/* For a test that says what such reads give. */
static inline void require_nowait(void)
{
	if (!has_nowait) {
		print_message("no RWF_NOWAIT in /tmp, /var/tmp and the current folder\n");
		skip();
	}
}

static inline int make_files(void **state)
{
	(void)state;
	if (!make_folder("/tmp", true) && !make_folder("/var/tmp", true) && !make_folder(".", true) &&
	    !make_folder("/tmp", false))
		return -1;
	make_file("empty", 0);
	make_file("one", 1);
	make_file("page-1", 4095);
	make_file("page", 4096);
	make_file("page+1", 4097);
	make_file("large", 100000);
	assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
	worlds = calloc(2, sizeof(*worlds));
	return worlds ? batch_uring_open(&uring, 64, NULL) : -1;
}

static inline int remove_files(void **state)
{
	char command[80];

	(void)state;
	batch_uring_close(&uring);
	free(worlds);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

#endif /* FERRY_TESTS_UNIT_URING_WORLD_H */
