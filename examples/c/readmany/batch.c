/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open, read and close many files in one batch. One file's slots:
 *
 *	0  openat NAME, O_NONBLOCK	on failure: next file
 *	1  word copy: descriptor to 3	(its unused words 2 and 3 hold 3's iovec)
 *	2  word copy: descriptor to 4
 *	3  preadv2, RWF_NOWAIT		on failure: next file, leaving this one open
 *	4  close
 *
 * Why RWF_NOWAIT: only files whose bytes come from the page cache support it. For such a file a short read means the
 * end of the file or the end of its cached part, and a cached part ends at a page. So a count that is not a multiple of
 * the page size proves that one read has read the whole file. Everything else (FIFOs, terminals, /proc, directories)
 * fails there before a byte was taken, and is left open; plain.c goes on with the same descriptor. O_NONBLOCK keeps a
 * FIFO from waiting while other files could be read, and the uring executor needs it.
 *
 * A file for which there is no such proof, or whose calls failed, is read again from its start with plain calls, which
 * also report the error. Nothing of a file is written before this is decided, so the output never has one part of a
 * file from before a change and another from after it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "readmany.h"

/* the smallest page of any machine; a larger one is a multiple of it */
#define PAGE_BYTES 4096

enum { OPEN, FEED_READ, FEED_CLOSE, READ, CLOSE, CHAIN_SLOTS };

struct reader {
	size_t capacity; /* files in a full batch */
	size_t count;	 /* files added */
	size_t prepared; /* for how many files the batch was prepared */
	bool failed;
	enum readmany_executor choice;
	bool has_ring; /* auto has opened one, if this machine offers it */
	struct batch_prepared batch;
	struct batch_auto_executor automatic;
	struct batch_uring_executor uring;
	struct batch_kernel_executor kernel;
	const struct batch_executor *executor;
	struct batch_slot *slots;
	long *rets;
	char *buffers; /* capacity times READMANY_FILE_BYTES */
	char (*storage)[PATH_MAX];
	struct iovec *pieces;
};

/* Build the slots of file `index`. Later only the name is filled in. */
static void build_chain(struct reader *reader, size_t index)
{
	struct batch_slot *slots = &reader->slots[index * CHAIN_SLOTS];
	long *opened = &reader->rets[index * CHAIN_SLOTS + OPEN];

	slots[OPEN] = scall4(openat, CLOSE, 0, 0, AT_FDCWD, 0, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	slots[FEED_READ] = scall2(wdcpy, 0, 0, 0, &slots[READ].arg[0], opened);
	slots[FEED_READ].arg[2] = (long)(reader->buffers + index * READMANY_FILE_BYTES);
	slots[FEED_READ].arg[3] = READMANY_FILE_BYTES;
	slots[FEED_CLOSE] = scall2(wdcpy, 0, 0, 0, &slots[CLOSE].arg[0], opened);
	slots[READ] = scall6(preadv2, 1, 0, 0, 0, &slots[FEED_READ].arg[2], 1, -1, 0, RWF_NOWAIT);
	slots[CLOSE] = scall1(close, 0, 0, 0, 0);
}

static int open_uring(struct reader *reader)
{
	struct batch_error error;

	reader->executor = &reader->uring.executor;
	if (batch_uring_open(&reader->uring, (unsigned int)reader->capacity, &error) == 0)
		return 0;
	fprintf(stderr, "readmany: --executor=uring: io_uring cannot be used here: %s; use --executor=auto\n",
		strerror(-error.code));
	return -1;
}

static int open_kernel(struct reader *reader)
{
	reader->executor = &reader->kernel.executor;
	if (batch_kernel_open(&reader->kernel, NULL) == 0)
		return 0;
	fputs("readmany: --executor=kernel: this kernel runs no batches, or not for this process; "
	      "use --executor=auto\n",
	      stderr);
	return -1;
}

static int choose(struct reader *reader)
{
	if (reader->choice == READMANY_URING)
		return open_uring(reader);
	if (reader->choice == READMANY_KERNEL)
		return open_kernel(reader);
	reader->executor = &batch_executor_loop;
	if (reader->choice == READMANY_LOOP)
		return 0;
	/* a ring costs more to set up than one batch can save: the first batch goes without */
	batch_auto_open_without_uring(&reader->automatic);
	reader->executor = &reader->automatic.executor;
	return 0;
}

/* From the second batch on, auto may use a ring, which it does not need where the kernel runs batches. */
static void choose_again(struct reader *reader)
{
	if (reader->choice != READMANY_AUTO || reader->has_ring || reader->automatic.kernel)
		return;
	reader->has_ring = true;
	reader->prepared = 0;
	batch_auto_close(&reader->automatic);
	batch_auto_open(&reader->automatic);
}

struct reader *reader_open(size_t files, enum readmany_executor executor)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	char *buffers =
		mmap(NULL, files * READMANY_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!reader || buffers == MAP_FAILED)
		goto out_memory;
	*reader = (struct reader){ .capacity = files, .choice = executor, .buffers = buffers };
	reader->slots = aligned_alloc(sizeof(*reader->slots), files * CHAIN_SLOTS * sizeof(*reader->slots));
	reader->rets = calloc(files * CHAIN_SLOTS, sizeof(*reader->rets));
	reader->storage = malloc(files * sizeof(*reader->storage));
	reader->pieces = calloc(files, sizeof(*reader->pieces));
	if (!reader->slots || !reader->rets || !reader->storage || !reader->pieces)
		goto out_memory;
	for (size_t i = 0; i < files; i++)
		build_chain(reader, i);
	if (choose(reader) < 0)
		exit(CLI_FAILED);
	return reader;

out_memory:
	fprintf(stderr, "readmany: out of memory: use a smaller --batch\n");
	exit(CLI_FAILED);
}

char *reader_storage(struct reader *reader)
{
	return reader->storage[reader->count];
}

void reader_add(struct reader *reader, const char *name)
{
	reader->slots[reader->count * CHAIN_SLOTS + OPEN].arg[1] = (long)name;
	if (++reader->count < reader->capacity)
		return;
	reader_flush(reader);
	choose_again(reader);
}

static void run(struct reader *reader)
{
	struct batch_error error;
	char text[256];
	long last = 0;

	if (reader->prepared != reader->count) {
		last = batch_prepare(&reader->batch, reader->executor, reader->rets, reader->slots,
				     reader->count * CHAIN_SLOTS, 0, &error);
		reader->prepared = reader->count;
	}
	if (last >= 0) {
		last = batch_prepared_run(&reader->batch);
		/* the ring could be opened, but cannot be entered any more */
		error = (struct batch_error){ (int)last, BATCH_REASON_NO_ENTRY, -1 };
	}
	if (last >= 0)
		return;
	batch_error_format(&error, text, sizeof(text));
	fprintf(stderr, "readmany: the %s executor refused the batch: %s\n", reader->executor->name, text);
	exit(CLI_FAILED);
}

/*
 * Whether the batch has read the whole file. A file that is as long as the output is now may be the output itself; only
 * plain.c can find that out and report it.
 */
static bool is_complete(const long *rets, off_t output_bytes)
{
	long count = rets[READ];

	if (rets[OPEN] < 0 || count < 0 || count == output_bytes)
		return false;
	return count == 0 || count % PAGE_BYTES != 0;
}

static void write_pieces(struct reader *reader, size_t *piece_count)
{
	output_writev(reader->pieces, *piece_count);
	*piece_count = 0;
}

void reader_flush(struct reader *reader)
{
	off_t output_bytes = output_size();
	size_t piece_count = 0;

	if (reader->count == 0)
		return;
	run(reader);
	for (size_t i = 0; i < reader->count; i++) {
		const struct batch_slot *slots = &reader->slots[i * CHAIN_SLOTS];
		const long *rets = &reader->rets[i * CHAIN_SLOTS];

		if (is_complete(rets, output_bytes)) {
			if (rets[READ] > 0)
				reader->pieces[piece_count++] =
					(struct iovec){ (void *)slots[FEED_READ].arg[2], (size_t)rets[READ] };
			continue;
		}
		write_pieces(reader, &piece_count);
		if (!plain_file((const char *)slots[OPEN].arg[1],
				rets[OPEN] >= 0 && rets[READ] < 0 ? (int)rets[OPEN] : -1))
			reader->failed = true;
	}
	write_pieces(reader, &piece_count);
	reader->count = 0;
}

bool reader_close(struct reader *reader)
{
	bool fine;

	reader_flush(reader);
	fine = !reader->failed;
	if (reader->choice == READMANY_AUTO)
		batch_auto_close(&reader->automatic);
	if (reader->choice == READMANY_KERNEL)
		batch_kernel_close(&reader->kernel);
	batch_uring_close(&reader->uring);
	munmap(reader->buffers, reader->capacity * READMANY_FILE_BYTES);
	free(reader->pieces);
	free(reader->storage);
	free(reader->rets);
	free(reader->slots);
	free(reader);
	return fine;
}
