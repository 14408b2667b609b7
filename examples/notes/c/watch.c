/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch.h"

#include "failure.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (64 * 1024)
#define MASK                                                                                                           \
	(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW |          \
	 IN_EXCL_UNLINK)

/* The path of `name` in the folder `prefix`, or NULL: no memory. */
static char *joined(const char *prefix, const char *name)
{
	char *path;

	return asprintf(&path, "%s%s%s", prefix, *prefix && *name ? "/" : "", name) < 0 ? NULL : path;
}

/* Remember the prefix of a watch, which becomes the table's. False: no memory. */
static bool remember(struct watch *watch, int number, char *prefix)
{
	if (number >= watch->prefix_count) {
		char **more = reallocarray(watch->prefixes, (size_t)number * 2 + 1, sizeof(*more));

		if (!more)
			return false;
		memset(more + watch->prefix_count, 0,
		       ((size_t)number * 2 + 1 - (size_t)watch->prefix_count) * sizeof(*more));
		watch->prefixes = more;
		watch->prefix_count = number * 2 + 1;
	}
	free(watch->prefixes[number]);
	watch->prefixes[number] = prefix;
	return true;
}

/*
 * Watch a folder and those in it. A folder that cannot be watched (it is gone again, or over
 * fs.inotify.max_user_watches) is left out; the next rescan finds its notes. The slash between the two parts of the
 * path has the kernel follow a link that is the folder itself, and none below it.
 */
static void add(struct watch *watch, const char *prefix, int depth)
{
	char *path, *kept = strdup(prefix);
	bool named = asprintf(&path, "%s/%s", watch->folder, prefix) >= 0;
	int number = named && kept ? inotify_add_watch(watch->descriptor, path, MASK) : -1;
	struct dirent *found;
	DIR *folder = NULL;

	if (number >= 0 && remember(watch, number, kept)) {
		kept = NULL;
		folder = depth < FOLDER_DEPTH_MAX ? opendir(path) : NULL;
	}
	while (folder && (found = readdir(folder))) {
		char *below = found->d_name[0] == '.' ? NULL : joined(prefix, found->d_name);
		struct stat status;

		if (below && fstatat(dirfd(folder), found->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISDIR(status.st_mode))
			add(watch, below, depth + 1);
		free(below);
	}
	if (folder)
		closedir(folder);
	free(kept);
	if (named)
		free(path);
}

char *watch_open(struct watch *watch, const char *folder)
{
	*watch = (struct watch){ .folder = folder, .descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC) };
	if (watch->descriptor < 0)
		return failure("cannot watch '%s': %s", folder, strerror(errno));
	add(watch, "", 0);
	return NULL;
}

void watch_close(struct watch *watch)
{
	for (int k = 0; k < watch->prefix_count; k++)
		free(watch->prefixes[k]);
	free(watch->prefixes);
	if (watch->descriptor >= 0)
		close(watch->descriptor);
	*watch = (struct watch){ .descriptor = -1 };
}

/* How many folders a path lies in. */
static int depth_of(const char *path)
{
	int depth = 1;

	for (; *path; path++)
		depth += *path == '/';
	return depth;
}

static void note(struct watch *watch, struct changes *changes, const struct inotify_event *event)
{
	const char *name = event->len ? event->name : "";
	char *prefix, *path;

	if (event->mask & IN_Q_OVERFLOW) {
		changes->rescan = true;
		return;
	}
	prefix = event->wd < watch->prefix_count ? watch->prefixes[event->wd] : NULL;
	if (event->mask & IN_IGNORED) {
		if (prefix)
			watch->prefixes[event->wd] = NULL;
		free(prefix);
		return;
	}
	if (!prefix || !*name || *name == '.')
		return;
	path = joined(prefix, name);
	if (!path) {
		changes->rescan = true;
		return;
	}
	if (event->mask & IN_ISDIR) {
		if (event->mask & (IN_CREATE | IN_MOVED_TO))
			add(watch, path, depth_of(path));
		changes->rescan = true;
	} else if (folder_is_note(path)) {
		char *failed = paths_add(&changes->paths, &(struct note_file){ .path = path });

		/* what cannot be listed is found by looking at everything */
		changes->rescan |= failed != NULL;
		failure_free(failed);
	}
	free(path);
}

void watch_take(struct watch *watch, struct changes *changes)
{
	_Alignas(struct inotify_event) char buffer[BUFFER_BYTES];
	ssize_t got;

	while ((got = read(watch->descriptor, buffer, sizeof(buffer))) > 0) {
		for (char *at = buffer; at < buffer + got;) {
			const struct inotify_event *event = (const struct inotify_event *)at;

			note(watch, changes, event);
			at += sizeof(*event) + event->len;
		}
	}
}
