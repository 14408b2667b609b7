/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The batch that maps a file:
 *
 *	openat(path)                on failure: stop
 *	fstat(fd, &status)          on failure: go to close
 *	mmap(status.st_size, fd)    whatever its result
 *   close:
 *	close(fd)
 *
 * A word copy that fails (a sandbox may forbid it) must not let mmap run with arguments of the file before, nor close
 * with its descriptor: the first goes to close, and close's own copy reads a result of the batch, which cannot fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "map_file.h"

/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

int map_file_init(struct map_file *file, struct batch_error *error)
{
	struct batch_label close_it = BATCH_LABEL_INIT;
	struct batch_builder builder;
	long status, size, count;

	batch_builder_init(&builder, file->slots, file->rets, MAP_FILE_SLOTS);
	file->open = batch_builder_openat(&builder, AT_FDCWD, NULL, OPEN_FLAGS, 0);
	batch_builder_stop(&builder, file->open, BATCH_ON_FAIL);
	batch_builder_feed(&builder, 0, file->open);
	status = batch_builder_fstat(&builder, -1, &file->status);
	batch_builder_jump(&builder, status, BATCH_ON_FAIL, &close_it);
	size = batch_builder_feed_word(&builder, 1, &file->status.st_size);
	batch_builder_jump(&builder, size, BATCH_ON_FAIL, &close_it);
	batch_builder_feed(&builder, 4, file->open);
	file->map = batch_builder_mmap(&builder, NULL, 0, PROT_READ, MAP_SHARED, -1, 0);
	batch_builder_label(&builder, &close_it);
	batch_builder_feed(&builder, 0, file->open);
	batch_builder_close(&builder, -1);
	count = batch_builder_finish(&builder, error);
	if (count < 0)
		return (int)count;
	return batch_prepare(&file->prepared, &batch_executor_loop, file->rets, file->slots, (size_t)count, 0, error);
}

/* The first failure of a run that ended at slot `last`, told as what the file is where that says more. */
static int failure(const struct map_file *file, long last)
{
	long failed = batch_result_failed(file->slots, file->rets, last);

	if (failed == file->map && S_ISDIR(file->status.st_mode))
		return -EISDIR;
	if (failed == file->map && S_ISREG(file->status.st_mode) && file->status.st_size == 0)
		return 0;
	if (failed == file->map && !S_ISREG(file->status.st_mode))
		return -ENODEV;
	return failed < 0 ? 0 : (int)file->rets[failed];
}

int map_file_run(struct map_file *file, const char *path, struct mapping *mapping)
{
	long *address = &file->rets[file->map];
	long last;
	int code;

	*mapping = (struct mapping){ NULL, 0 };
	file->slots[file->open].arg[1] = (long)path;
	/* the file before left its address here, and a failure may skip this slot */
	*address = -ENODEV;
	last = batch_prepared_run(&file->prepared);
	if (last < 0)
		return (int)last;
	code = failure(file, last);
	if (*address < 0)
		return code;
	/* only a regular file is as long as its size says */
	if (code == 0 && !S_ISREG(file->status.st_mode))
		code = -ENODEV;
	if (code)
		munmap((void *)*address, (size_t)file->status.st_size);
	else
		*mapping = (struct mapping){ (const signed char *)*address, (size_t)file->status.st_size };
	return code;
}
