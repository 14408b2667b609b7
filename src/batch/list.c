/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same calls for each item of a list. The items' programs stand one after another in one batch: jumps only go
 * forwards and are relative, so a program that ends at its last slot goes on with the first slot of the next item.
 * Each item is built by a builder of its own over the slots that are left. So a value of another item is refused,
 * whether or not both items happen to be in one batch; and where an item does not fit, what the builder has written is
 * forgotten, the batch runs, and the item is built again at the start of the next one.
 *
 * Invariant: item i of a batch has the slots end[i - 1] to end[i] - 1, and no slot of it jumps beyond end[i].
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <linux/stat.h>
#include <sys/uio.h>

#include "internal.h"

/* A batch of items, from `first` of the list on. */
struct part {
	struct batch_slot slots[BATCH_LIST_SLOTS];
	long rets[BATCH_LIST_SLOTS];
	unsigned short end[BATCH_LIST_SLOTS];	/* of each item: the slot after its last */
	unsigned short value[BATCH_LIST_SLOTS]; /* of each item: the slot whose result it has */
	size_t items, slot_count;
};

/* Build item `index` behind those that are there. Returns 0, or -errno with *error filled. */
static int build_item(struct part *part, size_t index, batch_list_add add, void *user, struct batch_error *error)
{
	struct batch_builder builder;
	struct batch_value value;
	long slots;

	batch_builder_init(&builder, part->slots + part->slot_count, part->rets + part->slot_count,
			   BATCH_LIST_SLOTS - part->slot_count);
	value = add(&builder, index, user);
	slots = batch_builder_finish(&builder, error);
	if (slots < 0)
		return (int)slots;
	if (value.batch != builder.batch || value.slot < 0 || value.slot >= slots)
		return batch__refuse(error, BATCH_REASON_VALUE, slots - 1);
	part->value[part->items] = (unsigned short)(part->slot_count + (size_t)value.slot);
	part->slot_count += (size_t)slots;
	part->end[part->items++] = (unsigned short)part->slot_count;
	return 0;
}

/* Build as many items as fit, from `first` on. Returns 0, or -errno with *error filled. */
static int build(struct part *part, size_t first, size_t count, batch_list_add add, void *user,
		 struct batch_error *error)
{
	struct batch_error why;

	part->items = 0;
	part->slot_count = 0;
	for (size_t i = first; i < count && part->slot_count < BATCH_LIST_SLOTS; i++) {
		int code = build_item(part, i, add, user, &why);

		if (code && part->items > 0 && why.reason == BATCH_REASON_CAPACITY)
			return 0;
		if (code) {
			if (error)
				*error = why;
			return code;
		}
	}
	return 0;
}

/*
 * Give the items that ran their results; `last` is the last slot that ran. Returns how many items ran.
 */
static size_t collect(const struct part *part, long last, long *results)
{
	long at = 0;
	size_t item;

	for (item = 0; item < part->items && at >= 0; item++) {
		long result = -ECANCELED;
		bool is_final = false;

		while (at >= 0 && at < part->end[item]) {
			long ret = part->rets[at];

			if (at == part->value[item]) {
				result = ret;
				is_final = true;
			} else if (ret < 0 && !is_final && result == -ECANCELED) {
				result = ret;
			}
			at = batch_result_next(part->slots, part->rets, last, at);
		}
		results[item] = result;
	}
	return item;
}

/* Whether slot `last`, with which a batch ended, has stopped it. */
static bool has_stopped(const struct part *part, long last)
{
	return batch__jump(batch__head(&part->slots[last]), part->rets[last]) < 0;
}

long batch_list_run(const struct batch_executor *executor, size_t count, batch_list_add add, void *user, long *results,
		    struct batch_error *error)
{
	struct part part;
	size_t done = 0;

	for (size_t i = 0; i < count; i++)
		results[i] = -ECANCELED;
	while (done < count) {
		long last = build(&part, done, count, add, user, error);

		if (last < 0)
			return last;
		for (size_t i = 0; i < part.slot_count; i++)
			part.rets[i] = -ECANCELED;
		last = batch_run(executor, part.rets, part.slots, part.slot_count, 0, error);
		if (last < 0)
			return last;
		done += collect(&part, last, results + done);
		if (has_stopped(&part, last))
			break;
	}
	return (long)done;
}

/* ---- the commonest lists --------------------------------------------------------------------------------------- */

/* What a list of paths needs; each kind of list uses some of it. */
struct paths {
	int dirfd;
	int flags;
	unsigned int mask;
	const char *const *paths;
	struct statx *statx_buffers;
	const struct iovec *buffers;
};

static struct batch_value add_statx(struct batch_builder *builder, size_t index, void *user)
{
	const struct paths *list = (const struct paths *)user;

	return batch_builder_statx(builder, list->dirfd, list->paths[index], list->flags, list->mask,
				   &list->statx_buffers[index]);
}

long batch_list_statx(const struct batch_executor *executor, int dirfd, const char *const *paths, size_t count,
		      int flags, unsigned int mask, struct statx *buffers, long *results, struct batch_error *error)
{
	struct paths list = { .dirfd = dirfd, .flags = flags, .mask = mask, .paths = paths, .statx_buffers = buffers };

	return batch_list_run(executor, count, add_statx, &list, results, error);
}

static struct batch_value add_read(struct batch_builder *builder, size_t index, void *user)
{
	const struct paths *list = (const struct paths *)user;
	const struct iovec *buffer = &list->buffers[index];
	struct batch_label next = BATCH_LABEL_INIT;
	struct batch_value fd, bytes;

	fd = batch_builder_openat(builder, list->dirfd, list->paths[index], O_RDONLY | O_CLOEXEC | list->flags, 0);
	batch_builder_jump(builder, fd, BATCH_ON_FAIL, &next);
	bytes = batch_builder_read(builder, fd, buffer->iov_base, buffer->iov_len);
	batch_builder_close(builder, fd);
	batch_builder_label(builder, &next);
	return bytes;
}

long batch_list_read(const struct batch_executor *executor, int dirfd, const char *const *paths, size_t count,
		     int flags, const struct iovec *buffers, long *results, struct batch_error *error)
{
	struct paths list = { .dirfd = dirfd, .flags = flags, .paths = paths, .buffers = buffers };

	return batch_list_run(executor, count, add_read, &list, results, error);
}

static struct batch_value add_unlinkat(struct batch_builder *builder, size_t index, void *user)
{
	const struct paths *list = (const struct paths *)user;

	return batch_builder_unlinkat(builder, list->dirfd, list->paths[index], list->flags);
}

long batch_list_unlinkat(const struct batch_executor *executor, int dirfd, const char *const *paths, size_t count,
			 int flags, long *results, struct batch_error *error)
{
	struct paths list = { .dirfd = dirfd, .flags = flags, .paths = paths };

	return batch_list_run(executor, count, add_unlinkat, &list, results, error);
}
