/* SPDX-License-Identifier: BSD-3-Clause */
/* What scan.c runs: see batches.c. */
#ifndef FERRY_WALK_BATCHES_H
#define FERRY_WALK_BATCHES_H

#include "internal.h"

/* indices in the enter batch; the slots between are word copies */
enum { WALK__ENTER_OPEN = 0, WALK__ENTER_STAT = 2, WALK__ENTER_DENTS = 4 };

/* Open the directory by its name in parent_fd, look at it, list it. Returns the index of the last slot that ran. */
long walk__enter_run(struct walk__thread *thread, int parent_fd, const struct walk_directory *directory);

/* Fill thread->dents with the next entries of fd. Returns how many bytes, 0 at the end, or -errno. */
long walk__list_run(struct walk__thread *thread, int fd);

/* Slot `slot` of the stat batch shall look at name in fd. */
static inline void walk__stat_add(struct walk__thread *thread, unsigned int slot, int fd, const char *name)
{
	thread->stat_slots[slot].arg[0] = fd;
	thread->stat_slots[slot].arg[1] = (long)name;
}

/* Run the first count slots of the stat batch: return values in stat_rets. */
void walk__stat_run(struct walk__thread *thread, unsigned int count);

/* What a slot of it, whose return value is 0, found out. Valid until this is asked of another slot. */
const struct statx *walk__stat_result(struct walk__thread *thread, unsigned int slot);

#endif /* FERRY_WALK_BATCHES_H */
