/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has changed below a folder, from inotify(7).
 *
 * The kernel's queue may overflow, and a folder may appear with notes in it already; then the whole folder has to be
 * looked at again (`rescan`). A change says only that something happened to a path, not what is there now.
 */
#ifndef NOTES_WATCH_H
#define NOTES_WATCH_H

#include "paths.h"

struct watch {
	int descriptor; /* readable when there are changes; -1: nothing is watched */
	const char *folder;
	char **prefixes; /* by number of a watch: the path of its folder below `folder` */
	int prefix_count;
};

struct changes {
	struct paths paths; /* notes that were written, moved or removed */
	bool rescan;
};

/* Watch a folder, whose name has to stay valid. A failure: the system has no more inotify instances. */
char *watch_open(struct watch *watch, const char *folder);
void watch_close(struct watch *watch);
/* Add the changes since the last call, without waiting. */
void watch_take(struct watch *watch, struct changes *changes);

#endif
