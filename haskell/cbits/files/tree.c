/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listing directories one after the other (tree.h). At most one is open at a time, and while a path that is longer than
 * the kernel takes is opened part by part, one more.
 *
 * Something on the path of a directory may have been replaced since its parent was listed, by a symbolic link say. So
 * what was opened is compared with what was seen then, and nothing else is listed.
 *
 * The kernel builds the records of getdents64(2), but file systems in user space choose what is in them, so a record is
 * believed only as far as it lies inside the buffer.
 */
#include "files/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A step that takes longer returns, so that a Haskell thread notices an exception. */
enum { STEP_NS = 10000000 };

static int64_t coarse_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static const size_t status_at = (sizeof(struct ferry_tree_entry) + 7) / 8 * 8;

/* Room for the longest record of a name with so many bytes, or NULL where the buffer is full. */
static struct ferry_tree_entry *room(struct ferry_tree *tree, size_t name_bytes)
{
	size_t bytes = status_at + sizeof(struct statx) + name_bytes;

	if (bytes > FERRY_TREE_ENTRIES - tree->entries_bytes)
		return NULL;
	return (struct ferry_tree_entry *)(void *)(tree->entries + tree->entries_bytes);
}

static struct statx *status_of(struct ferry_tree_entry *entry)
{
	return (struct statx *)(void *)((char *)entry + status_at);
}

/* The record is complete but for its length and its name. */
static void append(struct ferry_tree *tree, struct ferry_tree_entry *entry, const char *name)
{
	size_t name_at = status_at + (entry->has_status ? sizeof(struct statx) : 0);

	entry->directory = (uint16_t)tree->next;
	memcpy((char *)entry + name_at, name, entry->name_bytes);
	entry->bytes = (uint32_t)((name_at + entry->name_bytes + 7) / 8 * 8);
	tree->entries_bytes += entry->bytes;
}

/* ---- directories ------------------------------------------------------------------------------------------------- */

void ferry_tree_end(struct ferry_tree *tree)
{
	if (tree->fd >= 0)
		close(tree->fd);
	tree->fd = -1;
}

/* Go on to the next directory; what went wrong with this one is in `error`, or 0. There is room for a record. */
static void leave(struct ferry_tree *tree, uint8_t call, int error)
{
	struct ferry_tree_entry *entry = room(tree, 0);

	if (error) {
		*entry = (struct ferry_tree_entry){ .error = error, .failed_call = call };
		append(tree, entry, "");
	}
	ferry_tree_end(tree);
	tree->next++;
}

/* Open the directory at a path of any length. Returns a descriptor or -errno. */
static int open_directory(const char *path)
{
	int parent = AT_FDCWD;
	int fd;

	while (strnlen(path, PATH_MAX) == PATH_MAX) {
		char part[PATH_MAX];
		size_t bytes = PATH_MAX - 1;

		while (bytes && path[bytes - 1] != '/')
			bytes--;
		memcpy(part, path, bytes);
		part[bytes] = '\0';
		fd = openat(parent, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
		if (parent >= 0)
			close(parent);
		if (fd < 0)
			return fd;
		parent = fd;
		for (path += bytes; *path == '/'; path++)
			;
	}
	fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	fd = fd < 0 ? -errno : fd;
	if (parent >= 0)
		close(parent);
	return fd;
}

/* Whether the open directory is the one that was seen. Returns 0 or an error number. */
static int identify(const struct ferry_tree_directory *seen, int fd)
{
	struct statx found;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO, &found))
		return errno;
	return found.stx_ino == seen->ino && found.stx_dev_major == seen->dev_major &&
			       found.stx_dev_minor == seen->dev_minor
		       ? 0
		       : ESTALE;
}

/* The three steps below return false where the caller is to go back to Haskell, and then go on with the same step. */

static bool enter(struct ferry_tree *tree)
{
	const struct ferry_tree_directory *directory = &tree->directories[tree->next];
	int fd, error;

	if (!room(tree, 0))
		return false;
	fd = open_directory(tree->paths + directory->path);
	if (fd == -EINTR)
		return false;
	if (fd < 0) {
		leave(tree, FERRY_TREE_OPENAT, -fd);
		return true;
	}
	tree->fd = fd;
	tree->listing_bytes = tree->listing_at = 0;
	error = identify(directory, fd);
	if (error)
		leave(tree, FERRY_TREE_OPENAT, error);
	return true;
}

static bool list(struct ferry_tree *tree)
{
	ssize_t bytes;

	if (!room(tree, 0))
		return false;
	bytes = getdents64(tree->fd, tree->listing, FERRY_TREE_LISTING);
	if (bytes < 0 && errno == EINTR)
		return false;
	if (bytes <= 0) {
		leave(tree, FERRY_TREE_GETDENTS, bytes < 0 ? errno : 0);
		return true;
	}
	/* a name that does not end in its record ends here */
	tree->listing[bytes] = '\0';
	tree->listing_bytes = (uint32_t)bytes;
	tree->listing_at = 0;
	return true;
}

/* The record of the listing that comes next, or NULL where what comes is none. */
static const struct dirent64 *next_in(const struct ferry_tree *tree)
{
	const struct dirent64 *found = (const void *)(tree->listing + tree->listing_at);
	size_t left = tree->listing_bytes - tree->listing_at;
	size_t least = offsetof(struct dirent64, d_name) + 2;

	return left < least || found->d_reclen < least || found->d_reclen > left ? NULL : found;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* Whether the name is to be looked at. Its type says whether it is a directory, if the file system gives types. */
static bool is_looked_at(const struct ferry_tree *tree, const struct dirent64 *found)
{
	return tree->wants_status || found->d_type == DT_DIR || found->d_type == DT_UNKNOWN;
}

/* Append the names of the listing, up to the first that is looked at: a look may take long. */
static bool look(struct ferry_tree *tree)
{
	while (tree->listing_at < tree->listing_bytes) {
		const struct dirent64 *found = next_in(tree);
		size_t name_bytes = found ? strlen(found->d_name) : 0;
		struct ferry_tree_entry *entry = room(tree, name_bytes);
		bool looks = found && is_looked_at(tree, found);

		if (!entry)
			return false;
		if (found && !is_dots(found->d_name)) {
			*entry = (struct ferry_tree_entry){ .type = found->d_type, .name_bytes = (uint16_t)name_bytes };
			if (looks && statx(tree->fd, found->d_name, AT_SYMLINK_NOFOLLOW,
					   STATX_BASIC_STATS | STATX_BTIME, status_of(entry)))
				entry->error = errno;
			if (entry->error == EINTR)
				return false;
			if (looks && !entry->error) {
				entry->has_status = 1;
				entry->type = IFTODT(status_of(entry)->stx_mode);
			}
			append(tree, entry, found->d_name);
		}
		tree->listing_at = found ? tree->listing_at + found->d_reclen : tree->listing_bytes;
		if (looks)
			break;
	}
	return true;
}

long ferry_tree_step(struct ferry_tree *tree)
{
	int64_t until_ns = coarse_now_ns() + STEP_NS;

	tree->entries_bytes = 0;
	while (tree->next < tree->count) {
		bool goes_on = tree->fd < 0				? enter(tree)
			       : tree->listing_at < tree->listing_bytes ? look(tree)
									: list(tree);

		if (!goes_on || coarse_now_ns() > until_ns)
			return tree->next < tree->count;
	}
	return 0;
}
