/* SPDX-License-Identifier: BSD-3-Clause */
/* See quota.h. */
#include "quota.h"
#include "clock.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A quota of more processors than this counts as none. */
#define PROCESSORS_MOST 1000000

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Cut off the word at *at, which ends at `end` or with the text, and set *at behind it. NULL when nothing is left. */
static char *cut(char **at, char end)
{
	char *word = *at, *stop = word ? strchr(word, end) : NULL;

	if (stop)
		*stop++ = '\0';
	*at = stop;
	return word;
}

/* Copy a string to where the caller has found room for it. */
static void put(char *to, const char *text)
{
	memcpy(to, text, strlen(text) + 1);
}

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (list && (strncmp(list, word, length) != 0 || (list[length] && list[length] != ','))) {
		list = strchr(list, ',');
		list += list != NULL;
	}
	return list != NULL;
}

/* Undo mountinfo's \ooo, which stand for blanks, tabs, newlines and backslashes. */
static bool unescape(const char *text, char *to, size_t size)
{
	size_t length = 0;

	while (*text && length < size - 1) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			to[length++] = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			to[length++] = *text++;
		}
	}
	to[length] = '\0';
	return *text == '\0';
}

/* ---- hierarchies ------------------------------------------------------------------------------------------------- */

/* Whether a mount's root lies above or beside this control group namespace: "/..", "/../other". */
static bool is_outside(const char *root)
{
	return strncmp(root, "/..", 3) == 0 && (root[3] == '\0' || root[3] == '/');
}

/* 36 35 0:30 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu */
static void take_mount(struct thread__quota *quota, char *line)
{
	struct thread__hierarchy *hierarchy = NULL;
	char *root, *point, *word, *type;

	for (int skipped = 0; skipped < 3; skipped++)
		cut(&line, ' ');
	root = cut(&line, ' ');
	point = cut(&line, ' ');
	while ((word = cut(&line, ' ')) != NULL && strcmp(word, "-") != 0)
		;
	type = cut(&line, ' ');
	cut(&line, ' ');
	if (!type)
		return;
	if (strcmp(type, "cgroup2") == 0)
		hierarchy = &quota->v2;
	else if (strcmp(type, "cgroup") == 0 && has_word(line, "cpu"))
		hierarchy = &quota->v1;
	/* of several mounts of a hierarchy the first, and rather one that begins in this namespace */
	if (!hierarchy || (hierarchy->point[0] && (is_outside(root) || !is_outside(hierarchy->root))))
		return;
	if (!unescape(root, hierarchy->root, sizeof(hierarchy->root)) ||
	    !unescape(point, hierarchy->point, sizeof(hierarchy->point)))
		hierarchy->point[0] = '\0';
}

void thread__quota_find(struct thread__quota *quota, const char *mounts)
{
	long descriptor = thread__file_open(AT_FDCWD, mounts);
	size_t length = 0;

	quota->v1.point[0] = quota->v2.point[0] = '\0';
	if (descriptor < 0)
		return;
	while (thread__file_append(descriptor, quota->text, length, sizeof(quota->text)) > 0) {
		char *line = quota->text, *end;

		while ((end = strchr(line, '\n')) != NULL) {
			*end = '\0';
			take_mount(quota, line);
			line = end + 1;
		}
		/*
		 * A line that is longer than the buffer belongs to an overlay file system; skip it and the rest of it.
		 */
		length = line == quota->text ? 0 : strlen(line);
		memmove(quota->text, line, length);
	}
	thread__file_close(descriptor);
}

/* ---- quotas ------------------------------------------------------------------------------------------------------ */

static uint64_t rate_of(const char *quota_text, const char *period_text)
{
	unsigned long long quota_us, period_us;

	/* no quota: "max", or -1 in version 1 */
	if (*quota_text < '0' || *quota_text > '9' || !period_text)
		return THREAD__NO_QUOTA;
	quota_us = strtoull(quota_text, NULL, 10);
	period_us = strtoull(period_text, NULL, 10);
	if (period_us == 0 || quota_us / period_us >= PROCESSORS_MOST)
		return THREAD__NO_QUOTA;
	return quota_us / period_us * THREAD__SECOND_NS + quota_us % period_us * THREAD__SECOND_NS / period_us;
}

/* The quota of the group whose folder is the first `length` bytes of quota->path; what follows them is overwritten. */
static uint64_t quota_of_group(struct thread__quota *quota, size_t length, bool is_v2)
{
	const char *name = is_v2 ? "/cpu.max" : "/cpu.cfs_quota_us";
	char limit[64], period[64];

	if (length + strlen("/cpu.cfs_period_us") >= sizeof(quota->path))
		return THREAD__NO_QUOTA;
	if (!is_v2) {
		put(quota->path + length, "/cpu.cfs_period_us");
		if (!thread__file_read(AT_FDCWD, quota->path, period, sizeof(period)))
			return THREAD__NO_QUOTA;
	}
	put(quota->path + length, name);
	if (!thread__file_read(AT_FDCWD, quota->path, limit, sizeof(limit)))
		return THREAD__NO_QUOTA;
	return rate_of(limit, is_v2 ? strchr(limit, ' ') : period);
}

/* `group` as it is seen below the hierarchy's mount point; NULL when it is not below it. */
static const char *below_root(const struct thread__hierarchy *hierarchy, const char *group)
{
	size_t length = strlen(hierarchy->root);

	if (strcmp(hierarchy->root, "/") == 0)
		/* "/.." is outside this control group namespace; the mounted group is the nearest that can be seen */
		return strncmp(group, "/..", 3) == 0 || strcmp(group, "/") == 0 ? "" : group;
	if (strncmp(group, hierarchy->root, length) != 0 || (group[length] && group[length] != '/'))
		return NULL;
	return group + length;
}

/* Take the quotas of the group and of those around it into *least. */
static void read_groups(struct thread__quota *quota, const struct thread__hierarchy *hierarchy, const char *group,
			uint64_t *least)
{
	bool is_v2 = hierarchy == &quota->v2;
	size_t top = strlen(hierarchy->point), length;
	const char *below = hierarchy->point[0] ? below_root(hierarchy, group) : NULL;

	if (!below || top + strlen(below) >= sizeof(quota->path))
		return;
	put(quota->path, hierarchy->point);
	put(quota->path + top, below);
	length = top + strlen(below);
	for (;;) {
		uint64_t rate = quota_of_group(quota, length, is_v2);

		if (rate < *least) {
			*least = rate;
			put(quota->least, quota->path);
		}
		if (length <= top)
			return;
		do
			length--;
		while (length > top && quota->path[length] != '/');
	}
}

uint64_t thread__quota_read(struct thread__quota *quota, const char *groups)
{
	uint64_t least = THREAD__NO_QUOTA;
	char *text = quota->text, *line;
	int saved = errno;

	quota->least[0] = '\0';
	if ((quota->v1.point[0] || quota->v2.point[0]) &&
	    thread__file_read(AT_FDCWD, groups, text, sizeof(quota->text))) {
		/* 4:cpu,cpuacct:/docker/0123 or 0::/docker/0123; a path may have colons */
		while ((line = cut(&text, '\n')) != NULL) {
			const char *number = cut(&line, ':'), *controllers = cut(&line, ':');

			if (!line)
				continue;
			if (strcmp(number, "0") == 0 && controllers[0] == '\0')
				read_groups(quota, &quota->v2, line, &least);
			else if (has_word(controllers, "cpu"))
				read_groups(quota, &quota->v1, line, &least);
		}
	}
	errno = saved;
	return least;
}
