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
 * When the load of the size fails (a sandbox may forbid all that it needs), mmap must not run with the size of the file
 * before: the batch goes to close. The descriptor for close is a result of the batch itself, and to copy that cannot
 * fail.
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
	struct batch_value opened, status, size, mapped;
	int code;

	batch_builder_init(&builder, file->slots, file->rets, MAP_FILE_SLOTS);
	opened = batch_builder_openat(&builder, AT_FDCWD, NULL, OPEN_FLAGS, 0);
	batch_builder_stop(&builder, opened, BATCH_ON_FAIL);
	status = batch_builder_fstat(&builder, opened, &file->status);
	batch_builder_jump(&builder, status, BATCH_ON_FAIL, &close_it);
	size = batch_builder_load(&builder, &file->status.st_size);
	batch_builder_jump(&builder, size, BATCH_ON_FAIL, &close_it);
	mapped = batch_builder_mmap(&builder, NULL, size, PROT_READ, MAP_SHARED, opened, 0);
	batch_builder_label(&builder, &close_it);
	batch_builder_close(&builder, opened);
	code = batch_builder_prepare(&builder, &file->prepared, &batch_executor_loop, error);
	if (code < 0)
		return code;
	file->open = batch_value_slot(opened);
	file->map = batch_value_slot(mapped);
	return 0;
}

/* The first failure of a run that ended at slot `last`; or what kind of file it is, where that says more. */
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
	/* the address of the file before is still here, and after a failure this slot may be skipped */
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
