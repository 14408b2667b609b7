/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directories that contain themselves.
 *
 * Directories have no hard links, so within one mount none can be below itself: a loop needs a mount point to close it,
 * or a symbolic link that is followed. At a mount point all ancestors are compared; below a link those above it, since
 * from the link down there is no other. A kernel older than 5.8 does not say where mounts begin, and a file system in
 * user space may make anything of its directories, so every directory is also compared with one ancestor, at the
 * greatest power of two of the depths above it (Brent, An improved Monte Carlo factorization algorithm, 1980): any loop
 * is found after at most a few turns, for one comparison each.
 */
#include "internal.h"

static bool is_same(const struct walk_directory *a, const struct walk_directory *b)
{
	return a->ino == b->ino && a->dev_minor == b->dev_minor && a->dev_major == b->dev_major;
}

static bool may_close_loop(const struct statx *stat)
{
	return !(stat->stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) || (stat->stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

bool walk__is_loop(struct walk_directory *directory, const struct statx *stat)
{
	struct walk_directory *parent = directory->parent;

	if (!parent)
		return false;
	directory->checkpoint = (parent->depth & (parent->depth - 1)) == 0 ? parent : parent->checkpoint;
	if (is_same(directory, directory->checkpoint))
		return true;
	if (!may_close_loop(stat))
		parent = directory->link ? directory->link->parent : NULL;
	for (; parent; parent = parent->parent)
		if (is_same(directory, parent))
			return true;
	return false;
}
