/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same calls for each item of a list: in as few batches as BATCH_LIST_SLOTS allows, without a batch of one's own.
 * Include <ferry/batch.h>, not this file.
 *
 * All four functions take an executor, an array of results with one for each item, and a struct batch_error, which may
 * be NULL. Each sets every result to -ECANCELED first. An item that fails does not keep the next one from running. None
 * allocates; each uses about 20 KiB of the caller's stack. Any number of threads may call them at once, if their
 * executors may be used so.
 */
#ifndef FERRY_LIST_H
#define FERRY_LIST_H

struct iovec;

/* Slots of one batch of a list, so the most that one item may take. */
#define BATCH_LIST_SLOTS 256

/*
 * Adds the calls of item `index` to an empty builder, and returns the value whose result is the item's. It may be
 * called twice for an item, of which one set of calls runs. Its labels must all be placed when it returns, a value of
 * another item is refused as one of another batch, and batch_builder_stop ends the whole list.
 */
typedef struct batch_value (*batch_list_add)(struct batch_builder *builder, size_t index, void *user);

/*
 * Run the calls that `add` adds for each of `count` items, in their order. results[i] is the result of the call that
 * add returned for item i; if that did not run, of the first call of the item that failed; -ECANCELED if there is none.
 * Returns how many items ran, which is fewer than `count` only after a batch_builder_stop, or -errno with *error
 * filled: then the items whose results are -ECANCELED did not run. The slot of an error that a builder found counts
 * from the item's first, that of any other from the batch's.
 */
long batch_list_run(const struct batch_executor *executor, size_t count, batch_list_add add, void *user, long *results,
		    struct batch_error *error);

/*
 * statx(2) for each of paths[count], into buffers[count]; results[i] is 0 or -errno. Returns as batch_list_run does.
 */
long batch_list_statx(const struct batch_executor *executor, int dirfd, const char *const *paths, size_t count,
		      int flags, unsigned int mask, struct statx *buffers, long *results, struct batch_error *error);

/*
 * Open each of paths[count] for reading, read once into buffers[i], and close it. `flags` are added to O_RDONLY |
 * O_CLOEXEC; io_uring carries lists with O_NONBLOCK. results[i] is the number of bytes, or -errno; a file of which
 * there may be more fills its buffer. Returns as batch_list_run does.
 */
long batch_list_read(const struct batch_executor *executor, int dirfd, const char *const *paths, size_t count,
		     int flags, const struct iovec *buffers, long *results, struct batch_error *error);

/*
 * unlinkat(2) for each of paths[count]; results[i] is 0 or -errno. Returns as batch_list_run does.
 */
long batch_list_unlinkat(const struct batch_executor *executor, int dirfd, const char *const *paths, size_t count,
			 int flags, long *results, struct batch_error *error);

#endif /* FERRY_LIST_H */
